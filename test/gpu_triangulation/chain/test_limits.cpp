// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_triangulation/references/chain_result.h"
#include "gpu_triangulation/references/expect_normals.h"
#include "gpu_triangulation/references/scenes.h"

#include <pcl/gpu/triangulation/color_registration.h>
#include <pcl/gpu/triangulation/depth_map_triangulation.h>
#include <pcl/gpu/triangulation/kinect_disparity_converter.h>

#include <limits>
#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

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
    result.setCamera(anyCamera());
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
  registration.setDepthCamera(anyCamera());
  registration.setColorCamera(anyCamera());
  ColorMap colors = poisoned<pcl::RGB>(4, 5);
  registration.compute({}, uploaded(Image<pcl::RGB>(2, 2)), colors);
  EXPECT_TRUE(colors.empty());
}

TEST_P(Limits, AnEmptyCloudHasNoResolutionAndNoPolygon)
{
  DeviceArray<ResolutionStatistics> statistics;
  CloudResolution().compute({}, {}, statistics);
  ASSERT_EQ(statistics.size(), 1u);
  EXPECT_TRUE(std::isnan(downloaded(statistics)[0].mean_distance));
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
  chain.projection().setCamera(anyCamera());
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
  chain.projection().setCamera(anyCamera());
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
  chain.projection().setCamera(anyCamera());
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
    chain.projection().setCamera(strip);
    chain.triangulation().setMaxEdgeLength(1.0f);
    chain.triangulation().setMaxNormalAngle(4.0f);
    chain.compute(uploaded(roughDepth(rows, columns, 0.1, 1)));
    const ChainResult result(chain);
    expectNormals(chain.normalEstimation(), result.cloud);
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
  triangulation.setMaxEdgeLength(1.0f);
  triangulation.setMaxNormalAngle(1.0f);
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
    wrong.setCamera(camera);
    expectBadArgument("camera", [&] { wrong.compute(depth, cloud); });
    expectBadArgument("camera", [&] { wrong.compute(raw, 0.001f, cloud); });
    expectBadArgument("camera", [&] { wrong.compute(depth, colors, colored); });
    DepthMapTriangulation chain;
    chain.projection().setCamera(camera);
    expectBadArgument("camera", [&] { chain.compute(depth); });
    ColorRegistration registration;
    registration.setDepthCamera(camera);
    registration.setColorCamera(anyCamera());
    ColorMap registered;
    expectBadArgument("depth camera",
                      [&] { registration.compute(depth, colors, registered); });
    registration.setDepthCamera(anyCamera());
    registration.setColorCamera(camera);
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
    chain.projection().setCamera(anyCamera());
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
  chain.projection().setCamera(cameraOfSize(20, 30));
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
    expectBadArgument("focal length", [&] { converter.setFocalLength(bad); });
    for (bool x : {true, false}) {
      PinholeCamera camera = cameraOfSize(8, 9);
      (x ? camera.fx : camera.fy) = bad;
      expectBadArgument("focal length", [&] { projection.setCamera(camera); });
      expectBadArgument("focal length", [&] { registration.setDepthCamera(camera); });
      expectBadArgument("focal length", [&] { registration.setColorCamera(camera); });
    }
  }
}

TEST(BadParameters, OfTheDisparityConverterAreNamed)
{
  KinectDisparityConverter converter;
  for (float bad : {0.0f, -0.1f, not_a_number, infinity}) {
    SCOPED_TRACE(bad);
    expectBadArgument("baseline", [&] { converter.setBaseline(bad); });
    expectBadArgument("offset", [&] { converter.setDisparityOffset(bad); });
  }
}

TEST(BadParameters, OfTheFilterAreNamed)
{
  DepthBilateralFilter filter;
  for (float bad : {0.0f, -0.1f, not_a_number, infinity}) {
    SCOPED_TRACE(bad);
    expectBadArgument("sigma_s", [&] { filter.setSigmaS(bad); });
    expectBadArgument("sigma_r", [&] { filter.setSigmaR(bad); });
    if (bad != 0.0f)
      expectBadArgument("growth", [&] { filter.setSigmaRGrowth(bad); });
  }
  for (int bad : {-1, 0, DepthBilateralFilter::max_window_radius + 1})
    expectBadArgument("window", [&] { filter.setWindowRadius(bad); });
  EXPECT_EQ(filter.getSigmaS(), 4.5f) << "a refused value must not stick";
  EXPECT_EQ(filter.getWindowRadius(), 6);
}

