// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/video/rendered_video.h"

#include <pcl/gpu/scenespace/video/rgbd_recording.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

/** \file
 * \brief Videos of too few pixels, and Lanczos's filter in double precision.
 */

namespace pcl::gpu::test {

/** \brief A video of means of pixels, and the one that it should be enlarged to. */
struct LowVideo {
  RGBDVideo::ConstPtr video;
  std::vector<ColorImage> truths;
  std::vector<Image<float>> depths; ///< of the truths' pixels
};

/** \brief Means of scale x scale pixels. */
inline ColorImage
reduced(const ColorImage& color, int scale)
{
  ColorImage result;
  result.resize(color.width / scale, color.height / scale);
  for (int v = 0; v < result.height; ++v)
    for (int u = 0; u < result.width; ++u) {
      int sums[3] = {};
      for (int j = 0; j < scale; ++j)
        for (int i = 0; i < scale; ++i) {
          const RGB& pixel =
              color.pixels[(v * scale + j) * color.width + u * scale + i];
          sums[0] += pixel.r;
          sums[1] += pixel.g;
          sums[2] += pixel.b;
        }
      const auto mean = [&](int sum) {
        return static_cast<std::uint8_t>(std::floor(sum / double(scale * scale) + 0.5));
      };
      result.pixels[v * result.width + u] = {
          mean(sums[0]), mean(sums[1]), mean(sums[2])};
    }
  return result;
}

/** \brief Properties of a video. */
struct VideoSettings {
  CameraMotion motion = CameraMotion::Sideways;
  int scale = 2;
  int frames = 13;
  float color_noise = 0.0f, depth_noise = 0.0f;
  int width = 160, height = 90;
};

/** \brief Settings of the exact video that a low one is made of. */
inline RenderedVideoSettings
highVideoSettings(const VideoSettings& wanted)
{
  RenderedVideoSettings settings;
  settings.motion = wanted.motion;
  settings.camera = PinholeCamera::fromFieldOfView(0.8f, wanted.width, wanted.height);
  settings.frames = wanted.frames;
  settings.begin = 4.0f;
  settings.supersampling = 4;
  return settings;
}

/** \brief Colour and depth of the exact video. Videos of other scales and noise share
 * them. */
struct HighVideo {
  std::vector<ColorImage> colors;
  std::vector<Image<float>> depths;
};

/** \brief The exact video that a low one is made of, rendered once. */
inline const HighVideo&
highVideo(const VideoSettings& wanted)
{
  static std::map<std::tuple<CameraMotion, int, int, int>, HighVideo> videos;
  HighVideo& result =
      videos[{wanted.motion, wanted.frames, wanted.width, wanted.height}];
  if (result.colors.empty()) {
    const RenderedVideo video(highVideoSettings(wanted));
    for (int i = 0; i < video.size(); ++i) {
      result.colors.push_back(video.trueColor(i));
      result.depths.push_back(video.trueDepth(i));
    }
  }
  return result;
}

inline LowVideo
lowVideo(const VideoSettings& wanted)
{
  const HighVideo& high = highVideo(wanted);
  RenderedVideoSettings low_settings = highVideoSettings(wanted);
  low_settings.camera = PinholeCamera::fromFieldOfView(
      0.8f, wanted.width / wanted.scale, wanted.height / wanted.scale);
  low_settings.depth_noise = wanted.depth_noise;
  low_settings.supersampling = 1;
  const RenderedVideo low(low_settings); // for its depth
  // The noise is measured on the same video with noise.
  low_settings.color_noise = wanted.color_noise;
  const RenderedVideo noisy(low_settings);
  LowVideo result{nullptr, high.colors, high.depths};
  const auto recording = std::make_shared<RGBDRecording>();
  for (int i = 0; i < wanted.frames; ++i) {
    RGBDFrame frame = low.read(i);
    const ColorImage clean = frame.color;
    frame.color = reduced(high.colors[i], wanted.scale);
    if (wanted.color_noise > 0.0f) {
      const ColorImage other = noisy.read(i).color;
      const auto sum = [](int level, int with, int without) {
        return static_cast<std::uint8_t>(std::clamp(level + with - without, 0, 255));
      };
      for (std::size_t k = 0; k < other.pixels.size(); ++k) {
        RGB& pixel = frame.color.pixels[k];
        pixel.r = sum(pixel.r, other.pixels[k].r, clean.pixels[k].r);
        pixel.g = sum(pixel.g, other.pixels[k].g, clean.pixels[k].g);
        pixel.b = sum(pixel.b, other.pixels[k].b, clean.pixels[k].b);
      }
    }
    recording->add(std::move(frame));
  }
  result.video = recording;
  return result;
}

/** \brief Three times the same frame, of a wall with colours of its own. */
template <typename ColorAt>
RGBDVideo::ConstPtr
wall(int width, int height, ColorAt color_at)
{
  RGBDFrame frame;
  frame.color_camera = frame.depth_camera =
      PinholeCamera::fromFieldOfView(0.8f, width, height);
  frame.color.resize(width, height);
  frame.depth.resize(width, height);
  for (int v = 0; v < height; ++v)
    for (int u = 0; u < width; ++u) {
      frame.color.pixels[v * width + u] = color_at(u, v);
      frame.depth.pixels[v * width + u] = 2.0f;
    }
  const auto recording = std::make_shared<RGBDRecording>();
  for (int i = 0; i < 3; ++i)
    recording->add(frame);
  return recording;
}

/** \brief Lanczos's filter with three lobes. */
inline double
lanczos(double x)
{
  constexpr double pi = 3.14159265358979324;
  if (std::abs(x) < 1e-12)
    return 1.0;
  return std::abs(x) >= 3.0
             ? 0.0
             : 3.0 * std::sin(pi * x) * std::sin(pi * x / 3.0) / (pi * pi * x * x);
}

/** \brief Red, green and blue, levels. */
struct Picture {
  int width = 0, height = 0;
  std::vector<std::array<double, 3>> pixels;
};

inline Picture
pictureOf(const ColorImage& color)
{
  Picture result{color.width, color.height, {}};
  for (const RGB& pixel : color.pixels)
    result.pixels.push_back({double(pixel.r), double(pixel.g), double(pixel.b)});
  return result;
}

inline RGB
roundedColor(const std::array<double, 3>& levels)
{
  const auto rounded = [](double level) {
    return static_cast<std::uint8_t>(std::floor(std::clamp(level, 0.0, 255.0) + 0.5));
  };
  return {rounded(levels[0]), rounded(levels[1]), rounded(levels[2])};
}

/** \brief Longer rows, as columns: the picture is transposed. */
inline Picture
enlargedAcross(const Picture& input, int scale)
{
  Picture result{input.height, input.width * scale, {}};
  result.pixels.resize(input.pixels.size() * scale);
  for (int v = 0; v < input.height; ++v)
    for (int x = 0; x < result.height; ++x) {
      const double place = (x + 0.5) / scale - 0.5;
      std::array<double, 3>& pixel = result.pixels[x * result.width + v];
      double weights = 0.0;
      for (int u = static_cast<int>(std::floor(place)) - 3; u <= place + 3.0; ++u) {
        const double weight = lanczos(u - place);
        weights += weight;
        for (int c = 0; c < 3; ++c)
          pixel[c] +=
              weight *
              input.pixels[v * input.width + std::clamp(u, 0, input.width - 1)][c];
      }
      for (double& level : pixel)
        level /= weights;
    }
  return result;
}

/** \brief More pixels, by Lanczos's filter. */
inline ColorImage
enlarged(const ColorImage& color, int scale)
{
  const Picture picture =
      enlargedAcross(enlargedAcross(pictureOf(color), scale), scale);
  ColorImage result;
  result.resize(picture.width, picture.height);
  for (std::size_t i = 0; i < result.pixels.size(); ++i)
    result.pixels[i] = roundedColor(picture.pixels[i]);
  return result;
}

} // namespace pcl::gpu::test
