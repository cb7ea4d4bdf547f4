// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scene_filter.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace benchmarks {

using namespace pcl::gpu;
using Eigen::Array3f;
using Eigen::Vector3f;

namespace {

constexpr float least_exponent = -12.0f;

/** \brief 1 / (2 sigma^2) */
float
precision(float sigma)
{
  return 0.5f / (sigma * sigma);
}

/** \brief Sums of a frame's pixels. */
class SampleSums {
public:
  SampleSums(const FilterInput& input, int number, const SampleWeights& weights)
  : input_(input)
  , weights_(weights)
  , number_(number)
  , camera_(input.frames[number].camera)
  , sums_(input.noisy[number].pixels.size())
  {}

  void
  add(int other)
  {
    const NoisyFrame& frame = input_.frames[other];
    const Image<float>& depth = input_.depths[other];
    const Pose to_view = input_.frames[number_].pose.inverse() * frame.pose;
    const float gain = frame.gain / input_.frames[number_].gain;
    const float time = static_cast<float>(other - number_);
    const float exponent = -precision(weights_.sigma_frame) * time * time;
    for (int v = 0; v < frame.camera.height; ++v)
      for (int u = 0; u < frame.camera.width; ++u) {
        const std::size_t i = std::size_t(v) * frame.camera.width + u;
        const float z = depth.pixels[i];
        if (std::isnan(z))
          continue;
        const Vector3f point =
            to_view * Vector3f((u - frame.camera.cx) / frame.camera.fx * z,
                               (v - frame.camera.cy) / frame.camera.fy * z,
                               z);
        if (point.z() > 0.0f)
          addSample(point,
                    gain * input_.noisy[other].pixels[i],
                    gain * input_.guides[other].pixels[i],
                    exponent);
      }
  }

  FilteredFrame
  result() const
  {
    FilteredFrame result;
    result.color = input_.noisy[number_];
    result.variance.resize(camera_.width, camera_.height);
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const Sum& sum = sums_[i];
      result.variance.pixels[i] = 1.0f;
      if (!(sum.weight > 0.0f))
        continue;
      result.color.pixels[i] = sum.color / sum.weight;
      if (weights_.residual)
        result.color.pixels[i] += input_.guides[number_].pixels[i];
      result.variance.pixels[i] = weights_.variance_of_sum
                                      ? std::min(1.0f, 0.5f / sum.weight)
                                      : sum.square / (sum.weight * sum.weight);
    }
    return result;
  }

private:
  struct Sum {
    Array3f color = Array3f::Zero();
    float weight = 0.0f;
    float square = 0.0f;
  };

  void
  addSample(const Vector3f& point,
            const Array3f& noisy,
            const Array3f& guide,
            float start)
  {
    const float x = camera_.fx * point.x() / point.z() + camera_.cx;
    const float y = camera_.fy * point.y() / point.z() + camera_.cy;
    const float half = 0.5f * (weights_.footprint - 1);
    const int u0 = std::max(0, static_cast<int>(std::ceil(x - half - 0.5f)));
    const int v0 = std::max(0, static_cast<int>(std::ceil(y - half - 0.5f)));
    const int u1 =
        std::min(camera_.width - 1, static_cast<int>(std::floor(x + half + 0.5f)));
    const int v1 =
        std::min(camera_.height - 1, static_cast<int>(std::floor(y + half + 0.5f)));
    const Array3f& color = weights_.guided ? guide : noisy;
    const Levels& references =
        weights_.guided ? input_.guides[number_] : input_.noisy[number_];
    const Image<float>& depths = input_.depths[number_];
    for (int v = v0; v <= v1; ++v)
      for (int u = u0; u <= u1; ++u) {
        const std::size_t i = std::size_t(v) * camera_.width + u;
        float exponent = start - precision(weights_.sigma_pixel) *
                                     ((u - x) * (u - x) + (v - y) * (v - y));
        exponent -= precision(weights_.sigma_rgb) *
                    (references.pixels[i] - color).square().sum();
        const float z = depths.pixels[i];
        if (!std::isnan(z)) {
          const Vector3f away = point - z * Vector3f((u - camera_.cx) / camera_.fx,
                                                     (v - camera_.cy) / camera_.fy,
                                                     1.0f);
          exponent -= precision(weights_.sigma_xyz) * away.squaredNorm();
          const float spread = weights_.sigma_depth * z * z;
          const float least = weights_.least_sigma_depth;
          exponent -= 0.5f * away.z() * away.z() / (spread * spread + least * least);
        }
        if (!(exponent > least_exponent))
          continue;
        const float weight = std::exp(exponent);
        Sum& sum = sums_[i];
        sum.color += weight * (weights_.residual ? Array3f(noisy - guide) : noisy);
        sum.weight += weight;
        sum.square += weight * weight;
      }
  }

  const FilterInput& input_;
  const SampleWeights& weights_;
  int number_;
  PinholeCamera camera_;
  std::vector<Sum> sums_;
};

} // namespace

