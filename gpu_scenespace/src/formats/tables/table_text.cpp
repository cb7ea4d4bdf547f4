// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/tables/table_text.h"

#include "video/frame_checks.h"

#include <pcl/gpu/utils/internal/number_text.h>

#include <limits>

namespace pcl::gpu {

namespace {

template <typename Number>
std::string
allDigits(Number number)
{
  return numberText(number, std::numeric_limits<Number>::max_digits10);
}

} // namespace

std::string
textOf(float number)
{
  return allDigits(number);
}

std::string
textOf(const PinholeCamera& camera)
{
  const std::string size = hasSize(camera) ? std::to_string(camera.width) + " " +
                                                 std::to_string(camera.height) + " "
                                           : "";
  return size + textOf(camera.fx) + " " + textOf(camera.fy) + " " + textOf(camera.cx) +
         " " + textOf(camera.cy);
}

std::string
textOf(double time, const Pose& pose)
{
  const Eigen::Vector3f position = pose.translation();
  const Eigen::Quaterniond orientation(pose.linear().cast<double>());
  const Eigen::Vector4d parts = orientation.coeffs().normalized(); // x, y, z, w
  std::string text = allDigits(time);
  for (int i = 0; i < 3; ++i)
    text += " " + allDigits(position[i]);
  for (int i = 0; i < 4; ++i)
    text += " " + allDigits(parts[i]);
  return text;
}

std::string
matrixText(const Pose& pose)
{
  std::string text;
  for (int i = 0; i < 16; ++i)
    text += allDigits(pose.matrix()(i / 4, i % 4)) + (i % 4 == 3 ? "\n" : " ");
  return text;
}

} // namespace pcl::gpu
