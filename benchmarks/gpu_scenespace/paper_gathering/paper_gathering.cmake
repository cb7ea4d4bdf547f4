# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# The algorithms of the paper that only comparisons want: tests and benchmarks link them.
if(NOT TARGET scenespace_paper_gathering)
  set(cuda_sources)
  if(PCL_GPU_HAVE_CUDA)
    set(cuda_sources ${CMAKE_CURRENT_LIST_DIR}/cuda_paper_gathering.cu)
  endif()
  add_library(scenespace_paper_gathering STATIC
    ${CMAKE_CURRENT_LIST_DIR}/paper_gathering.cpp ${cuda_sources})
  target_compile_features(scenespace_paper_gathering PUBLIC cxx_std_17)
  target_include_directories(scenespace_paper_gathering
    PUBLIC ${CMAKE_CURRENT_LIST_DIR}
    PRIVATE ${PROJECT_SOURCE_DIR}/gpu_scenespace/src)
  pcl_gpu_compile_settings(scenespace_paper_gathering)
  pcl_gpu_link(scenespace_paper_gathering PUBLIC DEPS gpu_scenespace)
  # As gpu_scenespace itself is compiled.
  pcl_gpu_precompile_headers(scenespace_paper_gathering library)
  pcl_gpu_round_each_operation(scenespace_paper_gathering)
  target_compile_options(scenespace_paper_gathering PRIVATE
    $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false>
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off>)
endif()
