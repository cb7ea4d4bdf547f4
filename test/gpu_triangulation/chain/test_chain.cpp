// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/two_threads.h"
#include "gpu_triangulation/references/chain_result.h"
#include "gpu_triangulation/references/expect_mesh.h"
#include "gpu_triangulation/references/scenes.h"

#include <string>
#include <vector>

#if PCL_GPU_HAVE_CUDA
#include "common/captured_graph.h"
#endif

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class Chain : public DeviceTest {
protected:
  static void
  configure(DepthMapTriangulation& chain)
  {
    change(chain, [&](auto& p) {
      p.projection.camera = cameraOfSize(120, 160);
      p.filter.sigma_r_growth = 0.0028f;
      p.normals.max_depth_change_factor = 0.05f;
      p.mesh.dynamic_edge_length = true;
      p.mesh.edge_length_deviations = 2.0f;
    });
  }

  static Image<std::uint16_t>
  frame(unsigned seed)
  {
    return inMillimetres(roughDepth(120, 160, 0.1, seed));
  }

  /** \brief The stages of a chain as objects of their own. */
  struct Stages {
    DepthBilateralFilter filter;
    DepthMapProjection projection;
    NormalMapEstimation normals;
    CloudResolution resolution;
    OrganizedTriangulation mesh;

    explicit Stages(const DepthMapTriangulation& chain)
    {
      filter.setParameters(chain.getParameters().filter);
      projection.setParameters(chain.getParameters().projection);
      normals.setParameters(chain.getParameters().normals);
      resolution.setParameters(chain.getParameters().resolution);
      mesh.setParameters(chain.getParameters().mesh);
    }
  };

  /** \brief Cloud that normals are found in: for adaptive windows that of the depth map
   * itself. */
  template <typename... Depth>
  static OrganizedCloud
  measuredCloud(DepthMapTriangulation chain, const Depth&... depth)
  {
    change(chain, [](auto& p) {
      if (p.normals.method == NormalEstimationMethod::ADAPTIVE_WINDOWS)
        p.filter_enabled = false;
    });
    chain.compute(depth...);
    return chain.cloud();
  }

  /** \brief The stages one by one, on what the chain's first stage is given. */
  template <typename FilterAndProject>
  static ChainResult
  stageByStage(const DepthMapTriangulation& chain,
               const OrganizedCloud& measured,
               const FilterAndProject& filterAndProject)
  {
    DepthMap filtered;
    OrganizedCloud cloud;
    filterAndProject(filtered, cloud);
    NormalMap normals;
    Stages stages(chain);
    stages.normals.compute(measured, normals);
    DeviceArray<ResolutionStatistics> statistics;
    stages.resolution.compute(cloud, normals, statistics);
    OrganizedMesh mesh;
    stages.mesh.compute(cloud, normals, statistics, mesh);
    return {filtered, cloud, normals, statistics, mesh};
  }

  /** \brief The stages one by one, on metres that are not sampled. */
  static ChainResult
  stageByStage(const DepthMapTriangulation& chain, const DepthMap& depth)
  {
    return stageByStage(chain,
                        measuredCloud(chain, depth),
                        [&](DepthMap& filtered, OrganizedCloud& cloud) {
                          Stages(chain).filter.compute(depth, filtered);
                          Stages(chain).projection.compute(filtered, cloud);
                        });
  }
};

TEST_P(Chain, OnRawDepthEqualsItsStagesBitForBit)
{
  const RawDepthMap depth = uploaded(frame(1));
  DepthMapTriangulation chain;
  configure(chain);
  chain.compute(depth, 0.001f);
  const ChainResult expected =
      stageByStage(chain,
                   measuredCloud(chain, depth, 0.001f),
                   [&](DepthMap& filtered, OrganizedCloud& cloud) {
                     Stages(chain).filter.compute(depth, 0.001f, filtered);
                     Stages(chain).projection.compute(filtered, cloud);
                   });
  expectSameBits(ChainResult(chain), expected);
  EXPECT_GT(polygonsOf(chain.mesh()).size(), 1000u);
}

