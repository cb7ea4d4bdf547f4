// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "compare.h"
#include "reference.h"

#include "common/change_parameters.h"

#include <pcl/gpu/triangulation/normal_map_estimation.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu::test {

constexpr double degrees = 180.0 / 3.14159265358979323846;

/** \brief Returns the angle between two normals, degrees. */
inline double
degreesBetween(const PointXYZ& a, const PointXYZ& b)
{
  return degrees * angleBetween(a.getVector3fMap().cast<double>(),
                                b.getVector3fMap().cast<double>());
}

/** \brief Returns an estimation by principal component analysis. */
inline NormalMapEstimation
covarianceEstimation()
{
  NormalMapEstimation estimation;
  change(estimation,
         [](auto& p) { p.method = NormalEstimationMethod::COVARIANCE_MATRIX; });
  return estimation;
}

inline Image<PointXYZ>
normalsOf(NormalMapEstimation estimation, const Image<PointXYZ>& cloud)
{
  NormalMap normals = poisoned<PointXYZ>(cloud.rows, cloud.columns);
  estimation.compute(uploaded(cloud), normals);
  return downloaded(normals);
}

/** \brief Expects normals within 0.05 degrees and curvatures within 1e-5 of the float64
 * plane fits, and NaN where those have none.
 * \return the library's normals
 */
inline Image<PointXYZ>
expectNormals(const NormalMapEstimation& estimation, const Image<PointXYZ>& cloud)
{
  ReferenceWindow window;
  window.radius = estimation.getParameters().window_radius;
  window.max_depth_change_factor = estimation.getParameters().max_depth_change_factor;
  window.viewpoint = estimation.getParameters().viewpoint.cast<double>();
  const Image<PointXYZ> normals = normalsOf(estimation, cloud);
  Worst angle;
  Worst curvature;
  long wrongly_missing = 0;
  long wrongly_there = 0;
  long partly_nan = 0;
  long unsure = 0;
  for (int v = 0; v < cloud.rows; ++v)
    for (int u = 0; u < cloud.columns; ++u) {
      const PointXYZ& n = normals.at(v, u);
      const int nans =
          std::isnan(n.x) + std::isnan(n.y) + std::isnan(n.z) + std::isnan(n.data[3]);
      partly_nan += nans != 0 && nans != 4;
      const ReferencePlane plane = referencePlane(cloud, v, u, window);
      if (plane.unsure) {
        ++unsure;
        continue;
      }
      wrongly_missing += plane.exists && nans == 4;
      wrongly_there += !plane.exists && nans == 0;
      if (!plane.exists || nans != 0)
        continue;
      const double error =
          degrees * angleBetween(n.getVector3fMap().cast<double>(), plane.normal);
      angle.see(plane.sign_unsure ? std::min(error, 180.0 - error) : error, v, u);
      curvature.see(std::abs(n.data[3] - plane.curvature), v, u);
    }
  EXPECT_EQ(wrongly_missing, 0);
  EXPECT_EQ(wrongly_there, 0);
  EXPECT_EQ(partly_nan, 0);
  EXPECT_LE(angle.error, 0.05) << "degrees " << angle;
  EXPECT_LE(curvature.error, 1e-5) << curvature;
  EXPECT_LE(unsure, static_cast<long>(cloud.data.size()) / 20)
      << "too few were compared";
  return normals;
}

} // namespace pcl::gpu::test
