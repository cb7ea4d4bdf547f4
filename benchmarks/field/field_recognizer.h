// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "bop_folder.h"

#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_library.h>
#include <pcl/gpu/tensor/tensor_recognition.h>

#include <memory>
#include <string>
#include <vector>

namespace benchmarks {

/** \brief Settings of learning and recognition; defaults are those of
 * pcl_gpu_recognize. */
struct RecognitionSettings {
  float resolution = 0.0025f; ///< metres
  int views = 60;             ///< of each mesh
  int view_tensors = 100;     ///< of each view
  float distance = 1.1f;      ///< of the camera from a mesh, metres
  int tensors = 6000;         ///< of a scene
  /** \brief Least one of an object. */
  float confidence = pcl::gpu::TensorRecognitionParameters().min_confidence;
  bool all_candidates = false; ///< whatever speaks against them
};

/** \brief An object that was found. */
struct Estimate {
  int object; ///< obj_id
  pcl::gpu::Pose pose;
  float confidence;
  pcl::gpu::RecognitionEvidence evidence;
};

/** \brief Finds objects of BOP's numbers in depth maps. */
class FieldRecognizer {
public:
  explicit FieldRecognizer(const RecognitionSettings& settings);

  /** \brief Learns objects from their meshes, as pcl_gpu_recognize does.
   * \param[in] meshes their objects' numbers must be new
   * \param[in] camera renders the views
   * \throws std::runtime_error naming the object that cannot be learned
   */
  void
  learn(const std::vector<BopMesh>& meshes, const pcl::gpu::PinholeCamera& camera);

  /** \brief Finds the objects in a depth map.
   * \param[in] depth metres, NaN where it is missing
   */
  std::vector<Estimate>
  recognize(const pcl::gpu::test::Image<float>& depth,
            const pcl::gpu::PinholeCamera& camera);

  /** \brief Returns the time of the last recognize(), from depth in host memory to
   * objects in host memory. The first one also makes the library's table. */
  double
  seconds() const
  {
    return seconds_;
  }

  /** \brief Returns the number of tensors of all models. */
  int
  getTensorCount() const
  {
    return library_->getTensorCount();
  }

private:
  pcl::gpu::DepthMapTensorExtractionParameters
  extractionParameters(int tensors, const pcl::gpu::PinholeCamera& camera) const;

  RecognitionSettings settings_;
  std::shared_ptr<pcl::gpu::TensorLibrary> library_;
  std::vector<int> objects_; ///< of the library's models
  pcl::gpu::DepthMapTensorExtraction extraction_;
  pcl::gpu::TensorRecognition recognition_;
  double seconds_ = 0.0;
};

} // namespace benchmarks
