# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# The options of the build, and their defaults.

include(GNUInstallDirs)

option(PCL_GPU_BUILD_APPS "Build the command line programs" ON)
option(PCL_GPU_BUILD_TESTS "Build the tests" ON)
option(PCL_GPU_BUILD_BENCHMARKS "Build the benchmarks" OFF)
option(PCL_GPU_BUILD_DOCS "Add the target doc, which runs Doxygen" OFF)
option(PCL_GPU_BUILD_FUZZERS "Build the fuzzers, and nothing else" OFF)
option(PCL_GPU_WARNINGS_AS_ERRORS "Treat the compilers' warnings as errors" OFF)

set(PCL_GPU_WITH_CUDA AUTO CACHE STRING
  "Build for CUDA devices: AUTO (if a toolkit is found), ON or OFF")
set_property(CACHE PCL_GPU_WITH_CUDA PROPERTY STRINGS AUTO ON OFF)

set(PCL_GPU_CONTAINERS auto CACHE STRING
  "Device containers: auto (PCL's own if it has them), bundled (ours) or system (PCL's)")
set_property(CACHE PCL_GPU_CONTAINERS PROPERTY STRINGS auto bundled system)

set(data_folder "")
cmake_path(SET data_beside NORMALIZE "${PROJECT_SOURCE_DIR}/../shared/data")
if(IS_DIRECTORY "${data_beside}")
  set(data_folder "${data_beside}")
endif()
set(PCL_GPU_TEST_DATA "${data_folder}" CACHE PATH
  "Folder of recorded depth maps and meshes for the tests labelled data")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# CCCL refuses anything below C++17; PCL's targets ask for C++14 only.
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

# Installed programs find our libraries even if the prefix is moved. They find a CUDA
# runtime outside the loader's path where it was at build time.
file(RELATIVE_PATH lib_from_bin "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_INSTALL_RPATH "\$ORIGIN" "\$ORIGIN/${lib_from_bin}")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

find_program(PCL_GPU_CCACHE ccache)
mark_as_advanced(PCL_GPU_CCACHE)
if(PCL_GPU_CCACHE)
  foreach(language IN ITEMS C CXX CUDA)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      # Without the first, ccache skips sources that use precompiled headers. Without the
      # second, it reads all of such a header, some 300 MB, for each source.
      set(CMAKE_${language}_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_INODECACHE=1
        "${PCL_GPU_CCACHE}")
    endif()
  endforeach()
endif()
