// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/numbers.h"
#include "host_tensors.h"
#include "tensor_scenes.h"

#include <pcl/gpu/tensor/point_pair_estimation.h>
#include <pcl/gpu/tensor/tensor_extraction.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

TEST(BadPairArguments, AreNamed)
{
  PointPairEstimation estimation;
  for (float bad : {0.0f, -2.5f, not_a_number, infinity, -infinity}) {
    SCOPED_TRACE(bad);
    expectBadArgument("least distance", [&] {
      change(estimation, [&](auto& p) {
        p.min_distance = bad;
        p.max_distance = 14.0f;
      });
    });
    expectBadArgument("largest distance", [&] {
      change(estimation, [&](auto& p) {
        p.min_distance = 5.0f;
        p.max_distance = bad;
      });
    });
    if (bad != 0.0f)
      expectBadArgument("resolution", [&] {
        change(estimation, [&](auto& p) { p.resolution = bad; });
      });
    expectBadArgument("least angle",
                      [&] { change(estimation, [&](auto& p) { p.min_angle = bad; }); });
  }
  expectBadArgument("largest distance of a pair is 4.5", [&] {
    change(estimation, [&](auto& p) {
      p.min_distance = 5.0f;
      p.max_distance = 4.5f;
    });
  });
  expectBadArgument("least angle of a pair is 3.25",
                    [&] { change(estimation, [&](auto& p) { p.min_angle = 3.25f; }); });
  for (int bad : {-1, 0, PointPairEstimationParameters::max_window_radius + 1})
    expectBadArgument("window radius is " + std::to_string(bad), [&] {
      change(estimation, [&](auto& p) { p.window_radius = bad; });
    });
  for (int bad : {-1, 0, PointPairEstimationParameters::max_pairs_per_point + 1})
    expectBadArgument("pairs per point is " + std::to_string(bad), [&] {
      change(estimation, [&](auto& p) { p.pairs_per_point = bad; });
    });
  for (int bad : {-7, 0}) {
    expectBadArgument("number of pairs is " + std::to_string(bad), [&] {
      change(estimation, [&](auto& p) {
        p.selection = PairSelection::Even;
        p.selected_count = bad;
      });
    });
    expectBadArgument("number of pairs is " + std::to_string(bad), [&] {
      change(estimation, [&](auto& p) {
        p.selection = PairSelection::Random;
        p.selected_count = bad;
        p.seed = 1;
      });
    });
  }
}

TEST(BadPairArguments, AreAlsoEnumeratorsThatDoNotExist)
{
  PointPairEstimation estimation;
  expectBadArgument("selection of pairs is 3", [&] {
    change(estimation, [](auto& p) { p.selection = static_cast<PairSelection>(3); });
  });
  TensorExtraction extraction;
  expectBadArgument("unit of the voxel size is 2", [&] {
    change(extraction, [](auto& p) { p.voxel_unit = static_cast<LengthUnit>(2); });
  });
}

TEST(BadPairArguments, AtTheLimitsAreGood)
{
  PointPairEstimation estimation;
  EXPECT_NO_THROW(change(estimation, [&](auto& p) {
    p.min_distance = 5.0f;
    p.max_distance = 5.0f;
  }));
  EXPECT_NO_THROW(change(estimation, [&](auto& p) { p.resolution = 0.0f; }));
  EXPECT_NO_THROW(change(estimation, [&](auto& p) { p.min_angle = 3.14f; }));
  EXPECT_NO_THROW(change(estimation, [&](auto& p) { p.min_angle = 0.001f; }));
  EXPECT_NO_THROW(change(estimation, [&](auto& p) {
    p.selection = PairSelection::Even;
    p.selected_count = 1;
  }));
  for (int radius : {1, PointPairEstimationParameters::max_window_radius})
    EXPECT_NO_THROW(change(estimation, [&](auto& p) { p.window_radius = radius; }));
  for (int pairs : {1, PointPairEstimationParameters::max_pairs_per_point})
    EXPECT_NO_THROW(change(estimation, [&](auto& p) { p.pairs_per_point = pairs; }));
}

