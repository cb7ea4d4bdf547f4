// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "gpu_tensor/pairs/pair_reference.h"
#include "host_tensors.h"
#include "tensor_reference.h"

#include <pcl/gpu/tensor/point_pair_estimation.h>

#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;
using pcl::PointXYZ;

namespace {

// Tensors of organized clouds and their meshes.

class OrganizedTensors : public DeviceTest {
protected:
  /** \brief Some of a cloud's pairs. */
  static std::vector<PointPair>
  somePairs(const OrientedCloud& cloud, int count)
  {
    const std::vector<PointPair> all = referencePairs(cloud, {});
    std::vector<PointPair> some;
    for (int i = 0; i < count && !all.empty(); ++i)
      some.push_back(all[all.size() * i / count]);
    return some;
  }

  /** \brief Compares with the reference, on the triangles that the mesh lists. */
  static double
  expectReference(const OrientedCloud& cloud,
                  const Triangles& triangles,
                  const HostTensors& tensors,
                  double tolerance = area_tolerance)
  {
    double sum = 0.0;
    for (int i = 0; i < tensors.size(); ++i) {
      SCOPED_TRACE("tensor " + std::to_string(i));
      const auto of_grid = gridTriangles(
          cloud.points.data, triangles, tensors.frames[i], tensors.grid_size);
      expectAreas(
          referenceAreas(of_grid, tensors.grid_size), tensors.dense(i), tolerance);
      sum += tensors.sum(i);
    }
    return sum;
  }

