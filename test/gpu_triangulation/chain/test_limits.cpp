// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/numbers.h"
#include "gpu_triangulation/references/chain_result.h"
#include "gpu_triangulation/references/expect_normals.h"
#include "gpu_triangulation/references/scenes.h"

#include <pcl/gpu/triangulation/color_registration.h>
#include <pcl/gpu/triangulation/depth_map_triangulation.h>
#include <pcl/gpu/triangulation/kinect_disparity_converter.h>

#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

/** \brief Expects that an object refuses a change of its parameters, and names it. */
template <typename Object, typename Change>
void
expectRefused(const char* name, Object& object, const Change& changed)
{
  expectBadArgument(name, [&] { change(object, changed); });
}

class Limits : public DeviceTest {
protected:
  /** \brief A camera for frames of any size. */
  static PinholeCamera
  anyCamera()
  {
    PinholeCamera camera = cameraOfSize(480, 640);
    camera.width = camera.height = 0;
    return camera;
  }

  static DepthMapProjection
  projection()
  {
    DepthMapProjection result;
    change(result, [&](auto& p) { p.camera = anyCamera(); });
    return result;
  }

  static Image<PointXYZ>
  someCloud(int rows = 8, int columns = 9)
  {
    return cloudOf(Image<float>(rows, columns, 1.0f), anyCamera());
  }
};

TEST_P(Limits, EmptyInputsGiveEmptyOutputs)
{
  DepthMap depth = poisoned<float>(4, 5);
  KinectDisparityConverter().compute({}, depth);
  EXPECT_TRUE(depth.empty());
  depth = poisoned<float>(4, 5);
  DepthBilateralFilter().compute(DepthMap(), depth);
  EXPECT_TRUE(depth.empty());
  depth = poisoned<float>(4, 5);
  DepthBilateralFilter().compute(RawDepthMap(), 0.001f, depth);
  EXPECT_TRUE(depth.empty());
  OrganizedCloud cloud = poisoned<PointXYZ>(4, 5);
  projection().compute(DepthMap(), cloud);
  EXPECT_TRUE(cloud.empty());
  cloud = poisoned<PointXYZ>(4, 5);
  projection().compute(RawDepthMap(), 0.001f, cloud);
  EXPECT_TRUE(cloud.empty());
  auto colored = poisoned<pcl::PointXYZRGB>(4, 5);
  projection().compute(DepthMap(), ColorMap(), colored);
  EXPECT_TRUE(colored.empty());
  NormalMap normals = poisoned<PointXYZ>(4, 5);
  NormalMapEstimation().compute({}, normals);
  EXPECT_TRUE(normals.empty());
  ColorRegistration registration;
  change(registration, [&](auto& p) {
    p.depth_camera = anyCamera();
    p.color_camera = anyCamera();
  });
  ColorMap colors = poisoned<pcl::RGB>(4, 5);
  registration.compute({}, uploaded(Image<pcl::RGB>(2, 2)), colors);
  EXPECT_TRUE(colors.empty());
}

TEST_P(Limits, AnEmptyCloudHasNoResolutionAndNoPolygon)
{
  DeviceArray<ResolutionStatistics> statistics;
  CloudResolution().compute({}, {}, statistics);
  ASSERT_EQ(statistics.size(), 1u);
  EXPECT_TRUE(std::isnan(downloaded(statistics)[0].mean_spacing));
  EXPECT_TRUE(std::isnan(downloaded(statistics)[0].mean_angle));
  EXPECT_EQ(downloaded(statistics)[0].points, 0u);
  EXPECT_EQ(downloaded(statistics)[0].normals, 0u);
  OrganizedMesh mesh = poisonedMesh(4, 5);
  OrganizedTriangulation().compute({}, {}, statistics, mesh);
  EXPECT_EQ(downloaded(mesh.polygon_count).at(0), 0);
  EXPECT_TRUE(mesh.validity.empty());
}

TEST_P(Limits, TheChainTakesAnEmptyFrame)
{
  DepthMapTriangulation chain;
  change(chain, [&](auto& p) { p.projection.camera = anyCamera(); });
  chain.compute(uploaded(Image<float>(20, 30, 1.0f)));
  chain.compute(DepthMap());
  EXPECT_TRUE(chain.cloud().empty());
  EXPECT_TRUE(chain.normals().empty());
  EXPECT_TRUE(chain.filteredDepth().empty());
  EXPECT_TRUE(polygonsOf(chain.mesh()).empty());
}

