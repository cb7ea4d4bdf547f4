// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/temporary_folder.h"

#include <pcl/gpu/utils/pose.h>
#include <pcl/io/png_io.h>

#include <Eigen/Geometry>

#include <sstream>
#include <string>
#include <vector>

namespace pcl::gpu::test {

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

/** \brief A pose that turns about the vertical axis. */
inline Pose
turned(float angle, float x)
{
  Pose pose = Pose::Identity();
  pose.linear() = Eigen::AngleAxisf(angle, Eigen::Vector3f::UnitY()).toRotationMatrix();
  pose.translation() = Eigen::Vector3f(x, 0.5f, -1.0f);
  return pose;
}

/** \brief The entries of its matrix, in four lines. */
inline std::string
matrixText(const Pose& pose)
{
  std::ostringstream text;
  text.precision(9);
  for (int i = 0; i < 16; ++i)
    text << pose.matrix()(i / 4, i % 4) << (i % 4 == 3 ? "\n" : " ");
  return text.str();
}

/** \brief A text as one line. */
inline std::string
oneLine(std::string text)
{
  for (char& c : text)
    c = c == '\n' ? ' ' : c;
  return text + "\n";
}

} // namespace pcl::gpu::test
