// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "poses/model_pose.hpp"
#include "recognition/recognition_task.h"

// How far the scene's surface goes on in its plane: a table, a wall or a floor does for
// longer than an object.

namespace pcl::device {

/** \brief Directions along the grid in which planes are followed. */
constexpr int plane_directions = 8;

/** \brief Farthest that a plane is followed, metres: longer than objects. */
constexpr float longest_plane = 0.35f;

/** \brief Returns how far the plane at a pixel of the grid goes on in a direction,
 * metres; 0 where nothing is measured.
 * \param[in] direction 0 to plane_directions - 1; opposite ones are half of them apart
 */
PCL_GPU_HOST_DEVICE float
planeReach(const CameraCloud& scene,
           const DepthDeviation& deviation,
           const PixelGrid& grid,
           int column,
           int row,
           int direction)
{
  constexpr int most_steps = 60;
  // Normals of a plane, and the slope that errors of them make.
  constexpr float parallel = 0.94f, slope = 0.03f;
  constexpr float deviations = 1.5f;
  const int quarter = direction % 4;
  const int sign = direction < 4 ? 1 : -1;
  const int dx = sign * (quarter == 2 ? 0 : quarter == 3 ? -1 : 1) * grid.stride;
  const int dy = sign * (quarter == 0 ? 0 : 1) * grid.stride;
  int x = column * grid.stride, y = row * grid.stride;
  const Float4 from = scene.cloud.ptr(y)[x], from_normal = scene.normals.ptr(y)[x];
  if (!isFinite(from) || !isFinite(from_normal))
    return 0.0f;
  const Vector3 start = vectorOf(from), normal = vectorOf(from_normal);
  const float tolerance = deviations * deviation.at(start.z);
  float reach = 0.0f;
  bool missed = false; // one pixel may be
  for (int step = 1; step < most_steps; ++step) {
    x += dx;
    y += dy;
    if (x < 0 || y < 0 || x >= scene.cloud.cols || y >= scene.cloud.rows)
      break;
    const Float4 seen = scene.cloud.ptr(y)[x], seen_normal = scene.normals.ptr(y)[x];
    if (isFinite(seen) && isFinite(seen_normal)) {
      const Vector3 apart = vectorOf(seen) - start;
      const float length = sqrtf(dot(apart, apart));
      if (fabsf(dot(normal, apart)) < tolerance + slope * length &&
          dot(normal, vectorOf(seen_normal)) > parallel) {
        reach = length;
        missed = false;
        if (length > longest_plane)
          break;
        continue;
      }
    }
    if (missed)
      break;
    missed = true;
  }
  return reach;
}

} // namespace pcl::device
