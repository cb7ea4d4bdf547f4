# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# Answers are compared, bit for bit, with those of the ray test itself, which no public
# header shows.
PCL_GPU_ADD_TEST(gpu_raycast_query test_gpu_raycast_query
  FILES ray_query_scenes.cpp
        test_ray_query_brute_force.cpp
        test_ray_query_closed_mesh.cpp
        test_ray_query_errors.cpp
        test_ray_query_scenes.cpp
  LINK_WITH gpu_raycast
  LABELS unit)
target_include_directories(test_gpu_raycast_query PRIVATE
  ${PROJECT_SOURCE_DIR}/gpu_raycast/src)
target_compile_options(test_gpu_raycast_query PRIVATE -ffp-contract=off)

find_package(embree REQUIRED CONFIG)
find_package(Boost REQUIRED COMPONENTS iostreams)
pcl_gpu_pcl_target(pcl_io io)
PCL_GPU_ADD_TEST(gpu_raycast_query_meshes test_gpu_raycast_query_meshes
  FILES ray_query_scenes.cpp
        test_ray_query_meshes.cpp
  LINK_WITH gpu_raycast embree Boost::iostreams ${pcl_io}
  LABELS data)