  static HostTensors
  computed(const OrientedCloud& cloud,
           const OrganizedMesh& mesh,
           const std::vector<PointPair>& pairs,
           int grid_size,
           float voxel_size)
  {
    TensorExtraction extraction;
    change(extraction, [&](auto& p) { p.grid_size = grid_size; });
    change(extraction, [&](auto& p) {
      p.voxel_size = voxel_size;
      p.voxel_unit = LengthUnit::Metres;
    });
    return tensorsOf(extraction, cloud, mesh, pairs);
  }
};

TEST_P(OrganizedTensors, EqualTheReferenceForAllCutsAndGrids)
{
  std::uint32_t seed = 0;
  for (Cut cut : cuts)
    for (int grid_size : {2, 3, 10, 16, 17, 32}) {
      SCOPED_TRACE("cut " + std::to_string(static_cast<int>(cut)) + ", grid " +
                   std::to_string(grid_size) + ", " + seedText(++seed));
      const OrientedCloud cloud = damagedCloud(33, 41, seed);
      // Edges across the smaller jumps stay, as triangles of all slopes.
      const OrganizedMesh mesh = meshOf(cloud, cut, 0.025f);
      const auto pairs = somePairs(cloud, 6);
      const float voxel_size = 0.04f / static_cast<float>(grid_size);
      const auto tensors = computed(cloud, mesh, pairs, grid_size, voxel_size);
      ASSERT_EQ(tensors.size(), 6);
      EXPECT_GT(expectReference(cloud, trianglesOf(mesh), tensors, 3e-5),
                0.5 * grid_size * grid_size);
    }
}

TEST_P(OrganizedTensors, EqualTheReferenceAroundTheSizesOfCells)
{
  std::uint32_t seed = 100;
  for (int rows : {2, 3, 4, 5, 9, 31, 33})
    for (int columns : {2, 7, 8, 9, 10, 64, 65, 66}) {
      SCOPED_TRACE(sizeText(rows, columns) + ", " + seedText(++seed));
      const OrientedCloud cloud = bumpyCloud(rows, columns, seed);
      const OrganizedMesh mesh = meshOf(cloud, cuts[seed % 4]);
      // From corner to corner, whether valid or not.
      const std::vector<PointPair> pairs = {{0, rows * columns - 1},
                                            {columns - 1, (rows - 1) * columns}};
      const auto tensors = computed(cloud, mesh, pairs, 10, 0.004f);
      EXPECT_GT(expectReference(cloud, trianglesOf(mesh), tensors), 0.1);
    }
}

TEST_P(OrganizedTensors, OfLargeMeshesInsideOneGridEqualTheReference)
{
  // Everything reaches the grid: more cells of the mesh than are looked at together.
  const OrientedCloud cloud = bumpyCloud(190, 210, 7);
  const OrganizedMesh mesh = meshOf(cloud, Cut::Left);
  const std::vector<PointPair> pairs = {{95 * 210 + 100, 95 * 210 + 108}};
  for (int grid_size : {10, 32}) {
    SCOPED_TRACE(grid_size);
    const float voxel_size = 0.5f / static_cast<float>(grid_size);
    const auto tensors = computed(cloud, mesh, pairs, grid_size, voxel_size);
    EXPECT_GT(expectReference(cloud, trianglesOf(mesh), tensors), 10.0);
    // Twenty more runs, as threads may end in any order.
    for (int run = 0; run < 20; ++run)
      ASSERT_TRUE(
          sameTensors(computed(cloud, mesh, pairs, grid_size, voxel_size), tensors));
  }
}

TEST_P(OrganizedTensors, TakeTheVoxelSizeFromTheStatistics)
{
  const OrientedCloud cloud = bumpyCloud(33, 41, 8);
  const OrganizedMesh mesh = meshOf(cloud, Cut::Left);
  const auto statistics = statisticsOf(cloud);
  const float resolution = downloaded(statistics).at(0).nearest_distance;
  const auto pairs = somePairs(cloud, 10);
  for (float factor : {4.0f, 0.7f, 2.0f}) {
    SCOPED_TRACE(factor);
    TensorExtraction extraction;
    if (factor != 4.0f) // the default
      change(extraction, [&](auto& p) {
        p.voxel_size = factor;
        p.voxel_unit = LengthUnit::Resolutions;
      });
    const HostTensors tensors = tensorsOf(extraction, cloud, mesh, pairs, statistics);
    for (const TensorFrame& frame : tensors.frames)
      EXPECT_EQ(frame.voxel_size, factor * resolution);
    EXPECT_GT(expectReference(cloud, trianglesOf(mesh), tensors), 10.0);
  }
}

TEST_P(OrganizedTensors, TakeTheSizeOrTheFactorThatWasSetLast)
{
  const OrientedCloud cloud = bumpyCloud(20, 30, 9);
  const OrganizedMesh mesh = meshOf(cloud, Cut::Left);
  const auto statistics = statisticsOf(cloud);
  const float resolution = downloaded(statistics).at(0).nearest_distance;
  TensorExtraction extraction;
  const auto voxelSize = [&] {
    return tensorsOf(extraction, cloud, mesh, {{0, 9}}, statistics)
        .frames.at(0)
        .voxel_size;
  };
  change(extraction, [&](auto& p) {
    p.voxel_size = 3.0f;
    p.voxel_unit = LengthUnit::Resolutions;
  });
  change(extraction, [&](auto& p) {
    p.voxel_size = 0.02f;
    p.voxel_unit = LengthUnit::Metres;
  });
  EXPECT_EQ(voxelSize(), 0.02f);
  change(extraction, [&](auto& p) {
    p.voxel_size = 4.0f;
    p.voxel_unit = LengthUnit::Resolutions;
  });
  EXPECT_EQ(voxelSize(), 4.0f * resolution);
}

TEST_P(OrganizedTensors, EqualThoseOfTheSameTrianglesWithoutOrder)
{
  const OrientedCloud cloud = damagedCloud(40, 50, 10);
  const auto pairs = somePairs(cloud, 30);
  for (Cut cut : cuts) {
    SCOPED_TRACE(static_cast<int>(cut));
    const OrganizedMesh mesh = meshOf(cloud, cut, 0.025f);
    VertexMesh plain;
    plain.vertices = cloud;
    plain.triangles = trianglesOf(mesh);
    plain.pairs = pairs;
    TensorExtraction extraction;
    change(extraction, [&](auto& p) {
      p.voxel_size = 0.004f;
      p.voxel_unit = LengthUnit::Metres;
    });
    const HostTensors expected = tensorsOf(extraction, plain);
    const HostTensors actual = tensorsOf(extraction, cloud, mesh, pairs);
    ASSERT_EQ(actual.size(), expected.size());
    // Corners may come in another order, and are then rounded differently.
    for (int i = 0; i < actual.size(); ++i)
      expectAreas(expected.dense(i), actual.dense(i), 4e-6);
  }
}

TEST_P(OrganizedTensors, OfAMeshWithoutTrianglesAreEmpty)
{
  const OrientedCloud cloud = bumpyCloud(20, 30, 11);
  const OrganizedMesh mesh = meshOf(cloud, Cut::Left, 1e-6f);
  ASSERT_TRUE(trianglesOf(mesh).empty());
  const auto tensors = computed(cloud, mesh, {{0, 9}, {40, 50}}, 10, 0.004f);
  EXPECT_EQ(tensors.size(), 2);
  EXPECT_EQ(tensors.areas.size(), 0u);
}

TEST_P(OrganizedTensors, OfAStripOfOneRowAreEmpty)
{
  for (bool upright : {false, true}) {
    const OrientedCloud cloud = bumpyCloud(upright ? 40 : 1, upright ? 1 : 40, 12);
    const auto tensors =
        computed(cloud, meshOf(cloud, Cut::Left), {{0, 9}, {20, 30}}, 10, 0.004f);
    EXPECT_EQ(tensors.size(), 2);
    EXPECT_EQ(tensors.areas.size(), 0u);
  }
}

TEST_P(OrganizedTensors, LeaveOutPointsThatAreMissing)
{
  // A mask that says otherwise does not bring them back.
  OrientedCloud cloud = bumpyCloud(33, 41, 13);
  const OrganizedMesh mesh = meshOf(cloud, Cut::Left);
  const auto pairs = somePairs(cloud, 5);
  for (std::size_t i = 3; i < cloud.points.data.size(); i += 97)
    cloud.points.data[i].y = std::numeric_limits<float>::quiet_NaN();
  for (const PointPair& pair : pairs)
    for (int number : {pair.first, pair.second})
      if (!(cloud.points.data[number].y == cloud.points.data[number].y))
        cloud.points.data[number].y = 0.0f;
  const auto tensors = computed(cloud, mesh, pairs, 10, 0.004f);
  EXPECT_GT(expectReference(cloud, trianglesOf(mesh), tensors), 10.0);
}

TEST_P(OrganizedTensors, OfTheWholeChainEqualTheReference)
{
  const OrientedCloud cloud = damagedCloud(60, 70, 14);
  const OrganizedCloud points = uploaded(cloud.points);
  const NormalMap normals = uploaded(cloud.normals);
  PointPairEstimation estimation;
  change(estimation, [&](auto& p) { p.resolution = pixel_distance; });
  change(estimation, [&](auto& p) {
    p.selection = PairSelection::Random;
    p.selected_count = 40;
    p.seed = 1;
  });
  PointPairs pairs;
  estimation.compute(points, normals, {}, pairs);
  const OrganizedMesh mesh = meshOf(cloud, Cut::Adaptive, 0.01f);
  TensorExtraction extraction;
  change(extraction, [&](auto& p) {
    p.voxel_size = 0.004f;
    p.voxel_unit = LengthUnit::Metres;
  });
  TensorSet set = poisonedTensors();
  extraction.compute(points, normals, mesh, {}, pairs, set);
  const HostTensors tensors = downloadedTensors(set);
  EXPECT_EQ(tensors.size(), 40);
  EXPECT_EQ(tensors.grid_size, 10);
  EXPECT_GT(expectReference(cloud, trianglesOf(mesh), tensors), 500.0);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(OrganizedTensors);

} // namespace
