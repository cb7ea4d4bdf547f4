# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# Answers are compared, bit for bit, with those of the ray test itself, which no public
# header shows.
PCL_GPU_ADD_TEST(gpu_raycast_query test_gpu_raycast_query
  FILES ray_query_scenes.cpp
        test_ray_query_brute_force.cpp
        test_ray_query_closed_mesh.cpp
        test_ray_query_curve.cpp
        test_ray_query_errors.cpp
        test_ray_query_scenes.cpp
  LINK_WITH gpu_raycast_references
  LABELS unit)
target_include_directories(test_gpu_raycast_query PRIVATE
  ${PROJECT_SOURCE_DIR}/gpu_raycast/src)
target_compile_options(test_gpu_raycast_query PRIVATE -ffp-contract=off)
set_target_properties(test_gpu_raycast_query PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)

PCL_GPU_ADD_TEST(gpu_raycast_query_meshes test_gpu_raycast_query_meshes
  FILES ray_query_scenes.cpp
        test_ray_query_meshes.cpp
  LINK_WITH gpu_raycast_references
  LABELS data)
