// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief How poses of models are refined and judged. Distances are in resolutions of the
 * library (TensorParameters).
 * \ingroup gpu_tensor_types
 */
struct PoseVerificationParameters {
  /** \brief Rounds of refinement, 0 to max_rounds. */
  int rounds = 12;
  int points = 300; ///< of a model that each round takes at most, 1 or more
  /** \brief How far a point may be from the scene's surface to be drawn to it in the first
   * round; positive. */
  float first_distance = 9.0f;
  /** \brief The same in the last round, not more than in the first. In between the distance
   * falls in equal ratios. */
  float last_distance = 2.25f;
  /** \brief How near the scene's surface has to be for a point to be an inlier; positive.
   * Some three standard deviations of the filtered depth. */
  float inlier_distance = 1.5f;
  /** \brief From which distance on a surface behind a point is seen through it, and one in
   * front hides it; positive. */
  float free_distance = 3.0f;
  /** \brief Least share of the points to be seen that have to be inliers, 0 to 1: objects of
   * which less is visible are not found. */
  float min_visible = 0.4f;
  float min_fit = 0.55f;        ///< least RecognizedObject::fit, 0 to 1
  float max_violations = 0.05f; ///< largest RecognizedObject::violations, 0 to 1
  /** \brief Least RecognizedObject::spread, 0 to 0.5. Rejects what lies flat in a plane: planes
   * fit anywhere. */
  float min_spread = 0.12f;
  int min_inliers = 40; ///< least number of inliers, 0 or more
  /** \brief Least RecognizedObject::confidence; fewer false objects are found with more. */
  float min_confidence = 0.62f;
  /** \brief Weight of the natural logarithm of RecognizedObject::support in the confidence, not
   * negative. The fit is added to it, and half the share of the model's edges is subtracted
   * that the scene's surface goes on beyond. */
  float support_weight = 0.08f;
  /** \brief Whether it counts against a pose that the scene's surface goes on where the model
   * ends at an edge. Models that are views end where their camera saw no more. */
  bool judge_outlines = true;

  static constexpr int max_rounds = 64; ///< most rounds of refinement

  /** \brief Checks all of them.
   * \throws pcl::BadArgumentException that names the first one that is wrong, and its value
   */
  PCL_EXPORTS void
  validate() const;
};

/** \brief How TensorRecognition finds objects. Distances are in resolutions of the library
 * (TensorParameters). The defaults suit objects of some 70 resolutions and a Kinect's noise,
 * filtered as DepthMapTensorExtraction does.
 * \ingroup gpu_tensor_types
 */
struct TensorRecognitionParameters {
  /** \brief Distance of the models' centres up to which hypotheses agree; positive. */
  float grouping_distance = 6.0f;
  /** \brief Angle up to which hypotheses agree, radians, above 0 up to pi; 15 degrees. */
  float grouping_angle = 0.261799388f;
  /** \brief Candidates that are looked at more closely, those of most support; 1 or more. */
  int max_candidates = 150;
  PoseVerificationParameters verification; ///< how candidates are refined and judged
  /** \brief How much of what an object explains may be explained by others already: share of
   * its inliers, 0 to 1. */
  float max_shared = 0.4f;
  /** \brief Whether points are assigned to objects; pixelObjects() is empty without. */
  bool segmentation = true;
};

} // namespace pcl::gpu
