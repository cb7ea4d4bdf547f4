// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "close_up.h"

#include <cmath>

namespace pcl::gpu::apps {

namespace {

// How far the normals of a window are from all being one; 0 where the surface is torn.
float
interest(const TriangulatedFrame& frame, const PixelWindow& window)
{
  const int width = frame.cloud.width;
  Eigen::Vector3f sum = Eigen::Vector3f::Zero();
  float nearest = INFINITY, farthest = 0.0f;
  int count = 0, all = 0;
  for (int v = window.top; v < window.bottom; v += 2)
    for (int u = window.left; u < window.right; u += 2, ++all) {
      const PointXYZRGBNormal& point = frame.cloud[v * width + u];
      if (!std::isfinite(point.normal_x) || !std::isfinite(point.z))
        continue;
      sum += point.getNormalVector3fMap();
      nearest = std::min(nearest, point.z);
      farthest = std::max(farthest, point.z);
      ++count;
    }
  const bool is_whole = count > 0.98f * all && farthest < 1.1f * nearest;
  if (!is_whole)
    return 0.0f;
  // Near surfaces are measured best.
  return (1.0f - sum.norm() / count) / nearest;
}

} // namespace

PixelWindow
interestingWindow(const TriangulatedFrame& frame)
{
  const int width = frame.cloud.width, height = frame.cloud.height;
  PixelWindow best{0, 0, width, height};
  const int columns = width / 10, rows = height / 10;
  if (columns < 16 || rows < 12)
    return best;
  float most = -1.0f;
  for (int top = 0; top + rows <= height; top += rows / 4)
    for (int left = 0; left + columns <= width; left += columns / 4) {
      const PixelWindow window{left, top, left + columns, top + rows};
      const float value = interest(frame, window);
      if (value > most) {
        most = value;
        best = window;
      }
    }
  return best;
}

} // namespace pcl::gpu::apps
