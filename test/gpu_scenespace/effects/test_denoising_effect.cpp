// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "gpu_scenespace/gathering/noisy_video.h"

#include <pcl/gpu/scenespace/effects/denoising_effect.h>
#include <pcl/gpu/scenespace/scene_space_video.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace pcl::gpu::test {

namespace {

class DenoisedWalls : public DeviceTest {};

constexpr int columns = 200, rows = 100, frames = 31, middle = frames / 2;

/** \brief A level of a wall, by the column of the middle frame that sees it. */
using Wall = std::function<float(float column)>;

/** \brief The mean level of a column that a frame sees. */
float
levelOf(const Wall& wall, int column, float shift)
{
  constexpr int samples = 20;
  float sum = 0.0f;
  for (int i = 0; i < samples; ++i)
    sum += wall(column + shift + (i + 0.5f) / samples - 0.5f);
  return sum / samples;
}

/** \brief A camera that moves past a wall by parts of a pixel, with the noise of
 * noisyPreparation().
 * \param[in] light that the middle frame has more than others, levels
 */
RGBDVideo::ConstPtr
videoOf(const Wall& wall, float light)
{
  constexpr float depth = 2.0f, step = 1.3f; // metres, pixels
  const PinholeCamera camera{250.0f, 250.0f, 99.5f, 49.5f, columns, rows};
  std::mt19937 random(5);
  std::normal_distribution<float> errors(0.0f, noise);
  const auto video = std::make_shared<RGBDRecording>();
  for (int i = 0; i < frames; ++i) {
    const float shift = step * (i - middle);
    RGBDFrame frame;
    frame.time = i;
    frame.color_camera = frame.depth_camera = camera;
    frame.color_pose.translation().x() = shift * depth / camera.fx;
    frame.depth_pose = frame.color_pose;
    frame.depth.resize(columns, rows);
    std::fill(frame.depth.pixels.begin(), frame.depth.pixels.end(), depth);
    frame.color.resize(columns, rows);
    for (int v = 0; v < rows; ++v)
      for (int u = 0; u < columns; ++u) {
        const float level = levelOf(wall, u, shift) + (i == middle ? light : 0.0f);
        const auto noisy = [&] {
          return static_cast<std::uint8_t>(
              std::clamp(std::round(level + errors(random)), 0.0f, 255.0f));
        };
        frame.color.pixels[v * columns + u] = RGB(noisy(), noisy(), noisy());
      }
    video->add(frame);
  }
  return video;
}

/** \brief Means of the columns of the middle frame, denoised. */
std::vector<double>
denoisedColumns(const Wall& wall, float light = 0.0f)
{
  const SceneSpaceVideo denoised(
      videoOf(wall, light), std::make_shared<DenoisingEffect>(), noisyPreparation());
  const RGBDFrame frame = denoised.read(middle);
  std::vector<double> means(columns);
  for (int i = 0; i < columns * rows; ++i) {
    const RGB& color = frame.color.pixels[i];
    means[i % columns] += (color.r + color.g + color.b) / (3.0 * rows);
  }
  return means;
}

TEST_P(DenoisedWalls, KeepSeamsThatAreFainterThanTheNoiseOfAFrame)
{
  constexpr float base = 120.0f, width = 2.0f;
  const std::pair<float, float> seams[] = {
      {40.2f, 3.0f}, {100.7f, 5.0f}, {160.4f, 8.0f}};
  const std::vector<double> means = denoisedColumns([&](float column) {
    for (const auto& [place, contrast] : seams)
      if (std::abs(column - place) < width / 2.0f)
        return base - contrast;
    return base;
  });
  for (const auto& [place, contrast] : seams) {
    // The mean of registered frames has all of it. Blurs spread it over some columns.
    const int first = static_cast<int>(place) - 2, last = first + 5;
    double beside = 0.0, missing = 0.0;
    for (int i = 1; i <= 6; ++i)
      beside += (means[first - 1 - i] + means[last + 1 + i]) / 12.0;
    for (int u = first; u <= last; ++u)
      missing += beside - means[u];
    EXPECT_GT(missing, 0.8 * contrast * width) << contrast << " levels";
  }
}

TEST_P(DenoisedWalls, KeepWhiteAndBlackThatTheNoiseOfFramesIsClippedFrom)
{
  const std::vector<double> means = denoisedColumns([](float column) {
    return column < 50.0f    ? 255.0f
           : column < 100.0f ? 235.0f
           : column < 150.0f ? 20.0f
                             : 0.0f;
  });
  // Means of the clipped levels are off by 8.0 and 2.0 levels.
  EXPECT_NEAR(means[25], 255.0, 1.5);
  EXPECT_NEAR(means[75], 235.0, 1.5);
  EXPECT_NEAR(means[125], 20.0, 1.5);
  EXPECT_NEAR(means[175], 0.0, 1.5);
}

TEST_P(DenoisedWalls, HaveTheLightOfTheirOwnFrame)
{
  const std::vector<double> means =
      denoisedColumns([](float) { return 120.0f; }, 10.0f);
  for (const int column : {20, 100, 180})
    EXPECT_NEAR(means[column], 130.0, 1.5);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(DenoisedWalls);

} // namespace

} // namespace pcl::gpu::test
