// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/sets/sets.h"
#include "gathering/volumes/query_volume.hpp"

// The work of a thread for its output pixel, and its order. One frame at a time, as in
// the paper: the sets of a pixel grow by one frame after the other.

namespace pcl::device {

/** \brief The block that a pixel is in, as placeOfBlock() counts them. */
PCL_GPU_HOST_DEVICE int
blockOf(int column, int row, int groups_across)
{
  const int group = row / group_rows * groups_across + column / group_columns;
  const int in_group = row % group_rows / block_rows * group_block_columns +
                       column % group_columns / block_columns;
  return group * group_blocks + in_group;
}

/** \brief The set of an output pixel, while a frame's samples are appended. */
struct GrowingSet {
  PCL_GPU_HOST_DEVICE
  GrowingSet(const VolumeTask& task, int frame, int column, int row)
  : task(task)
  , frame(task.frames[frame])
  , volume(pixelVolume(task, column, row))
  , pixel(task.store.pixel(column, row))
  , end{task.store.counts[pixel], task.store.counts[pixel]}
  {}

  /** \brief Returns whether no sample can be appended any more. */
  PCL_GPU_HOST_DEVICE bool
  isFull() const
  {
    return (end.count & is_full) != 0;
  }

  /** \brief From now on, leaves out blocks whose depths the volume does not have; only
   * for those that are no frustums, which have too many. */
  PCL_GPU_HOST_DEVICE void
  skipBlocks()
  {
    skips_blocks = true;
    seen = seenDepths(task, frame, volume);
  }

  /** \brief Tests the pixels of a segment, and appends those that are samples. */
  PCL_GPU_HOST_DEVICE void
  test(const RowSegment& segment)
  {
    const int row = segment.row, row_end = segment.right + 1;
    for (int column = segment.left; column < row_end;) {
      const int block_end = (column / block_columns + 1) * block_columns;
      const int next = block_end < row_end ? block_end : row_end;
      if (mayHaveSamples(column, row))
        for (int i = column; i < next; ++i)
          test(i, row);
      column = next;
    }
  }

  PCL_GPU_HOST_DEVICE void
  write() const
  {
    task.store.counts[pixel] = end.count;
  }

  /** \brief Returns whether the block of a pixel may have samples. */
  PCL_GPU_HOST_DEVICE bool
  mayHaveSamples(int column, int row) const
  {
    if (!skips_blocks)
      return true;
    const FrameImages& images = frame.frame.images;
    const DepthRange& depths =
        images.block_depths[blockOf(column, row, images.groupsAcross())];
    return depths.nearest <= seen.farthest && depths.farthest >= seen.nearest;
  }

  PCL_GPU_HOST_DEVICE void
  test(int column, int row)
  {
    const FrameImages& images = frame.frame.images;
    const std::size_t line = row;
    const float depth = images.depth[line * images.depth_stride + column];
    if (!gpu::isMeasuredDepth(depth) ||
        !contains(task, frame, volume, column, row, depth) ||
        !end.hasRoom(1, task.store.capacity))
      return;
    const PackedColor color = images.color[line * images.color_stride + column];
    const std::uint32_t position = static_cast<std::uint32_t>(row) << 16 | column;
    storeSample(
        task.store, pixel, end.count++, {{position, depth, color}, frame.frame.number});
  }

  const VolumeTask& task;
  const VolumeFrame& frame;
  PixelVolume volume;
  std::size_t pixel;
  SetEnd end;
  bool skips_blocks = false;
  DepthInterval seen{};
};

/** \brief Segments that a producer writes and a consumer reads. */
struct SegmentRound {
  int frame;
  int band_row; ///< of the sets, where the band begins
  bool is_first;
};

/** \brief The producer of algorithm 3: as many rows as there is room for. */
struct ProduceSegments {
  VolumeTask task;
  SegmentRound round;

  /** \param[in] band_row counted from the band's first row */
  PCL_GPU_HOST_DEVICE void
  operator()(int column, int band_row) const
  {
    const SegmentStorage& storage = task.storage;
    const SampleStore& store = task.store;
    const int row = round.band_row + band_row;
    const std::size_t pixels =
        static_cast<std::size_t>(store.columns) * storage.band_rows;
    const std::size_t place =
        static_cast<std::size_t>(band_row) * store.columns + column;
    const FrameImages& images = task.frames[round.frame].frame.images;
    ProducerState& state = storage.states[place];
    if (round.is_first)
      state.next_row = 0;
    state.segment_count = 0;
    const std::size_t pixel = static_cast<std::size_t>(row) * store.columns + column;
    if (state.next_row >= images.rows || (store.counts[pixel] & is_full))
      return;
    ProjectedVolume projected;
    projectVolume(task,
                  task.frames[round.frame],
                  task.extents[round.frame],
                  pixelVolume(task, store.first_column + column, store.first_row + row),
                  projected);
    HullRows<max_hull_points> rows(
        projected.hull, projected.margin, images.columns, images.rows, state.next_row);
    int count = 0;
    while (count < storage.capacity &&
           rows.next(storage.segments[count * pixels + place]))
      ++count;
    state.segment_count = static_cast<std::uint16_t>(count);
    state.next_row =
        static_cast<std::uint16_t>(rows.isAtEnd() ? images.rows : rows.nextRow());
  }
};

/** \brief The consumer of algorithm 3. */
struct ConsumeSegments {
  VolumeTask task;
  SegmentRound round;

  /** \param[in] band_row counted from the band's first row */
  PCL_GPU_HOST_DEVICE void
  operator()(int column, int band_row) const
  {
    const SegmentStorage& storage = task.storage;
    const SampleStore& store = task.store;
    const std::size_t pixels =
        static_cast<std::size_t>(store.columns) * storage.band_rows;
    const std::size_t place =
        static_cast<std::size_t>(band_row) * store.columns + column;
    const int count = storage.states[place].segment_count;
    if (count == 0 && !round.is_first)
      return;
    GrowingSet set(task,
                   round.frame,
                   store.first_column + column,
                   store.first_row + round.band_row + band_row);
    // A frame that turns out to have no room is taken out of all its rounds.
    std::uint32_t& before = storage.counts_before_frame[place];
    if (round.is_first)
      before = set.end.count_before_frame;
    set.end.count_before_frame = before;
    if (task.shape.kind != VolumeKind::Frustum && count > 0)
      set.skipBlocks();
    for (int i = 0; i < count && !set.isFull(); ++i)
      set.test(storage.segments[i * pixels + place]);
    set.write();
  }
};

/** \brief Runs producer and consumer in turn: as often as the tallest image may need,
 * which needs no answer from the device. Rounds that find nothing left cost next to
 * nothing.
 */
template <typename ForEachPixel>
void
passSegments(const VolumeTask& task, const ForEachPixel& forEachPixel)
{
  const SegmentStorage& storage = task.storage;
  for (int row = 0; row < task.store.rows; row += storage.band_rows) {
    const int left = task.store.rows - row;
    const int rows = left < storage.band_rows ? left : storage.band_rows;
    for (int frame = 0; frame < task.frame_count; ++frame)
      for (int done = 0; done < task.most_rows; done += storage.capacity) {
        const SegmentRound round{frame, row, done == 0};
        forEachPixel(
            "produceSegments", task.store.columns, rows, ProduceSegments{task, round});
        forEachPixel(
            "consumeSegments", task.store.columns, rows, ConsumeSegments{task, round});
      }
  }
}

} // namespace pcl::device
