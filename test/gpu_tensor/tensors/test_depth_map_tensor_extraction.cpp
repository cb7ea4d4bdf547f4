// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/numbers.h"
#include "gpu_tensor/recognition/recognition_shapes.h"
#include "host_tensors.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief The whole chain beside its stages, one by one. */
class DepthMapTensors : public DeviceTest {
protected:
  static PinholeCamera
  camera()
  {
    PinholeCamera camera;
    camera.fx = 260.0f;
    camera.fy = 262.5f;
    camera.cx = 160.25f;
    camera.cy = 118.0f;
    return camera;
  }

  /** \brief Shapes with holes and noise. */
  static Image<float>
  noisyDepth()
  {
    Image<float> depth = seenScene({{"block", poseAt("block", {-0.1f, 0.0f, 0.7f}, 1)},
                                    {"cone", poseAt("cone", {0.15f, 0.0f, 0.75f}, 2)}})
                             .depth;
    std::mt19937 random(1);
    std::normal_distribution<float> noise(0.0f, 0.0007f);
    for (float& z : depth.data)
      z = random() % 50 == 0 ? not_a_number : z + noise(random);
    return depth;
  }

  static Image<std::uint16_t>
  inTenthsOfMillimetres(const Image<float>& depth)
  {
    Image<std::uint16_t> raw(depth.rows, depth.columns);
    for (std::size_t i = 0; i < depth.data.size(); ++i)
      if (depth.data[i] > 0.0f)
        raw.data[i] = static_cast<std::uint16_t>(std::lround(1e4f * depth.data[i]));
    return raw;
  }

  /** \brief A chain of the defaults. */
  static DepthMapTensorExtraction
  chain(const TensorParameters& parameters = recognitionParameters(0.004f))
  {
    DepthMapTensorExtraction extraction;
    change(extraction, [&](auto& p) { p.surface.projection.camera = camera(); });
    change(extraction, [&](auto& p) { p.tensors = parameters; });
    return extraction;
  }

  struct Stages {
    std::vector<PointPair> pairs;
    HostTensors tensors;
  };

  /** \brief Runs the stages as the chain's documentation describes them.
   * \param[in] choose sets which pairs are taken
   */
  template <typename Choose>
  static Stages
  stageByStage(const Image<float>& depth,
               const TensorParameters& parameters,
               int window,
               const Choose& choose)
  {
    DepthBilateralFilter filter;
    change(filter, [&](auto& p) {
      p.window_radius = 6;
      p.sigma_s = 3.0f;
      p.sigma_r = 0.006f;
      p.sigma_r_growth = 0.006f;
    });
    DepthMap filtered;
    filter.compute(uploaded(depth), filtered);
    DepthMapProjection projection;
    change(projection, [&](auto& p) {
      p.camera = camera();
      p.sampling_step = 2;
    });
    OrganizedCloud cloud;
    projection.compute(filtered, cloud);
    NormalMapEstimation estimation;
    change(estimation, [&](auto& p) {
      p.method = NormalEstimationMethod::COVARIANCE_MATRIX;
      p.window_radius = 4;
      p.max_depth_change_factor = 0.02f;
    });
    NormalMap normals;
    estimation.compute(cloud, normals);
    OrganizedTriangulation triangulation;
    change(triangulation, [&](auto& p) {
      p.dynamic_edge_length = false;
      p.max_edge_length = 6.0f * parameters.resolution;
      p.dynamic_normal_angle = false;
      p.angle_tolerance = 0.104719755f;
    });
    OrganizedMesh mesh;
    triangulation.compute(cloud, normals, {}, mesh);
    PointPairEstimation pair_estimation;
    change(pair_estimation, [&](auto& p) { applyParameters(parameters, p); });
    change(pair_estimation, [&](auto& p) { p.window_radius = window; });
    choose(pair_estimation);
    PointPairs pairs;
    pair_estimation.compute(cloud, normals, {}, pairs);
    TensorExtraction extraction;
    change(extraction, [&](auto& p) { applyParameters(parameters, p); });
    TensorSet tensors;
    extraction.compute(cloud, normals, mesh, {}, pairs, tensors);
    return {downloadedPairs(pairs), downloadedTensors(tensors)};
  }

  static void
  expectSame(const DepthMapTensorExtraction& actual, const Stages& expected)
  {
    EXPECT_TRUE(samePairs(downloadedPairs(actual.pairs()), expected.pairs));
    EXPECT_TRUE(sameTensors(downloadedTensors(actual.tensors()), expected.tensors));
  }
};

