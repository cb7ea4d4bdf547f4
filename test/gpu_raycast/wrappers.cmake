# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# Tests of the host wrappers. Included by CMakeLists.txt of this folder.

pcl_gpu_pcl_target(pcl_io io)

PCL_GPU_ADD_TEST(gpu_raycast_wrappers test_gpu_raycast_wrappers
  FILES polygon_meshes.cpp
        test_deformation.cpp
        test_wrappers_conversion.cpp
        test_wrappers_range_image.cpp
        test_wrappers_ray_caster.cpp
        test_wrappers_views.cpp
  LINK_WITH gpu_raycast ${pcl_io}
  LABELS unit)

# A program of its own: PCL_NO_PRECOMPILE must hold for all of it.
PCL_GPU_ADD_TEST(gpu_raycast_custom_types test_gpu_raycast_custom_types
  FILES polygon_meshes.cpp
        test_wrappers_custom_type.cpp
  LINK_WITH gpu_raycast
  LABELS unit)
