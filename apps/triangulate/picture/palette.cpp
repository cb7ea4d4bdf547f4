// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "palette.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pcl::gpu::apps {

namespace {

using Palette = std::array<Eigen::Vector3f, 7>;

// Viridis, near to far: as bright as it is close, readable without colour vision.
const Palette viridis{Eigen::Vector3f(253, 231, 37),
                      {144, 215, 67},
                      {53, 183, 121},
                      {33, 145, 140},
                      {49, 104, 142},
                      {68, 57, 131},
                      {68, 1, 84}};

// Clay to slate: light enough that shading, not colour, shows the shape.
const Palette soft{Eigen::Vector3f(236, 190, 150),
                   {232, 208, 178},
                   {222, 219, 205},
                   {199, 214, 211},
                   {171, 199, 208},
                   {146, 178, 200},
                   {124, 154, 187}};

const RGB missing(58, 61, 66);

RGB
toRgb(const Eigen::Vector3f& color)
{
  return RGB(static_cast<std::uint8_t>(color.x()),
             static_cast<std::uint8_t>(color.y()),
             static_cast<std::uint8_t>(color.z()));
}

RGB
lookUp(const Palette& palette, float position)
{
  const float scaled = std::clamp(position, 0.0f, 1.0f) * (palette.size() - 1);
  const std::size_t low =
      std::min(static_cast<std::size_t>(scaled), palette.size() - 2);
  const float part = scaled - low;
  return toRgb((1.0f - part) * palette[low] + part * palette[low + 1]);
}

// Maps depths to 0..1. Linear in 1 / z, as near depths differ more; a few stray pixels
// do not spread the range.
class DepthRange {
public:
  explicit DepthRange(const PointCloud<PointXYZRGBNormal>& cloud)
  {
    std::vector<float> depths;
    for (const auto& point : cloud)
      if (std::isfinite(point.z))
        depths.push_back(point.z);
    if (depths.empty())
      return;
    std::sort(depths.begin(), depths.end());
    near_ = 1.0f / depths[depths.size() / 100];
    far_ = 1.0f / depths[depths.size() - 1 - depths.size() / 100];
  }

  float
  position(float z) const
  {
    return near_ == far_ ? 0.5f : (near_ - 1.0f / z) / (near_ - far_);
  }

private:
  float near_ = 1.0f;
  float far_ = 1.0f;
};

} // namespace

ColorImage
depthPicture(const TriangulatedFrame& frame)
{
  const DepthRange range(frame.cloud);
  ColorImage image;
  image.resize(frame.cloud.width, frame.cloud.height);
  for (std::size_t i = 0; i < frame.cloud.size(); ++i) {
    const float z = frame.cloud[i].z;
    image.pixels[i] = std::isfinite(z) ? lookUp(viridis, range.position(z)) : missing;
  }
  return image;
}

ColorImage
normalPicture(const TriangulatedFrame& frame)
{
  ColorImage image;
  image.resize(frame.cloud.width, frame.cloud.height);
  for (std::size_t i = 0; i < frame.cloud.size(); ++i) {
    const Eigen::Vector3f normal = frame.cloud[i].getNormalVector3fMap();
    // Right is red, up is green, towards the viewer is blue.
    const Eigen::Vector3f color(
        1.0f + normal.x(), 1.0f - normal.y(), 1.0f - normal.z());
    image.pixels[i] = normal.allFinite() ? toRgb(127.5f * color) : missing;
  }
  return image;
}

void
brighten(CompactMesh& mesh)
{
  std::vector<std::uint8_t> brightness;
  for (const PointXYZRGBNormal& vertex : mesh.vertices)
    brightness.push_back(std::max({vertex.r, vertex.g, vertex.b}));
  if (brightness.empty())
    return;
  // All but the lightest twentieth may grow to white, but no more than twofold: a dark
  // room should not look like noon.
  const auto light = brightness.begin() + 95 * (brightness.size() - 1) / 100;
  std::nth_element(brightness.begin(), light, brightness.end());
  const float gain = std::clamp(225.0f / std::max<int>(*light, 1), 1.0f, 2.0f);
  const auto scaled = [gain](std::uint8_t value) {
    return static_cast<std::uint8_t>(std::min(255.0f, gain * value));
  };
  for (PointXYZRGBNormal& vertex : mesh.vertices) {
    vertex.r = scaled(vertex.r);
    vertex.g = scaled(vertex.g);
    vertex.b = scaled(vertex.b);
  }
}

void
colorByDepth(CompactMesh& mesh)
{
  const DepthRange range(mesh.vertices);
  for (PointXYZRGBNormal& vertex : mesh.vertices) {
    const RGB color = lookUp(soft, range.position(vertex.z));
    vertex.r = color.r;
    vertex.g = color.g;
    vertex.b = color.b;
  }
  mesh.has_color = true;
}

} // namespace pcl::gpu::apps
