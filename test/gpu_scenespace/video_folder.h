// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/temporary_folder.h"

#include <pcl/io/png_io.h>

#include <string>
#include <vector>

namespace pcl {
namespace gpu {
namespace test {

constexpr int frame_width = 6, frame_height = 4;

/** \brief Writes a depth map whose pixel number i has first + i units. */
inline std::string
writeDepth(const TemporaryFolder& folder,
           const std::string& name,
           int first,
           int width = frame_width,
           int height = frame_height)
{
  std::vector<unsigned short> depth(std::size_t(width) * height);
  for (std::size_t i = 0; i < depth.size(); ++i)
    depth[i] = static_cast<unsigned short>(first + i);
  pcl::io::saveShortPNGFile(folder / name, depth.data(), width, height, 1);
  return folder / name;
}

/** \brief Writes a colour image whose pixel number i has the colour (level, i, 0). */
inline std::string
writeColor(const TemporaryFolder& folder,
           const std::string& name,
           int level,
           int width = frame_width,
           int height = frame_height)
{
  std::vector<unsigned char> bytes;
  for (int i = 0; i < width * height; ++i)
    for (const int value : {level, i, 0})
      bytes.push_back(static_cast<unsigned char>(value));
  pcl::io::saveRgbPNGFile(folder / name, bytes.data(), width, height);
  return folder / name;
}

} // namespace test
} // namespace gpu
} // namespace pcl
