# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# The float64 reference, scenes, and what else the programs below share.
add_library(gpu_articulated_references STATIC
  capsule_reference.cpp
  capsule_reference_sums.cpp
  capsule_scenes.cpp
  capsule_shapes.cpp
  likelihood_test.cpp)
pcl_gpu_compile_settings(gpu_articulated_references)
target_compile_definitions(gpu_articulated_references PRIVATE
  PCL_GPU_TEST_DATA="${PCL_GPU_TEST_DATA}")
pcl_gpu_link(gpu_articulated_references PUBLIC DEPS testing_bodies GTest::gtest)

PCL_GPU_ADD_TEST(gpu_articulated_reference test_gpu_articulated_reference
  FILES test_capsule_reference.cpp
  LINK_WITH gpu_articulated_references
  LABELS unit)

PCL_GPU_ADD_TEST(gpu_articulated_likelihood test_gpu_articulated_likelihood
  FILES test_capsule_likelihood.cpp
        test_capsule_likelihood_grazed.cpp
        test_capsule_likelihood_points.cpp
        test_capsule_likelihood_tapered.cpp
  LINK_WITH gpu_articulated_references
  LABELS unit)

PCL_GPU_ADD_TEST(gpu_articulated_scenes test_gpu_articulated_scenes
  FILES test_capsule_likelihood_scenes.cpp
  LINK_WITH gpu_articulated_references
  LABELS unit)

PCL_GPU_ADD_TEST(gpu_articulated_likelihood_sizes test_gpu_articulated_likelihood_sizes
  FILES test_capsule_likelihood_errors.cpp
        test_capsule_likelihood_sizes.cpp
  LINK_WITH gpu_articulated_references
  LABELS unit)

if(PCL_GPU_HAVE_CUDA)
  PCL_GPU_ADD_TEST(gpu_articulated_likelihood_cuda test_gpu_articulated_likelihood_cuda
    FILES test_capsule_likelihood_cuda.cpp
    LINK_WITH gpu_articulated_references
    LABELS unit)
endif()

PCL_GPU_ADD_TEST(gpu_articulated_likelihood_large test_gpu_articulated_likelihood_large
  FILES test_capsule_likelihood_large.cpp
  LINK_WITH gpu_articulated_references
  LABELS slow)
