# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# The PCL of this machine, given the component gpu_containers that a PCL built for GPUs
# has. Its headers declare what PCL's do and define nothing: enough to compile against.

list(REMOVE_ITEM PCL_FIND_COMPONENTS gpu_containers)
include("${REAL_PCL_DIR}/PCLConfig.cmake")

if(NOT TARGET pcl_gpu_containers)
  add_library(pcl_gpu_containers INTERFACE IMPORTED)
  target_include_directories(pcl_gpu_containers INTERFACE "${CMAKE_CURRENT_LIST_DIR}/include")
  target_link_libraries(pcl_gpu_containers INTERFACE pcl_common)
endif()
