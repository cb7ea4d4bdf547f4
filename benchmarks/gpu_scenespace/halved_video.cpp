// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "halved_video.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace benchmarks {

using namespace pcl::gpu;
using Eigen::Array3f;

PinholeCamera
halved(const PinholeCamera& camera)
{
  return camera.resized(camera.width / 2, camera.height / 2);
}

Levels
halved(const Levels& levels)
{
  Levels result;
  result.resize(levels.width / 2, levels.height / 2);
  for (int v = 0; v < result.height; ++v)
    for (int u = 0; u < result.width; ++u) {
      const Array3f* const upper =
          &levels.pixels[std::size_t(2 * v) * levels.width + 2 * u];
      const Array3f* const lower = upper + levels.width;
      result.pixels[std::size_t(v) * result.width + u] =
          0.25f * (upper[0] + upper[1] + lower[0] + lower[1]);
    }
  return result;
}

ColorImage
halved(const ColorImage& color)
{
  return toColorImage(halved(toLevels(color)));
}

namespace {

double
lanczos(double x, int lobes)
{
  constexpr double pi = 3.14159265358979324;
  if (x == 0.0)
    return 1.0;
  if (std::abs(x) >= lobes)
    return 0.0;
  return lobes * std::sin(pi * x) * std::sin(pi * x / lobes) / (pi * pi * x * x);
}

/** \brief Weights of the 2 \a lobes pixels about a place a quarter of a pixel behind
 * one. */
std::vector<float>
quarterWeights(int lobes)
{
  std::vector<double> weights;
  double sum = 0.0;
  for (int i = 1 - lobes; i <= lobes; ++i) {
    weights.push_back(lanczos(i - 0.25, lobes));
    sum += weights.back();
  }
  std::vector<float> result;
  for (const double weight : weights)
    result.push_back(static_cast<float>(weight / sum));
  return result;
}

/** \brief Twice as many columns, as rows: the picture is transposed. */
Levels
doubledAcross(const Levels& levels, const std::vector<float>& weights)
{
  const int count = static_cast<int>(weights.size()), lobes = count / 2;
  Levels result;
  result.resize(levels.height, 2 * levels.width);
  for (int v = 0; v < levels.height; ++v)
    for (int u = 0; u < levels.width; ++u) {
      const Array3f* const row = &levels.pixels[std::size_t(v) * levels.width];
      Array3f before = Array3f::Zero(), behind = Array3f::Zero();
      for (int i = 0; i < count; ++i) {
        const int offset = i + 1 - lobes;
        before += weights[i] * row[std::clamp(u - offset, 0, levels.width - 1)];
        behind += weights[i] * row[std::clamp(u + offset, 0, levels.width - 1)];
      }
      result.pixels[std::size_t(2 * u) * levels.height + v] = before;
      result.pixels[std::size_t(2 * u + 1) * levels.height + v] = behind;
    }
  return result;
}

} // namespace

Levels
doubled(const Levels& levels, int lobes)
{
  const std::vector<float> weights = quarterWeights(lobes);
  return doubledAcross(doubledAcross(levels, weights), weights);
}

HalvedVideo::HalvedVideo(ConstPtr video) : video_(std::move(video)) {}

int
HalvedVideo::size() const
{
  return video_->size();
}

RGBDView
HalvedVideo::view(int number) const
{
  RGBDView view = video_->view(number);
  view.color_camera = halved(view.color_camera);
  return view;
}

RGBDFrame
HalvedVideo::read(int number) const
{
  RGBDFrame frame = video_->read(number);
  frame.color_camera = halved(frame.color_camera);
  frame.color = halved(frame.color);
  return frame;
}

double
ssim(const ColorImage& a, const ColorImage& b)
{
  // Brightness of both, and their products, in the three parts of two images.
  Levels means, products;
  means.resize(a.width, a.height);
  products.resize(a.width, a.height);
  const auto brightness = [](const pcl::RGB& pixel) {
    return 0.299f * pixel.r + 0.587f * pixel.g + 0.114f * pixel.b;
  };
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    const float x = brightness(a.pixels[i]), y = brightness(b.pixels[i]);
    means.pixels[i] = {x, y, 0.0f};
    products.pixels[i] = {x * x, y * y, x * y};
  }
  means = blurred(means, 1.5f);
  products = blurred(products, 1.5f);
  constexpr double c1 = 2.55 * 2.55, c2 = 7.65 * 7.65;
  double sum = 0.0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    const double x = means.pixels[i][0], y = means.pixels[i][1];
    const Eigen::Array3d product = products.pixels[i].cast<double>();
    sum += (2.0 * x * y + c1) * (2.0 * (product[2] - x * y) + c2) /
           ((x * x + y * y + c1) * (product[0] - x * x + product[1] - y * y + c2));
  }
  return sum / a.pixels.size();
}

} // namespace benchmarks
