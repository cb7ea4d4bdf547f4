// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/command_line/timings.h"
#include "options/options.h"
#include "pictures/depth_view.h"

#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_recognition.h>

#include <memory>
#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief A scene and the objects found in it, in host memory. */
struct RecognizedScene {
  std::string file;
  std::vector<RecognizedObject> objects; ///< the surest first
  int tensors = 0;
  double tensors_ms = 0.0, recognition_ms = 0.0;

  int columns = 0;               ///< of cloud, normals, labels and colours
  std::vector<PointXYZ> cloud;   ///< filtered; NaN without a measurement
  std::vector<PointXYZ> normals; ///< NaN for none
  std::vector<RGB> colors;       ///< empty without colours
  std::vector<int> labels;       ///< place among the objects; -1 for none
  PinholeCamera camera;          ///< of the depth map
  PinholeCamera cloud_camera;    ///< of the cloud, which keeps fewer pixels
  /** \brief Pose of the camera: the VIEWPOINT of the scene's file. */
  Pose viewpoint = Pose::Identity();

  /** \brief Frees its points: those of many scenes would take much memory. */
  void
  dropCloud();
};

/** \brief Finder of a library's objects in one scene after the other. */
class Recognizer {
public:
  /** \brief Sets all parameters.
   * \param[in] options options of the search
   * \param[in] library library with models
   * \param[in,out] timings receives the times of the stages
   * \throws InputError if the mask cannot be read
   */
  Recognizer(const RecognizeOptions& options,
             const std::shared_ptr<TensorLibrary>& library,
             Timings& timings);

  /** \brief Reads a scene and looks for objects in it.
   * \param[in] file a depth map or an organized cloud
   * \throws InputError if it cannot be read, or the mask has another size
   */
  RecognizedScene
  run(const std::string& file);

private:
  /** \brief Removes depth where the mask is black. */
  void
  applyMask(const std::string& file, DepthView& view) const;

  DepthView
  read(const std::string& file) const;

  void
  download(const DepthView& view, RecognizedScene& scene) const;

  const RecognizeOptions& options_;
  Timings& timings_;
  Stream stream_;
  ColorImage mask_; ///< empty: all is looked at
  DepthMapTensorExtractionParameters parameters_;
  DepthMapTensorExtraction extraction_;
  TensorRecognition recognition_;
};

} // namespace pcl::gpu::apps
