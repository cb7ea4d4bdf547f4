# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, PCL GPU Perception developers

# Common code of the programs below: objects to be recognized, and scenes of them.
add_library(gpu_tensor_shapes STATIC
  recognition/recognition_scenes.cpp recognition/recognition_shapes.cpp)
pcl_gpu_compile_settings(gpu_tensor_shapes)
pcl_gpu_precompile_headers(gpu_tensor_shapes test)
pcl_gpu_link(gpu_tensor_shapes PUBLIC DEPS gpu_tensor_libraries testing_meshes)

set(recognition_capture_test)
if(PCL_GPU_HAVE_CUDA)
  set(recognition_capture_test recognition/test_recognition_capture.cpp)
endif()
# Each case learns a library, which takes two minutes under the sanitizers.
PCL_GPU_ADD_TEST(gpu_tensor_recognition test_gpu_tensor_recognition
  FILES ${recognition_capture_test}
        recognition/test_divided_recognition.cpp
        recognition/test_model_points.cpp
        recognition/test_recognition.cpp
        recognition/test_recognition_errors.cpp
        recognition/test_recognition_output.cpp
        recognition/test_recognition_steps.cpp
  LINK_WITH gpu_tensor_shapes
  LABELS unit slow)

PCL_GPU_ADD_TEST(gpu_tensor_learning test_gpu_tensor_learning
  FILES tensors/test_depth_map_tensor_extraction.cpp
        library/test_model_learning.cpp
  LINK_WITH gpu_tensor_shapes
  LABELS unit slow)

PCL_GPU_ADD_TEST(gpu_tensor_registration test_gpu_tensor_registration
  FILES recognition/test_depth_stream.cpp
        registration/test_overlap_evidence.cpp
        registration/test_pose_graph.cpp
        registration/test_scanned_view.cpp
        registration/test_view_registration.cpp
  LINK_WITH gpu_tensor_shapes
  LABELS unit slow)

PCL_GPU_ADD_TEST(gpu_tensor_views test_gpu_tensor_views
  FILES registration/test_recorded_views.cpp
  LINK_WITH gpu_tensor testing_meshes
  LABELS data)
