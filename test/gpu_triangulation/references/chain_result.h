// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "expect_mesh.h"

#include <pcl/gpu/triangulation/depth_map_triangulation.h>

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace pcl::gpu::test {

/** \brief Everything that the chain computes, in host memory. */
struct ChainResult {
  Image<float> depth;
  Image<PointXYZ> cloud;
  Image<PointXYZ> normals;
  std::vector<ResolutionStatistics> statistics;
  std::vector<Polygon> polygons;
  Image<std::uint8_t> validity;

  ChainResult(const DepthMap& depth_map,
              const OrganizedCloud& organized_cloud,
              const NormalMap& normal_map,
              const DeviceArray<ResolutionStatistics>& resolution,
              const OrganizedMesh& mesh)
  : depth(downloaded(depth_map))
  , cloud(downloaded(organized_cloud))
  , normals(downloaded(normal_map))
  , statistics(downloaded(resolution))
  , polygons(polygonsOf(mesh))
  , validity(downloaded(mesh.validity))
  {}

  explicit ChainResult(const DepthMapTriangulation& chain)
  : ChainResult(chain.filteredDepth(),
                chain.cloud(),
                chain.normals(),
                chain.statistics(),
                chain.mesh())
  {}
};

inline void
expectSameBits(const ChainResult& actual, const ChainResult& expected)
{
  EXPECT_TRUE(sameBits(actual.depth, expected.depth));
  EXPECT_TRUE(sameBits(actual.cloud, expected.cloud));
  EXPECT_TRUE(sameBits(actual.normals, expected.normals));
  ASSERT_EQ(actual.statistics.size(), expected.statistics.size());
  for (std::size_t i = 0; i < actual.statistics.size(); ++i)
    EXPECT_EQ(std::memcmp(&actual.statistics[i],
                          &expected.statistics[i],
                          sizeof(ResolutionStatistics)),
              0);
  EXPECT_TRUE(actual.polygons == expected.polygons);
  EXPECT_TRUE(sameBits(actual.validity, expected.validity));
}

} // namespace pcl::gpu::test