TEST_P(Chain, ThatRemovesFlyingPixelsIsThatOfTheCleanedDepth)
{
  const auto depth = uploaded(frame(3));
  DepthMapTriangulation chain;
  configure(chain);
  DepthMapTriangulation without = chain;
  change(chain, [](auto& p) {
    p.remove_flying_pixels = true;
    p.flying_pixels.tolerance = 0.002f;
  });
  chain.compute(depth, 0.001f);
  FlyingPixelRemoval removal;
  removal.setParameters(chain.getParameters().flying_pixels);
  DepthMap cleaned;
  removal.compute(depth, 0.001f, cleaned);
  without.compute(cleaned);
  EXPECT_TRUE(
      sameBits(downloaded(chain.filteredDepth()), downloaded(without.filteredDepth())));
  EXPECT_TRUE(sameBits(downloaded(chain.cloud()), downloaded(without.cloud())));
  EXPECT_EQ(polygonsOf(chain.mesh()), polygonsOf(without.mesh()));
  without.compute(depth, 0.001f);
  EXPECT_NE(polygonsOf(chain.mesh()), polygonsOf(without.mesh()));
}

TEST_P(Chain, ThatSamplesEqualsItsStagesBitForBit)
{
  const Image<std::uint16_t> raw = frame(5);
  const Image<float> metres = roughDepth(119, 161, 0.1, 6);
  for (int step : {2, 3})
    for (bool filters : {true, false}) {
      SCOPED_TRACE(std::to_string(step) + (filters ? ", filtered" : ""));
      DepthMapTriangulation chain;
      configure(chain);
      PinholeCamera camera = chain.getParameters().projection.camera;
      camera.width = camera.height = 0;
      change(chain, [&](auto& p) {
        p.projection.camera = camera;
        p.projection.sampling_step = step;
        p.filter_enabled = filters;
      });
      DepthMapProjection all;
      change(all, [&](auto& p) { p.camera = camera; });
      const auto expected =
          [&](const OrganizedCloud& measured, const auto& filter, const auto& project) {
            return stageByStage(
                chain, measured, [&](DepthMap& filtered, OrganizedCloud& cloud) {
                  filter(filtered);
                  OrganizedCloud full;
                  project(filtered, full);
                  cloud = uploaded(everyNth(downloaded(full), step, step));
                });
          };
      chain.compute(uploaded(raw), 0.001f);
      const auto of_raw = expected(
          measuredCloud(chain, uploaded(raw), 0.001f),
          [&](DepthMap& filtered) {
            if (filters)
              Stages(chain).filter.compute(uploaded(raw), 0.001f, filtered);
            else
              filtered = uploaded(inMetres(raw, 0.001f));
          },
          [&](const DepthMap& filtered, OrganizedCloud& full) {
            all.compute(filtered, full);
          });
      EXPECT_TRUE(sameBits(ChainResult(chain).cloud, of_raw.cloud));
      EXPECT_TRUE(sameBits(ChainResult(chain).normals, of_raw.normals));
      EXPECT_EQ(ChainResult(chain).polygons, of_raw.polygons);
      chain.compute(uploaded(metres));
      const auto of_metres = expected(
          measuredCloud(chain, uploaded(metres)),
          [&](DepthMap& filtered) {
            if (filters)
              Stages(chain).filter.compute(uploaded(metres), filtered);
            else
              filtered = uploaded(metres);
          },
          [&](const DepthMap& filtered, OrganizedCloud& full) {
            all.compute(filtered, full);
          });
      EXPECT_TRUE(sameBits(ChainResult(chain).cloud, of_metres.cloud));
      EXPECT_TRUE(sameBits(ChainResult(chain).normals, of_metres.normals));
      EXPECT_EQ(ChainResult(chain).polygons, of_metres.polygons);
      EXPECT_EQ(chain.cloud().rows(), (119 + step - 1) / step);
      EXPECT_EQ(chain.filteredDepth().rows(), 119) << "depth is not sampled";
    }
}

