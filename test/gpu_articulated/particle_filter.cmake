# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# The arithmetic of the filter, which no public header shows.
PCL_GPU_ADD_TEST(gpu_articulated_filter_arithmetic test_gpu_articulated_filter_arithmetic
  FILES test_filter_arithmetic.cpp
        test_random_numbers.cpp
  LINK_WITH gpu_articulated
  LABELS unit)
target_include_directories(test_gpu_articulated_filter_arithmetic PRIVATE
  ${PROJECT_SOURCE_DIR}/gpu_articulated/src
  ${RANDOM123_INCLUDE_DIR})
pcl_gpu_round_each_operation(test_gpu_articulated_filter_arithmetic)

PCL_GPU_ADD_TEST(gpu_articulated_filter test_gpu_articulated_filter
  FILES test_filter_annealing.cpp
        test_filter_ball_joints.cpp
        test_filter_devices.cpp
        test_filter_errors.cpp
        test_filter_estimate.cpp
        test_filter_islands.cpp
        test_filter_kalman.cpp
        test_filter_motion.cpp
        test_filter_points.cpp
        test_filter_repeatable.cpp
        test_filter_resampling.cpp
        test_filter_weights.cpp
  LINK_WITH gpu_articulated
  LABELS unit)
if(PCL_GPU_HAVE_CUDA)
  target_sources(test_gpu_articulated_filter PRIVATE test_filter_capture.cpp)
endif()
