// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>

#include <Eigen/Core>

namespace pcl::gpu {

/** \brief Connects the neighbouring points of an organized cloud into a mesh.
 *
 * Every quad of four neighbouring pixels becomes up to two triangles, or one quad
 * polygon, of those whose edges are all valid: Orts-Escolano et al. 2014, section 2.2,
 * algorithm 4. The edge from p to q, p the first of the two in row-major order, is valid
 * if both points are there and
 *  - it does not run along the line of sight: the angle between it and the ray from the
 *    viewpoint to p is at least eps_pov and at most 180 degrees - eps_pov, or the edge is
 *    no longer than the distance tolerance;
 *  - |p - q| <= T_d;
 *  - the angle between the normals of p and q is at most eps_n (left out if the mesh is
 *    computed without normals; a point whose normal is NaN has no valid edge otherwise).
 *
 * Eq. (5) of the paper prints the second condition as |p - q|^2 <= T_d although T_d is a
 * mean of distances, and the third as |n_p . n_q| <= cos eps_n, which would keep the edges
 * with the largest angles; this class does what the text means.
 *
 * T_d and eps_n are either numbers, or mean plus a factor times the standard deviation of
 * the frame's own ResolutionStatistics, read on the device. The paper's mean + deviation
 * supposes a noisy frame with jumps. On an even surface the deviation vanishes, and the
 * mean, which is over short edges and diagonals alike, is shorter than the diagonals: no
 * triangle would be left. The dynamic thresholds are therefore never less than a multiple
 * of the mean, and than an angle; both can be set to zero.
 *
 * O(pixels); the result is the same, bit for bit, on every run. Steady state neither
 * allocates nor waits.
 *
 * \ingroup gpu_triangulation
 */
class PCL_EXPORTS OrganizedTriangulation {
public:
  /** \brief Sets how quads are cut.
   * \param[in] cut Cut::Left by default
   */
  void
  setCut(Cut cut);

  /** \return how quads are cut */
  Cut
  getCut() const;

  /** \brief Sets the size of the quads.
   * \param[in] rows pixels from a quad's upper to its lower row, at least 1
   * \param[in] columns pixels from a quad's left to its right column, at least 1
   * \throws pcl::BadArgumentException if below 1
   */
  void
  setTrianglePixelSize(int rows, int columns);

  /** \brief Sets eps_pov, the least angle between an edge and the line of sight.
   * \param[in] angle radians, from 0 (no test) to pi / 2; 12.5 degrees by default, as in
   * pcl::OrganizedFastMesh
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setAngleTolerance(float angle);

  /** \brief Sets the length up to which an edge may run along the line of sight.
   *
   * Points that lie close together are no shadow's two sides, whatever the angle.
   * \param[in] tolerance metres; 0 by default: no edge is excepted
   * \param[in] depth_dependent if true, the tolerance is for points 1 metre away and grows
   * with the square of the distance d, as the noise of structured light does
   * \throws pcl::BadArgumentException if negative or NaN
   */
  void
  setDistanceTolerance(float tolerance, bool depth_dependent = false);

  /** \brief Sets what is taken for the distance d of an edge from the viewpoint.
   * \param[in] enable the larger z of its two points if true; if false, the default, the
   * distance of p from the viewpoint
   */
  void
  useDepthAsDistance(bool enable);

  /** \brief Sets T_d to a length that may depend on the distance d: a + b d + c d^2.
   * \param[in] a metres; infinity for no test
   * \param[in] b metres for every metre
   * \param[in] c metres for every square metre
   * \throws pcl::BadArgumentException if NaN, if b or c is infinite, or if both are 0 and
   * a is not positive
   */
  void
  setMaxEdgeLength(float a, float b = 0.0f, float c = 0.0f);

  /** \brief Sets T_d to mean + factor * deviation of the point distances (the default).
   * \param[in] factor 1 by default, as in the paper
   * \param[in] least_ratio T_d is never less than this times the mean; 0 for the paper's
   * formula as it stands
   * \throws pcl::BadArgumentException unless finite and not negative
   */
  void
  setEdgeLengthDeviationFactor(float factor, float least_ratio = 2.0f);

  /** \brief Sets eps_n to a number.
   * \param[in] angle radians, above 0; pi or more for no test: then points without a normal
   * have edges, too
   * \throws pcl::BadArgumentException unless positive
   */
  void
  setMaxNormalAngle(float angle);

  /** \brief Sets eps_n to mean + factor * deviation of the normal angles (the default).
   * \param[in] factor 1 by default, as in the paper
   * \param[in] least_angle eps_n is never less than this, radians, 10 degrees by default;
   * 0 for the paper's formula as it stands
   * \throws pcl::BadArgumentException unless finite and not negative
   */
  void
  setNormalAngleDeviationFactor(float factor, float least_angle = 0.174532925f);

  /** \brief Sets the viewpoint that the line of sight starts from.
   * \param[in] viewpoint in the cloud's frame, metres; the origin by default
   * \throws pcl::BadArgumentException unless finite
   */
  void
  setViewPoint(const Eigen::Vector3f& viewpoint);

  /** \brief Computes the mesh of one cloud.
   * \param[in] cloud an organized cloud
   * \param[in] normals its normals; empty to leave out the test of normals
   * \param[in] statistics the cloud's resolution, one element; may be empty if neither
   * threshold depends on it
   * \param[out] mesh polygons, their count and the mask of valid quads
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if the sizes differ, or \a statistics is empty and
   * a threshold depends on it
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const OrganizedCloud& cloud,
          const NormalMap& normals,
          const DeviceArray<ResolutionStatistics>& statistics,
          OrganizedMesh& mesh,
          const Stream& stream = {});

private:
  Cut cut_ = Cut::Left;
  int row_step_ = 1;
  int column_step_ = 1;
  float angle_tolerance_ = 0.218166156f;
  float distance_tolerance_ = 0.0f;
  bool tolerance_is_depth_dependent_ = false;
  bool depth_is_distance_ = false;
  bool edge_length_is_dynamic_ = true;
  float max_edge_length_ = 0.0f;
  float max_edge_length_linear_ = 0.0f;
  float max_edge_length_squared_ = 0.0f;
  float edge_length_factor_ = 1.0f;
  float edge_length_least_ratio_ = 2.0f;
  bool normal_angle_is_dynamic_ = true;
  float max_normal_angle_ = 0.0f;
  float normal_angle_factor_ = 1.0f;
  float least_normal_angle_ = 0.174532925f;
  Eigen::Vector3f viewpoint_ = Eigen::Vector3f::Zero();
  Workspace workspace_;
};

} // namespace pcl::gpu