FilteredFrame
filterSamples(const FilterInput& input,
              int number,
              int reach,
              const SampleWeights& weights)
{
  SampleSums sums(input, number, weights);
  const int last = static_cast<int>(input.frames.size()) - 1;
  for (int i = std::max(0, number - reach); i <= std::min(last, number + reach); ++i)
    sums.add(i);
  return sums.result();
}

Image<float>
fillDepth(const Image<float>& depth, const Levels& colors)
{
  Image<float> result = depth;
  constexpr int directions[8][2] = {
      {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
  for (int v = 0; v < depth.height; ++v)
    for (int u = 0; u < depth.width; ++u) {
      const std::size_t i = std::size_t(v) * depth.width + u;
      if (!std::isnan(depth.pixels[i]))
        continue;
      float least_cost = no_limit;
      for (const auto& direction : directions) {
        int x = u, y = v, steps = 0;
        std::size_t k = i;
        while (std::isnan(depth.pixels[k])) {
          x += direction[0];
          y += direction[1];
          ++steps;
          if (x < 0 || y < 0 || x >= depth.width || y >= depth.height)
            break;
          k = std::size_t(y) * depth.width + x;
        }
        const float cost = (colors.pixels[i] - colors.pixels[k]).matrix().norm() +
                           std::hypot(float(x - u), float(y - v));
        if (!std::isnan(depth.pixels[k]) && cost < least_cost) {
          least_cost = cost;
          result.pixels[i] = depth.pixels[k];
        }
      }
    }
  return result;
}

Levels
blurred(const Levels& levels, float sigma)
{
  const int reach = static_cast<int>(std::ceil(3.0f * sigma));
  const auto along = [&](const Levels& from, int across, int down) {
    Levels to = from;
    for (int v = 0; v < from.height; ++v)
      for (int u = 0; u < from.width; ++u) {
        Array3f sum = Array3f::Zero();
        float weights = 0.0f;
        for (int i = -reach; i <= reach; ++i) {
          const int x = u + across * i, y = v + down * i;
          if (x < 0 || y < 0 || x >= from.width || y >= from.height)
            continue;
          const float weight = std::exp(-precision(sigma) * i * i);
          sum += weight * from.pixels[std::size_t(y) * from.width + x];
          weights += weight;
        }
        to.pixels[std::size_t(v) * from.width + u] = sum / weights;
      }
    return to;
  };
  return along(along(levels, 1, 0), 0, 1);
}

FilteredFrame
unfiltered(const Levels& noisy)
{
  FilteredFrame frame;
  frame.color = noisy;
  frame.variance.resize(noisy.width, noisy.height);
  std::fill(frame.variance.pixels.begin(), frame.variance.pixels.end(), 1.0f);
  return frame;
}

Levels
filterSpatially(const FilteredFrame& frame, float sigma, const SpatialFilter& settings)
{
  const Levels& color = frame.color;
  const int width = color.width, height = color.height;
  const int patch = settings.patch_reach;
  Levels result = color;
  std::vector<Array3f> sums(color.pixels.size(), Array3f::Zero());
  std::vector<float> weights(color.pixels.size(), 0.0f);
  std::vector<float> excess(color.pixels.size());
  const auto at = [&](int u, int v) {
    return std::size_t(std::clamp(v, 0, height - 1)) * width +
           std::clamp(u, 0, width - 1);
  };
  for (int dv = -settings.search_reach; dv <= settings.search_reach; ++dv)
    for (int du = -settings.search_reach; du <= settings.search_reach; ++du) {
      // Squared differences of colours, in units of the noise that they would have.
      for (int v = 0; v < height; ++v)
        for (int u = 0; u < width; ++u) {
          const std::size_t i = at(u, v), k = at(u + du, v + dv);
          const float variance =
              sigma * sigma * (frame.variance.pixels[i] + frame.variance.pixels[k]);
          excess[i] =
              (color.pixels[i] - color.pixels[k]).square().sum() / (3.0f * variance);
        }
      for (int v = 0; v < height; ++v)
        for (int u = 0; u < width; ++u) {
          if (u + du < 0 || v + dv < 0 || u + du >= width || v + dv >= height)
            continue;
          float distance = 0.0f;
          for (int b = -patch; b <= patch; ++b)
            for (int a = -patch; a <= patch; ++a)
              distance += excess[at(u + a, v + b)];
          distance /= (2 * patch + 1) * (2 * patch + 1);
          const std::size_t i = at(u, v), k = at(u + du, v + dv);
          const float weight = std::exp(-std::max(0.0f, distance - 1.0f) /
                                        (settings.strength * settings.strength)) /
                               frame.variance.pixels[k];
          sums[i] += weight * color.pixels[k];
          weights[i] += weight;
        }
    }
  for (std::size_t i = 0; i < sums.size(); ++i)
    result.pixels[i] = sums[i] / weights[i];
  return result;
}

} // namespace benchmarks