TEST_P(Limits, AFrameOfNaNHasNoPolygons)
{
  DepthMapTriangulation chain;
  change(chain, [&](auto& p) { p.projection.camera = anyCamera(); });
  chain.compute(uploaded(Image<float>(70, 90, not_a_number)));
  const ChainResult result(chain);
  EXPECT_TRUE(result.polygons.empty());
  for (std::uint8_t bits : result.validity.data)
    ASSERT_EQ(bits, 0);
  for (const auto& n : result.normals.data)
    ASSERT_TRUE(std::isnan(n.x));
  EXPECT_EQ(result.statistics.at(0).points, 0u);
}

TEST_P(Limits, AFrameOfOnePixelHasAPointAndNothingElse)
{
  DepthMapTriangulation chain;
  change(chain, [&](auto& p) { p.projection.camera = anyCamera(); });
  chain.compute(uploaded(Image<std::uint16_t>(1, 1, 1500)), 0.001f);
  const ChainResult result(chain);
  EXPECT_FLOAT_EQ(result.cloud.at(0, 0).z, 1.5f);
  EXPECT_TRUE(std::isnan(result.normals.at(0, 0).x));
  EXPECT_TRUE(result.polygons.empty());
}

TEST_P(Limits, LongStripsAreLikeOtherFrames)
{
  for (bool upright : {false, true}) {
    SCOPED_TRACE(upright);
    const int rows = upright ? 16384 : 3;
    const int columns = upright ? 3 : 16384;
    PinholeCamera strip = cameraOfSize(rows, columns);
    strip.fx = strip.fy = 2100.0f;
    DepthMapTriangulation chain;
    change(chain, [&](auto& p) {
      p.projection.camera = strip;
      p.mesh.dynamic_edge_length = false;
      p.mesh.max_edge_length = 1.0f;
      p.mesh.dynamic_normal_angle = false;
      p.mesh.max_normal_angle = 4.0f;
    });
    chain.compute(uploaded(roughDepth(rows, columns, 0.1, 1)));
    const ChainResult result(chain);
    expectNormals(covarianceEstimation(), result.cloud);
    ReferenceMesh parameters;
    parameters.max_edge_length = 1.0;
    expectMesh(referenceMesh(result.cloud, {}, parameters),
               chain.mesh(),
               parameters,
               rows,
               columns);
  }
}

TEST_P(Limits, DifferentSizesOfCloudAndNormalsAreNamed)
{
  const OrganizedCloud cloud = uploaded(someCloud(8, 9));
  const NormalMap normals = uploaded(someCloud(9, 8));
  DeviceArray<ResolutionStatistics> statistics;
  OrganizedMesh mesh;
  OrganizedTriangulation triangulation;
  change(triangulation, [&](auto& p) {
    p.dynamic_edge_length = false;
    p.max_edge_length = 1.0f;
    p.dynamic_normal_angle = false;
    p.max_normal_angle = 1.0f;
  });
  expectBadArgument("normals",
                    [&] { CloudResolution().compute(cloud, normals, statistics); });
  expectBadArgument("normals",
                    [&] { triangulation.compute(cloud, normals, {}, mesh); });
}

TEST_P(Limits, MissingStatisticsAreNamedWhereAThresholdNeedsThem)
{
  const OrganizedCloud cloud = uploaded(someCloud());
  OrganizedMesh mesh;
  expectBadArgument("statistics",
                    [&] { OrganizedTriangulation().compute(cloud, {}, {}, mesh); });
}

