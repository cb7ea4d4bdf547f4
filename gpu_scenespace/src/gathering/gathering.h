// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/scene_types.hpp"

#include <cstddef>

struct CUstream_st;

namespace pcl::device {

/** \brief Frames to gather samples from, in this order. All arrays live on the device. */
struct GatheringTask {
  const Frame* frames;
  int frame_count;
  int group_count;        ///< of all frames
  int most_groups;        ///< of a frame
  TileRange* group_tiles; ///< scratch: what may see samples of a group
  TileRange* block_tiles; ///< scratch: group_blocks as many
  /** \brief Scratch: what may see samples of grouped_groups groups in a row of a frame, from
   * frame.first_range on. */
  TileRange* range_tiles;
  ViewGeometry view;
  TileArea tiles; ///< of the output, which are gathered for
  /** \brief Scratch of CUDA's driver: the tiles, the dearest first, and what sorts them. */
  std::uint32_t *tile_order, *tile_numbers, *tile_costs, *sorted_costs;
  void* order_scratch;
  std::size_t order_scratch_bytes;
};

/** \brief Bits of a tile's cost: of the number of blocks that it may see, at most. */
constexpr int cost_bits = 24;

/** \brief Samples of a pixel that lie together: a sector of memory in most arrays. */
constexpr int sample_group = 8;

/** \brief Sets of samples: a group of each pixel, then the next group of each pixel. */
struct SampleStore {
  std::uint32_t* positions; ///< row << 16 | column
  float* depths;            ///< metres
  /** \brief Blue, green, red from the lowest byte on, and the low byte of the frame's number. */
  std::uint32_t* colors;
  std::uint8_t* frame_high_bytes; ///< of the frames' numbers
  /** \brief Samples of each pixel, and is_full from the first frame on that had no room. */
  std::uint32_t* counts;
  int capacity;                ///< samples a pixel
  int columns, rows;           ///< of the pixels
  int first_column, first_row; ///< of the output, where the pixels begin

  PCL_GPU_HOST_DEVICE std::size_t
  pixels() const
  {
    return static_cast<std::size_t>(columns) * rows;
  }

  /** \brief Whether there is a set for a pixel of the output. */
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

  /** \brief Where a sample lies in the arrays. */
  PCL_GPU_HOST_DEVICE std::size_t
  place(std::size_t pixel, std::uint32_t number) const
  {
    return (number / sample_group * pixels() + pixel) * sample_group +
           number % sample_group;
  }
};

constexpr std::uint32_t is_full = 0x80000000u;

/** \brief What samples are compared with, pixel by pixel: an image of the output's size. */
struct ReferenceImages {
  const PackedColor* color;
  const float* depth; ///< metres; without one, only colour and time are compared
  int color_stride, depth_stride; ///< pixels from row to row
};

/** \brief Deviations of eq. (2) as powerOfTwo() wants them: -log2(e) / (2 sigma^2). */
struct SimilarityExponents {
  float color, position, time;
  float reference_time;
};

/** \brief Weighted colours and their weights, pixel by pixel without gaps. */
struct alignas(16) ColorSum {
  float red, green, blue, weight;
};

struct SumTask {
  GatheringTask gathering;
  ReferenceImages reference;
  SimilarityExponents exponents;
  ColorSum* sums;
};

struct StoreTask {
  GatheringTask gathering;
  SampleStore store;
};

/** \brief Deviations of an average as powerOfTwo() wants them. */
struct AverageExponents {
  float color;
  float position, position_in_front; ///< of samples behind the reference and before it
  /** \brief Of the distance from the pixel's centre, in units of a focal length. */
  float tangent_x, tangent_y;
};

/** \brief Sums of a pixel's samples: weighted colours and depths, weights, squared weights. */
struct alignas(8) AverageSum {
  float red, green, blue, weight, depth, square;
};

/** \brief A weighted sum whose weights count distance from the pixel's centre, too. */
struct AverageTask {
  GatheringTask gathering;
  ReferenceImages reference; ///< null where colour or depth are not compared
  AverageExponents exponents;
  AverageSum* sums;
};

/** \brief Depths that a pixel may have, and how much speaks for each. */
constexpr int layer_count = 4;
struct alignas(16) LayerSum {
  float depths[layer_count]; ///< metres; means of their samples
  float weights[layer_count];
};

/** \brief Sorts samples' depths into layers. */
struct LayerTask {
  GatheringTask gathering;
  AverageExponents exponents; ///< of tangents alone
  float tolerance; ///< how far samples of a layer are apart, as a part of their depth
  LayerSum* sums;
};

/** \brief What stored samples have of a FrameProjection: an odd number of words, so that threads
 * that look up different frames find them in different banks. */
struct StoredProjection {
  float to_point[3][4];
  float center_column, center_row;
  float time; ///< s_t
};
static_assert(sizeof(StoredProjection) % 8 == 4, "an odd number of words");

/** \brief A weighted sum of stored samples. */
struct StoredSumTask {
  SampleStore store;
  /** \brief Of the frames that samples are of, by their numbers less first_number. */
  const StoredProjection* frames;
  int first_number;
  int frame_count; ///< entries of frames
  ViewGeometry view;
  ReferenceImages reference;
  SimilarityExponents exponents;
  ColorSum* sums;
};

struct ChooseLayer;
struct DivideAverage;

/** \brief What gathering asks of a device.
 *
 * One object a device kind; it has no state. Sizes and arguments have been checked, all
 * memory lives on the device that is current, and outputs have their size.
 */
class GatheringDriver {
public:
  using Queue = CUstream_st*;

