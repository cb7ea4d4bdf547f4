# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# Finds the modules' dependencies, and chooses between PCL's device containers and ours.
# Sets PCL_GPU_USE_SYSTEM_CONTAINERS to 1 (PCL's) or 0 (gpu_containers/ of this
# project).

find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(hwy REQUIRED CONFIG)
find_package(yaml-cpp REQUIRED CONFIG)
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)

set(pcl_components common kdtree octree search sample_consensus filters geometry features surface
    registration segmentation tracking io)
if(PCL_GPU_BUILD_APPS)
  list(APPEND pcl_components visualization)
endif()
find_package(PCL 1.13 REQUIRED COMPONENTS ${pcl_components} OPTIONAL_COMPONENTS gpu_containers)

pcl_gpu_pcl_target(system_containers gpu_containers)
set(PCL_GPU_USE_SYSTEM_CONTAINERS 0)
if(PCL_GPU_CONTAINERS STREQUAL "system" AND NOT system_containers)
  message(FATAL_ERROR
    "PCL_GPU_CONTAINERS=system, but the PCL found in ${PCL_DIR} was built without its "
    "component gpu_containers (PCL's options WITH_CUDA and BUILD_GPU). "
    "Point PCL_DIR to a PCL that has it, or use PCL_GPU_CONTAINERS=bundled.")
elseif(PCL_GPU_CONTAINERS STREQUAL "system"
       OR (PCL_GPU_CONTAINERS STREQUAL "auto" AND system_containers))
  set(PCL_GPU_USE_SYSTEM_CONTAINERS 1)
endif()

if(PCL_GPU_BUILD_TESTS)
  find_package(GTest REQUIRED)
  enable_testing()
endif()
