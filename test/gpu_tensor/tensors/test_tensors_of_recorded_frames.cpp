// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/depth_images.h"
#include "common/devices.h"
#include "gpu_tensor/pairs/pair_reference.h"
#include "host_tensors.h"
#include "tensor_reference.h"

#include <pcl/gpu/tensor/point_pair_estimation.h>
#include <pcl/gpu/tensor/tensor_extraction.h>
#include <pcl/gpu/triangulation/depth_map_triangulation.h>
#include <pcl/io/pcd_io.h>

#include <algorithm>
#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

// On recorded frames, through the chain of stages that a program uses; skipped where
// the data are absent.

class TensorsOfRecordedFrames : public DeviceTest {
protected:
  /** \brief Results of the chain for a frame. */
  struct Frame {
    OrganizedCloud cloud;
    NormalMap normals;
    DeviceArray<ResolutionStatistics> statistics;
    OrganizedMesh mesh;
    OrientedCloud host;
  };

  static Frame
  ofDepthMap(const std::string& name)
  {
    const RecordedFrame recorded = recordedFrame(name);
    DepthMapTriangulation chain;
    change(chain, [&](auto& p) { p.projection.camera = recorded.camera; });
    chain.compute(uploaded(recorded.depth), 0.001f);
    return withHostCopy(
        {chain.cloud(), chain.normals(), chain.statistics(), chain.mesh(), {}});
  }

  static Frame
  ofCloud(const std::string& name)
  {
    pcl::PointCloud<PointXYZ> recorded;
    EXPECT_EQ(pcl::io::loadPCDFile(dataPath("pcd/" + name), recorded), 0);
    Image<PointXYZ> points(static_cast<int>(recorded.height),
                           static_cast<int>(recorded.width));
    std::copy(recorded.begin(), recorded.end(), points.data.begin());
    Frame frame;
    frame.cloud = uploaded(points);
    NormalMapEstimation().compute(frame.cloud, frame.normals);
    CloudResolution().compute(frame.cloud, frame.normals, frame.statistics);
    OrganizedTriangulation triangulation;
    change(triangulation, [&](auto& p) { p.cut = Cut::Adaptive; });
    triangulation.compute(frame.cloud, frame.normals, frame.statistics, frame.mesh);
    return withHostCopy(frame);
  }

  static Frame
  withHostCopy(Frame frame)
  {
    frame.host = {downloaded(frame.cloud), downloaded(frame.normals)};
    return frame;
  }

  static void
  expectPairsOf(const Frame& frame)
  {
    ReferencePairing pairing;
    pairing.resolution = downloaded(frame.statistics).at(0).nearest_distance;
    const std::vector<PointPair> expected = referencePairs(frame.host, pairing);
    PointPairEstimation estimation;
    PointPairs pairs;
    estimation.compute(frame.cloud, frame.normals, frame.statistics, pairs);
    EXPECT_GT(expected.size(), 10000u);
    expectPairs(expected, downloadedPairs(pairs));
  }

  static void
  expectTensorsOf(const Frame& frame, int grid_size)
  {
    // A surface that runs along a plane between voxels changes sides at a flat angle,
    // which makes much of the rounding of coordinates.
    const double tolerance = 4.0 * area_tolerance;
    PointPairEstimation estimation;
    change(estimation, [&](auto& p) {
      p.selection = PairSelection::Even;
      p.selected_count = 50;
    });
    PointPairs pairs;
    estimation.compute(frame.cloud, frame.normals, frame.statistics, pairs);
    const Triangles triangles = trianglesOf(frame.mesh);
    TensorExtraction extraction;
    change(extraction, [&](auto& p) { p.grid_size = grid_size; });
    change(extraction, [&](auto& p) {
      p.voxel_size = 20.0f / static_cast<float>(grid_size);
      p.voxel_unit = LengthUnit::Resolutions;
    });
    TensorSet set = poisonedTensors();
    extraction.compute(
        frame.cloud, frame.normals, frame.mesh, frame.statistics, pairs, set);
    const HostTensors tensors = downloadedTensors(set);
    ASSERT_EQ(tensors.size(), 50);
    double sum = 0.0;
    for (int i = 0; i < tensors.size(); ++i) {
      SCOPED_TRACE("tensor " + std::to_string(i));
      const auto of_grid = gridTriangles(
          frame.host.points.data, triangles, tensors.frames[i], grid_size);
      expectAreas(referenceAreas(of_grid, grid_size), tensors.dense(i), tolerance);
      sum += tensors.sum(i);
    }
    EXPECT_GT(sum, 10.0 * grid_size * grid_size);
  }
};

TEST_P(TensorsOfRecordedFrames, PairsOfADepthMapEqualBruteForce)
{
  expectPairsOf(ofDepthMap("pcl_laptop"));
}

TEST_P(TensorsOfRecordedFrames, PairsOfAnOfficeEqualBruteForce)
{
  expectPairsOf(ofCloud("office1.pcd"));
}

TEST_P(TensorsOfRecordedFrames, PairsOfObjectsOnATableEqualBruteForce)
{
  expectPairsOf(ofCloud("milk_cartoon_all_small_clorox.pcd"));
}

TEST_P(TensorsOfRecordedFrames, TensorsOfADepthMapEqualTheReference)
{
  expectTensorsOf(ofDepthMap("pcl_laptop"), 10);
}

TEST_P(TensorsOfRecordedFrames, TensorsOfAnOfficeEqualTheReference)
{
  expectTensorsOf(ofCloud("office1.pcd"), 10);
}

TEST_P(TensorsOfRecordedFrames, TensorsOfObjectsOnATableEqualTheReference)
{
  expectTensorsOf(ofCloud("milk_cartoon_all_small_clorox.pcd"), 20);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TensorsOfRecordedFrames);

} // namespace
