# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# Sets PCL_GPU_HAVE_CUDA to 1 and enables the language CUDA, or to 0.

include(CheckLanguage)

set(PCL_GPU_HAVE_CUDA 0)
if(PCL_GPU_WITH_CUDA STREQUAL "AUTO" OR PCL_GPU_WITH_CUDA)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    # The toolkit's usual folder is seldom on PATH.
    find_program(PCL_GPU_NVCC nvcc PATHS /usr/local/cuda/bin)
    mark_as_advanced(PCL_GPU_NVCC)
    if(PCL_GPU_NVCC)
      set(ENV{CUDACXX} "${PCL_GPU_NVCC}")
    endif()
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(PCL_GPU_HAVE_CUDA 1)
  elseif(NOT PCL_GPU_WITH_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR
      "PCL_GPU_WITH_CUDA is ON, but no CUDA compiler was found. "
      "Put nvcc on PATH, set CUDACXX, or use PCL_GPU_WITH_CUDA=OFF.")
  endif()
endif()

if(PCL_GPU_HAVE_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    if(CMAKE_VERSION VERSION_LESS 3.23)
      set(default_architectures 75 80 90) # CMake has no all-major yet
    else()
      set(default_architectures all-major)
    endif()
    set(CMAKE_CUDA_ARCHITECTURES "${default_architectures}" CACHE STRING
      "CUDA architectures to compile for")
  endif()
  # Our libraries link the runtime statically. So they run on machines without a runtime,
  # on the host device, and together with any version that a program links. They share
  # devices and memory through the driver; only the last error is per library.
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  enable_language(CUDA)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.0)
    message(FATAL_ERROR "CUDA ${CMAKE_CUDA_COMPILER_VERSION} is too old: 12.0 or newer is needed.")
  endif()
  find_package(CUDAToolkit REQUIRED)
endif()
