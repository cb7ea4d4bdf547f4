// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "gpu_triangulation/references/chain_result.h"
#include "gpu_triangulation/references/compare.h"
#include "gpu_triangulation/references/scenes.h"

#include <pcl/gpu/triangulation/color_registration.h>
#include <pcl/gpu/triangulation/kinect_disparity_converter.h>

#include <algorithm>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

// The host and the CUDA driver against one another, stage by stage on the same input.
// "cuda" in the suite's name has CTest run these only where there is a device.

namespace {

constexpr int rows = 240;
constexpr int columns = 320;

Image<float>
scene(unsigned seed)
{
  return roughDepth(rows, columns, 0.1, seed);
}

/** \brief Results of a function of no arguments on each device. */
template <typename Function>
auto
onBoth(const Function& function)
{
  auto host = [&] {
    const auto scope = useDevice("host");
    return function();
  }();
  const auto scope = useDevice("cuda");
  return std::make_pair(std::move(host), function());
}

void
expectClosePoints(const Image<PointXYZ>& a, const Image<PointXYZ>& b, double tolerance)
{
  Worst worst;
  for (int v = 0; v < a.rows; ++v)
    for (int u = 0; u < a.columns; ++u) {
      const PointXYZ& p = a.at(v, u);
      const PointXYZ& q = b.at(v, u);
      ASSERT_EQ(std::isnan(p.x), std::isnan(q.x)) << v << ", " << u;
      if (!std::isnan(p.x))
        worst.see((p.getArray4fMap() - q.getArray4fMap()).abs().maxCoeff() /
                      std::max(1.0f, p.getVector3fMap().norm()),
                  v,
                  u);
    }
  EXPECT_LE(worst.error, tolerance) << worst;
}

TEST(host_and_cuda, AgreeOnTheBilateralFilter)
{
  const auto depth = onBoth([] {
    DepthMap filtered;
    DepthBilateralFilter().compute(uploaded(scene(1)), filtered);
    return downloaded(filtered);
  });
  expectClose(depth.first, depth.second, 1e-5);
}

TEST(host_and_cuda, AgreeOnDisparities)
{
  Image<std::uint16_t> codes(32, 64);
  for (std::size_t i = 0; i < codes.data.size(); ++i)
    codes.data[i] = static_cast<std::uint16_t>(i);
  const auto depth = onBoth([&] {
    DepthMap converted;
    KinectDisparityConverter().compute(uploaded(codes), converted);
    return downloaded(converted);
  });
  expectClose(depth.first, depth.second, 1e-6);
}

TEST(host_and_cuda, AgreeOnProjection)
{
  const auto cloud = onBoth([] {
    DepthMapProjection projection;
    change(projection, [&](auto& p) { p.camera = cameraOfSize(rows, columns); });
    OrganizedCloud projected;
    projection.compute(uploaded(scene(2)), projected);
    return downloaded(projected);
  });
  expectClosePoints(cloud.first, cloud.second, 1e-6);
}

TEST(host_and_cuda, AgreeOnNormals)
{
  const auto cloud = cloudOf(scene(3), cameraOfSize(rows, columns));
  for (float factor : {std::numeric_limits<float>::infinity(), 0.05f}) {
    const auto normals = onBoth([&] {
      NormalMapEstimation estimation;
      change(estimation, [&](auto& p) {
        p.method = NormalEstimationMethod::COVARIANCE_MATRIX;
        p.max_depth_change_factor = factor;
      });
      NormalMap estimated;
      estimation.compute(uploaded(cloud), estimated);
      return downloaded(estimated);
    });
    expectClosePoints(normals.first, normals.second, 1e-5);
  }
}

TEST(host_and_cuda, AgreeOnAdaptiveNormals)
{
  const auto cloud = cloudOf(scene(3), cameraOfSize(rows, columns));
  const auto normals = onBoth([&] {
    NormalMap estimated;
    NormalMapEstimation().compute(uploaded(cloud), estimated);
    return downloaded(estimated);
  });
  // Weights fall so steeply with errors that roundings grow.
  expectClosePoints(normals.first, normals.second, 1e-2);
}

TEST(host_and_cuda, AgreeOnTheResolution)
{
  const auto cloud = cloudOf(scene(4), cameraOfSize(rows, columns));
  const auto normals = randomNormals(rows, columns, 0.1, 4);
  const auto both = onBoth([&] {
    DeviceArray<ResolutionStatistics> statistics;
    CloudResolution().compute(uploaded(cloud), uploaded(normals), statistics);
    return downloaded(statistics).at(0);
  });
  EXPECT_EQ(both.first.points, both.second.points);
  EXPECT_EQ(both.first.normals, both.second.normals);
  const auto expectNear = [](float a, float b) { EXPECT_NEAR(a, b, 1e-5 * b); };
  expectNear(both.first.mean_spacing, both.second.mean_spacing);
  expectNear(both.first.nearest_distance, both.second.nearest_distance);
  expectNear(both.first.spacing_deviation, both.second.spacing_deviation);
  expectNear(both.first.mean_angle, both.second.mean_angle);
  expectNear(both.first.angle_deviation, both.second.angle_deviation);
}

TEST(host_and_cuda, AgreeOnTheMeshAwayFromThresholds)
{
  const auto cloud = cloudOf(scene(5), cameraOfSize(rows, columns));
  Image<PointXYZ> normals = randomNormals(rows, columns, 0.02, 5);
  for (auto& n : normals.data)
    n.getVector3fMap() =
        (Eigen::Vector3f(0.0f, 0.0f, -4.0f) + n.getVector3fMap()).normalized();
  ReferenceMesh parameters;
  parameters.max_edge_length = 0.02f;
  parameters.max_normal_angle = 0.4f;
  for (Cut cut : {Cut::Left, Cut::Right, Cut::Adaptive, Cut::Quad}) {
    parameters.cut = cut;
    const auto validity = onBoth([&] {
      OrganizedTriangulation triangulation;
      change(triangulation, [&](auto& p) {
        p.cut = cut;
        p.dynamic_edge_length = false;
        p.max_edge_length = 0.02f;
        p.dynamic_normal_angle = false;
        p.max_normal_angle = 0.4f;
      });
      OrganizedMesh mesh;
      triangulation.compute(uploaded(cloud), uploaded(normals), {}, mesh);
      return downloaded(mesh.validity);
    });
    long different = 0;
    for (const auto& quad : referenceMesh(cloud, normals, parameters))
      if (validity.first.at(quad.row, quad.column) !=
          validity.second.at(quad.row, quad.column)) {
        ++different;
        EXPECT_TRUE(quad.unsure) << quad.row << ", " << quad.column;
      }
    EXPECT_LE(different, rows * columns / 10000);
  }
}

TEST(host_and_cuda, AgreeOnTheWholeChain)
{
  const auto raw = inMillimetres(scene(6));
  const auto result = onBoth([&] {
    DepthMapTriangulation chain;
    change(chain, [&](auto& p) {
      p.projection.camera = cameraOfSize(rows, columns);
      p.mesh.dynamic_edge_length = true;
      p.mesh.edge_length_deviations = 2.0f;
    });
    chain.compute(uploaded(raw), 0.001f);
    return ChainResult(chain);
  });
  expectClose(result.first.depth, result.second.depth, 1e-5);
  expectClosePoints(result.first.cloud, result.second.cloud, 1e-5);
  long different = 0;
  for (std::size_t i = 0; i < result.first.validity.data.size(); ++i)
    different += result.first.validity.data[i] != result.second.validity.data[i];
  EXPECT_LE(different, rows * columns / 10000);
  EXPECT_GT(result.first.polygons.size(), 10000u);
}

TEST(host_and_cuda, AgreeOnRegisteredColours)
{
  Image<pcl::RGB> image(rows, columns);
  for (std::size_t i = 0; i < image.data.size(); ++i)
    image.data[i].rgba = static_cast<std::uint32_t>(i);
  const auto colors = onBoth([&] {
    ColorRegistration registration;
    change(registration, [&](auto& p) {
      p.depth_camera = cameraOfSize(rows, columns);
      p.color_camera = cameraOfSize(rows, columns);
    });
    Pose pose = Pose::Identity();
    pose.translation().x() = 0.025f;
    change(registration, [&](auto& p) { p.color_camera_pose = pose; });
    ColorMap registered;
    registration.compute(uploaded(scene(7)), uploaded(image), registered);
    return downloaded(registered);
  });
  long different = 0;
  for (std::size_t i = 0; i < colors.first.data.size(); ++i)
    different += colors.first.data[i].rgba != colors.second.data[i].rgba;
  // Points that fall on the border of two pixels.
  EXPECT_LE(different, rows * columns / 1000);
}

} // namespace
