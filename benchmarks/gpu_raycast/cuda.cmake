# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

if(PCL_GPU_HAVE_CUDA)
  find_package(Boost REQUIRED COMPONENTS iostreams)
  PCL_GPU_ADD_BENCHMARK(benchmark_raycast_cuda
    FILES
      benchmark_raycast_cuda.cpp
      cuda_frames.cpp
      cuda_pictures.cpp
      cuda_queries.cpp
      cuda_shadows.cpp
      meshes.cpp
      paper_shadows.cu
      seen_points.cpp
      ../common/cuda_timing.cu
      ../../test/common/host_mesh.cpp
    LINK_WITH gpu_raycast Boost::iostreams)
  pcl_gpu_link(benchmark_raycast_cuda PRIVATE PCL_DEPS io)
  # What reads meshes is shared with the tests.
  target_include_directories(benchmark_raycast_cuda PRIVATE ${PROJECT_SOURCE_DIR}/test)
  # The paper's shadow rays are built from the module's own parts, and as these are.
  target_include_directories(benchmark_raycast_cuda PRIVATE
    ${PROJECT_SOURCE_DIR}/gpu_raycast/src)
  target_compile_options(benchmark_raycast_cuda PRIVATE
    "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;-Xcompiler=-ffp-contract=off>")
  pcl_gpu_round_each_operation(benchmark_raycast_cuda)
  # It has its own loop; and it is carried to other machines with what it links.
  target_link_options(benchmark_raycast_cuda PRIVATE -Wl,--as-needed)
endif()