TEST_P(Limits, ACameraOfAnotherSizeIsNamed)
{
  const DepthMap depth = uploaded(Image<float>(8, 9, 1.0f));
  const RawDepthMap raw = uploaded(Image<std::uint16_t>(8, 9, 1));
  const ColorMap colors = uploaded(Image<pcl::RGB>(8, 9));
  OrganizedCloud cloud;
  DeviceArray2D<pcl::PointXYZRGB> colored;
  for (const PinholeCamera& camera : {cameraOfSize(8, 10), cameraOfSize(7, 9)}) {
    DepthMapProjection wrong;
    change(wrong, [&](auto& p) { p.camera = camera; });
    expectBadArgument("camera", [&] { wrong.compute(depth, cloud); });
    expectBadArgument("camera", [&] { wrong.compute(raw, 0.001f, cloud); });
    expectBadArgument("camera", [&] { wrong.compute(depth, colors, colored); });
    DepthMapTriangulation chain;
    change(chain, [&](auto& p) { p.projection.camera = camera; });
    expectBadArgument("camera", [&] { chain.compute(depth); });
    ColorRegistration registration;
    change(registration, [&](auto& p) {
      p.depth_camera = camera;
      p.color_camera = anyCamera();
    });
    ColorMap registered;
    expectBadArgument("depth camera",
                      [&] { registration.compute(depth, colors, registered); });
    change(registration, [&](auto& p) {
      p.depth_camera = anyCamera();
      p.color_camera = camera;
    });
    expectBadArgument("color camera",
                      [&] { registration.compute(depth, colors, registered); });
  }
}

TEST_P(Limits, AMissingCameraIsNamed)
{
  const DepthMap depth = uploaded(Image<float>(8, 9, 1.0f));
  OrganizedCloud cloud;
  expectBadArgument("camera", [&] { DepthMapProjection().compute(depth, cloud); });
  expectBadArgument("camera", [&] { DepthMapTriangulation().compute(depth); });
  ColorMap colors;
  expectBadArgument("camera", [&] {
    ColorRegistration().compute(depth, uploaded(Image<pcl::RGB>(8, 9)), colors);
  });
}

TEST_P(Limits, ColoursOfAnotherSizeAreNamed)
{
  DeviceArray2D<pcl::PointXYZRGB> cloud;
  expectBadArgument("color", [&] {
    projection().compute(
        uploaded(Image<float>(8, 9, 1.0f)), uploaded(Image<pcl::RGB>(8, 10)), cloud);
  });
}

TEST_P(Limits, ABadDepthScaleIsNamed)
{
  const RawDepthMap raw = uploaded(Image<std::uint16_t>(8, 9, 1));
  for (float scale : {0.0f, -0.001f, not_a_number, infinity}) {
    SCOPED_TRACE(scale);
    DepthMap filtered;
    expectBadArgument("scale",
                      [&] { DepthBilateralFilter().compute(raw, scale, filtered); });
    OrganizedCloud cloud;
    expectBadArgument("scale", [&] { projection().compute(raw, scale, cloud); });
    DepthMapTriangulation chain;
    change(chain, [&](auto& p) { p.projection.camera = anyCamera(); });
    expectBadArgument("scale", [&] { chain.compute(raw, scale); });
  }
}

TEST_P(Limits, OutputsThatAreTheirOwnInputsAreRefused)
{
  DepthMap depth = uploaded(Image<float>(8, 9, 1.0f));
  DepthMap same = depth;
  expectBadArgument("depth", [&] { DepthBilateralFilter().compute(depth, same); });
  OrganizedCloud cloud = uploaded(someCloud());
  NormalMap normals = cloud;
  expectBadArgument("cloud", [&] { NormalMapEstimation().compute(cloud, normals); });
}

