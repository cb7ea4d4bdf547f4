# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# Tests of the host wrapper and of its point type. Included by CMakeLists.txt of this folder.

PCL_GPU_ADD_TEST(gpu_tensor_estimation test_gpu_tensor_estimation
  FILES wrappers/test_tensor_estimation.cpp
        wrappers/test_tensor_estimation_interface.cpp
        wrappers/test_tensor_signature.cpp
  LINK_WITH gpu_tensor_references ${pcl_io}
  LABELS unit)

# A program of its own: PCL_NO_PRECOMPILE must hold for all of it. PCL's search classes are
# then compiled here, and with them those parts of FLANN that call LZ4.
PCL_GPU_ADD_TEST(gpu_tensor_custom_types test_gpu_tensor_custom_types
  FILES wrappers/test_tensor_estimation_custom_type.cpp
  LINK_WITH gpu_tensor
  LABELS unit)
find_library(lz4_library lz4)
mark_as_advanced(lz4_library)
if(lz4_library)
  target_link_libraries(test_gpu_tensor_custom_types PRIVATE ${lz4_library})
endif()
