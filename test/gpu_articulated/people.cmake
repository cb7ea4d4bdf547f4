# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

PCL_GPU_ADD_TEST(gpu_articulated_pose_search test_gpu_articulated_pose_search
  FILES test_pose_search_errors.cpp
  LINK_WITH gpu_articulated
  LABELS unit)

pcl_gpu_pcl_target(pcl_io io)
PCL_GPU_ADD_TEST(gpu_articulated_people test_gpu_articulated_people
  FILES capsule_reference.cpp
        test_people.cpp
  LINK_WITH gpu_articulated testing_images ${pcl_io}
  LABELS data slow)
