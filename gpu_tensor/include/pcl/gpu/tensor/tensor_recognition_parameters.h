// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_matching.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Parameters by which poses of models are refined and judged. Distances are in
 * resolutions of the library (TensorParameters).
 * \ingroup gpu_tensor_types
 */
struct PoseVerificationParameters {
  /** \brief Rounds of refinement, 0 to max_rounds. */
  int rounds = 12;
  int points = 300; ///< of a model that each round takes at most, 1 or more
  /** \brief Largest distance from the scene's surface of a point that is drawn to it in
   * the first round; positive. */
  float first_distance = 9.0f;
  /** \brief The same in the last round, not more than in the first. In between the
   * distance falls in equal ratios. */
  float last_distance = 2.25f;
  /** \brief Largest distance of an inlier from the scene's surface; positive. The
   * default is some three standard deviations of the filtered depth. */
  float inlier_distance = 1.5f;
  /** \brief Least distance behind a point at which the camera sees through it, and in
   * front at which a surface hides it; positive. */
  float free_distance = 3.0f;
  /** \brief Least share of the points to be seen that have to be inliers, 0 to 1:
   * objects of which less is visible are not found. */
  float min_visible = 0.4f;
  float min_fit = 0.55f;        ///< least RecognizedObject::fit, 0 to 1
  float max_violations = 0.05f; ///< largest RecognizedObject::violations, 0 to 1
  /** \brief Least RecognizedObject::spread, 0 to 0.5. Rejects poses whose inliers lie
   * in a plane: planes fit anywhere. */
  float min_spread = 0.12f;
  int min_inliers = 40; ///< least number of inliers, 0 or more
  /** \brief Least RecognizedObject::confidence; fewer false objects are found with
   * more. */
  float min_confidence = 0.62f;
  /** \brief Weight of the natural logarithm of RecognizedObject::support in the
   * confidence, not negative. The confidence also adds the fit, and subtracts half the
   * share of the model's edges beyond which the scene's surface continues. */
  float support_weight = 0.08f;
  /** \brief True if a scene's surface that continues beyond an edge of the model counts
   * against a pose. Set false for models that are views: their edges are not the
   * object's. */
  bool judge_outlines = true;

  static constexpr int max_rounds = 64; ///< most rounds of refinement

  /** \brief Checks all parameters.
   * \throws pcl::BadArgumentException that names the first one that is wrong, and its
   * value
   */
  PCL_EXPORTS void
  validate() const;
};

/** \brief Parameters of a TensorRecognition. Distances are in resolutions of the
 * library (TensorParameters). The defaults suit objects of some 70 resolutions and a
 * Kinect's noise, filtered as DepthMapTensorExtraction does.
 * \ingroup gpu_tensor_types
 */
struct PCL_EXPORTS TensorRecognitionParameters {
  TensorMatchingParameters matching; ///< of matching tensors
  /** \brief Distance of the models' centres up to which hypotheses agree; positive. */
  float grouping_distance = 6.0f;
  /** \brief Angle up to which hypotheses agree, radians, above 0 up to pi; 15
   * degrees. */
  float grouping_angle = 0.261799388f;
  /** \brief Candidates that are looked at more closely, those of most support; 1 or
   * more. */
  int max_candidates = 150;
  PoseVerificationParameters verification; ///< of refining and judging candidates
  /** \brief Largest share of an object's inliers that better objects explain, 0 to
   * 1. */
  float max_shared = 0.4f;
  /** \brief True if points are assigned to objects; pixelObjects() is empty without. */
  bool segmentation = true;

  /** \brief Makes the defaults: of each tensor two matches, of an overlap and a
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
