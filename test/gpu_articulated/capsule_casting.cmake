# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# What a depth camera sees of capsules, and how it errs.
PCL_GPU_ADD_TEST(gpu_articulated_casting test_gpu_articulated_casting
  FILES test_capsule_ray_caster.cpp
        test_depth_sensor_simulation.cpp
  LINK_WITH gpu_articulated
  LABELS unit)
