// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "poses/model_pose.hpp"
#include "registration/registration_task.h"

#include <cmath>
#include <cstring>

namespace pcl::device {

/** \brief Key of a cell without a point. */
constexpr std::uint64_t no_point = ~std::uint64_t(0);

/** \brief Returns a point's place in the grid, in cells. */
PCL_GPU_HOST_DEVICE Vector3
placeInGrid(const GridTask& task, int number)
{
  const Vector3 point = vectorOf(task.center) + vectorOf(task.points[number]);
  return (1.0f / task.grid.cell) * (point - vectorOf(task.grid.lower));
}

/** \brief Returns the layer of the grid that a point is in. */
PCL_GPU_HOST_DEVICE int
layerOf(const GridTask& task, int number)
{
  return static_cast<int>(placeInGrid(task, number).z);
}

/** \brief Offers a point to the cells of a layer that it may be nearest to.
 * \param[in] dz layer, counted from that of the point: -reach to reach
 * \param[in] first,last layers of the grid that may be written
 * \param[in] offer is called with the number of a cell and a key; the least key of a
 * cell has the nearest point, of equally near ones the first
 */
template <typename Offer>
PCL_GPU_HOST_DEVICE void
offerPoint(
    const GridTask& task, int number, int dz, int first, int last, const Offer& offer)
{
  const SurfaceGrid& grid = task.grid;
  const Vector3 at = placeInGrid(task, number);
  const int column = static_cast<int>(at.x), row = static_cast<int>(at.y);
  const int z = static_cast<int>(at.z) + dz;
  if (z < first || z > last)
    return;
  const auto squared = [](float distance) { return distance * distance; };
  const float reach = squared(static_cast<float>(task.reach));
  const float beside_z = squared(at.z - (static_cast<float>(z) + 0.5f));
  for (int y = row - task.reach; y <= row + task.reach; ++y) {
    const float beside_row = beside_z + squared(at.y - (static_cast<float>(y) + 0.5f));
    if (beside_row > reach || y < 0 || y >= grid.size[1])
      continue;
    for (int x = column - task.reach; x <= column + task.reach; ++x) {
      const float apart = beside_row + squared(at.x - (static_cast<float>(x) + 0.5f));
      if (apart > reach || x < 0 || x >= grid.size[0])
        continue;
      // The bits of numbers that are not negative have the numbers' order.
      std::uint32_t bits;
      memcpy(&bits, &apart, sizeof(bits));
      offer((std::size_t(z) * grid.size[1] + y) * grid.size[0] + x,
            std::uint64_t(bits) << 32 | static_cast<std::uint32_t>(number));
    }
  }
}

/** \brief Returns the point of a cell's key. */
PCL_GPU_HOST_DEVICE int
pointOfKey(std::uint64_t key)
{
  return key == no_point ? -1 : static_cast<int>(key & 0xffffffffu);
}

/** \brief Returns the number of a point near a place: the nearest one, to within a
 * cell; -1 if there is none. */
PCL_GPU_HOST_DEVICE int
nearestPoint(const SurfaceGrid& grid, const Vector3& place)
{
  const float scale = 1.0f / grid.cell;
  const float x = floorf(scale * (place.x - grid.lower[0]));
  const float y = floorf(scale * (place.y - grid.lower[1]));
  const float z = floorf(scale * (place.z - grid.lower[2]));
  if (!(x >= 0.0f && y >= 0.0f && z >= 0.0f && x < static_cast<float>(grid.size[0]) &&
        y < static_cast<float>(grid.size[1]) && z < static_cast<float>(grid.size[2])))
    return -1;
  return grid.nearest[(std::size_t(z) * grid.size[1] + std::size_t(y)) * grid.size[0] +
                      std::size_t(x)];
}

} // namespace pcl::device
