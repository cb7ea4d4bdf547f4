// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "shading.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pcl {
namespace gpu {
namespace apps {

namespace {

using Eigen::Vector3f;

constexpr float gamma = 2.2f;

// Camera's frame: x right, y down, z forward.
const Vector3f to_lamp = Vector3f(-0.60f, -0.75f, -0.45f).normalized();
const Vector3f lamp(0.96f, 0.92f, 0.85f);
const Vector3f lamp_at_camera(0.15f, 0.16f, 0.18f);
const Vector3f sky(0.13f, 0.15f, 0.18f);
const Vector3f ground(0.06f, 0.055f, 0.05f);
const Vector3f background_above(0.125f, 0.150f, 0.190f);
const Vector3f background_below(0.330f, 0.350f, 0.375f);

/** \brief Light for each value of a channel. */
std::array<float, 256>
linearLight()
{
  std::array<float, 256> table{};
  for (int i = 0; i < 256; ++i)
    table[i] = std::pow(static_cast<float>(i) / 255.0f, gamma);
  return table;
}

Vector3f
directionToCamera(const CameraView& view, int x, int y)
{
  if (view.isOrthographic())
    return -Vector3f::UnitZ();
  return -Vector3f((x - view.getCx()) / view.getFx(),
                   (y - view.getCy()) / view.getFy(),
                   1.0f)
              .normalized();
}

Vector3f
lightOn(const Vector3f& normal, const Vector3f& to_camera)
{
  const float upwards = 0.5f - 0.5f * normal.y();
  return upwards * sky + (1.0f - upwards) * ground +
         std::max(0.0f, normal.dot(to_lamp)) * lamp +
         std::max(0.0f, normal.dot(to_camera)) * lamp_at_camera;
}

std::uint8_t
channel(float light)
{
  // Highlights bend towards white instead of being cut off.
  const float bent =
      light < 0.8f ? light : 0.8f + 0.2f * std::tanh(5.0f * (light - 0.8f));
  return static_cast<std::uint8_t>(
      std::lround(255.0f * std::pow(std::max(bent, 0.0f), 1.0f / gamma)));
}

} // namespace

ColorImage
shade(const SurfaceImage& surfaces, const CameraView& view, int samples)
{
  static const std::array<float, 256> linear = linearLight();
  ColorImage picture;
  picture.resize(surfaces.width / samples, surfaces.height / samples);
#pragma omp parallel for schedule(dynamic, 16)
  for (int row = 0; row < picture.height; ++row) {
    const float below = (static_cast<float>(row) + 0.5f) / picture.height;
    const Vector3f background =
        (1.0f - below) * background_above + below * background_below;
    for (int column = 0; column < picture.width; ++column) {
      Vector3f sum = Vector3f::Zero();
      for (int i = 0; i < samples * samples; ++i) {
        const int x = column * samples + i % samples;
        const int y = row * samples + i / samples;
        const std::size_t pixel = static_cast<std::size_t>(y) * surfaces.width + x;
        const Vector3f normal = surfaces.normals[pixel].getVector3fMap();
        if (!normal.allFinite()) {
          sum += background;
          continue;
        }
        const RGB& color = surfaces.colors[pixel];
        const Vector3f albedo(linear[color.r], linear[color.g], linear[color.b]);
        sum += albedo.cwiseProduct(lightOn(normal, directionToCamera(view, x, y)));
      }
      const Vector3f mean = sum / static_cast<float>(samples * samples);
      picture.pixels[static_cast<std::size_t>(row) * picture.width + column] =
          RGB(channel(mean.x()), channel(mean.y()), channel(mean.z()));
    }
  }
  return picture;
}

} // namespace apps
} // namespace gpu
} // namespace pcl
