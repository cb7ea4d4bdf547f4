// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/volumes/volume_passes.hpp"

namespace pcl::device {

/** \brief Algorithm 1 for a frame. Its second loop is over pixels p of the output,
 * though "q of input image O" is printed. */
struct TestAllPixels {
  VolumeTask task;
  int frame;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    GrowingSet set(
        task, frame, task.store.first_column + column, task.store.first_row + row);
    const FrameImages& images = task.frames[frame].frame.images;
    const auto last = static_cast<std::uint16_t>(images.columns - 1);
    if (!set.volume.exists)
      return;
    for (int i = 0; i < images.rows && !set.isFull(); ++i)
      set.test({static_cast<std::uint16_t>(i), 0, last});
    set.write();
  }
};

/** \brief Algorithm 2 for a frame. */
struct TestHulls {
  VolumeTask task;
  int frame;

  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    GrowingSet set(
        task, frame, task.store.first_column + column, task.store.first_row + row);
    if (set.isFull())
      return;
    const FrameImages& images = task.frames[frame].frame.images;
    ProjectedVolume projected;
    projectVolume(task, task.frames[frame], task.extents[frame], set.volume, projected);
    HullRows<max_hull_points> rows(
        projected.hull, projected.margin, images.columns, images.rows, 0);
    RowSegment segment;
    while (!set.isFull() && rows.next(segment))
      set.test(segment);
    set.write();
  }
};

/** \brief Runs a pass for every pixel of the sets, frame by frame.
 * \param[in] forEachPixel takes a name, numbers of columns and rows, and a pass
 */
template <typename Pass, typename ForEachPixel>
void
passOverFrames(const char* name,
               const VolumeTask& task,
               const ForEachPixel& forEachPixel)
{
  for (int frame = 0; frame < task.frame_count; ++frame)
    forEachPixel(name, task.store.columns, task.store.rows, Pass{task, frame});
}

namespace host {

/** \brief Algorithm 1: tests every pixel of every frame. */
void
testAllPixels(const VolumeTask& task);

/** \brief Algorithm 2: tests the pixels in the convex hull of the projected volume. */
void
testHulls(const VolumeTask& task);

} // namespace host

namespace cuda {

void
testAllPixels(const VolumeTask& task, CUstream_st* stream);

void
testHulls(const VolumeTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
