// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/composition/picture_pyramid.h"

#include <pcl/gpu/utils/internal/dispatch.h>

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

void
PicturePyramid::fillHoles(const Device& device, const Stream& stream) const
{
  const int count = static_cast<int>(levels_.size());
  for (int i = 0; i + 1 < count; ++i)
    parallelFor2D(device,
                  levels_[i + 1].columns,
                  levels_[i + 1].rows,
                  device::PullPixel{levels_[i], levels_[i + 1]},
                  stream);
  for (int i = count - 2; i >= 0; --i)
    parallelFor2D(device,
                  levels_[i].columns,
                  levels_[i].rows,
                  device::PushPixel{levels_[i + 1], levels_[i]},
                  stream);
}

} // namespace pcl::gpu
