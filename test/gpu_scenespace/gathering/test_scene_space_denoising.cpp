// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "gpu_scenespace/gathering/naive_sets.h"

#include <pcl/gpu/scenespace/gathering/sample_gathering.h>
#include <pcl/gpu/scenespace/gathering/scene_space_denoising.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace pcl::gpu::test {

namespace {

class DenoisedFrames : public DeviceTest {};

/** \brief A rig whose output is its frame 0, whose colours are similar. */
RandomRig
rigOfSimilarColors(unsigned int seed)
{
  RandomRig rig(seed, {});
  std::mt19937 random(seed);
  for (RGBDFrame& frame : rig.frames)
    for (RGB& color : frame.color.pixels) {
      color.r = 90 + random() % 60;
      color.g = 20 + random() % 60;
      color.b = 196 + random() % 60;
    }
  rig.view.camera = rig.frames[0].color_camera;
  rig.view.pose = rig.frames[0].color_pose;
  rig.view.time = 0.0f;
  return rig;
}

std::vector<RGB>
downloadedColors(const DeviceArray2D<RGB>& color)
{
  std::vector<RGB> colors;
  int columns = 0;
  color.download(colors, columns);
  return colors;
}

std::vector<RGB>
runningSum(SceneSpaceDenoising& denoising, const RandomRig& rig)
{
  const auto frames = rig.upload();
  DeviceArray2D<RGB> color;
  denoising.compute(*frames[0], frames, color);
  return downloadedColors(color);
}

std::vector<RGB>
sumOfSets(SceneSpaceDenoising& denoising, const RandomRig& rig)
{
  const auto frames = rig.upload();
  SampleGathering gathering;
  change(gathering, [&](auto& p) {
    p.volume = QueryVolume::frustum(denoising.getParameters().frustum);
  });
  SampleSets sets;
  gathering.gather(frames, rig.view, sets);
  DeviceArray2D<RGB> color;
  denoising.compute(*frames[0], frames, sets, color);
  return downloadedColors(color);
}

Eigen::Vector3d
pointOf(const RGBDFrame& frame, int column, int row)
{
  const PinholeCamera& camera = frame.color_camera;
  const double depth = frame.depth.pixels[std::size_t(row) * camera.width + column];
  return frame.color_pose.cast<double>() *
         Eigen::Vector3d(depth * (column - double(camera.cx)) / camera.fx,
                         depth * (row - double(camera.cy)) / camera.fy,
                         depth);
}

/** \brief Eq. (1) and (2) in double precision, not rounded: red, green, blue. */
std::vector<std::array<double, 3>>
expectedColors(const RandomRig& rig, const SceneSpaceDenoising& denoising)
{
  const auto sets = naiveSets(rig, denoising.getParameters().frustum);
  const RGBDFrame& reference = rig.frames[0];
  const int width = reference.color.width;
  std::vector<std::array<double, 3>> colors;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const RGB& own = reference.color.pixels[i];
    const float depth = reference.depth.pixels[i];
    const bool has_depth = std::isfinite(depth) && depth > 0.0f;
    double weights = 0.0;
    std::array<double, 3> sum{};
    for (const SceneSample& sample : sets[i]) {
      double distance =
          (std::pow(sample.red - own.r, 2) + std::pow(sample.green - own.g, 2) +
           std::pow(sample.blue - own.b, 2)) /
          std::pow(double(denoising.getParameters().sigma_rgb), 2);
      distance +=
          std::pow(sample.frame / double(denoising.getParameters().sigma_frame), 2);
      if (has_depth)
        distance += (pointOf(rig.frames[sample.frame], sample.column, sample.row) -
                     pointOf(reference, int(i) % width, int(i) / width))
                        .squaredNorm() /
                    std::pow(double(denoising.getParameters().sigma_xyz), 2);
      const double weight = std::exp(-0.5 * distance);
      weights += weight;
      sum[0] += weight * sample.red;
      sum[1] += weight * sample.green;
      sum[2] += weight * sample.blue;
    }
    if (weights > std::exp2(-100.0))
      colors.push_back({sum[0] / weights, sum[1] / weights, sum[2] / weights});
    else
      colors.push_back({double(own.r), double(own.g), double(own.b)});
  }
  return colors;
}

void
expectColors(const std::vector<RGB>& colors,
             const std::vector<std::array<double, 3>>& expected)
{
  ASSERT_EQ(colors.size(), expected.size());
  for (std::size_t i = 0; i < colors.size(); ++i) {
    ASSERT_NEAR(colors[i].r, expected[i][0], 0.505) << "pixel " << i;
    ASSERT_NEAR(colors[i].g, expected[i][1], 0.505) << "pixel " << i;
    ASSERT_NEAR(colors[i].b, expected[i][2], 0.505) << "pixel " << i;
    ASSERT_EQ(colors[i].a, 255) << "pixel " << i;
  }
}

void
expectSame(const std::vector<RGB>& colors, const std::vector<RGB>& expected)
{
  ASSERT_EQ(colors.size(), expected.size());
  for (std::size_t i = 0; i < colors.size(); ++i)
    ASSERT_EQ(colors[i].rgba, expected[i].rgba) << "pixel " << i;
}

TEST_P(DenoisedFrames, AreWeightedSumsOfSamples)
{
  SceneSpaceDenoising denoising;
  for (unsigned int seed = 1; seed <= 10; ++seed) {
    const RandomRig rig = rigOfSimilarColors(seed);
    expectColors(runningSum(denoising, rig), expectedColors(rig, denoising));
  }
}

