# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

if(PCL_GPU_HAVE_CUDA)
  PCL_GPU_ADD_BENCHMARK(benchmark_raycast_cuda
    FILES
      benchmark_raycast_cuda.cpp
      cuda_frames.cpp
      cuda_pictures.cpp
      cuda_queries.cpp
      cuda_shadows.cpp
      meshes.cpp
      seen_points.cpp
    LINK_WITH testing_meshes testing_paper_shadows)
  # The paper's shadow rays use the module's own parts, compiled with the same options.
  target_include_directories(benchmark_raycast_cuda PRIVATE
    ${PROJECT_SOURCE_DIR}/gpu_raycast/src)
  pcl_gpu_round_each_operation(benchmark_raycast_cuda)
endif()
