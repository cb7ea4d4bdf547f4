// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/gathering.h"

namespace pcl::device {

/** \brief Samples of a pixel that lie together: a sector of memory in most arrays. */
constexpr int sample_group = 8;

/** \brief Sets of samples: a group of each pixel, then the next group of each pixel. */
struct SampleStore {
  std::uint32_t* positions; ///< row << 16 | column
  float* depths;            ///< metres
  /** \brief Blue, green, red from the lowest byte on, and the low byte of the frame's
   * number. */
  std::uint32_t* colors;
  std::uint8_t* frame_high_bytes; ///< of the frames' numbers
  /** \brief Samples of each pixel, and is_full from the first frame on that had no
   * room. */
  std::uint32_t* counts;
  int capacity;                ///< samples a pixel
  int columns, rows;           ///< of the pixels
  int first_column, first_row; ///< of the output, where the pixels begin

  PCL_GPU_HOST_DEVICE std::size_t
  pixels() const
  {
    return static_cast<std::size_t>(columns) * rows;
  }

  /** \brief Returns whether there is a set for a pixel of the output. */
  PCL_GPU_HOST_DEVICE bool
  hasPixel(int column, int row) const
  {
    return column >= first_column && column < first_column + columns &&
           row >= first_row && row < first_row + rows;
  }

  /** \brief The number of a pixel of the output. */
  PCL_GPU_HOST_DEVICE std::size_t
  pixel(int column, int row) const
  {
    return static_cast<std::size_t>(row - first_row) * columns +
           (column - first_column);
  }

  /** \brief The place of a sample in the arrays. */
  PCL_GPU_HOST_DEVICE std::size_t
  place(std::size_t pixel, std::uint32_t number) const
  {
    return (number / sample_group * pixels() + pixel) * sample_group +
           number % sample_group;
  }
};

constexpr std::uint32_t is_full = 0x80000000u;

struct StoreTask {
  GatheringTask gathering;
  SampleStore store;
};

/** \brief A sample of a frame. */
struct SampleWords {
  std::uint32_t position; ///< row << 16 | column
  float depth;            ///< metres
  PackedColor color;      ///< the highest byte does not matter
};

/** \brief A sample as sets have it. */
struct StoredSample : SampleWords {
  int frame; ///< its number
};

/** \brief A colour as sets have it. */
PCL_GPU_HOST_DEVICE std::uint32_t
storedColor(PackedColor color, std::uint32_t frame)
{
  return (color & color_bits) | frame << 24;
}

PCL_GPU_HOST_DEVICE void
storeSample(const SampleStore& store,
            std::size_t pixel,
            std::uint32_t number,
            const StoredSample& sample)
{
  const std::size_t place = store.place(pixel, number);
  const std::uint32_t frame = sample.frame;
  store.positions[place] = sample.position;
  store.depths[place] = sample.depth;
  store.colors[place] = storedColor(sample.color, frame);
  store.frame_high_bytes[place] = static_cast<std::uint8_t>(frame >> 8);
}

PCL_GPU_HOST_DEVICE StoredSample
loadSample(const SampleStore& store, std::size_t pixel, std::uint32_t number)
{
  const std::size_t place = store.place(pixel, number);
  const std::uint32_t color = store.colors[place];
  const int frame = static_cast<int>(color >> 24 | store.frame_high_bytes[place] << 8);
  return {{store.positions[place], store.depths[place], color & color_bits}, frame};
}

/** \brief The place of the next sample of a pixel. A frame whose samples do not all
 * have room is left out with all later ones. */
struct SetEnd {
  std::uint32_t count; ///< as SampleStore has it
  std::uint32_t count_before_frame;

  PCL_GPU_HOST_DEVICE void
  beginFrame()
  {
    count_before_frame = count;
  }

  /** \brief Returns whether there is room for more samples of the frame. */
  PCL_GPU_HOST_DEVICE bool
  hasRoom(std::uint32_t samples, std::uint32_t capacity)
  {
    if (count & is_full)
      return false;
    if (samples <= capacity - count)
      return true;
    count = count_before_frame | is_full;
    return false;
  }
};

namespace host {

/** \brief Appends samples to sets. */
void
storeSamples(const StoreTask& task);

} // namespace host

namespace cuda {

void
storeSamples(const StoreTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
