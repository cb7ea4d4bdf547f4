// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::gpu {

/** \brief Spacing of a cloud's points and of its normals, measured on one frame.
 *
 * s(p) is the mean distance of point p from its neighbours, divided by the distance of
 * p from the viewpoint, and a(p) the mean angle between its normal and theirs. Mean and
 * standard deviation (of the population: the divisor is the number of points) are taken
 * over all points that have a neighbour.
 *
 * Points of a surface are further apart at a greater distance. s does not depend on it,
 * so that all parts of a frame compare. Of the two neighbours on opposite sides of p, s
 * takes the nearer one. So a jump in depth, from an object's outline to the background,
 * does not count: one of the two is on the surface of p. Both are departures from
 * Orts-Escolano et al. 2014, who average the distances themselves, jumps included.
 *
 * \a nearest_distance is the \ref glossary_resolution "resolution" that PCL's users
 * measure (computeCloudResolution() of its tutorials), for neighbours among the pixels
 * around.
 * \ingroup gpu_triangulation
 */
struct ResolutionStatistics {
  float mean_spacing;      ///< mean of s, no unit; NaN if no two points are neighbours
  float spacing_deviation; ///< standard deviation of s
  float nearest_distance;  ///< mean distance of the nearest neighbours, metres; or NaN
  float mean_angle;        ///< mean of a, radians; NaN if no two normals are neighbours
  float angle_deviation;   ///< standard deviation of a, radians
  unsigned int points;     ///< number of points that s was taken over
  unsigned int normals;    ///< number of points that a was taken over
};

} // namespace pcl::gpu
