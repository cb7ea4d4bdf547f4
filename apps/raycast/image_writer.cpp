// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "image_writer.h"

#include "../common/command_line/errors.h"
#include "../common/files/output_file.h"
#include "../common/view/vtk_messages.h"

#include <pcl/io/pcd_io.h>
#include <pcl/io/png_io.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace pcl::gpu::apps {

namespace {

/** \brief Writes a file by a function that reports its failures to VTK. */
template <typename Write>
void
writeCompletely(const std::string& path, const Write& write)
{
  writeFile(path, [&](const std::string& temporary) {
    VtkMessages::clear();
    write(temporary);
    if (!VtkMessages::first().empty())
      throw std::runtime_error(path + ": cannot be written: " + VtkMessages::first());
    return true;
  });
}

} // namespace

void
writeColorImage(const ColorImage& picture, const std::string& path)
{
  std::vector<unsigned char> bytes;
  bytes.reserve(3 * picture.pixels.size());
  for (const RGB& pixel : picture.pixels)
    for (const std::uint8_t byte : {pixel.r, pixel.g, pixel.b})
      bytes.push_back(byte);
  writeCompletely(path, [&](const std::string& temporary) {
    io::saveRgbPNGFile(temporary, bytes.data(), picture.width, picture.height);
  });
}

void
writeDepthImage(const RayCastFrame& frame, float scale, const std::string& path)
{
  constexpr float largest = 65534.0f; // 65535 marks missing depth for many readers
  std::vector<unsigned short> units;
  units.reserve(frame.depth.size());
  float most = 0.0f;
  for (const float depth : frame.depth) {
    const float unit = std::isnan(depth) ? 0.0f : std::round(depth / scale);
    most = std::max(most, unit);
    units.push_back(static_cast<unsigned short>(std::min(unit, largest)));
  }
  if (most > largest)
    throw fileError(path,
                    "depths up to " + std::to_string(most * scale) +
                        " m are too many units for 16 bits",
                    "a larger --depth-scale");
  writeCompletely(path, [&](const std::string& temporary) {
    io::saveShortPNGFile(temporary, units.data(), frame.width, frame.height, 1);
  });
}

ColorImage
trianglePicture(const RayCastFrame& frame)
{
  ColorImage picture;
  picture.resize(frame.width, frame.height);
  for (std::size_t i = 0; i < frame.triangles.size(); ++i) {
    const std::uint32_t number = static_cast<std::uint32_t>(frame.triangles[i]) + 1u;
    if (number >= 1u << 24)
      throw InputError("--ids: triangle " + std::to_string(number - 1) +
                       " does not fit into 24 bits: expected fewer triangles");
    // An odd factor: each number has a colour of its own, and neighbours differ.
    const std::uint32_t code = number * 10368889u;
    picture.pixels[i] = RGB(static_cast<std::uint8_t>(code >> 16),
                            static_cast<std::uint8_t>(code >> 8),
                            static_cast<std::uint8_t>(code));
  }
  return picture;
}

ColorImage
depthPicture(const RayCastFrame& frame)
{
  float nearest = INFINITY, farthest = 0.0f;
  for (const float depth : frame.depth)
    if (!std::isnan(depth)) {
      nearest = std::min(nearest, depth);
      farthest = std::max(farthest, depth);
    }
  ColorImage picture;
  picture.resize(frame.width, frame.height);
  for (std::size_t i = 0; i < frame.depth.size(); ++i) {
    if (std::isnan(frame.depth[i])) {
      picture.pixels[i] = RGB(28, 32, 42);
      continue;
    }
    const float part =
        (frame.depth[i] - nearest) / std::max(farthest - nearest, 1e-6f * farthest);
    const auto grey = static_cast<std::uint8_t>(std::lround(245.0f - 175.0f * part));
    picture.pixels[i] = RGB(grey, grey, grey);
  }
  return picture;
}

void
writeCloud(const PointCloud<PointXYZRGBNormal>& cloud, const std::string& path)
{
  writeFile(path, [&](const std::string& temporary) {
    // PCL refuses to compress a cloud without points.
    return (cloud.empty() ? PCDWriter().writeASCII(temporary, cloud)
                          : PCDWriter().writeBinaryCompressed(temporary, cloud)) == 0;
  });
}

} // namespace pcl::gpu::apps
