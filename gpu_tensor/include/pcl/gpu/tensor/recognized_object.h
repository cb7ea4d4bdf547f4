// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::gpu {

/** \brief An object of a library that was found in a scene, and where.
 * \ingroup gpu_tensor_types
 */
struct RecognizedObject {
  int model;   ///< its number in the library
  int inliers; ///< how many of the model's points the scene's surface goes through
  /** \brief Rows of the rigid transform that maps the model's points into the frame of the
   * scene's camera, metres. */
  float pose[3][4];
  /** \brief The pose that the matches of tensors gave, before it was refined. */
  float grouped_pose[3][4];
  /** \brief Sum of the scores of the matches that agree with the pose, at most one for each
   * of the scene's tensors, as if the scene had 500 tensors. */
  float support;
  /** \brief Share of the points that should be seen that are inliers. */
  float visible;
  /** \brief Share of inliers, each weighted by how well it fits, among all points that are
   * not hidden by something else; 0 to 1. Points that are seen through count several times,
   * and points that lie beneath the surface that inliers are on count, too. */
  float fit;
  /** \brief Points that the scene's camera sees through, over these and the inliers. */
  float violations;
  /** \brief Second eigenvalue of the mean of n n^T over the normals n of inliers: 0 where all
   * lie in planes with one normal, at most 1/2. */
  float spread;
  /** \brief \a fit and \a support in one: the larger, the surer. It is less where the scene's
   * surface goes on beyond edges at which the model ends, as that of a wall does that an
   * object is taken to be part of; by a half where all of it goes on. */
  float confidence;
  /** \brief Preference among objects that claim the same part of the scene: the largest wins. */
  float score;
};

} // namespace pcl::gpu
