# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# What a depth camera sees of capsules, and how it errs.
set(casting_capture_test)
if(PCL_GPU_HAVE_CUDA)
  set(casting_capture_test test_casting_capture.cpp)
endif()
PCL_GPU_ADD_TEST(gpu_articulated_casting test_gpu_articulated_casting
  FILES ${casting_capture_test}
        test_capsule_ray_caster.cpp
        test_depth_sensor_simulation.cpp
  LINK_WITH gpu_articulated
  LABELS unit)
