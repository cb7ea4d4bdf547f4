// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/cuda_gather.cuh"
#include "gathering/sums/pixel_sums-inl.h"

#include <pcl/gpu/utils/internal/device/cuda_loop.cuh>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::device {

namespace {

/** \brief A byte of a colour, lowest first, as a number: 2^23 and the byte, less
 * 2^23. */
template <int Byte>
__device__ float
levelOf(PackedColor color)
{
  constexpr unsigned int shifter = 0x4b000000u;
  return __uint_as_float(__byte_perm(color, shifter, 0x7440 + Byte)) -
         __uint_as_float(shifter);
}

__device__ Levels<float>
levelsOfOne(PackedColor color)
{
  return {levelOf<2>(color), levelOf<1>(color), levelOf<0>(color)};
}

/** \brief Guides of the samples of a chunk. */
struct GuideMemory {
  PackedColor guides[guided_chunk_blocks * block_pixels]; ///< by slots
};

/** \brief Memory without guides. */
struct NoGuides {};

/** \brief A strip of pixels for each thread, which samples are added to.
 * \tparam Pixel WeightedPixel or LayeredPixel
 */
template <int Footprint, typename Pixel>
class StripPixels {
public:
  static constexpr bool is_guided = Pixel::is_guided;
  using Task = typename Pixel::Task;
  using Memory = std::conditional_t<is_guided, GuideMemory, NoGuides>;
  /** \brief Pixels of a thread: samples that several of them see are read once. */
  static constexpr int strip_rows = 2;
  using Samples = TileSampler<Footprint,
                              is_guided ? guided_chunk_blocks : chunk_blocks,
                              strip_rows,
                              float4>;

  __device__
  StripPixels(const Task& task, Memory& memory, int tile_x, int tile_y)
  : task_(task)
  , memory_(memory)
  , column_(tile_x * tile_columns + threadIdx.x % warp_size)
  , row_(tile_y * tile_rows + threadIdx.x / warp_size * strip_rows)
  {
    const ViewGeometry& view = task.gathering.view;
#pragma unroll
    for (int k = 0; k < strip_rows; ++k)
      if (column_ < view.columns && row_ + k < view.rows)
        pixels_[k].load(task, view, column_, row_ + k, task.sums[outputPlace(k)]);
  }

  /** \brief A sample as its pixels take it: its place, and the bits of its colour. */
  __device__ float4
  makeSample(int slot,
             const ScenePoint<float>& point,
             unsigned int,
             float,
             PackedColor color,
             PackedColor guide)
  {
    const ScenePoint<float> place = Pixel::placeOf(point);
    if constexpr (is_guided)
      memory_.guides[slot] = guide & color_bits;
    const PackedColor bits = Pixel::has_levels ? color & color_bits : 0u;
    return {place.x, place.y, place.z, __uint_as_float(bits)};
  }

  __device__ void
  beginFrame(const Frame& frame)
  {
    frame_exponent_ = frame.weight_exponent;
  }

  /** \brief Adds samples row by row of cells: those that all pixels of the strip see
   * are read once. */
  __device__ void
  add(const Frame&, const Samples& samples)
  {
    const int width = samples.footprint(), cells = samples.cellColumns();
    const int first_cell = samples.warp * strip_rows * cells + samples.lane;
#pragma unroll
    for (int i = 0; i < strip_rows + (Footprint == 0 ? max_footprint : Footprint) - 1;
         ++i) {
      if (Footprint == 0 && i >= strip_rows + width - 1)
        break;
      const int cell = first_cell + i * cells;
      const unsigned int end = samples.startOffset(cell + width);
#pragma unroll 1
      for (unsigned int place = samples.startOffset(cell); place < end;
           place += Samples::order_bytes) {
        const auto sample = sampleAt(samples.sampleOffset(place), samples);
#pragma unroll
        for (int k = 0; k < strip_rows; ++k)
          if (i - k >= 0 && i - k < width)
            pixels_[k].add(task_, frame_exponent_, sample, true);
      }
    }
  }

  __device__ void
  write() const
  {
    const ViewGeometry& view = task_.gathering.view;
#pragma unroll
    for (int k = 0; k < strip_rows; ++k)
      if (column_ < view.columns && row_ + k < view.rows)
        task_.sums[outputPlace(k)] = pixels_[k].sum;
  }

private:
  __device__ std::size_t
  outputPlace(int k) const
  {
    return static_cast<std::size_t>(row_ + k) * task_.gathering.view.columns + column_;
  }

  /** \param[in] offset of the sample, bytes */
  __device__ auto
  sampleAt(unsigned int offset, const Samples& samples) const
  {
    const float4 made = samples.made(offset);
    const PackedColor color = __float_as_uint(made.w);
    PackedColor compared = color;
    if constexpr (is_guided)
      compared = memory_.guides[offset / sizeof(made)];
    return Pixel::sampleOf({made.x, made.y, made.z}, levelsOfOne(color), compared);
  }