TEST_P(DenoisedFrames, AreWeightedSumsForAnyDeviations)
{
  SceneSpaceDenoising denoising;
  const RandomRig rig = rigOfSimilarColors(3);
  for (const float scale : {0.1f, 1.0f, 30.0f}) {
    change(denoising, [&](auto& p) {
      p.sigma_rgb = 20.0f * scale;
      p.sigma_xyz = 0.1f / scale;
      p.sigma_frame = 2.0f * scale;
    });
    expectColors(runningSum(denoising, rig), expectedColors(rig, denoising));
  }
}

TEST_P(DenoisedFrames, AreWeightedSumsForEveryWidthOfTheFrustum)
{
  SceneSpaceDenoising denoising;
  for (int width = 1; width <= QueryFrustum::max_width; ++width) {
    QueryFrustum frustum;
    frustum.width = width;
    change(denoising, [&](auto& p) { p.frustum = frustum; });
    const RandomRig rig = rigOfSimilarColors(width);
    expectColors(runningSum(denoising, rig), expectedColors(rig, denoising));
  }
}

TEST_P(DenoisedFrames, AreTheSameFromStoredSets)
{
  SceneSpaceDenoising denoising;
  for (unsigned int seed = 1; seed <= 5; ++seed) {
    const RandomRig rig = rigOfSimilarColors(seed);
    expectSame(sumOfSets(denoising, rig), runningSum(denoising, rig));
  }
}

TEST_P(DenoisedFrames, AreTheSameFromSetsOfTiles)
{
  SceneSpaceDenoising denoising;
  const RandomRig rig = rigOfSimilarColors(2);
  const auto frames = rig.upload();
  SampleGathering gathering;
  SampleSets sets;
  DeviceArray2D<RGB> color;
  const PinholeCamera& camera = rig.view.camera;
  for (int row = 0; row < camera.height; row += 17)
    for (int column = 0; column < camera.width; column += 29) {
      change(gathering, [&](auto& p) {
        p.region = {column,
                    row,
                    std::min(29, camera.width - column),
                    std::min(17, camera.height - row)};
      });
      gathering.gather(frames, rig.view, sets);
      denoising.compute(*frames[0], frames, sets, color);
    }
  expectSame(downloadedColors(color), runningSum(denoising, rig));
}

TEST_P(DenoisedFrames, AreTheSameOnTheHost)
{
  SceneSpaceDenoising denoising;
  for (unsigned int seed = 1; seed <= 5; ++seed) {
    const RandomRig rig = rigOfSimilarColors(seed);
    const std::vector<RGB> colors = runningSum(denoising, rig);
    const auto scope = useDevice("host");
    SceneSpaceDenoising on_host;
    expectSame(colors, runningSum(on_host, rig));
  }
}

TEST_P(DenoisedFrames, IgnoreTimeIfItsDeviationIsInfinite)
{
  SceneSpaceDenoising denoising;
  change(denoising,
         [&](auto& p) { p.sigma_frame = std::numeric_limits<float>::infinity(); });
  const RandomRig rig = rigOfSimilarColors(4);
  expectColors(runningSum(denoising, rig), expectedColors(rig, denoising));
}

TEST_P(DenoisedFrames, KeepTheirColorWhereThereAreNoSamples)
{
  RigSettings settings;
  settings.missing = 1.0f;
  const RandomRig rig(1, settings);
  SceneSpaceDenoising denoising;
  expectSame(runningSum(denoising, rig), rig.frames[0].color.pixels);
}

TEST_P(DenoisedFrames, RejectSettingsThatMakeNoSense)
{
  SceneSpaceDenoising denoising;
  expectBadArgument("sigma_rgb",
                    [&] { change(denoising, [&](auto& p) { p.sigma_rgb = 0.0f; }); });
  expectBadArgument("sigma_xyz",
                    [&] { change(denoising, [&](auto& p) { p.sigma_xyz = -1.0f; }); });
  expectBadArgument("sigma_frame",
                    [&] { change(denoising, [&](auto& p) { p.sigma_frame = 0.0f; }); });
  expectBadArgument("frustum width", [&] {
    QueryFrustum frustum;
    frustum.width = 16;
    change(denoising, [&](auto& p) { p.frustum = frustum; });
  });
  expectBadArgument("far depth", [&] {
    QueryFrustum frustum;
    frustum.near_depth = 2.0f;
    frustum.far_depth = 1.0f;
    change(denoising, [&](auto& p) { p.frustum = frustum; });
  });
}

TEST_P(DenoisedFrames, RejectFramesThatAreNone)
{
  SceneSpaceDenoising denoising;
  const auto frames = rigOfSimilarColors(1).upload();
  DeviceArray2D<RGB> color;
  expectBadArgument("number of frames",
                    [&] { denoising.compute(*frames[0], {}, color); });
  expectBadArgument("frame is null",
                    [&] { denoising.compute(*frames[0], {nullptr}, color); });
  expectBadArgument("frame is empty", [&] {
    denoising.compute(*frames[0], {std::make_shared<SceneFrame>()}, color);
  });
  expectBadArgument("reference",
                    [&] { denoising.compute(SceneFrame(), frames, color); });
  color = frames[0]->getColor();
  expectBadArgument("reference", [&] { denoising.compute(*frames[0], frames, color); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(DenoisedFrames);

} // namespace

} // namespace pcl::gpu::test
