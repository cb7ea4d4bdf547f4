# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# The walk through the grid is of the benchmarks; the ray test that it is compared with, no
# public header shows.
PCL_GPU_ADD_TEST(gpu_raycast_paper_shadows test_gpu_raycast_paper_shadows
  FILES ray_query_scenes.cpp
        test_paper_shadows.cpp
  LINK_WITH gpu_raycast_references
  LABELS unit)
target_include_directories(test_gpu_raycast_paper_shadows PRIVATE
  ${PROJECT_SOURCE_DIR}/gpu_raycast/src ${PROJECT_SOURCE_DIR}/benchmarks)
target_compile_options(test_gpu_raycast_paper_shadows PRIVATE -ffp-contract=off)
set_target_properties(test_gpu_raycast_paper_shadows PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
