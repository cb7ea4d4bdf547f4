// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "gpu_tensor/pairs/pair_reference.h"
#include "host_tensors.h"
#include "tensor_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

// TensorTriangles::Connected: triangles that grow from the pair.

class ConnectedTensors : public DeviceTest {
protected:
  static HostTensors
  computed(const OrientedCloud& cloud,
           const OrganizedMesh& mesh,
           const std::vector<PointPair>& pairs,
           TensorTriangles triangles,
           float voxel_size)
  {
    TensorExtraction extraction;
    change(extraction, [&](auto& p) {
      p.voxel_size = voxel_size;
      p.voxel_unit = LengthUnit::Metres;
    });
    change(extraction, [&](auto& p) { p.triangles = triangles; });
    return tensorsOf(extraction, cloud, mesh, pairs);
  }

  /** \brief A steep valley: the grid of a pair on one slope holds part of the other
   * one, but not the bottom, where they meet. */
  static OrientedCloud
  valley(int rows, int columns)
  {
    OrientedCloud cloud{Image<PointXYZ>(rows, columns), Image<PointXYZ>(rows, columns)};
    for (int v = 0; v < rows; ++v)
      for (int u = 0; u < columns; ++u) {
        const float x = 0.0005f * static_cast<float>(u - columns / 2);
        const float y = 0.002f * static_cast<float>(v - rows / 2);
        cloud.points.at(v, u) = {x, y, 1.0f + 8.0f * std::abs(x) + 0.05f * y};
        cloud.normals.at(v, u) = {-0.8f, v < rows / 2 ? 0.36f : -0.36f, -0.48f};
      }
    return cloud;
  }
};

TEST_P(ConnectedTensors, EqualAFloodFill)
{
  int compared = 0, different = 0;
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seedText(seed));
    const OrientedCloud cloud = damagedCloud(33, 41, seed);
    const OrganizedMesh mesh = meshOf(cloud, cuts[seed % 4], 0.008f);
    const Triangles triangles = trianglesOf(mesh);
    std::vector<PointPair> pairs = referencePairs(cloud, {});
    pairs.resize(std::min<std::size_t>(pairs.size(), 400));
    std::vector<PointPair> some;
    for (std::size_t i = 0; i < pairs.size(); i += 20)
      some.push_back(pairs[i]);
    const auto tensors =
        computed(cloud, mesh, some, TensorTriangles::Connected, 0.0027f);
    const auto all = computed(cloud, mesh, some, TensorTriangles::All, 0.0027f);
    ASSERT_EQ(tensors.size(), static_cast<int>(some.size()));
    for (int i = 0; i < tensors.size(); ++i) {
      SCOPED_TRACE("tensor " + std::to_string(i));
      const auto filled = [&](double least_area) {
        return connectedTriangles(
            cloud.points, triangles, tensors.frames[i], 10, least_area);
      };
      const Triangles expected = filled(1e-8);
      // Corners that just touch the grid are on either side by rounding.
      if (filled(1e-6).size() != expected.size() ||
          filled(0.0).size() != expected.size())
        continue;
      ++compared;
      const auto in_grid =
          gridTriangles(cloud.points.data, expected, tensors.frames[i], 10);
      expectAreas(referenceAreas(in_grid, 10), tensors.dense(i));
      different += !sameTensor(tensors, i, all, i);
    }
  }
  EXPECT_GT(compared, 50);
  EXPECT_GT(different, 10) << "all surfaces are connected";
}

TEST_P(ConnectedTensors, MissWhatComesBackIntoTheGrid)
{
  const OrientedCloud cloud = valley(41, 81);
  for (Cut cut : cuts) {
    SCOPED_TRACE(static_cast<int>(cut));
    const OrganizedMesh mesh = meshOf(cloud, cut);
    const std::vector<PointPair> pairs = {{17 * 81 + 46, 23 * 81 + 46}};
    const float voxel_size = 0.003f;
    const auto all = computed(cloud, mesh, pairs, TensorTriangles::All, voxel_size);
    const auto connected =
        computed(cloud, mesh, pairs, TensorTriangles::Connected, voxel_size);
    const auto in_grid =
        gridTriangles(cloud.points.data, trianglesOf(mesh), all.frames[0], 10);
    expectAreas(referenceAreas(in_grid, 10), all.dense(0));
    EXPECT_LT(connected.sum(0), 0.8 * all.sum(0));
    EXPECT_GT(connected.sum(0), 0.3 * all.sum(0));
    // All areas together are no less than the connected ones.
    const auto of_all = all.dense(0), of_connected = connected.dense(0);
    for (std::size_t i = 0; i < of_all.size(); ++i)
      EXPECT_LE(of_connected[i], of_all[i] + area_tolerance);
  }
}

