// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/composition/picture_pyramid.h"

namespace pcl::gpu {

namespace {

/** \brief Calls visit(columns, rows) for each level. */
template <typename Visit>
void
forLevels(int columns, int rows, Visit visit)
{
  visit(columns, rows);
  while (columns > 1 || rows > 1) {
    columns = device::halfSize(columns);
    rows = device::halfSize(rows);
    visit(columns, rows);
  }
}

} // namespace

std::size_t
PicturePyramid::estimateMemory(int columns, int rows)
{
  std::size_t bytes = 0;
  forLevels(columns, rows, [&](int width, int height) {
    bytes += Workspace::bytesFor<device::HolePixel>(std::size_t(width) * height);
  });
  return bytes;
}

void
PicturePyramid::resize(int columns, int rows)
{
  memory_.reserve(estimateMemory(columns, rows));
  levels_.clear();
  forLevels(columns, rows, [&](int width, int height) {
    levels_.push_back(
        {memory_.take<device::HolePixel>(std::size_t(width) * height), width, height});
  });
}

} // namespace pcl::gpu
