// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/cuda_gather.cuh"
#include "gathering/sets/sets.h"

#include <type_traits>

namespace pcl::device {

namespace {

/** \brief Rows of cells whose samples are appended to a pixel's set in one go. */
constexpr int merged_rows = 3;

/** \brief Samples of some rows of cells that a pixel sees, one after the other. */
struct SampleRanges {
  int begins[merged_rows]; ///< places in the order of samples
  int ends[merged_rows];   ///< numbers of samples up to there

  /** \brief Place of a sample in the order. */
  __device__ int
  placeOf(int number) const
  {
    int place = begins[0] + number;
#pragma unroll
    for (int i = 1; i < merged_rows; ++i)
      if (number >= ends[i - 1])
        place = begins[i] + number - ends[i - 1];
    return place;
  }

  /** \brief Those that another lane has. */
  __device__ SampleRanges
  ofLane(int lane) const
  {
    SampleRanges its;
#pragma unroll
    for (int i = 0; i < merged_rows; ++i) {
      its.begins[i] = __shfl_sync(all_lanes, begins[i], lane);
      its.ends[i] = __shfl_sync(all_lanes, ends[i], lane);
    }
    return its;
  }
};

/** \brief Samples that wait, by their numbers in the group and by pixels. */
struct WaitingSamples {
  static constexpr int pixels = tile_columns * tile_rows;

  SampleWords words[sample_group - 1][pixels];
  std::uint16_t frames[sample_group - 1][pixels];
};

/** \brief Memory if no samples wait. */
struct NoSamples {};

/** \brief The set of a pixel for each thread.
 *
 * Memory is written by whole groups, which are sectors of it: samples of a pixel beyond
 * its last whole group wait in shared memory until there is more. Two threads write a
 * group together, each half of the sector: sectors that are written in two goes take L2
 * twice as long, and more threads for a group more instructions. On devices without so
 * much shared memory samples are written one by one.
 *
 * \tparam Waits whether samples wait
 */
template <int Footprint, bool Waits>
class PixelSets {
public:
  static constexpr bool is_guided = false;
  using Samples = TileSampler<Footprint, chunk_blocks, 1, SampleWords>;

  using Memory = std::conditional_t<Waits, WaitingSamples, NoSamples>;

  __device__ SampleWords
  makeSample(int,
             const ScenePoint<float>&,
             unsigned int packed_place,
             float depth,
             PackedColor color,
             PackedColor)
  {
    return {packed_place, depth, color};
  }

  __device__
  PixelSets(const StoreTask& task, Memory& memory, int tile_x, int tile_y)
  : store_(task.store)
  , memory_(memory)
  , column_(tile_x * tile_columns + threadIdx.x % warp_size)
  , row_(tile_y * tile_rows + threadIdx.x / warp_size)
  {
    // A pixel outside is as one whose set is full.
    end_.count = isInside() ? store_.counts[pixel()] : is_full;
    if constexpr (Waits) {
      const std::uint32_t count = end_.count & ~is_full;
      written_ = count / sample_group * sample_group;
      for (std::uint32_t i = written_; i < count; ++i)
        keep(i - written_, loadSample(store_, pixel(), i));
    }
    __syncwarp();
  }

  __device__ void
  beginFrame(const Frame&)
  {
    end_.beginFrame();
  }

  __device__ void
  add(const Frame& frame, const Samples& samples)
  {
    const int width = samples.footprint(), cells = samples.cellColumns();
    const int first_cell = samples.warp * cells + samples.lane;
#pragma unroll 1
    for (int i = 0; i < width; i += merged_rows) {
      SampleRanges ranges;
      int total = 0;
#pragma unroll
      for (int j = 0; j < merged_rows; ++j) {
        const int cell = first_cell + (i + j) * cells;
        const bool is_seen = i + j < width;
        ranges.begins[j] = is_seen ? samples.start(cell) : 0;
        total += is_seen ? samples.start(cell + width) - ranges.begins[j] : 0;
        ranges.ends[j] = total;
      }
      if (!end_.hasRoom(total, store_.capacity))
        total = 0;
      if constexpr (Waits)
        append(frame, samples, ranges, total);
      else
        appendOneByOne(frame, samples, ranges, total);
      end_.count += total;
    }
  }

  __device__ void
  write() const
  {
    if (!isInside())
      return;
    const std::uint32_t count = end_.count & ~is_full;
    if constexpr (Waits)
      for (std::uint32_t i = written_; i < count; ++i)
        storeSample(store_, pixel(), i, kept(i - written_, threadIdx.x % warp_size));
    store_.counts[pixel()] = end_.count;
  }

private:
  /** \brief Appends to the sets of a row of pixels, one for each lane.
   * \param[in] ranges,total samples for this lane's pixel
   */
  __device__ void
  append(const Frame& frame,
         const Samples& samples,
         const SampleRanges& ranges,
         int total)
  {
    const int waiting = total == 0 ? 0 : static_cast<int>(end_.count - written_);
    const int groups = (waiting + total) / sample_group;
    const int most_groups = maxOverWarp(groups);
#pragma unroll 1
    for (int group = 0; group < most_groups; ++group)
#pragma unroll 1
      for (int side = 0; side < 2; ++side)
        writeGroup(frame, samples, ranges, waiting, groups, group, side);
    __syncwarp();
    // New samples of the rest wait, behind those that wait already unless these were
    // written.
    const int taken = groups == 0 ? 0 : groups * sample_group - waiting;
    const int first = groups == 0 ? waiting : 0;
#pragma unroll 1
    for (int i = taken; i < total; ++i)
      keep(first + i - taken, newSample(frame, samples, ranges, i));
    written_ += groups * sample_group;
    __syncwarp();
  }