TEST_P(Limits, AnEarlierFrameSurvivesARefusedOne)
{
  DepthMapTriangulation chain;
  change(chain, [&](auto& p) { p.projection.camera = cameraOfSize(20, 30); });
  chain.compute(uploaded(Image<float>(20, 30, 1.0f)));
  const ChainResult before(chain);
  EXPECT_THROW(chain.compute(uploaded(Image<float>(21, 30, 1.0f))),
               pcl::BadArgumentException);
  expectSameBits(ChainResult(chain), before);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(Limits);

TEST(BadParameters, FocalLengthsAreNamed)
{
  KinectDisparityConverter converter;
  DepthMapProjection projection;
  ColorRegistration registration;
  for (float bad : {0.0f, -525.0f, not_a_number, infinity}) {
    SCOPED_TRACE(bad);
    expectRefused("focal length", converter, [&](auto& p) { p.focal_length = bad; });
    for (bool x : {true, false}) {
      PinholeCamera camera = cameraOfSize(8, 9);
      (x ? camera.fx : camera.fy) = bad;
      expectRefused("focal length", projection, [&](auto& p) { p.camera = camera; });
      expectRefused(
          "focal length", registration, [&](auto& p) { p.depth_camera = camera; });
      expectRefused(
          "focal length", registration, [&](auto& p) { p.color_camera = camera; });
    }
  }
}

TEST(BadParameters, OfTheDisparityConverterAreNamed)
{
  KinectDisparityConverter converter;
  for (float bad : {0.0f, -0.1f, not_a_number, infinity}) {
    SCOPED_TRACE(bad);
    expectRefused("baseline", converter, [&](auto& p) { p.baseline = bad; });
    expectRefused("offset", converter, [&](auto& p) { p.disparity_offset = bad; });
  }
}

TEST(BadParameters, OfTheFilterAreNamed)
{
  DepthBilateralFilter filter;
  for (float bad : {0.0f, -0.1f, not_a_number, infinity}) {
    SCOPED_TRACE(bad);
    expectRefused("sigma_s", filter, [&](auto& p) { p.sigma_s = bad; });
    expectRefused("sigma_r", filter, [&](auto& p) { p.sigma_r = bad; });
    if (bad != 0.0f)
      expectRefused("growth", filter, [&](auto& p) { p.sigma_r_growth = bad; });
  }
  for (int bad : {-1, 0, DepthBilateralFilterParameters::max_window_radius + 1})
    expectRefused("window", filter, [&](auto& p) { p.window_radius = bad; });
  EXPECT_EQ(filter.getParameters().sigma_s, 4.5f) << "a refused value must not stick";
  EXPECT_EQ(filter.getParameters().window_radius, 6);
}

TEST(BadParameters, OfTheNormalsAreNamed)
{
  NormalMapEstimation estimation;
  for (int bad : {-1, 0, NormalMapEstimationParameters::max_window_radius + 1})
    expectRefused("window", estimation, [&](auto& p) { p.window_radius = bad; });
  for (float bad : {0.0f, -0.1f, not_a_number})
    expectRefused(
        "depth change", estimation, [&](auto& p) { p.max_depth_change_factor = bad; });
  expectRefused("viewpoint", estimation, [&](auto& p) {
    p.viewpoint = Eigen::Vector3f(0.0f, infinity, 0.0f);
  });
}

TEST(BadParameters, OfTheResolutionAreNamed)
{
  CloudResolution resolution;
  for (int bad : {-8, 0, 3, 5, 6, 9})
    expectRefused("neighbors", resolution, [&](auto& p) { p.neighbors = bad; });
}

TEST(BadParameters, OfTheTriangulationAreNamed)
{
  OrganizedTriangulation triangulation;
  for (int bad : {-1, 4, 1000})
    expectRefused(
        "cut", triangulation, [&](auto& p) { p.cut = static_cast<Cut>(bad); });
  for (int bad : {-1, 0}) {
    expectRefused("pixel size", triangulation, [&](auto& p) { p.row_step = bad; });
    expectRefused("pixel size", triangulation, [&](auto& p) { p.column_step = bad; });
  }
  for (float bad : {-0.1f, 1.6f, not_a_number, infinity})
    expectRefused("angle", triangulation, [&](auto& p) { p.angle_tolerance = bad; });
  for (float bad : {0.0f, -0.1f, not_a_number}) {
    expectRefused(
        "edge length", triangulation, [&](auto& p) { p.max_edge_length = bad; });
    expectRefused(
        "normal angle", triangulation, [&](auto& p) { p.max_normal_angle = bad; });
  }
  for (float bad : {-0.1f, not_a_number, infinity}) {
    expectRefused(
        "edge length", triangulation, [&](auto& p) { p.edge_length_deviations = bad; });
    expectRefused("normal angle", triangulation, [&](auto& p) {
      p.normal_angle_deviations = bad;
    });
    expectRefused("least ratio", triangulation, [&](auto& p) {
      p.least_edge_length_ratio = bad;
    });
    expectRefused("least normal angle", triangulation, [&](auto& p) {
      p.least_normal_angle = bad;
    });
  }
  for (float bad : {not_a_number, infinity}) {
    expectRefused("edge length b", triangulation, [&](auto& p) {
      p.max_edge_length_linear = bad;
    });
    expectRefused("edge length c", triangulation, [&](auto& p) {
      p.max_edge_length_squared = bad;
    });
  }
  for (float bad : {-0.1f, not_a_number})
    expectRefused("distance tolerance", triangulation, [&](auto& p) {
      p.distance_tolerance = bad;
    });
  expectRefused("viewpoint", triangulation, [&](auto& p) {
    p.viewpoint = Eigen::Vector3f(not_a_number, 0.0f, 0.0f);
  });
}

TEST(BadParameters, OfTheChainAreThoseOfItsStages)
{
  DepthMapTriangulation chain;
  expectRefused("sigma_s", chain, [&](auto& p) { p.filter.sigma_s = 0.0f; });
  expectRefused("step", chain, [&](auto& p) { p.projection.sampling_step = 0; });
  expectRefused("window", chain, [&](auto& p) { p.normals.window_radius = 0; });
  expectRefused("neighbors", chain, [&](auto& p) { p.resolution.neighbors = 5; });
  expectRefused("cut", chain, [&](auto& p) { p.mesh.cut = static_cast<Cut>(4); });
  EXPECT_NO_THROW(chain.setParameters(chain.getParameters()));
}

TEST(BadParameters, OfTheRegistrationAreNamed)
{
  ColorRegistration registration;
  for (float bad : {0.0f, -0.1f, not_a_number, infinity})
    expectRefused(
        "tolerance", registration, [&](auto& p) { p.occlusion_tolerance = bad; });
  Pose scaled = Pose::Identity();
  scaled.linear() *= 2.0f;
  expectRefused("pose", registration, [&](auto& p) { p.color_camera_pose = scaled; });
}

/** \brief Inputs of one call on two devices; runs where there is a CUDA device. */
TEST(host_and_cuda_mixed, AreRefusedByName)
{
  const auto cuda = useDevice("cuda");
  const NormalMap normals_on_cuda = uploaded(Image<PointXYZ>(8, 9));
  const auto statistics_on_cuda = uploaded(std::vector<ResolutionStatistics>(1));
  const ColorMap colors_on_cuda = uploaded(Image<pcl::RGB>(8, 9));
  const auto host = useDevice("host");
  const OrganizedCloud cloud = uploaded(Image<PointXYZ>(8, 9));
  const DepthMap depth = uploaded(Image<float>(8, 9, 1.0f));

  const auto expectBothNamed = [](const auto& call) {
    expectBadArgument("host", call);
    expectBadArgument("cuda:0", call);
  };
  DeviceArray<ResolutionStatistics> statistics;
  OrganizedMesh mesh;
  expectBothNamed(
      [&] { CloudResolution().compute(cloud, normals_on_cuda, statistics); });
  expectBothNamed([&] {
    OrganizedTriangulation().compute(cloud, normals_on_cuda, statistics_on_cuda, mesh);
  });
  expectBothNamed(
      [&] { OrganizedTriangulation().compute(cloud, {}, statistics_on_cuda, mesh); });
  DepthMapProjection projection;
  change(projection, [&](auto& p) { p.camera = cameraOfSize(8, 9); });
  DeviceArray2D<pcl::PointXYZRGB> colored;
  expectBothNamed([&] { projection.compute(depth, colors_on_cuda, colored); });
  ColorRegistration registration;
  change(registration, [&](auto& p) {
    p.depth_camera = cameraOfSize(8, 9);
    p.color_camera = cameraOfSize(8, 9);
  });
  ColorMap colors;
  expectBothNamed([&] { registration.compute(depth, colors_on_cuda, colors); });
}

/** \brief Algorithms run where their inputs live, not on the current device. */
TEST(host_and_cuda_mixed, OutputsAreMadeWhereInputsLive)
{
  const auto cuda = useDevice("cuda");
  const DepthMap on_cuda = uploaded(Image<float>(8, 9, 1.0f));
  const auto host = useDevice("host");
  DepthMap filtered = poisoned<float>(8, 9);
  DepthBilateralFilter().compute(on_cuda, filtered);
  EXPECT_TRUE(deviceOf(filtered).isCuda());
  EXPECT_TRUE(currentDevice().isHost());
  EXPECT_EQ(downloaded(filtered).at(3, 3), 1.0f);
}

} // namespace
