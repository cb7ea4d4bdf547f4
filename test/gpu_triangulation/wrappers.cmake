# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# Tests of the host wrappers. Included by CMakeLists.txt of this folder.

pcl_gpu_pcl_target(pcl_io io)

PCL_GPU_ADD_TEST(gpu_triangulation_wrappers test_gpu_triangulation_wrappers
  FILES test_wrappers_filter.cpp
        test_wrappers_mesh.cpp
        test_wrappers_mesh_options.cpp
        test_wrappers_normals.cpp
  LINK_WITH gpu_triangulation_references ${pcl_io}
  LABELS unit)

PCL_GPU_ADD_TEST(gpu_triangulation_wrappers_clouds test_gpu_triangulation_wrappers_clouds
  FILES test_wrappers_recorded_clouds.cpp
        test_wrappers_recorded_mesh.cpp
  LINK_WITH gpu_triangulation_references ${pcl_io}
  LABELS data)

# A program of its own: PCL_NO_PRECOMPILE must hold for all of it. PCL's search classes are
# then compiled here, and with them those parts of FLANN that call LZ4.
find_library(lz4_library lz4)
mark_as_advanced(lz4_library)
PCL_GPU_ADD_TEST(gpu_triangulation_custom_types test_gpu_triangulation_custom_types
  FILES test_wrappers_custom_type.cpp
  LINK_WITH gpu_triangulation
  LABELS unit)
if(lz4_library)
  target_link_libraries(test_gpu_triangulation_custom_types PRIVATE ${lz4_library})
endif()
