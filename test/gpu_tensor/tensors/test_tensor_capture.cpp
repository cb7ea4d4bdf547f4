// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/captured_graph.h"
#include "common/change_parameters.h"
#include "common/devices.h"
#include "gpu_tensor/pairs/pair_reference.h"
#include "host_tensors.h"

#include <pcl/gpu/tensor/point_pair_estimation.h>
#include <pcl/gpu/tensor/tensor_extraction.h>

#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief A second run neither waits nor allocates, so that it can be captured; and
 * gives the same when the graph is launched, and that of new input in the same
 * memory. */
class TensorCaptures : public DeviceTest {
protected:
  /** \brief Captures the work, and compares it with a plain run. */
  static void
  expectCaptured(PointPairEstimation estimation,
                 TensorExtraction extraction,
                 const std::vector<int>& host_keypoints = {})
  {
    const OrientedCloud first = damagedCloud(50, 60, 1);
    const OrientedCloud second = damagedCloud(50, 60, 2);
    const OrganizedMesh mesh = meshOf(first, Cut::Left);
    const DeviceArray<ResolutionStatistics> statistics =
        statisticsOf(bumpyCloud(50, 60, 1));
    const DeviceArray<int> keypoints = uploaded(host_keypoints);
    const auto run = [&](PointPairEstimation& some_estimation,
                         TensorExtraction& some_extraction,
                         const OrganizedCloud& points,
                         const NormalMap& normals,
                         PointPairs& pairs,
                         TensorSet& tensors,
                         const Stream& stream) {
      if (keypoints.empty())
        some_estimation.compute(points, normals, statistics, pairs, stream);
      else
        some_estimation.compute(points, normals, statistics, keypoints, pairs, stream);
      some_extraction.compute(
          points, normals, mesh, statistics, pairs, tensors, stream);
    };

    OrganizedCloud points = uploaded(first.points);
    NormalMap normals = uploaded(first.normals);
    PointPairs pairs;
    TensorSet tensors;
    const Stream stream = Stream::create();
    const auto work = [&] {
      run(estimation, extraction, points, normals, pairs, tensors, stream);
    };
    Stream().synchronize(); // which the other stream does not wait for
    work();
    const CapturedGraph graph(stream, work);
    for (const OrientedCloud& cloud : {first, second, first}) {
      const std::size_t row_bytes = cloud.points.columns * sizeof(pcl::PointXYZ);
      points.upload(cloud.points.data.data(), row_bytes, 50, 60);
      normals.upload(cloud.normals.data.data(), row_bytes, 50, 60);
      Stream().synchronize();
      graph.launch(3);
      PointPairEstimation other_estimation = estimation;
      TensorExtraction other_extraction = extraction;
      PointPairs expected_pairs;
      TensorSet expected;
      run(other_estimation,
          other_extraction,
          points,
          normals,
          expected_pairs,
          expected,
          Stream());
      const std::vector<PointPair> found = downloadedPairs(pairs);
      EXPECT_GT(found.size(), 20u);
      EXPECT_TRUE(samePairs(found, downloadedPairs(expected_pairs)));
      EXPECT_TRUE(sameTensors(downloadedTensors(tensors), downloadedTensors(expected)));
    }
  }
};

TEST_P(TensorCaptures, OfAllPairs)
{
  TensorExtraction extraction;
  change(extraction, [&](auto& p) { p.grid_size = 4; });
  expectCaptured(PointPairEstimation(), extraction);
}

TEST_P(TensorCaptures, OfSelectedPairs)
{
  PointPairEstimation estimation;
  change(estimation, [&](auto& p) {
    p.selection = PairSelection::Random;
    p.selected_count = 200;
    p.seed = 1;
  });
  expectCaptured(estimation, TensorExtraction());
  change(estimation, [&](auto& p) {
    p.selection = PairSelection::Even;
    p.selected_count = 150;
  });
  expectCaptured(estimation, TensorExtraction());
}

TEST_P(TensorCaptures, OfThePairsOfKeypoints)
{
  std::vector<int> keypoints;
  for (int number = 0; number < 3000; number += 17)
    keypoints.push_back(number);
  expectCaptured(PointPairEstimation(), TensorExtraction(), keypoints);
}

TEST_P(TensorCaptures, OfLargeGrids)
{
  PointPairEstimation estimation;
  change(estimation, [&](auto& p) {
    p.selection = PairSelection::Even;
    p.selected_count = 60;
  });
  TensorExtraction extraction;
  change(extraction, [&](auto& p) { p.grid_size = 24; });
  change(extraction, [&](auto& p) {
    p.voxel_size = 0.8f;
    p.voxel_unit = LengthUnit::Resolutions;
  });
  expectCaptured(estimation, extraction);
}

TEST_P(TensorCaptures, OfConnectedTriangles)
{
  PointPairEstimation estimation;
  change(estimation, [&](auto& p) {
    p.selection = PairSelection::Even;
    p.selected_count = 100;
  });
  TensorExtraction extraction;
  change(extraction, [&](auto& p) { p.triangles = TensorTriangles::Connected; });
  expectCaptured(estimation, extraction);
}

INSTANTIATE_TEST_SUITE_P(Devices,
                         TensorCaptures,
                         ::testing::Values("cuda"),
                         deviceTestName);

} // namespace
