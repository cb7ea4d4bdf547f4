# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# Package files, installed and in the build tree: find_package(PCLGPUPerception) and
# pkg-config. Each component has its own export file, so that a program resolves only the
# dependencies of the components that it requests.

include(CMakePackageConfigHelpers)

set(package_install_dir "${CMAKE_INSTALL_LIBDIR}/cmake/PCLGPUPerception")
get_property(PCL_GPU_COMPONENTS GLOBAL PROPERTY PCL_GPU_COMPONENTS)

# pcl_gpu_write_pkgconfig(component target)
# Writes <library file>.pc. The file has the library's name, because PCL has components
# with the names of ours.
function(pcl_gpu_write_pkgconfig component target)
  get_target_property(pc_description ${target} PCL_GPU_DESC)
  get_target_property(dependencies ${target} PCL_GPU_DEPS)
  get_target_property(pcl_dependencies ${target} PCL_GPU_PCL_DEPS)
  get_target_property(type ${target} TYPE)
  pcl_gpu_pkgconfig_name(pc_name ${target})

  set(pc_requires "")
  foreach(dependency IN LISTS dependencies)
    get_target_property(aliased PCLGPUPerception::${dependency} ALIASED_TARGET)
    pcl_gpu_pkgconfig_name(dependency_name ${aliased})
    list(APPEND pc_requires ${dependency_name})
  endforeach()
  foreach(dependency IN LISTS pcl_dependencies)
    list(APPEND pc_requires pcl_${dependency})
  endforeach()
  list(JOIN pc_requires ", " pc_requires)

  set(pc_libs "")
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    set(pc_libs "-L\${libdir} -l${pc_name}")
  endif()
  set(pc_definitions "")
  if(component STREQUAL "gpu_containers" AND PCL_GPU_USE_SYSTEM_CONTAINERS)
    set(pc_definitions "-DPCL_GPU_SYSTEM_CONTAINERS=1")
  endif()

  set(pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
  file(RELATIVE_PATH prefix_from_pc "/${pc_dir}" "/")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/pkgconfig.pc.in"
    "${PROJECT_BINARY_DIR}/pkgconfig/${pc_name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/pkgconfig/${pc_name}.pc" DESTINATION ${pc_dir})
endfunction()

function(pcl_gpu_pkgconfig_name result target)
  get_target_property(output_name ${target} OUTPUT_NAME)
  if(NOT output_name)
    set(output_name ${target})
  endif()
  set(${result} ${output_name} PARENT_SCOPE)
endfunction()

set(PCL_GPU_COMPONENT_DEPENDENCIES "")
foreach(component IN LISTS PCL_GPU_COMPONENTS)
  get_target_property(target PCLGPUPerception::${component} ALIASED_TARGET)
  get_target_property(dependencies ${target} PCL_GPU_DEPS)
  get_target_property(pcl_dependencies ${target} PCL_GPU_PCL_DEPS)
  get_target_property(packages ${target} PCL_GPU_PACKAGES)
  string(APPEND PCL_GPU_COMPONENT_DEPENDENCIES
    "set(pcl_gpu_deps_${component} ${dependencies})\n"
    "set(pcl_gpu_pcl_deps_${component} ${pcl_dependencies})\n"
    "set(pcl_gpu_packages_${component} ${packages})\n")
  string(REPLACE ";" " " PCL_GPU_COMPONENT_DEPENDENCIES "${PCL_GPU_COMPONENT_DEPENDENCIES}")

  set(targets_file PCLGPUPerception_${component}Targets.cmake)
  export(EXPORT PCLGPUPerception_${component}
    NAMESPACE PCLGPUPerception::
    FILE "${PROJECT_BINARY_DIR}/${targets_file}")
  install(EXPORT PCLGPUPerception_${component}
    NAMESPACE PCLGPUPerception::
    FILE ${targets_file}
    DESTINATION ${package_install_dir})
  pcl_gpu_write_pkgconfig(${component} ${target})
endforeach()

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/PCLGPUPerceptionConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/PCLGPUPerceptionConfig.cmake"
  INSTALL_DESTINATION ${package_install_dir}
  NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor release may change the interface.
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/PCLGPUPerceptionConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/PCLGPUPerceptionConfig.cmake"
  "${PROJECT_BINARY_DIR}/PCLGPUPerceptionConfigVersion.cmake"
  DESTINATION ${package_install_dir})

# ROS finds packages by this file.
install(FILES "${PROJECT_SOURCE_DIR}/package.xml"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/pcl_gpu_perception")
