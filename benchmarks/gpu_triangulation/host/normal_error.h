// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/triangulation/types.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <vector>

namespace benchmarks {

/** \brief An organized set of points or normals; NaN where there is none. */
struct VectorMap {
  int width = 0;
  int height = 0;
  std::vector<Eigen::Vector3f> values; ///< row-major

  VectorMap() = default;
  VectorMap(int columns, int rows)
  : width(columns)
  , height(rows)
  , values(static_cast<std::size_t>(columns) * rows)
  {}

  /** \brief Copies x, y, z of anything that has rows of points.
   * \param[in] columns points a row
   * \param[in] rows number of rows
   * \param[in] xyz maps row-major index to a vector
   */
  template <typename Lookup>
  VectorMap(int columns, int rows, const Lookup& xyz) : VectorMap(columns, rows)
  {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = xyz(i);
  }
};

/** \brief x, y, z of an organized cloud. */
VectorMap
pointsOf(const pcl::PointCloud<pcl::PointXYZ>& cloud);

/** \brief The normals of an organized cloud of them. */
VectorMap
normalsOf(const pcl::PointCloud<pcl::Normal>& normals);

/** \brief x, y, z of points or normals in device memory. */
VectorMap
vectorsOf(const pcl::gpu::OrganizedCloud& points);

/** \brief Deviation of normals from a reference. */
struct NormalError {
  double mean = 0.0;   ///< degrees, over the pixels where both have a normal
  double median = 0.0; ///< degrees
  double kept = 0.0;   ///< share of the reference's normals that the other has, too
};

/** \brief The reference: PCA of every square window in double precision.
 *
 * The same neighbours as pcl::gpu::NormalMapEstimation with COVARIANCE_MATRIX, every
 * point of the window, but each window summed on its own and solved by Eigen.
 * \param[in] points an organized cloud
 * \param[in] radius the window is 2 radius + 1 pixels wide and high
 */
VectorMap
referenceNormals(const VectorMap& points, int radius);

/** \brief Angle between normals without regard to their sign, degrees. */
double
degreesBetween(const Eigen::Vector3f& a, const Eigen::Vector3f& b);

/** \brief Compares normals without regard to their sign.
 * \param[in] normals those to judge
 * \param[in] reference the truth, of the same size
 */
NormalError
compareNormals(const VectorMap& normals, const VectorMap& reference);

} // namespace benchmarks