TEST_P(Chain, OnMetresEqualsItsStagesBitForBit)
{
  const DepthMap depth = uploaded(roughDepth(120, 160, 0.1, 2));
  for (auto method : {NormalEstimationMethod::ADAPTIVE_WINDOWS,
                      NormalEstimationMethod::COVARIANCE_MATRIX}) {
    DepthMapTriangulation chain;
    configure(chain);
    change(chain, [&](auto& p) { p.normals.method = method; });
    chain.compute(depth);
    expectSameBits(ChainResult(chain), stageByStage(chain, depth));
  }
}

TEST_P(Chain, WithoutFilterProjectsTheDepthItself)
{
  const Image<std::uint16_t> raw = frame(3);
  const RawDepthMap depth = uploaded(raw);
  DepthMapTriangulation chain;
  configure(chain);
  change(chain, [&](auto& p) { p.filter_enabled = false; });
  chain.compute(depth, 0.001f);
  OrganizedCloud cloud;
  Stages(chain).projection.compute(depth, 0.001f, cloud);
  EXPECT_TRUE(sameBits(downloaded(chain.cloud()), downloaded(cloud)));
  const Image<float> metres = downloaded(chain.filteredDepth());
  for (std::size_t i = 0; i < raw.data.size(); ++i) {
    if (raw.data[i] == 0)
      ASSERT_TRUE(std::isnan(metres.data[i]));
    else
      ASSERT_FLOAT_EQ(metres.data[i], 0.001f * raw.data[i]);
  }
  change(chain, [&](auto& p) { p.filter_enabled = true; });
  chain.compute(depth, 0.001f);
  EXPECT_FALSE(sameBits(downloaded(chain.cloud()), downloaded(cloud)));
}

TEST_P(Chain, RunsOnAllSizesAroundTilesAsItsStagesDo)
{
  for (int rows : {1, 2, 16, 33, 65})
    for (int columns : {1, 2, 31, 64, 129}) {
      SCOPED_TRACE(::testing::Message() << rows << " x " << columns);
      const DepthMap depth = uploaded(roughDepth(rows, columns, 0.1, 4));
      DepthMapTriangulation chain;
      change(chain,
             [&](auto& p) { p.projection.camera = cameraOfSize(rows, columns); });
      chain.compute(depth);
      expectSameBits(ChainResult(chain), stageByStage(chain, depth));
    }
}

TEST_P(Chain, KeepsItsMemoryOnFramesOfOneSize)
{
  DepthMapTriangulation chain;
  configure(chain);
  const RawDepthMap first = uploaded(frame(5));
  const RawDepthMap second = uploaded(frame(6));
  chain.compute(first, 0.001f);
  const auto addresses = [&chain] {
    return std::vector<const void*>{chain.filteredDepth().ptr(),
                                    chain.cloud().ptr(),
                                    chain.normals().ptr(),
                                    chain.statistics().ptr(),
                                    chain.mesh().indices.ptr(),
                                    chain.mesh().polygon_count.ptr(),
                                    chain.mesh().validity.ptr()};
  };
  const auto before = addresses();
  for (int run = 0; run < 10; ++run) {
    chain.compute(run % 2 == 0 ? second : first, 0.001f);
    ASSERT_EQ(addresses(), before);
  }
}

TEST_P(Chain, ACopyHasTheParametersAndMemoryOfItsOwn)
{
  DepthMapTriangulation chain;
  configure(chain);
  chain.compute(uploaded(frame(5)), 0.001f);
  const ChainResult expected(chain);
  DepthMapTriangulation copy(chain);
  EXPECT_TRUE(copy.cloud().empty());
  EXPECT_EQ(copy.getParameters().filter.sigma_r_growth, 0.0028f);
  copy.compute(uploaded(frame(6)), 0.001f);
  expectSameBits(ChainResult(chain), expected);
  copy.compute(uploaded(frame(5)), 0.001f);
  expectSameBits(ChainResult(copy), expected);
  copy = chain;
  copy.compute(uploaded(frame(6)), 0.001f);
  expectSameBits(ChainResult(chain), expected);
}

