# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

PCL_GPU_ADD_TEST(gpu_articulated_skeleton test_gpu_articulated_skeleton
  FILES test_forward_kinematics.cpp
        test_skeleton.cpp
  LINK_WITH gpu_articulated
  LABELS unit)
