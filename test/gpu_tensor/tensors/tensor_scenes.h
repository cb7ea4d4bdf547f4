// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/image.h"

#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace pcl::gpu::test {

/** \brief An organized cloud with its normals, in host memory. */
struct OrientedCloud {
  Image<PointXYZ> points;
  Image<PointXYZ> normals;
};

/** \brief Distance of neighbouring pixels of the clouds below, seen along z, metres. */
constexpr float pixel_distance = 0.002f;

/** \brief Bumps as wide as the distances of pairs, whose normals differ by more than a
 * right angle; with its own normals, and nothing missing. */
OrientedCloud
bumpyCloud(int rows, int columns, std::uint32_t seed);

/** \brief The same with jumps, noise on the normals, and points and normals that are
 * NaN or infinite. */
OrientedCloud
damagedCloud(int rows, int columns, std::uint32_t seed);

/** \brief Two half planes that meet at a right angle between the middle columns. Points
 * are 1/256 m apart, which makes all distances between them exact. */
OrientedCloud
foldedPlane(int rows, int columns);

/** \brief Turns and moves points, and turns normals. */
OrientedCloud
moved(const OrientedCloud& cloud,
      const Eigen::Matrix3d& rotation,
      const Eigen::Vector3d& translation);

/** \brief A rotation about a random axis by a random angle. */
Eigen::Matrix3d
randomRotation(std::uint32_t seed);

/** \brief The resolution of a cloud, measured on the current device. */
DeviceArray<ResolutionStatistics>
statisticsOf(const OrientedCloud& cloud);

/** \brief All ways to cut the squares of a mesh. */
constexpr Cut cuts[] = {Cut::Left, Cut::Right, Cut::Adaptive, Cut::Quad};

/** \brief The mesh of a cloud, which keeps every edge that is no longer than
 * \a max_edge_length. */
OrganizedMesh
meshOf(const OrientedCloud& cloud, Cut cut, float max_edge_length = 1.0f);

/** \brief Triangles of a mesh, of numbers of points. */
using Triangles = std::vector<std::array<int, 3>>;

/** \brief The triangles of the polygons that a mesh lists; two for each quad polygon,
 * along the diagonal from right to down. */
Triangles
trianglesOf(const OrganizedMesh& mesh);

/** \brief Pairs in host memory; checks that their number and room agree. */
std::vector<PointPair>
downloadedPairs(const PointPairs& pairs);

/** \brief Pairs on the current device, with room for as many and no more. */
PointPairs
uploadedPairs(const std::vector<PointPair>& pairs);

/** \brief Returns whether two lists of pairs are the same in the same order. */
bool
samePairs(const std::vector<PointPair>& a, const std::vector<PointPair>& b);

/** \brief Text to print with a random case that fails. */
std::string
seedText(std::uint32_t seed);

/** \brief Names a size in messages. */
std::string
sizeText(int rows, int columns);

} // namespace pcl::gpu::test