TEST_P(Chain, ForgetsTheFrameBefore)
{
  DepthMapTriangulation used;
  configure(used);
  used.compute(uploaded(frame(7)), 0.001f);
  used.compute(uploaded(frame(8)), 0.001f);
  DepthMapTriangulation fresh;
  configure(fresh);
  fresh.compute(uploaded(frame(8)), 0.001f);
  expectSameBits(ChainResult(used), ChainResult(fresh));
}

TEST_P(Chain, FollowsTheSizeOfItsFrames)
{
  DepthMapTriangulation chain;
  PinholeCamera camera = cameraOfSize(120, 160);
  camera.width = camera.height = 0;
  change(chain, [&](auto& p) { p.projection.camera = camera; });
  for (int rows : {120, 40, 0, 90}) {
    const Image<std::uint16_t> raw = inMillimetres(roughDepth(rows, 100, 0.1, 9));
    chain.compute(uploaded(raw), 0.001f);
    DepthMapTriangulation fresh;
    change(fresh, [&](auto& p) { p.projection.camera = camera; });
    fresh.compute(uploaded(raw), 0.001f);
    expectSameBits(ChainResult(chain), ChainResult(fresh));
    EXPECT_EQ(chain.cloud().rows(), rows);
  }
}

TEST_P(Chain, OnTwoThreadsGivesTheSameBitsAsOnOne)
{
  std::vector<ChainResult> expected;
  for (unsigned seed : {10u, 11u}) {
    DepthMapTriangulation chain;
    configure(chain);
    chain.compute(uploaded(frame(seed)), 0.001f);
    expected.emplace_back(chain);
  }
  expectSameBitsOnTwoThreads(expected, [&](const auto& run) {
    const ScopedDevice scope(device());
    const Stream stream = Stream::create();
    DepthMapTriangulation chain;
    configure(chain);
    run([&](int input) {
      const RawDepthMap depth = uploaded(frame(10 + input));
      chain.compute(depth, 0.001f, stream);
      stream.synchronize();
      return ChainResult(chain);
    });
  });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(Chain);

#if PCL_GPU_HAVE_CUDA

class ChainOnCuda : public Chain {};

TEST_P(ChainOnCuda, AllocatesNothingInSteadyState)
{
  DepthMapTriangulation chain;
  configure(chain);
  const RawDepthMap depth = uploaded(frame(12));
  const Stream stream = Stream::create();
  for (int run = 0; run < 2; ++run)
    chain.compute(depth, 0.001f, stream);
  expectNoAllocation(stream, [&](int) { chain.compute(depth, 0.001f, stream); });
}

TEST_P(ChainOnCuda, CanBeCapturedIntoAGraph)
{
  DepthMapTriangulation chain;
  configure(chain);
  RawDepthMap depth = uploaded(frame(13));
  const Stream stream = Stream::create();
  const auto work = [&] { chain.compute(depth, 0.001f, stream); };
  work();
  const CapturedGraph graph(stream, work);
  for (unsigned seed : {13u, 14u, 15u}) {
    const Image<std::uint16_t> raw = frame(seed);
    const void* const address = depth.ptr();
    depth.upload(raw.data.data(), raw.columns * sizeof(std::uint16_t), 120, 160);
    ASSERT_EQ(depth.ptr(), address);
    graph.launch();
    const ChainResult replayed(chain);
    DepthMapTriangulation direct;
    configure(direct);
    direct.compute(depth, 0.001f);
    expectSameBits(replayed, ChainResult(direct));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices,
                         ChainOnCuda,
                         ::testing::Values("cuda"),
                         deviceTestName);

#endif

} // namespace
