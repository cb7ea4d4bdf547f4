# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# Common code of the programs below: libraries and their files. The format is private.
add_library(gpu_tensor_libraries STATIC library/library_scenes.cpp)
pcl_gpu_compile_settings(gpu_tensor_libraries)
pcl_gpu_precompile_headers(gpu_tensor_libraries test)
target_include_directories(gpu_tensor_libraries PUBLIC ${PROJECT_SOURCE_DIR}/gpu_tensor/src)
pcl_gpu_link(gpu_tensor_libraries PUBLIC DEPS gpu_tensor_references)

PCL_GPU_ADD_TEST(gpu_tensor_library test_gpu_tensor_library
  FILES library/test_model_symmetry.cpp
        library/test_tensor_library.cpp
        library/test_tensor_library_file.cpp
  LINK_WITH gpu_tensor_libraries
  LABELS unit)

PCL_GPU_ADD_TEST(gpu_tensor_library_fuzz test_gpu_tensor_library_fuzz
  FILES library/test_tensor_library_fuzz.cpp
  LINK_WITH gpu_tensor_libraries
  LABELS slow)