  /** \brief The same, where none waits. */
  __device__ void
  appendOneByOne(const Frame& frame,
                 const Samples& samples,
                 const SampleRanges& ranges,
                 int total) const
  {
#pragma unroll 1
    for (int i = 0; i < total; ++i)
      storeSample(
          store_, pixel(), end_.count + i, newSample(frame, samples, ranges, i));
  }

  /** \brief Writes a group of each of those of two neighbours' pixels that have so
   * many, half of it each; all lanes call.
   * \param[in] ranges,waiting,groups those of this lane's pixel
   * \param[in] group number of the group
   * \param[in] side which of the two
   */
  __device__ void
  writeGroup(const Frame& frame,
             const Samples& samples,
             const SampleRanges& ranges,
             int waiting,
             int groups,
             int group,
             int side) const
  {
    constexpr int half = sample_group / 2;
    const int lane = samples.lane, owner = (lane & ~1) | side;
    const SampleRanges its_ranges = ranges.ofLane(owner);
    const int its_waiting = __shfl_sync(all_lanes, waiting, owner);
    const int its_groups = __shfl_sync(all_lanes, groups, owner);
    const std::uint32_t its_written = __shfl_sync(all_lanes, written_, owner);
    if (group >= its_groups)
      return;
    const int first = group * sample_group + lane % 2 * half;
    std::uint32_t positions[half], colors[half], high_bytes = 0;
    float depths[half];
#pragma unroll
    for (int i = 0; i < half; ++i) {
      const int number = first + i - its_waiting;
      const StoredSample sample = number < 0
                                      ? kept(first + i, owner)
                                      : newSample(frame, samples, its_ranges, number);
      positions[i] = sample.position;
      depths[i] = sample.depth;
      colors[i] = storedColor(sample.color, sample.frame);
      high_bytes |= static_cast<std::uint32_t>(sample.frame >> 8) << 8 * i;
    }
    const std::size_t place = store_.place(pixel() - lane + owner, its_written + first);
    // Assignments would be taken apart into stores of four bytes.
    __stwb(reinterpret_cast<uint4*>(store_.positions + place),
           make_uint4(positions[0], positions[1], positions[2], positions[3]));
    __stwb(reinterpret_cast<float4*>(store_.depths + place),
           make_float4(depths[0], depths[1], depths[2], depths[3]));
    __stwb(reinterpret_cast<uint4*>(store_.colors + place),
           make_uint4(colors[0], colors[1], colors[2], colors[3]));
    *reinterpret_cast<std::uint32_t*>(store_.frame_high_bytes + place) = high_bytes;
  }

  __device__ static StoredSample
  newSample(const Frame& frame,
            const Samples& samples,
            const SampleRanges& ranges,
            int number)
  {
    const unsigned int place = ranges.placeOf(number) * Samples::order_bytes;
    return {samples.made(samples.sampleOffset(place)), frame.number};
  }

  /** \brief Queues a sample of this thread's pixel. */
  __device__ void
  keep(int number, const StoredSample& sample)
  {
    const int place = placeInTile(threadIdx.x % warp_size);
    memory_.words[number][place] = sample;
    memory_.frames[number][place] = static_cast<std::uint16_t>(sample.frame);
  }

  /** \brief A sample that waits, of the pixel of any lane. */
  __device__ StoredSample
  kept(int number, int lane) const
  {
    const int place = placeInTile(lane);
    return {memory_.words[number][place], memory_.frames[number][place]};
  }

  __device__ static int
  placeInTile(int lane)
  {
    return threadIdx.x / warp_size * tile_columns + lane;
  }

  __device__ bool
  isInside() const
  {
    return store_.hasPixel(column_, row_);
  }

  __device__ std::size_t
  pixel() const
  {
    return store_.pixel(column_, row_);
  }

  const SampleStore& store_;
  Memory& memory_;
  int column_, row_;
  SetEnd end_;
  std::uint32_t written_; ///< samples in whole groups that are in memory
};

template <int Footprint>
using WaitingSets = PixelSets<Footprint, true>;
template <int Footprint>
using DirectSets = PixelSets<Footprint, false>;

static_assert(fits_every_gpu<DirectSets<0>>, "there is a way for every GPU");
static_assert(sizeof(GatherMemory<WaitingSets<3>>) <= 99 * 1024,
              "GPUs for desktops have it since Ampere");

} // namespace

void
cuda::storeSamples(const StoreTask& task, cudaStream_t stream)
{
  const bool may_wait = task.gathering.view.footprint == 3
                            ? fitsDevice<WaitingSets<3>>()
                            : fitsDevice<WaitingSets<0>>();
  if (may_wait)
    gather<WaitingSets>("storeSamples", task, stream);
  else
    gather<DirectSets>("storeSamples", task, stream);
}

} // namespace pcl::device
