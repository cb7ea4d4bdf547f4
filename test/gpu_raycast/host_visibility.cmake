# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

PCL_GPU_ADD_TEST(gpu_raycast_host test_gpu_raycast_host
  FILES test_host_visibility.cpp
  LINK_WITH gpu_raycast hwy::hwy
  LABELS unit)
# Hits are compared with those of the ray test itself, which no public header shows.
target_include_directories(test_gpu_raycast_host PRIVATE
  ${PROJECT_SOURCE_DIR}/gpu_raycast/src)
target_compile_options(test_gpu_raycast_host PRIVATE -ffp-contract=off)
set_target_properties(test_gpu_raycast_host PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
