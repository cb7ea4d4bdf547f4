# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# What stands beside PCL's tracking classes.
PCL_GPU_ADD_TEST(gpu_articulated_tracking test_gpu_articulated_tracking
  FILES test_articulated_tracker.cpp
        test_capsule_coherence.cpp
        test_pose_state.cpp
  LINK_WITH gpu_articulated
  LABELS unit)
