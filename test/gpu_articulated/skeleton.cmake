# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

PCL_GPU_ADD_TEST(gpu_articulated_skeleton test_gpu_articulated_skeleton
  FILES test_bvh.cpp
        test_forward_kinematics.cpp
        test_skeleton.cpp
  LINK_WITH gpu_articulated
  LABELS unit)

PCL_GPU_ADD_TEST(gpu_articulated_motion test_gpu_articulated_motion
  FILES test_recorded_motion.cpp
  LINK_WITH gpu_articulated
  LABELS data)
