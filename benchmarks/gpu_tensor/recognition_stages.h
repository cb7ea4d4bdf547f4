// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gpu_triangulation/synthetic_depth.h"

#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_recognition.h>
#include <pcl/gpu/utils/page_locked_memory.h>
#include <pcl/gpu/utils/stream.h>

#include <memory>
#include <string>
#include <vector>

namespace benchmarks {

/** \brief A frame that goes through the whole recognition, or one stage of it, on the
 * current device. Stages queue their work on a stream, and neither wait nor allocate
 * once the whole frame has been through. */
class RecognitionStages {
public:
  /** \brief Runs the whole frame once.
   * \param[in] tensors of the scene, at most
   */
  RecognitionStages(const RawDepth& depth,
                    const std::shared_ptr<pcl::gpu::TensorLibrary>& library,
                    int tensors,
                    const pcl::gpu::Stream& stream = {});

  /** \brief From page-locked memory. */
  void
  upload();

  void
  makeSurface();

  void
  findPairs();

  void
  computeTensors();

  /** \brief Surface, pairs and tensors. */
  void
  extract();

  void
  match();

  /** \brief Matching, poses, verification, and the points of all objects. */
  void
  recognize();

  /** \brief Objects to page-locked memory. */
  void
  download();

  /** \brief From depth in host memory to objects in host memory. */
  void
  wholeFrame();

  /** \brief Forgets the last download(). The stream is idle. */
  void
  forgetObjects();

  /** \return the objects that the last download() brought, once the stream is idle */
  std::vector<pcl::gpu::RecognizedObject>
  objects() const;

  int
  tensorCount() const;

private:
  pcl::gpu::Stream stream_;
  pcl::gpu::PageLockedMemory host_depth_, host_count_, host_objects_;
  pcl::gpu::RawDepthMap depth_;
  pcl::gpu::DepthMapTensorExtraction extraction_;
  pcl::gpu::DepthMapTriangulation surface_;
  pcl::gpu::PointPairEstimation pair_estimation_;
  pcl::gpu::TensorExtraction tensor_extraction_;
  pcl::gpu::TensorMatching matching_;
  pcl::gpu::TensorRecognition recognition_;
  pcl::gpu::PointPairs pairs_;
  pcl::gpu::TensorSet tensors_;
  pcl::gpu::DeviceArray<pcl::gpu::TensorMatch> matches_;
};

/** \brief Returns whether two lists are the same, bit for bit. */
bool
sameObjects(const std::vector<pcl::gpu::RecognizedObject>& a,
            const std::vector<pcl::gpu::RecognizedObject>& b);

/** \brief Names of objects for people. */
std::string
namesOf(const std::vector<pcl::gpu::RecognizedObject>& objects,
        const pcl::gpu::TensorLibrary& library);

} // namespace benchmarks