TEST(BadParameters, OfTheNormalsAreNamed)
{
  NormalMapEstimation estimation;
  for (int bad : {-1, 0, NormalMapEstimation::max_window_radius + 1})
    expectBadArgument("window", [&] { estimation.setWindowRadius(bad); });
  for (float bad : {0.0f, -0.1f, not_a_number})
    expectBadArgument("depth change", [&] { estimation.setMaxDepthChangeFactor(bad); });
  expectBadArgument("viewpoint", [&] {
    estimation.setViewPoint({0.0f, infinity, 0.0f});
  });
}

TEST(BadParameters, OfTheResolutionAreNamed)
{
  CloudResolution resolution;
  for (int bad : {-8, 0, 3, 5, 6, 9})
    expectBadArgument("neighbors", [&] { resolution.setNumberOfNeighbors(bad); });
}

TEST(BadParameters, OfTheTriangulationAreNamed)
{
  OrganizedTriangulation triangulation;
  for (int bad : {-1, 0}) {
    expectBadArgument("pixel size",
                      [&] { triangulation.setTrianglePixelSize(bad, 1); });
    expectBadArgument("pixel size",
                      [&] { triangulation.setTrianglePixelSize(1, bad); });
  }
  for (float bad : {-0.1f, 1.6f, not_a_number, infinity})
    expectBadArgument("angle", [&] { triangulation.setAngleTolerance(bad); });
  for (float bad : {0.0f, -0.1f, not_a_number}) {
    expectBadArgument("edge length", [&] { triangulation.setMaxEdgeLength(bad); });
    expectBadArgument("normal angle", [&] { triangulation.setMaxNormalAngle(bad); });
  }
  for (float bad : {-0.1f, not_a_number, infinity}) {
    expectBadArgument("edge length",
                      [&] { triangulation.setEdgeLengthDeviationFactor(bad); });
    expectBadArgument("normal angle",
                      [&] { triangulation.setNormalAngleDeviationFactor(bad); });
    expectBadArgument("least ratio",
                      [&] { triangulation.setEdgeLengthDeviationFactor(1.0f, bad); });
    expectBadArgument("least normal angle",
                      [&] { triangulation.setNormalAngleDeviationFactor(1.0f, bad); });
  }
  for (float bad : {not_a_number, infinity}) {
    expectBadArgument("edge length b",
                      [&] { triangulation.setMaxEdgeLength(1.0f, bad); });
    expectBadArgument("edge length c",
                      [&] { triangulation.setMaxEdgeLength(1.0f, 0.0f, bad); });
  }
  for (float bad : {-0.1f, not_a_number})
    expectBadArgument("distance tolerance",
                      [&] { triangulation.setDistanceTolerance(bad); });
  expectBadArgument("viewpoint", [&] {
    triangulation.setViewPoint({not_a_number, 0.0f, 0.0f});
  });
}

TEST(BadParameters, OfTheRegistrationAreNamed)
{
  ColorRegistration registration;
  for (float bad : {0.0f, -0.1f, not_a_number, infinity})
    expectBadArgument("tolerance", [&] { registration.setOcclusionTolerance(bad); });
  Pose scaled = Pose::Identity();
  scaled.linear() *= 2.0f;
  expectBadArgument("pose", [&] { registration.setColorCameraPose(scaled); });
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
  projection.setCamera(cameraOfSize(8, 9));
  DeviceArray2D<pcl::PointXYZRGB> colored;
  expectBothNamed([&] { projection.compute(depth, colors_on_cuda, colored); });
  ColorRegistration registration;
  registration.setDepthCamera(cameraOfSize(8, 9));
  registration.setColorCamera(cameraOfSize(8, 9));
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
