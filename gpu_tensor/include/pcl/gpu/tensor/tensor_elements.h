// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

/** \file
 * \brief Elements of the device arrays: without other headers, for kernels too.
 */

namespace pcl::gpu {

/** \brief Two points of a cloud whose normals differ: numbers of the points, row by
 * row.
 * \ingroup gpu_tensor_types
 */
struct PointPair {
  int first;  ///< the point that chose the other one
  int second; ///< one of the closest points that may be paired with it
};

/** \brief The local coordinate frame of a pair of points (Orts-Escolano et al. 2014,
 * section 2.3), with other properties of its tensor.
 *
 * With the points p1, p2 and their unit normals n1, n2 the origin is the pair's
 * midpoint, z the direction of n1 + n2, x that of n1 x n2, and y = z x x. Right-handed
 * and orthonormal, in the frame of the cloud.
 *
 * The cross product changes its sign when the points change places, which the paper
 * leaves open. Here p2 is the point that lies higher along z; where both are equally
 * high, the one whose coordinates come later. The frame thus does not depend on the
 * order of the points. A surface that is nearly symmetric about the pair may still be
 * seen with either sign: the frame is then turned by half a turn about z.
 * \ingroup gpu_tensor_types
 */
struct TensorFrame {
  float x_axis[3];  ///< unit vector along n1 x n2
  float angle;      ///< between both normals, radians, 0 to pi
  float y_axis[3];  ///< z x x
  float voxel_size; ///< of the tensor, metres
  float z_axis[3];  ///< unit vector along n1 + n2
  int first;        ///< number of p1
  float origin[3];  ///< midpoint of the pair, metres
  int second;       ///< number of p2
};

/** \brief A tensor of a table that resembles another one.
 * \ingroup gpu_tensor_types
 */
struct TensorMatch {
  int tensor;        ///< number in the table; -1 if there is none
  float correlation; ///< over the voxels that are not empty in both, eq. (6)
  float overlap;     ///< voxels that are not empty in both, over those not empty in one
};

/** \brief What a depth map says for and against a pose of a model, by the model's
 * points that should be seen and by places outside its contour. All but the support
 * are shares, 0 to 1. Points are visible if they are neither hidden nor unseen.
 * \ingroup gpu_tensor_types
 */
struct RecognitionEvidence {
  /** \brief Sum of the scores of the matches that agree with the pose, at most one for
   * each of the scene's tensors, as if the scene had 500 tensors. */
  float support;
  float fit;     ///< of visible points: on the surface, weighted by how well they fit
  float near;    ///< of visible points: in half of the tolerance of the surface
  float aligned; ///< of visible points: on the surface, with normals that agree well
  float free;    ///< of visible points: those that the camera sees through
  float hidden;  ///< of points: behind something, or beside the image
  float unseen;  ///< of points: where nothing was measured
  float larger;  ///< of points: in a plane that is larger than the model
  /** \brief Of places outside the contour where something is seen that does not hide
   * them: those where the model's surface seems to go on. */
  float filled;
};

/** \brief An object of a library that was found in a scene, and where.
 * \ingroup gpu_tensor_types
 */
struct RecognizedObject {
  int model;   ///< its number in the library
  int inliers; ///< number of the model's points that lie on the scene's surface
  /** \brief Rows of the rigid transform that maps the model's points into the frame of
   * the scene's camera, metres. */
  float pose[3][4];
  /** \brief The pose that a match of tensors gave, before it was refined. */
  float matched_pose[3][4];
  /** \brief Share of inliers among the points that should be seen. */
  float visible;
  RecognitionEvidence evidence; ///< for and against the pose
  /** \brief Probability that the object is there, 0 to 1, as far as scenes resemble
   * those that TensorRecognition was calibrated with. */
  float confidence;
};

} // namespace pcl::gpu
