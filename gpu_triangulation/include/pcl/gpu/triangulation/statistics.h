// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

namespace pcl::gpu {

/** \brief Spacing of a cloud's points and of its normals, measured on one frame.
 *
 * d(p) is the mean distance of point p from its neighbours, a(p) the mean angle between
 * its normal and theirs. Mean and standard deviation (of the population: the divisor is
 * the number of points) are taken over all points that have a neighbour.
 *
 * d includes jumps in depth, from an object's outline to the background. They may make
 * its mean several times the spacing of points on surfaces. The nearest neighbour
 * seldom is beyond a jump: \a nearest_distance is the resolution that PCL's users
 * measure (computeCloudResolution() of its tutorials), for neighbours among the pixels
 * around.
 * \ingroup gpu_triangulation
 */
struct ResolutionStatistics {
  float mean_distance;      ///< mean of d, metres; NaN if no two points are neighbours
  float distance_deviation; ///< standard deviation of d, metres
  float nearest_distance;   ///< mean distance of the nearest neighbours, metres; or NaN
  float mean_angle;      ///< mean of a, radians; NaN if no two normals are neighbours
  float angle_deviation; ///< standard deviation of a, radians
  unsigned int points;   ///< number of points that d was taken over
  unsigned int normals;  ///< number of points that a was taken over
};

} // namespace pcl::gpu