TEST_P(DepthMapTensors, AreThoseOfTheStagesOneByOne)
{
  const Image<float> depth = noisyDepth();
  DepthMapTensorExtraction extraction = chain();
  change(extraction, [&](auto& p) {
    p.tensor_count = 200;
    p.seed = 17;
  });
  extraction.compute(uploaded(depth));
  // 14 resolutions of 4 mm at 0.7 m: 0.056 * 131.25 / 0.7 = 10.5 pixels of the cloud.
  const Stages expected =
      stageByStage(depth, recognitionParameters(0.004f), 11, [](auto& estimation) {
        change(estimation, [&](auto& p) {
          p.selection = PairSelection::Random;
          p.selected_count = 200;
          p.seed = 17;
        });
      });
  ASSERT_EQ(expected.tensors.size(), 200);
  expectSame(extraction, expected);
}

TEST_P(DepthMapTensors, OfNearerSurfacesTakeAWiderWindow)
{
  const Image<float> depth = noisyDepth();
  DepthMapTensorExtraction extraction = chain();
  change(extraction, [&](auto& p) {
    p.tensor_count = 100;
    p.seed = 3;
  });
  change(extraction, [&](auto& p) { p.nearest_depth = 0.35f; });
  extraction.compute(uploaded(depth));
  expectSame(
      extraction,
      stageByStage(depth, recognitionParameters(0.004f), 21, [](auto& estimation) {
        change(estimation, [&](auto& p) {
          p.selection = PairSelection::Random;
          p.selected_count = 100;
          p.seed = 3;
        });
      }));
  change(extraction, [&](auto& p) { p.nearest_depth = 1e-3f; });
  EXPECT_NO_THROW(extraction.compute(uploaded(depth))) << "the widest window there is";
}

TEST_P(DepthMapTensors, AreOfAllPairsUnlessSomeAreChosen)
{
  const Image<float> depth = noisyDepth();
  DepthMapTensorExtraction extraction = chain();
  extraction.compute(uploaded(depth));
  const Stages expected =
      stageByStage(depth, recognitionParameters(0.004f), 11, [](auto&) {});
  EXPECT_GT(expected.tensors.size(), 300);
  expectSame(extraction, expected);
  change(extraction, [&](auto& p) { p.tensor_count = 50; });
  extraction.compute(uploaded(depth));
  EXPECT_EQ(downloadedTensors(extraction.tensors()).size(), 50);
  change(extraction, [&](auto& p) { p.tensor_count = 0; });
  extraction.compute(uploaded(depth));
  expectSame(extraction, expected);
}

TEST_P(DepthMapTensors, OfRawDepthAreThoseOfMetres)
{
  const Image<std::uint16_t> raw = inTenthsOfMillimetres(noisyDepth());
  Image<float> metres(raw.rows, raw.columns, not_a_number);
  for (std::size_t i = 0; i < raw.data.size(); ++i)
    if (raw.data[i] != 0)
      metres.data[i] = raw.data[i] * 1e-4f;
  DepthMapTensorExtraction of_raw = chain(), of_metres = chain();
  change(of_raw, [&](auto& p) {
    p.tensor_count = 100;
    p.seed = 5;
  });
  change(of_metres, [&](auto& p) {
    p.tensor_count = 100;
    p.seed = 5;
  });
  of_raw.compute(uploaded(raw), 1e-4f);
  of_metres.compute(uploaded(metres));
  EXPECT_TRUE(sameTensors(downloadedTensors(of_raw.tensors()),
                          downloadedTensors(of_metres.tensors())));
}

TEST_P(DepthMapTensors, OfAnotherSeedAreOthers)
{
  const DepthMap depth = uploaded(noisyDepth());
  DepthMapTensorExtraction extraction = chain();
  const auto tensors = [&](std::uint64_t seed) {
    change(extraction, [&](auto& p) {
      p.tensor_count = 100;
      p.seed = seed;
    });
    extraction.compute(depth);
    return downloadedTensors(extraction.tensors());
  };
  const HostTensors first = tensors(1), second = tensors(2);
  EXPECT_FALSE(sameTensors(first, second));
  EXPECT_TRUE(sameTensors(tensors(1), first));
}

