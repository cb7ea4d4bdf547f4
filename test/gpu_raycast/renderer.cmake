# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

set(capture_tests)
if(PCL_GPU_HAVE_CUDA)
  set(capture_tests test_capture.cpp)
endif()
PCL_GPU_ADD_TEST(gpu_raycast_renderer test_gpu_raycast_renderer
  FILES ${capture_tests}
        test_renderer_bounces.cpp
        test_renderer_errors.cpp
        test_renderer_occlusion.cpp
        test_renderer_pictures.cpp
        test_renderer_shading.cpp
        test_renderer_shadows.cpp
  LINK_WITH gpu_raycast_references
  LABELS unit)

# The grid's bounds are compared with the ray test itself, which no public header shows.
PCL_GPU_ADD_TEST(gpu_raycast_light_grid test_gpu_raycast_light_grid
  FILES test_light_grid.cpp
  LINK_WITH gpu_raycast_references
  LABELS unit)
target_include_directories(test_gpu_raycast_light_grid PRIVATE
  ${PROJECT_SOURCE_DIR}/gpu_raycast/src)
target_compile_options(test_gpu_raycast_light_grid PRIVATE -ffp-contract=off)
set_target_properties(test_gpu_raycast_light_grid PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)

PCL_GPU_ADD_TEST(gpu_raycast_renderer_meshes test_gpu_raycast_renderer_meshes
  FILES test_renderer_meshes.cpp
  LINK_WITH gpu_raycast_references
  LABELS data)