TEST_P(ConnectedTensors, HaveBothSurfacesOfAPairAcrossAJump)
{
  OrientedCloud cloud = bumpyCloud(31, 40, 21);
  for (int v = 0; v < 31; ++v)
    for (int u = 20; u < 40; ++u)
      cloud.points.at(v, u).z += 0.012f;
  const OrganizedMesh mesh = meshOf(cloud, Cut::Left, 0.0085f);
  const std::vector<PointPair> pairs = {{15 * 40 + 17, 15 * 40 + 23}};
  const auto connected =
      computed(cloud, mesh, pairs, TensorTriangles::Connected, 0.003f);
  const auto in_grid =
      gridTriangles(cloud.points.data,
                    connectedTriangles(
                        cloud.points, trianglesOf(mesh), connected.frames[0], 10, 1e-8),
                    connected.frames[0],
                    10);
  expectAreas(referenceAreas(in_grid, 10), connected.dense(0));
  int left = 0, right = 0;
  for (const auto& triangle : connectedTriangles(
           cloud.points, trianglesOf(mesh), connected.frames[0], 10, 1e-8))
    ++(triangle[0] % 40 < 20 ? left : right);
  EXPECT_GT(left, 20);
  EXPECT_GT(right, 20);
}

TEST_P(ConnectedTensors, AreAllThatThereIsOnASmoothSurface)
{
  OrientedCloud cloud = bumpyCloud(33, 41, 22);
  for (PointXYZ& p : cloud.points.data)
    p.z = 1.0f + 0.1f * (p.z - 1.0f);
  const OrganizedMesh mesh = meshOf(cloud, Cut::Left);
  std::vector<PointPair> pairs = referencePairs(cloud, {});
  ASSERT_GT(pairs.size(), 300u);
  pairs.resize(300);
  EXPECT_TRUE(
      sameTensors(computed(cloud, mesh, pairs, TensorTriangles::Connected, 0.003f),
                  computed(cloud, mesh, pairs, TensorTriangles::All, 0.003f)));
}

TEST_P(ConnectedTensors, OfPointsWithoutTrianglesAreEmpty)
{
  OrientedCloud cloud = bumpyCloud(33, 41, 23);
  // The pair's points are islands.
  for (int v = 12; v <= 20; ++v)
    for (int u = 10; u <= 30; ++u)
      if (v % 2 || u % 2)
        cloud.points.at(v, u).getVector3fMap().setConstant(
            std::numeric_limits<float>::quiet_NaN());
  const OrganizedMesh mesh = meshOf(cloud, Cut::Left);
  const std::vector<PointPair> pairs = {{16 * 41 + 16, 16 * 41 + 24}};
  const auto all = computed(cloud, mesh, pairs, TensorTriangles::All, 0.004f);
  EXPECT_GT(all.areas.size(), 10u);
  const auto connected =
      computed(cloud, mesh, pairs, TensorTriangles::Connected, 0.004f);
  EXPECT_EQ(connected.size(), 1);
  EXPECT_EQ(connected.areas.size(), 0u);
}

TEST_P(ConnectedTensors, AtTheEdgesOfTheImageEqualAFloodFill)
{
  const OrientedCloud cloud = bumpyCloud(12, 15, 24);
  const OrganizedMesh mesh = meshOf(cloud, Cut::Right);
  const int last = 12 * 15 - 1;
  const std::vector<PointPair> pairs = {
      {0, 14}, {14, last}, {last, last - 14}, {last - 14, 0}, {0, last}};
  const auto tensors = computed(cloud, mesh, pairs, TensorTriangles::Connected, 0.002f);
  for (int i = 0; i < tensors.size(); ++i) {
    const Triangles expected = connectedTriangles(
        cloud.points, trianglesOf(mesh), tensors.frames[i], 10, 1e-8);
    const auto in_grid =
        gridTriangles(cloud.points.data, expected, tensors.frames[i], 10);
    expectAreas(referenceAreas(in_grid, 10), tensors.dense(i));
  }
}

TEST_P(ConnectedTensors, OfManyPairsAtOnceAreThoseOfEachAlone)
{
  const OrientedCloud cloud = damagedCloud(33, 41, 25);
  const OrganizedMesh mesh = meshOf(cloud, Cut::Left, 0.008f);
  const std::vector<PointPair> pairs = referencePairs(cloud, {});
  const auto together =
      computed(cloud, mesh, pairs, TensorTriangles::Connected, 0.0027f);
  for (std::size_t i = 0; i < pairs.size(); i += 23) {
    const auto alone =
        computed(cloud, mesh, {pairs[i]}, TensorTriangles::Connected, 0.0027f);
    EXPECT_TRUE(sameTensor(together, static_cast<int>(i), alone, 0));
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(ConnectedTensors);

} // namespace
