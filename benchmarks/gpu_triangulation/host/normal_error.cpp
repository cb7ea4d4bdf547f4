// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "normal_error.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace benchmarks {

namespace {

Eigen::Vector3f
referenceNormal(const VectorMap& points, int u, int v, int radius)
{
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const auto at = [&](int column, int row) -> const Eigen::Vector3f& {
    return points.values[static_cast<std::size_t>(row) * points.width + column];
  };
  if (!at(u, v).allFinite())
    return Eigen::Vector3f::Constant(nan);

  const Eigen::Vector3d origin = at(u, v).cast<double>();
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  Eigen::Matrix3d products = Eigen::Matrix3d::Zero();
  int count = 0;
  for (int row = std::max(v - radius, 0);
       row <= std::min(v + radius, points.height - 1);
       ++row) {
    for (int column = std::max(u - radius, 0);
         column <= std::min(u + radius, points.width - 1);
         ++column) {
      if (!at(column, row).allFinite())
        continue;
      const Eigen::Vector3d offset = at(column, row).cast<double>() - origin;
      sum += offset;
      products.noalias() += offset * offset.transpose();
      ++count;
    }
  }
  if (count < 3)
    return Eigen::Vector3f::Constant(nan);
  const Eigen::Matrix3d scatter = products - sum * sum.transpose() / count;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(scatter);
  return solver.eigenvectors().col(0).cast<float>();
}

} // namespace

VectorMap
pointsOf(const pcl::PointCloud<pcl::PointXYZ>& cloud)
{
  return VectorMap(static_cast<int>(cloud.width),
                   static_cast<int>(cloud.height),
                   [&](std::size_t i) { return cloud[i].getVector3fMap(); });
}

VectorMap
normalsOf(const pcl::PointCloud<pcl::Normal>& normals)
{
  return VectorMap(static_cast<int>(normals.width),
                   static_cast<int>(normals.height),
                   [&](std::size_t i) { return normals[i].getNormalVector3fMap(); });
}

VectorMap
vectorsOf(const pcl::gpu::OrganizedCloud& points)
{
  std::vector<pcl::PointXYZ> elements;
  int columns = 0;
  points.download(elements, columns);
  return VectorMap(columns, points.rows(), [&](std::size_t i) {
    return elements[i].getVector3fMap();
  });
}

VectorMap
referenceNormals(const VectorMap& points, int radius)
{
  VectorMap normals(points.width, points.height);
#pragma omp parallel for schedule(dynamic, 8)
  for (int v = 0; v < points.height; ++v)
    for (int u = 0; u < points.width; ++u)
      normals.values[static_cast<std::size_t>(v) * points.width + u] =
          referenceNormal(points, u, v, radius);
  return normals;
}

double
degreesBetween(const Eigen::Vector3f& a, const Eigen::Vector3f& b)
{
  const Eigen::Vector3d p = a.cast<double>(), q = b.cast<double>();
  // Exact for small angles, where acos of the dot product is not.
  return std::atan2(p.cross(q).norm(), std::abs(p.dot(q))) * 180.0 / M_PI;
}

NormalError
compareNormals(const VectorMap& normals, const VectorMap& reference)
{
  std::vector<double> angles;
  std::size_t there = 0;
  for (std::size_t i = 0; i < reference.values.size(); ++i) {
    if (!reference.values[i].allFinite())
      continue;
    ++there;
    if (!normals.values[i].allFinite())
      continue;
    angles.push_back(degreesBetween(normals.values[i], reference.values[i]));
  }
  if (angles.empty())
    return {};
  NormalError error;
  error.mean = std::accumulate(angles.begin(), angles.end(), 0.0) / angles.size();
  std::nth_element(angles.begin(), angles.begin() + angles.size() / 2, angles.end());
  error.median = angles[angles.size() / 2];
  error.kept = static_cast<double>(angles.size()) / there;
  return error;
}

} // namespace benchmarks
