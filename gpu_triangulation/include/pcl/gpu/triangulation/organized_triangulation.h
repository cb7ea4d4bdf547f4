// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/cloud_resolution.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>

#include <Eigen/Core>

#include <limits>

namespace pcl::gpu {

/** \brief Parameters of an OrganizedTriangulation.
 * \ingroup gpu_triangulation
 */
struct PCL_EXPORTS OrganizedTriangulationParameters {
  Cut cut = Cut::Left; ///< cut of quads
  int row_step = 1;    ///< pixels from a quad's upper to its lower row, 1 or more
  int column_step = 1; ///< pixels from a quad's left to its right column, 1 or more

  /** \brief eps_pov, the least angle between an edge and the line of sight, radians, 0
   * (no test) to pi / 2; 12.5 degrees as in pcl::OrganizedFastMesh. */
  float angle_tolerance = 0.218166156f;
  /** \brief Length up to which an edge may run along the line of sight, metres: points
   * that lie close together are no shadow's two sides. */
  float distance_tolerance = 0.0f;
  /** \brief True if that tolerance is for points 1 metre away and grows with the square
   * of the distance d, as the noise of structured light does. */
  bool distance_tolerance_grows = false;
  /** \brief True if the distance d of an edge is the larger z of its two points; else
   * it is the distance of p from the viewpoint. */
  bool depth_as_distance = false;

  /** \brief True if T_d is d times mean + factor * deviation of the frame's spacing,
   * plus c d^2, and longer edges are valid if they continue the surface; else T_d is
   * a + b d + c d^2. */
  bool dynamic_edge_length = true;
  float edge_length_deviations = 1.0f; ///< the factor; 1 as in the paper
  float least_edge_length_ratio =
      2.0f; ///< dynamic T_d / (d mean) is no less; 0 in the paper
  /** \brief a, metres; infinity for no test. */
  float max_edge_length = std::numeric_limits<float>::infinity();
  float max_edge_length_linear = 0.0f; ///< b, metres for every metre
  /** \brief c, metres for every square metre, as noise of structured light grows. */
  float max_edge_length_squared = 0.0f;

  /** \brief True if eps_n is mean + factor * deviation of the frame's normal angles;
   * else it is a number. */
  bool dynamic_normal_angle = true;
  float normal_angle_deviations = 1.0f; ///< the factor; 1 as in the paper
  float least_normal_angle =
      0.174532925f; ///< least dynamic eps_n, radians; 0 in the paper
  /** \brief The number, radians, above 0; pi or more for no test: points without a
   * normal have edges, too. */
  float max_normal_angle = 3.14159274f;

  /** \brief Start of the line of sight, in the cloud's frame, metres. */
  Eigen::Vector3f viewpoint = Eigen::Vector3f::Zero();

  /** \brief Rejects a cut that does not exist, steps below 1, angles outside their
   * range, a tolerance, factor or ratio below zero, limits that are no numbers or that
   * no edge can keep, a viewpoint that is not finite.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;

  /** \brief Sets a CloudResolution to measure the spacing of the quads' vertices, seen
   * from the viewpoint: the dynamic thresholds are taken from it.
   * \param[in,out] resolution its steps and its viewpoint are set
   */
  void
  applyTo(CloudResolutionParameters& resolution) const;
};

/** \brief Connects the neighbouring points of an organized cloud into a mesh.
 *
 * Every quad of four neighbouring pixels becomes up to two triangles, or one quad
 * polygon, of those whose edges are all valid: Orts-Escolano et al. 2014, section 2.2,
 * algorithm 4. The edge from p to q, p the first of the two in row-major order, is
 * valid if both points exist and
 *  - it does not run along the line of sight: the angle between it and the ray from the
 *    viewpoint to p is at least eps_pov and at most 180 degrees - eps_pov, or the edge
 *    is no longer than the distance tolerance;
 *  - |p - q| <= T_d;
 *  - the angle between the normals of p and q is at most eps_n (left out if the mesh is
 *    computed without normals; a point whose normal is NaN has no valid edge
 *    otherwise).
 *
 * Eq. (5) of the paper prints the second condition as |p - q|^2 <= T_d although T_d is
 * a mean of distances, and the third as |n_p . n_q| <= cos eps_n, which would keep the
 * edges with the largest angles; this class follows the text.
 *
 * T_d and eps_n are either numbers, or mean plus a factor times the standard deviation
 * of the frame's own ResolutionStatistics, read on the device. The dynamic thresholds
 * depart from the paper so that an even surface stays whole at any size of quads,
 * distance and slant:
 *  - The statistics are those of the quads' own vertices, see
 *    OrganizedTriangulationParameters::applyTo(). A mesh of every n-th row and column
 *    is that of the cloud of these rows and columns.
 *  - T_d grows with the distance d, as the spacing of points does.
 *  - An edge longer than T_d is valid, too, if one of its ends lies within T_d, along
 *    the line of sight, of the place that the surface beyond the other end foretells: a
 *    surface seen at a slant has long edges all along, a jump has one. The surface is
 *    the line of least squares through that end and up to four points behind it, of
 *    the same row, column or diagonal, up to the first that is missing, in inverse
 *    distance, which is linear on planes. Where fewer than two are there, in corners,
 *    the other two edges of a triangle decide on its diagonal.
 *  - They are never less than a multiple of the mean, and than an angle; both can be
 *    set to zero. The paper's mean + deviation supposes a noisy frame. On an even
 *    surface the deviation vanishes, and the mean over short edges and diagonals alike
 *    is shorter than the diagonals.
 *
 * O(pixels); the result is the same, bit for bit, on every run. Steady state neither
 * allocates nor waits.
 *
 * \ingroup gpu_triangulation
 */
class PCL_EXPORTS OrganizedTriangulation
: public Parameterized<OrganizedTriangulationParameters> {
public:
  /** \brief Computes the mesh of one cloud.
   * \param[in] cloud an organized cloud
   * \param[in] normals its normals; empty to leave out the test of normals
   * \param[in] statistics the cloud's resolution, one element; may be empty if neither
   * threshold depends on it
   * \param[out] mesh polygons, their count and the mask of valid quads
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if the sizes differ, or \a statistics is empty
   * and a threshold depends on it
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const OrganizedCloud& cloud,
          const NormalMap& normals,
          const DeviceArray<ResolutionStatistics>& statistics,
          OrganizedMesh& mesh,
          const Stream& stream = {});

private:
  Workspace workspace_;
};

} // namespace pcl::gpu