  const Task& task_;
  Memory& memory_;
  int column_, row_;
  float frame_exponent_ = 0.0f;
  Pixel pixels_[strip_rows] = {};
};

template <template <typename> class Sums>
using SummedPixel = WeightedPixel<float, PackedColor, Sums>;

/** \brief Sums the samples of a pixel for each thread, a group at a time.
 * \tparam IsShared whether the table of frames has room in shared memory
 */
template <bool IsShared>
__global__ void
sumStoredSamplesKernel(const __grid_constant__ StoredSumTask task)
{
  extern __shared__ float shared_frames[];
  const StoredProjection* frames = task.frames;
  if constexpr (IsShared) {
    const int words = task.frame_count * (sizeof(StoredProjection) / sizeof(float));
    for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < words;
         i += blockDim.x * blockDim.y)
      shared_frames[i] = reinterpret_cast<const float*>(task.frames)[i];
    __syncthreads();
    frames = reinterpret_cast<const StoredProjection*>(shared_frames);
  }
  const int column = task.store.first_column + blockIdx.x * blockDim.x + threadIdx.x;
  const int row = task.store.first_row + blockIdx.y * blockDim.y + threadIdx.y;
  if (!task.store.hasPixel(column, row))
    return;
  const std::size_t pixel = task.store.pixel(column, row);
  using Pixel = SummedPixel<ColorSums>;
  Pixel its;
  its.load(task, task.view, column, row, task.sums[pixel]);
  const SampleStore& store = task.store;
  const int count = store.counts[pixel] & ~is_full;
  for (int first = 0; first < count; first += sample_group) {
    union {
      uint4 parts[2];
      std::uint32_t each[sample_group];
    } positions, colors;
    union {
      float4 parts[2];
      float each[sample_group];
    } depths;
    const std::size_t place = store.place(pixel, first);
    for (int part = 0; part < 2; ++part) {
      positions.parts[part] =
          reinterpret_cast<const uint4*>(store.positions + place)[part];
      colors.parts[part] = reinterpret_cast<const uint4*>(store.colors + place)[part];
      depths.parts[part] = reinterpret_cast<const float4*>(store.depths + place)[part];
    }
    const uint2 high_bytes =
        *reinterpret_cast<const uint2*>(store.frame_high_bytes + place);
#pragma unroll
    for (int i = 0; i < sample_group; ++i) {
      if (first + i >= count)
        break;
      const unsigned int high =
          (i < 4 ? high_bytes.x : high_bytes.y) >> 8 * (i % 4) & 0xff;
      const unsigned int number = colors.each[i] >> 24 | high << 8;
      const StoredProjection& frame = frames[number - task.first_number];
      const ScenePoint<float> point =
          pointOf(frame,
                  static_cast<float>(positions.each[i] & 0xffff),
                  static_cast<float>(positions.each[i] >> 16),
                  depths.each[i]);
      const PackedColor color = colors.each[i] & color_bits;
      its.add(task,
              frame.weight_exponent,
              Pixel::sampleOf(point, levelsOfOne(color), color),
              true);
    }
  }
  task.sums[pixel] = its.sum;
}

template <int Footprint>
using StripSums = StripPixels<Footprint, SummedPixel<ColorSums>>;
template <int Footprint>
using StripAverages = StripPixels<Footprint, SummedPixel<AverageSums>>;
template <int Footprint>
using StripLayers = StripPixels<Footprint, LayeredPixel<float>>;

static_assert(fits_every_gpu<StripSums<0>> && fits_every_gpu<StripAverages<0>> &&
                  fits_every_gpu<StripLayers<0>>,
              "there is a way for every GPU");

} // namespace

namespace cuda {

void
addSamples(const SumTask& task, cudaStream_t stream)
{
  gather<StripSums>("addSamples", task, stream);
}

void
addToAverages(const AverageTask& task, cudaStream_t stream)
{
  gather<StripAverages>("addToAverages", task, stream);
}

void
addToLayers(const LayerTask& task, cudaStream_t stream)
{
  gather<StripLayers>("addToLayers", task, stream);
}

void
sumStoredSamples(const StoredSumTask& task, cudaStream_t stream)
{
  const dim3 block(32, 8);
  const dim3 grid(divideUp(task.store.columns, block.x),
                  divideUp(task.store.rows, block.y));
  const std::size_t bytes = task.frame_count * sizeof(StoredProjection);
  // As much as lets a multiprocessor have all the threads that it has registers for.
  constexpr std::size_t most_bytes = 24 * 1024;
  if (bytes <= most_bytes)
    sumStoredSamplesKernel<true><<<grid, block, bytes, stream>>>(task);
  else
    sumStoredSamplesKernel<false><<<grid, block, 0, stream>>>(task);
  checkLaunch("sumStoredSamples");
}

} // namespace cuda

} // namespace pcl::device

PCL_GPU_INSTANTIATE_LOOP(pcl::device::DividePixel);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::DivideAverage);
PCL_GPU_INSTANTIATE_LOOP(pcl::device::ChooseLayer);
