# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# The component gpu_containers when it is PCL's own. PCL's headers serve as they are; of
# ours, only those that PCL lacks are visible, because the others would shadow PCL's.

set(extra_headers device.h device_exception.h)
set(extra_include_dir "${PROJECT_BINARY_DIR}/system_containers/include")
foreach(header IN LISTS extra_headers)
  set(path pcl/gpu/containers/${header})
  set(source "${PROJECT_SOURCE_DIR}/gpu_containers/include/${path}")
  configure_file("${source}" "${extra_include_dir}/${path}" COPYONLY)
  install(FILES "${source}" DESTINATION ${PCL_GPU_INCLUDE_INSTALL_DIR}/pcl/gpu/containers)
endforeach()

add_library(pcl_gpu_system_containers INTERFACE)
target_compile_definitions(pcl_gpu_system_containers INTERFACE PCL_GPU_SYSTEM_CONTAINERS=1)
target_compile_features(pcl_gpu_system_containers INTERFACE cxx_std_17)
target_include_directories(pcl_gpu_system_containers INTERFACE
  $<BUILD_INTERFACE:${extra_include_dir}>
  $<INSTALL_INTERFACE:${PCL_GPU_INCLUDE_INSTALL_DIR}>)
pcl_gpu_link(pcl_gpu_system_containers INTERFACE PCL_DEPS common gpu_containers)
pcl_gpu_add_component(gpu_containers TARGET pcl_gpu_system_containers
  DESC "Device containers of PCL, with device selection and errors"
  PCL_DEPS common gpu_containers)
