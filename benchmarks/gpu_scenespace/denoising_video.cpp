// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "denoising_video.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace benchmarks {

using namespace pcl::gpu;

namespace {

std::uint8_t
roundedLevel(float level)
{
  return static_cast<std::uint8_t>(std::lround(std::clamp(level, 0.0f, 255.0f)));
}

NoisyFrame
placedFrame(const RGBDView& view)
{
  NoisyFrame frame;
  frame.camera = view.color_camera;
  frame.pose = view.color_pose;
  return frame;
}

} // namespace

ColorImage
withNoise(const ColorImage& color, float sigma, int number)
{
  std::mt19937 random(1 + number);
  std::normal_distribution<float> noise(0.0f, sigma);
  Levels levels = toLevels(color);
  for (Eigen::Array3f& pixel : levels.pixels)
    for (int i = 0; i < 3; ++i)
      pixel[i] += noise(random);
  return toColorImage(levels);
}

Levels
toLevels(const ColorImage& color)
{
  Levels levels;
  levels.resize(color.width, color.height);
  std::transform(
      color.pixels.begin(),
      color.pixels.end(),
      levels.pixels.begin(),
      [](const pcl::RGB& pixel) { return Eigen::Array3f(pixel.r, pixel.g, pixel.b); });
  return levels;
}

ColorImage
toColorImage(const Levels& levels)
{
  ColorImage color;
  color.resize(levels.width, levels.height);
  std::transform(levels.pixels.begin(),
                 levels.pixels.end(),
                 color.pixels.begin(),
                 [](const Eigen::Array3f& pixel) {
                   return pcl::RGB(roundedLevel(pixel[0]),
                                   roundedLevel(pixel[1]),
                                   roundedLevel(pixel[2]));
                 });
  return color;
}

NoisyFrames
renderFrames(const test::RenderedVideoSettings& settings)
{
  const test::RenderedVideo video(settings);
  NoisyFrames frames;
  for (int i = 0; i < video.size(); ++i) {
    frames.push_back(placedFrame(video.view(i)));
    RGBDFrame read = video.read(i);
    frames.back().noisy = std::move(read.color);
    frames.back().depth = std::move(read.depth);
    frames.back().truth = video.trueColor(i);
  }
  return frames;
}

NoisyFrames
readFrames(const RGBDVideo& video, float sigma)
{
  NoisyFrames frames;
  for (int i = 0; i < video.size(); ++i) {
    RGBDFrame read = video.read(i);
    frames.push_back(placedFrame(read));
    frames.back().noisy = withNoise(read.color, sigma, i);
    frames.back().truth = std::move(read.color);
    frames.back().depth = std::move(read.depth);
  }
  return frames;
}

Image<std::uint8_t>
depthMask(const Image<float>& depth)
{
  Image<std::uint8_t> mask;
  mask.resize(depth.width, depth.height);
  std::transform(depth.pixels.begin(),
                 depth.pixels.end(),
                 mask.pixels.begin(),
                 [](float z) { return std::isnan(z) ? 0 : 255; });
  return mask;
}

Image<std::uint8_t>
inverted(Image<std::uint8_t> mask)
{
  for (std::uint8_t& value : mask.pixels)
    value = value == 0 ? 255 : 0;
  return mask;
}

Levels
blurred(const Levels& levels, float sigma)
{
  const int reach = static_cast<int>(std::ceil(3.0f * sigma));
  const auto along = [&](const Levels& from, int across, int down) {
    Levels to = from;
    for (int v = 0; v < from.height; ++v)
      for (int u = 0; u < from.width; ++u) {
        Eigen::Array3f sum = Eigen::Array3f::Zero();
        float weights = 0.0f;
        for (int i = -reach; i <= reach; ++i) {
          const int x = u + across * i, y = v + down * i;
          if (x < 0 || y < 0 || x >= from.width || y >= from.height)
            continue;
          const float weight = std::exp(-0.5f * (i * i) / (sigma * sigma));
          sum += weight * from.pixels[std::size_t(y) * from.width + x];
          weights += weight;
        }
        to.pixels[std::size_t(v) * from.width + u] = sum / weights;
      }
    return to;
  };
  return along(along(levels, 1, 0), 0, 1);
}

} // namespace benchmarks