  /** \brief Finds the nearest and farthest depth of every block. */
  virtual void
  boundDepths(const FrameImages& images,
              DepthRange* block_depths,
              Queue queue) const = 0;

  /** \brief Scratch memory to sort as many tiles by their costs; 0 if they are not sorted. */
  virtual std::size_t
  orderScratchBytes(int) const
  {
    return 0;
  }

  /** \brief Adds weighted samples to sums that begin at 0 or go on. */
  virtual void
  addSamples(const SumTask& task, Queue queue) const = 0;

  /** \brief Adds weighted samples to sums that begin at 0 or go on. */
  virtual void
  addToAverages(const AverageTask& task, Queue queue) const = 0;

  /** \brief Adds samples to layers that begin at 0 or go on. */
  virtual void
  addToLayers(const LayerTask& task, Queue queue) const = 0;

  /** \brief Divides sums by their weights. */
  virtual void
  divideAverages(const DivideAverage& division,
                 int columns,
                 int rows,
                 Queue queue) const = 0;

  /** \brief Chooses a layer of every pixel. */
  virtual void
  chooseLayers(const ChooseLayer& choice, int columns, int rows, Queue queue) const = 0;

  /** \brief Appends samples to sets. */
  virtual void
  storeSamples(const StoreTask& task, Queue queue) const = 0;

  /** \brief Sums as addSamples() does, bit for bit. */
  virtual void
  sumStoredSamples(const StoredSumTask& task, Queue queue) const = 0;

  /** \brief Divides sums by their weights; where these are 0, the reference stays. */
  virtual void
  divideSums(const ColorSum* sums,
             const ReferenceImages& reference,
             int columns,
             int rows,
             PackedColor* output,
             int output_stride,
             Queue queue) const = 0;

  virtual void
  clear(void* memory, std::size_t bytes, Queue queue) const = 0;

protected:
  ~GatheringDriver() = default;
};

const GatheringDriver&
hostGatheringDriver();

/** \brief Writes which tiles may see samples of the groups and blocks of frames in the host's
 * memory, as gathering does first. */
void
hostBoundTiles(const GatheringTask& task);

/** \brief Exists only where the module is built with CUDA. */
const GatheringDriver&
cudaGatheringDriver();

} // namespace pcl::device
