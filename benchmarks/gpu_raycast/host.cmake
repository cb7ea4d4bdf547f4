# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# On the processor, compared with Embree. PCL's own containers have no host device.
if(NOT PCL_GPU_USE_SYSTEM_CONTAINERS)
  PCL_GPU_ADD_BENCHMARK(benchmark_raycast_host
    FILES
      benchmark_raycast_host.cpp
      embree_caster.cpp
      host_table.cpp
      meshes.cpp
    LINK_WITH testing_meshes)

  # Embree is the competitor.
  find_package(embree QUIET)
  if(TARGET embree)
    target_link_libraries(benchmark_raycast_host PRIVATE embree)
    target_compile_definitions(benchmark_raycast_host PRIVATE BENCHMARKS_HAVE_EMBREE=1)
  else()
    message(STATUS "Embree was not found: benchmark_raycast_host runs without it")
    target_compile_definitions(benchmark_raycast_host PRIVATE BENCHMARKS_HAVE_EMBREE=0)
  endif()
endif()
