// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "gpu_tensor/pairs/pair_reference.h"
#include "host_tensors.h"
#include "tensor_reference.h"

#include <pcl/gpu/tensor/point_pair_estimation.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;

namespace {

// Invariance of tensors.

class TensorInvariance : public DeviceTest {
protected:
  /** \brief The first pairs of a cloud, in their order. */
  static std::vector<PointPair>
  firstPairs(const OrientedCloud& cloud, std::size_t count)
  {
    std::vector<PointPair> pairs = referencePairs(cloud, {});
    EXPECT_GE(pairs.size(), count);
    pairs.resize(std::min(pairs.size(), count));
    return pairs;
  }

  static TensorExtraction
  extraction()
  {
    TensorExtraction result;
    change(result, [&](auto& p) {
      p.voxel_size = 0.004f;
      p.voxel_unit = LengthUnit::Metres;
    });
    return result;
  }

  static HostTensors
  computed(const OrientedCloud& cloud,
           const OrganizedMesh& mesh,
           const std::vector<PointPair>& pairs)
  {
    TensorExtraction some = extraction();
    return tensorsOf(some, cloud, mesh, pairs);
  }
};

TEST_P(TensorInvariance, ToTheOrderOfAPairsPoints)
{
  const OrientedCloud cloud =
      moved(damagedCloud(40, 50, 1), randomRotation(1), Vector3d(0.2, 0.3, -0.5));
  const OrganizedMesh mesh = meshOf(cloud, Cut::Adaptive, 0.01f);
  const std::vector<PointPair> pairs = firstPairs(cloud, 700);
  std::vector<PointPair> swapped = pairs;
  for (PointPair& pair : swapped)
    std::swap(pair.first, pair.second);
  const HostTensors tensors = computed(cloud, mesh, pairs);
  EXPECT_GT(tensors.areas.size(), 10000u);
  EXPECT_TRUE(sameTensors(computed(cloud, mesh, swapped), tensors));
}

TEST_P(TensorInvariance, ToTheOrderOfTriangles)
{
  VertexMesh mesh = randomMesh(20000, 0.8, 10, 2);
  TensorExtraction some;
  change(some, [&](auto& p) {
    p.voxel_size = mesh_voxel_size;
    p.voxel_unit = LengthUnit::Metres;
  });
  const HostTensors tensors = tensorsOf(some, mesh);
  std::shuffle(mesh.triangles.begin(), mesh.triangles.end(), std::mt19937(3));
  EXPECT_TRUE(sameTensors(tensorsOf(some, mesh), tensors));
}

TEST_P(TensorInvariance, ToHowManyAreComputedAtOnce)
{
  const OrientedCloud cloud = damagedCloud(50, 60, 4);
  const OrganizedMesh mesh = meshOf(cloud, Cut::Left, 0.01f);
  const std::vector<PointPair> pairs = firstPairs(cloud, 3000);
  const HostTensors together = computed(cloud, mesh, pairs);
  ASSERT_EQ(together.size(), static_cast<int>(pairs.size()));
  TensorExtraction alone = extraction();
  for (std::size_t i = 0; i < pairs.size(); i += 9) {
    const HostTensors one = tensorsOf(alone, cloud, mesh, {pairs[i]});
    ASSERT_TRUE(sameTensor(together, static_cast<int>(i), one, 0)) << "tensor " << i;
  }
}

TEST_P(TensorInvariance, ToTheNumberOfTheRun)
{
  const OrientedCloud cloud = damagedCloud(40, 50, 5);
  const OrganizedMesh mesh = meshOf(cloud, Cut::Left, 0.01f);
  const std::vector<PointPair> all = firstPairs(cloud, 1100);
  const std::vector<PointPair> few(all.begin(), all.begin() + 30);
  TensorExtraction some = extraction();
  const HostTensors of_all = tensorsOf(some, cloud, mesh, all);
  const HostTensors of_few = tensorsOf(some, cloud, mesh, few);
  for (int run = 0; run < 3; ++run) {
    EXPECT_TRUE(sameTensors(tensorsOf(some, cloud, mesh, all), of_all));
    EXPECT_TRUE(sameTensors(tensorsOf(some, cloud, mesh, few), of_few));
  }
  TensorExtraction copy = some;
  EXPECT_TRUE(sameTensors(tensorsOf(copy, cloud, mesh, all), of_all));
}

TEST_P(TensorInvariance, ToTheGridsOfFormerRuns)
{
  const OrientedCloud cloud = damagedCloud(40, 50, 6);
  const OrganizedMesh mesh = meshOf(cloud, Cut::Left, 0.01f);
  const std::vector<PointPair> pairs = firstPairs(cloud, 60);
  TensorExtraction some;
  change(some, [&](auto& p) {
    p.voxel_size = 0.002f;
    p.voxel_unit = LengthUnit::Metres;
  });
  for (int grid_size : {10, 32, 2, 17, 16, 10}) {
    SCOPED_TRACE(grid_size);
    change(some, [&](auto& p) { p.grid_size = grid_size; });
    EXPECT_EQ(some.getParameters().grid_size, grid_size);
    TensorExtraction fresh;
    change(fresh, [&](auto& p) {
      p.voxel_size = 0.002f;
      p.voxel_unit = LengthUnit::Metres;
    });
    change(fresh, [&](auto& p) { p.grid_size = grid_size; });
    EXPECT_TRUE(sameTensors(tensorsOf(some, cloud, mesh, pairs),
                            tensorsOf(fresh, cloud, mesh, pairs)));
  }
}

TEST_P(TensorInvariance, ToRigidMotion)
{
  for (std::uint32_t seed = 7; seed <= 10; ++seed) {
    SCOPED_TRACE(seedText(seed));
    const OrientedCloud cloud = damagedCloud(40, 50, seed);
    const OrientedCloud turned =
        moved(cloud, randomRotation(seed), Vector3d(0.4, -0.2, 0.6));
    // The same triangles, as the view is the same.
    const OrganizedMesh mesh = meshOf(cloud, Cut::Left, 0.01f);
    std::vector<PointPair> pairs;
    for (const PointPair& pair : firstPairs(cloud, 300))
      if (std::abs(referenceFrame(cloud, pair).height) > 1e-6)
        pairs.push_back(pair);
    const HostTensors before = computed(cloud, mesh, pairs);
    const HostTensors after = computed(turned, mesh, pairs);
    ASSERT_GT(before.size(), 250);
    for (int i = 0; i < before.size(); ++i) {
      const auto a = before.dense(i), b = after.dense(i);
      double difference = 0.0, worst = 0.0;
      for (std::size_t j = 0; j < a.size(); ++j) {
        difference += std::abs(a[j] - b[j]);
        worst = std::max(worst, std::abs(a[j] - b[j]));
      }
      // Coordinates are rounded to some 1e-5 of a voxel; a surface that runs along a
      // plane between voxels changes sides over more than that.
      ASSERT_LE(difference, 1e-3 * before.sum(i));
      ASSERT_LE(worst, 0.05);
      ASSERT_NEAR(after.sum(i), before.sum(i), 1e-4 * before.sum(i));
    }
  }
}

TEST_P(TensorInvariance, OfPairsAndTensorsToRigidMotion)
{
  // Pairs are found anew: all but those at a limit are the same.
  const OrientedCloud cloud = damagedCloud(40, 50, 11);
  const OrientedCloud turned =
      moved(cloud, randomRotation(11), Vector3d(0.4, -0.2, 0.6));
  const auto pairsOf = [](const OrientedCloud& some) {
    PointPairEstimation estimation;
    change(estimation, [&](auto& p) { p.resolution = pixel_distance; });
    PointPairs pairs;
    estimation.compute(uploaded(some.points), uploaded(some.normals), {}, pairs);
    std::vector<std::pair<int, int>> result;
    for (const PointPair& pair : downloadedPairs(pairs))
      result.emplace_back(pair.first, pair.second);
    return result;
  };
  const auto before = pairsOf(cloud), after = pairsOf(turned);
  ASSERT_GT(before.size(), 500u);
  std::vector<std::pair<int, int>> both;
  std::vector<std::pair<int, int>> sorted_before = before, sorted_after = after;
  std::sort(sorted_before.begin(), sorted_before.end());
  std::sort(sorted_after.begin(), sorted_after.end());
  std::set_intersection(sorted_before.begin(),
                        sorted_before.end(),
                        sorted_after.begin(),
                        sorted_after.end(),
                        std::back_inserter(both));
  EXPECT_GE(both.size() + 5, before.size());
  EXPECT_GE(both.size() + 5, after.size());
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TensorInvariance);

} // namespace