TEST_P(DepthMapTensors, HaveFramesOnTheirCloud)
{
  const Image<float> depth = noisyDepth();
  DepthMapTensorExtraction extraction = chain();
  change(extraction, [&](auto& p) { p.tensor_count = 100; });
  extraction.compute(uploaded(depth));
  const Image<pcl::PointXYZ> cloud = downloaded(extraction.surface().cloud());
  EXPECT_EQ(cloud.rows, 120);
  EXPECT_EQ(cloud.columns, 160);
  const PinholeCamera of_cloud = extraction.getCloudCamera();
  EXPECT_EQ(of_cloud.fx, 130.0f);
  EXPECT_EQ(of_cloud.cx, 80.125f);
  for (const TensorFrame& frame : downloadedTensors(extraction.tensors()).frames) {
    const auto& a = cloud.data.at(frame.first);
    const auto& b = cloud.data.at(frame.second);
    const Eigen::Vector3f middle = 0.5f * (a.getVector3fMap() + b.getVector3fMap());
    EXPECT_LT((middle - Eigen::Map<const Eigen::Vector3f>(frame.origin)).norm(), 1e-6f);
    const int u = frame.first % 160, v = frame.first / 160;
    EXPECT_NEAR(a.x / a.z * of_cloud.fx + of_cloud.cx, u, 1e-3f);
    EXPECT_NEAR(a.y / a.z * of_cloud.fy + of_cloud.cy, v, 1e-3f);
  }
}

TEST_P(DepthMapTensors, OfNothingAreNone)
{
  DepthMapTensorExtraction extraction = chain();
  change(extraction, [&](auto& p) { p.tensor_count = 100; });
  for (const Image<float>& depth : {Image<float>(240, 320, not_a_number),
                                    Image<float>(240, 320, 0.8f),
                                    Image<float>(1, 1, 0.8f)}) {
    extraction.compute(uploaded(depth));
    EXPECT_EQ(downloadedTensors(extraction.tensors()).size(), 0);
  }
}

TEST_P(DepthMapTensors, NeedACameraAndParameters)
{
  const DepthMap depth = uploaded(Image<float>(24, 32, 0.8f));
  DepthMapTensorExtraction extraction;
  expectBadArgument("resolution", [&] { extraction.compute(depth); });
  change(extraction, [&](auto& p) { p.tensors = recognitionParameters(); });
  expectBadArgument("camera", [&] { extraction.compute(depth); });
  change(extraction, [&](auto& p) { p.surface.projection.camera = camera(); });
  EXPECT_NO_THROW(extraction.compute(depth));
  expectBadArgument("depth scale", [&] {
    extraction.compute(uploaded(Image<std::uint16_t>(24, 32)), 0.0f);
  });
}

TEST_P(DepthMapTensors, AreNotThoseOfACopy)
{
  DepthMapTensorExtraction extraction;
  change(extraction, [&](auto& p) {
    p.surface.projection.camera = camera();
    p.tensors = recognitionParameters();
    p.tensor_count = 7;
  });
  extraction.compute(uploaded(Image<float>(24, 32, 0.8f)));
  const DepthMapTensorExtraction copy = extraction;
  EXPECT_EQ(copy.getParameters().tensor_count, 7);
  EXPECT_EQ(copy.getParameters().tensors, recognitionParameters());
  EXPECT_TRUE(copy.tensors().frames.empty());
  EXPECT_TRUE(copy.pairs().pairs.empty());
  EXPECT_FALSE(extraction.pairs().pairs.empty()) << "the original keeps its results";
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(DepthMapTensors);

TEST(DepthMapTensorParameters, AreCheckedAndNamed)
{
  DepthMapTensorExtraction extraction;
  expectBadArgument("number of tensors is -1",
                    [&] { change(extraction, [&](auto& p) { p.tensor_count = -1; }); });
  for (float bad :
       {0.0f, -1.0f, not_a_number, std::numeric_limits<float>::infinity()}) {
    expectBadArgument("nearest depth", [&] {
      change(extraction, [&](auto& p) { p.nearest_depth = bad; });
    });
    expectBadArgument("resolution", [&] { recognitionParameters(bad); });
  }
  expectBadArgument("resolution", [&] {
    change(extraction, [&](auto& p) { p.tensors.grid_size = 8; });
  });
  EXPECT_EQ(extraction.getParameters().tensors, TensorParameters());
  expectBadArgument("fx", [&] {
    change(extraction, [&](auto& p) { p.surface.projection.camera.fx = -1.0f; });
  });
}

TEST(DepthMapTensorParameters, OfRecognitionScaleWithTheResolution)
{
  for (float resolution : {0.0035f, 0.01f}) {
    const TensorParameters parameters = recognitionParameters(resolution);
    EXPECT_NO_THROW(parameters.validate());
    EXPECT_EQ(parameters.resolution, resolution);
    EXPECT_EQ(parameters.voxel_size, 4.0f * resolution);
    EXPECT_EQ(parameters.grid_size, 10);
    EXPECT_EQ(parameters.pairs_per_point, 1);
    EXPECT_NEAR(parameters.min_angle, 0.5236f, 1e-4f);
  }
}

} // namespace