TEST(BadTensorArguments, AreNamed)
{
  TensorExtraction extraction;
  for (int bad : {-10, 0, 1, TensorExtractionParameters::max_grid_size + 1})
    expectBadArgument("grid size is " + std::to_string(bad),
                      [&] { change(extraction, [&](auto& p) { p.grid_size = bad; }); });
  for (float bad : {0.0f, -2.5f, not_a_number, infinity}) {
    SCOPED_TRACE(bad);
    expectBadArgument("voxel size factor", [&] {
      change(extraction, [&](auto& p) {
        p.voxel_size = bad;
        p.voxel_unit = LengthUnit::Resolutions;
      });
    });
    expectBadArgument("voxel size", [&] {
      change(extraction, [&](auto& p) {
        p.voxel_size = bad;
        p.voxel_unit = LengthUnit::Metres;
      });
    });
    if (bad != 0.0f)
      expectBadArgument("least area", [&] {
        change(extraction, [&](auto& p) { p.min_area = bad; });
      });
  }
  expectBadArgument("voxel size is -2.5", [&] {
    change(extraction, [&](auto& p) {
      p.voxel_size = -2.5f;
      p.voxel_unit = LengthUnit::Metres;
    });
  });
  for (int bad : {-1, 2})
    expectBadArgument("triangles is " + std::to_string(bad), [&] {
      change(extraction,
             [&](auto& p) { p.triangles = static_cast<TensorTriangles>(bad); });
    });
  EXPECT_EQ(extraction.getParameters().grid_size, 10)
      << "a refused value must not stick";
}

class TensorErrors : public DeviceTest {
protected:
  static OrganizedCloud
  cloudOf(int rows, int columns)
  {
    return uploaded(bumpyCloud(rows, columns, 1).points);
  }

  static OrganizedMesh
  mesh(int rows, int columns)
  {
    return meshOf(bumpyCloud(rows, columns, 1), Cut::Left);
  }

  PointPairs pairs_;
  TensorSet tensors_;
};

TEST_P(TensorErrors, DifferentSizesOfCloudAndNormalsAreNamed)
{
  PointPairEstimation estimation;
  change(estimation, [&](auto& p) { p.resolution = 0.002f; });
  for (const NormalMap& normals : {cloudOf(9, 8), NormalMap()})
    expectBadArgument("normals",
                      [&] { estimation.compute(cloudOf(8, 9), normals, {}, pairs_); });
  TensorExtraction extraction;
  change(extraction, [&](auto& p) {
    p.voxel_size = 0.01f;
    p.voxel_unit = LengthUnit::Metres;
  });
  expectBadArgument("normals", [&] {
    extraction.compute(cloudOf(8, 9), cloudOf(9, 8), mesh(8, 9), {}, pairs_, tensors_);
  });
}

TEST_P(TensorErrors, AMeshOfAnotherSizeIsNamed)
{
  TensorExtraction extraction;
  change(extraction, [&](auto& p) {
    p.voxel_size = 0.01f;
    p.voxel_unit = LengthUnit::Metres;
  });
  for (const OrganizedMesh& other : {mesh(9, 8), mesh(8, 8), OrganizedMesh()})
    expectBadArgument("mesh", [&] {
      extraction.compute(cloudOf(8, 9), cloudOf(8, 9), other, {}, pairs_, tensors_);
    });
}

TEST_P(TensorErrors, MissingStatisticsAreNamed)
{
  PointPairEstimation estimation;
  expectBadArgument("statistics", [&] {
    estimation.compute(cloudOf(8, 9), cloudOf(8, 9), {}, pairs_);
  });
  change(estimation, [&](auto& p) { p.resolution = 0.002f; });
  EXPECT_NO_THROW(estimation.compute(cloudOf(8, 9), cloudOf(8, 9), {}, pairs_));
  change(estimation, [&](auto& p) { p.resolution = 0.0f; });
  expectBadArgument("number of statistics is 2", [&] {
    estimation.compute(cloudOf(8, 9),
                       cloudOf(8, 9),
                       uploaded(std::vector<ResolutionStatistics>(2)),
                       pairs_);
  });
  TensorExtraction extraction;
  expectBadArgument("statistics", [&] {
    extraction.compute(cloudOf(8, 9), cloudOf(8, 9), mesh(8, 9), {}, pairs_, tensors_);
  });
}

TEST_P(TensorErrors, OfMeshesThatAreNotOrganizedAreNamed)
{
  const DeviceArray<PointXYZ> points = uploaded(bumpyCloud(1, 9, 1).points.data);
  const DeviceArray<PointXYZ> fewer = uploaded(bumpyCloud(1, 8, 1).points.data);
  const DeviceArray<int> triangles = uploaded(std::vector<int>{0, 1, 2});
  TensorExtraction extraction;
  expectBadArgument("voxel size", [&] {
    extraction.compute(points, points, triangles, pairs_, tensors_);
  });
  change(extraction, [&](auto& p) {
    p.voxel_size = 0.01f;
    p.voxel_unit = LengthUnit::Metres;
  });
  EXPECT_NO_THROW(extraction.compute(points, points, triangles, pairs_, tensors_));
  expectBadArgument("number of normals is 8", [&] {
    extraction.compute(points, fewer, triangles, pairs_, tensors_);
  });
  expectBadArgument("triangles is 2", [&] {
    extraction.compute(
        points, points, uploaded(std::vector<int>{0, 1}), pairs_, tensors_);
  });
  change(extraction, [&](auto& p) { p.triangles = TensorTriangles::Connected; });
  expectBadArgument("triangles", [&] {
    extraction.compute(points, points, triangles, pairs_, tensors_);
  });
}

