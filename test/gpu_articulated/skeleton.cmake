# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

set(kinematics_capture_test)
if(PCL_GPU_HAVE_CUDA)
  set(kinematics_capture_test test_kinematics_capture.cpp)
endif()
PCL_GPU_ADD_TEST(gpu_articulated_skeleton test_gpu_articulated_skeleton
  FILES ${kinematics_capture_test}
        test_bvh.cpp
        test_forward_kinematics.cpp
        test_human_skeleton.cpp
        test_motion_view.cpp
        test_skeleton.cpp
        test_skeleton_file.cpp
  LINK_WITH gpu_articulated
  LABELS unit)

PCL_GPU_ADD_TEST(gpu_articulated_motion test_gpu_articulated_motion
  FILES test_recorded_motion.cpp
  LINK_WITH gpu_articulated
  LABELS data)

PCL_GPU_ADD_TEST(gpu_articulated_fit test_gpu_articulated_fit
  FILES test_skeleton_fit.cpp
  LINK_WITH gpu_articulated
  LABELS slow)
