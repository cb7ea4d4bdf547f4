// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "mesh/mesh.h"

#include <cmath>
#include <cstdint>

namespace pcl::device {

/** \brief The thresholds of eq. (5), in the form that an edge is tested with. */
struct EdgeThresholds {
  float max_squared_cosine; ///< between edge and line of sight
  float
      squared_length_tolerance; ///< up to which that does not matter; negative for none
  float max_squared_length;     ///< T_d^2
  float max_squared_chord;      ///< |n_p - n_q|^2 at the angle eps_n
  bool by_distance; ///< whether lengths depend on the edge's distance, as follows
  float distance_tolerance, max_length;
  LengthGrowth growth;
  bool follows_surface; ///< whether longer edges are valid that continue a surface
};

PCL_GPU_HOST_DEVICE float
resolve(const Threshold& threshold, float mean, float deviation)
{
  if (!threshold.dynamic)
    return threshold.value;
  float limit = mean + threshold.value * deviation;
  if (threshold.least_ratio * mean > limit)
    limit = threshold.least_ratio * mean;
  // Like all comparisons with NaN, from a frame without neighbours, this is false.
  return threshold.least > limit ? threshold.least : limit;
}

/** \brief Puts the frame's statistics into the thresholds.
 * \param[in] statistics may be null if no threshold is dynamic
 */
PCL_GPU_HOST_DEVICE EdgeThresholds
resolveThresholds(const MeshParameters& parameters,
                  const ResolutionStatistics* statistics)
{
  const ResolutionStatistics frame = statistics ? *statistics : ResolutionStatistics{};
  const bool dynamic = parameters.edge_length.dynamic;
  const float length =
      resolve(parameters.edge_length, frame.mean_spacing, frame.spacing_deviation);
  const float angle =
      resolve(parameters.normal_angle, frame.mean_angle, frame.angle_deviation);
  constexpr float half_pi = 1.57079633f;
  const float half_angle = 0.5f * angle < half_pi ? 0.5f * angle : half_pi;
  // NaN fails every test.
  const float half_chord = angle == angle ? sinf(half_angle) : angle;
  const float tolerance = parameters.distance_tolerance;
  LengthGrowth growth = parameters.growth;
  if (dynamic)
    growth.linear = length;
  return {parameters.max_squared_cosine,
          tolerance > 0.0f ? tolerance * tolerance : -1.0f,
          length * length,
          4.0f * half_chord * half_chord,
          growth.linear != 0.0f || growth.squared != 0.0f || growth.tolerance_grows,
          tolerance,
          dynamic ? 0.0f : length,
          growth,
          dynamic};
}

/** \brief Returns the number of polygons of a quad. */
PCL_GPU_HOST_DEVICE int
polygonCount(std::uint8_t validity)
{
  return (validity & 1) + (validity >> 1 & 1) + (validity >> 2 & 1);
}

/** \brief Writes the polygons of one quad, each seen counter-clockwise by the viewer.
 * \param[in] own row-major number of the quad's own pixel
 * \param[in] right distance to the pixel on the right
 * \param[in] down distance to the pixel below
 * \param[out] to room for polygonCount() polygons
 */
PCL_GPU_HOST_DEVICE void
writePolygons(std::uint8_t validity, int own, int right, int down, int* to)
{
  const int corner = own + right + down;
  if (validity & gpu::WholeQuad) {
    to[0] = own;
    to[1] = own + down;
    to[2] = corner;
    to[3] = own + right;
    return;
  }
  const bool cut_right = validity & gpu::RightCut;
  if (validity & gpu::UpperTriangle) {
    to[0] = own;
    to[1] = cut_right ? corner : own + down;
    to[2] = own + right;
    to += 3;
  }
  if (validity & gpu::LowerTriangle) {
    to[0] = cut_right ? own : own + right;
    to[1] = own + down;
    to[2] = corner;
  }
}

} // namespace pcl::device
