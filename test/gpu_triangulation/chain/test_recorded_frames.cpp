// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/depth_images.h"
#include "common/devices.h"
#include "gpu_triangulation/references/expect_mesh.h"
#include "gpu_triangulation/references/expect_normals.h"
#include "gpu_triangulation/references/scenes.h"

#include <pcl/common/point_tests.h>
#include <pcl/gpu/triangulation/depth_map_triangulation.h>
#include <pcl/io/pcd_io.h>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

// On depth maps of real sensors; skipped where the recorded data are absent.

class RecordedFrames : public DeviceTest {
protected:
  static Image<PointXYZ>
  cloudOf(const RecordedFrame& frame)
  {
    return test::cloudOf(inMetres(frame.depth, 0.001), frame.camera);
  }
};

TEST_P(RecordedFrames, FilterEqualsBruteForce)
{
  const RecordedFrame frame = recordedFrame("tum_desk");
  DepthMap filtered;
  DepthBilateralFilter().compute(uploaded(frame.depth), 0.001f, filtered);
  Image<double> metres(frame.depth.rows, frame.depth.columns);
  for (std::size_t i = 0; i < metres.data.size(); ++i)
    metres.data[i] = frame.depth.data[i] * 0.001;
  ReferenceFilter parameters;
  parameters.sigma_r = 0.03f;
  expectClose(referenceFilter(metres, parameters), downloaded(filtered), 1e-6);
}

TEST_P(RecordedFrames, NormalsEqualDoublePrecision)
{
  for (const auto& name : recordedFrameNames()) {
    SCOPED_TRACE(name);
    expectNormals(covarianceEstimation(), cloudOf(recordedFrame(name)));
  }
}

TEST_P(RecordedFrames, NormalsWithoutNeighboursAcrossJumpsEqualDoublePrecision)
{
  for (const auto& name : recordedFrameNames()) {
    SCOPED_TRACE(name);
    NormalMapEstimation estimation = covarianceEstimation();
    change(estimation, [&](auto& p) { p.max_depth_change_factor = 0.0203f; });
    expectNormals(estimation, cloudOf(recordedFrame(name)));
  }
}

TEST_P(RecordedFrames, NormalsInTheSmallestAndALargeWindowEqualDoublePrecision)
{
  const auto cloud = cloudOf(recordedFrame("nyu_basement"));
  for (int radius : {1, 6}) {
    SCOPED_TRACE(radius);
    NormalMapEstimation estimation = covarianceEstimation();
    change(estimation, [&](auto& p) { p.window_radius = radius; });
    expectNormals(estimation, cloud);
  }
}

TEST_P(RecordedFrames, ResolutionEqualsDoublePrecision)
{
  for (const auto& name : recordedFrameNames()) {
    SCOPED_TRACE(name);
    const auto cloud = cloudOf(recordedFrame(name));
    const auto normals = normalsOf(NormalMapEstimation(), cloud);
    for (int neighbors : {4, 8}) {
      CloudResolution resolution;
      change(resolution, [&](auto& p) { p.neighbors = neighbors; });
      DeviceArray<ResolutionStatistics> statistics;
      resolution.compute(uploaded(cloud), uploaded(normals), statistics);
      const ResolutionStatistics actual = downloaded(statistics).at(0);
      const auto expected = referenceStatistics(cloud, normals, neighbors);
      EXPECT_EQ(actual.points, expected.points);
      EXPECT_EQ(actual.normals, expected.normals);
      const auto expectNear = [](float a, double e) { EXPECT_NEAR(a, e, 2e-6 * e); };
      expectNear(actual.mean_spacing, expected.mean_spacing);
      expectNear(actual.nearest_distance, expected.nearest_distance);
      expectNear(actual.spacing_deviation, expected.spacing_deviation);
      expectNear(actual.mean_angle, expected.mean_angle);
      expectNear(actual.angle_deviation, expected.angle_deviation);
    }
  }
}