TEST_P(TensorErrors, LeaveTheOutputAsItIs)
{
  PointPairEstimation estimation;
  pairs_ = uploadedPairs({{1, 2}, {3, 4}});
  EXPECT_THROW(estimation.compute(cloudOf(8, 9), cloudOf(8, 9), {}, pairs_),
               pcl::BadArgumentException);
  EXPECT_TRUE(samePairs(downloadedPairs(pairs_), {{1, 2}, {3, 4}}));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TensorErrors);

/** \brief Inputs of one call on two devices; runs where there is a CUDA device. */
TEST(tensors_of_host_and_cuda_mixed, AreRefusedByName)
{
  const auto cuda = useDevice("cuda");
  const OrientedCloud some = bumpyCloud(8, 9, 1);
  const NormalMap normals_on_cuda = uploaded(some.normals);
  const auto statistics_on_cuda = statisticsOf(some);
  const auto keypoints_on_cuda = uploaded(std::vector<int>{1, 2});
  const OrganizedMesh mesh_on_cuda = meshOf(some, Cut::Left);
  const PointPairs pairs_on_cuda = uploadedPairs({{1, 2}});
  const auto host = useDevice("host");
  const OrganizedCloud cloud = uploaded(some.points);
  const NormalMap normals = uploaded(some.normals);
  const OrganizedMesh mesh = meshOf(some, Cut::Left);

  const auto expectBothNamed = [](const auto& call) {
    expectBadArgument("host", call);
    expectBadArgument("cuda:0", call);
  };
  PointPairEstimation estimation;
  change(estimation, [&](auto& p) { p.resolution = 0.002f; });
  PointPairs pairs;
  expectBothNamed([&] { estimation.compute(cloud, normals_on_cuda, {}, pairs); });
  expectBothNamed(
      [&] { estimation.compute(cloud, normals, statistics_on_cuda, pairs); });
  expectBothNamed(
      [&] { estimation.compute(cloud, normals, {}, keypoints_on_cuda, pairs); });
  TensorExtraction extraction;
  change(extraction, [&](auto& p) {
    p.voxel_size = 0.01f;
    p.voxel_unit = LengthUnit::Metres;
  });
  TensorSet tensors;
  expectBothNamed(
      [&] { extraction.compute(cloud, normals_on_cuda, mesh, {}, pairs, tensors); });
  expectBothNamed(
      [&] { extraction.compute(cloud, normals, mesh_on_cuda, {}, pairs, tensors); });
  expectBothNamed(
      [&] { extraction.compute(cloud, normals, mesh, {}, pairs_on_cuda, tensors); });
}

/** \brief Both devices find the same pairs, and tensors that differ by rounding. */
TEST(tensors_of_host_and_cuda_compared, AreAlike)
{
  const auto on = [](const std::string& device) {
    const auto scope = useDevice(device);
    const OrientedCloud cloud = damagedCloud(60, 70, 3);
    const OrganizedCloud points = uploaded(cloud.points);
    const NormalMap normals = uploaded(cloud.normals);
    PointPairEstimation estimation;
    change(estimation, [&](auto& p) { p.resolution = pixel_distance; });
    change(estimation, [&](auto& p) {
      p.selection = PairSelection::Random;
      p.selected_count = 300;
      p.seed = 5;
    });
    PointPairs pairs;
    estimation.compute(points, normals, {}, pairs);
    TensorExtraction extraction;
    change(extraction, [&](auto& p) {
      p.voxel_size = 0.004f;
      p.voxel_unit = LengthUnit::Metres;
    });
    TensorSet tensors;
    extraction.compute(
        points, normals, meshOf(cloud, Cut::Left, 0.01f), {}, pairs, tensors);
    return std::make_pair(downloadedPairs(pairs), downloadedTensors(tensors));
  };
  const auto cuda = on("cuda"), host = on("host");
  EXPECT_TRUE(samePairs(cuda.first, host.first));
  ASSERT_EQ(cuda.second.size(), host.second.size());
  for (int i = 0; i < host.second.size(); ++i) {
    const auto a = host.second.dense(i), b = cuda.second.dense(i);
    double difference = 0.0;
    for (std::size_t j = 0; j < a.size(); ++j)
      difference += std::abs(a[j] - b[j]);
    EXPECT_LE(difference, 1e-3 * host.second.sum(i)) << "tensor " << i;
  }
}

} // namespace
