// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/pose_refinement_parameters.h>
#include <pcl/gpu/tensor/tensor_matching.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Parameters of a TensorRecognition. Distances are in resolutions of the
 * library (TensorParameters) unless they say metres.
 * \ingroup gpu_tensor_types
 */
struct PCL_EXPORTS TensorRecognitionParameters {
  TensorMatchingParameters matching; ///< of matching tensors
  /** \brief Hypotheses that are moved to the scene's surface, those that it contradicts
   * least; 1 or more. */
  int max_hypotheses = 3000;
  /** \brief Largest distance from the surface of a point that is drawn to it when
   * hypotheses are moved for the first time; positive. */
  float capture_distance = 12.0f;
  /** \brief Candidates that are looked at more closely, the best of those moved; 1 or
   * more. */
  int max_candidates = 300;
  PoseRefinementParameters refinement; ///< of candidates
  /** \brief Distance of the models' centres up to which a match agrees with a pose;
   * positive. */
  float grouping_distance = 8.0f;
  /** \brief Angle up to which a match agrees with a pose, radians, above 0 up to pi; 15
   * degrees. */
  float grouping_angle = 0.261799388f;
  /** \brief Standard deviation of the sensor's depth at 0 m, metres, 0 or more: that of
   * measurements from a model, with the errors of the camera's calibration and of the
   * model. */
  float depth_deviation = 0.0015f;
  /** \brief Growth of this deviation with the squared depth, 1/metres, 0 or more; at
   * least one of the two is positive. */
  float depth_deviation_growth = 0.0025f;
  /** \brief Least share of the points to be seen that have to be inliers, 0 to 1:
   * objects of which less is visible are not found. */
  float min_visible = 0.2f;
  /** \brief Least RecognizedObject::fit, 0 to 1: of right poses in noisy depth maps one
   * in thirty fits less. */
  float min_fit = 0.45f;
  /** \brief Least RecognizedObject::confidence, 0 to 1; fewer false objects are found
   * with more. */
  float min_confidence = 0.35f;
  /** \brief Largest share of an object's inliers that better objects explain, 0 to
   * 1. */
  float max_shared = 0.4f;
  /** \brief True if points are assigned to objects; pixelObjects() is empty without. */
  bool segmentation = true;

  /** \brief Makes the defaults: of each tensor eight matches, of an overlap and a
   * coefficient of 0.4 at least, ranked by their product. */
  TensorRecognitionParameters();

  /** \brief Checks all parameters.
   * \throws pcl::BadArgumentException that names the first one that is wrong, and its
   * value
   */
  void
  validate() const;
};

} // namespace pcl::gpu