TEST_P(RecordedFrames, MeshEqualsTheReferenceWithDynamicThresholds)
{
  for (const auto& name : recordedFrameNames()) {
    SCOPED_TRACE(name);
    const RecordedFrame frame = recordedFrame(name);
    DepthMapTriangulation chain;
    change(chain, [&](auto& p) {
      p.projection.camera = frame.camera;
      p.filter.sigma_r_growth = 0.0028f;
    });
    chain.compute(uploaded(frame.depth), 0.001f);
    const auto cloud = downloaded(chain.cloud());
    const auto normals = downloaded(chain.normals());
    const auto statistics = referenceStatistics(cloud, normals, 8);
    ReferenceMesh parameters;
    parameters.setDynamicThresholds(statistics);
    const double unsure = expectMesh(referenceMesh(cloud, normals, parameters),
                                     chain.mesh(),
                                     parameters,
                                     cloud.rows,
                                     cloud.columns);
    EXPECT_LE(unsure, 1e-3);
    EXPECT_GT(polygonsOf(chain.mesh()).size(), 200000u);
  }
}

TEST_P(RecordedFrames, MeshOfUnfilteredDepthEqualsTheReferenceForAllCuts)
{
  const RecordedFrame frame = recordedFrame("pcl_laptop");
  const auto cloud = cloudOf(frame);
  const auto normals = normalsOf(NormalMapEstimation(), cloud);
  ReferenceMesh parameters;
  parameters.max_edge_length = 0.01007f;
  parameters.max_normal_angle = 0.3f;
  for (Cut cut : {Cut::Left, Cut::Right, Cut::Adaptive, Cut::Quad}) {
    parameters.cut = cut;
    OrganizedTriangulation triangulation;
    change(triangulation, [&](auto& p) {
      p.cut = cut;
      p.dynamic_edge_length = false;
      p.max_edge_length = 0.01007f;
      p.dynamic_normal_angle = false;
      p.max_normal_angle = 0.3f;
    });
    OrganizedMesh mesh;
    triangulation.compute(uploaded(cloud), uploaded(normals), {}, mesh);
    const double unsure = expectMesh(referenceMesh(cloud, normals, parameters),
                                     mesh,
                                     parameters,
                                     cloud.rows,
                                     cloud.columns);
    // Depth is quantized, so that many quads have diagonals of equal lengths.
    EXPECT_LE(unsure, cut == Cut::Adaptive ? 0.5 : 1e-3);
  }
}

TEST_P(RecordedFrames, ProjectionEqualsTheSensorDriversCloud)
{
  pcl::PointCloud<PointXYZ> recorded;
  ASSERT_EQ(pcl::io::loadPCDFile(dataPath("pcd/office1.pcd"), recorded), 0);
  Image<float> depth(static_cast<int>(recorded.height),
                     static_cast<int>(recorded.width));
  for (std::size_t i = 0; i < depth.data.size(); ++i)
    depth.data[i] = recorded[i].z;
  PinholeCamera camera;
  camera.fx = camera.fy = 525.0f;
  camera.cx = 320.0f;
  camera.cy = 240.0f;
  DepthMapProjection projection;
  change(projection, [&](auto& p) { p.camera = camera; });
  OrganizedCloud projected;
  projection.compute(uploaded(depth), projected);
  const auto cloud = downloaded(projected);
  double worst = 0.0;
  for (std::size_t i = 0; i < cloud.data.size(); ++i) {
    const PointXYZ& p = cloud.data[i];
    ASSERT_EQ(pcl::isFinite(p), pcl::isFinite(recorded[i]));
    if (pcl::isFinite(p))
      worst = std::max<double>(
          worst, (p.getVector3fMap() - recorded[i].getVector3fMap()).norm() / p.z);
  }
  EXPECT_LE(worst, 1e-6);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RecordedFrames);

} // namespace
