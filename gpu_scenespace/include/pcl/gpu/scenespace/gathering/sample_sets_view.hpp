// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/parallel_for.hpp>
#include <pcl/gpu/utils/device/types.hpp>

#include <cstddef>
#include <cstdint>

// For filters of your own, on the host and in CUDA kernels: no PCL header is needed.

namespace pcl::device {

/** \brief A sample as a filter sees it: s of Klose et al. 2015.
 * \ingroup gpu_scenespace
 */
struct SetSample {
  float x, y, z;        ///< metres, in the output camera's frame
  int red, green, blue; ///< 0 to 255
  int frame;            ///< SceneFrame::getNumber()
  int column, row;      ///< of the pixel in its frame
  float depth;          ///< metres, along the z axis of its frame's camera
};

/** \brief From a pixel of a frame and its depth to a point in the output camera's
 * frame.
 * \ingroup gpu_scenespace
 */
struct FramePlacement {
  float to_point[3][4]; ///< of (column d, row d, d, 1)
};

/** \brief The set of an output pixel, S(p).
 * \ingroup gpu_scenespace
 */
class SampleSetView;

/** \brief Sets of samples in a device's memory; see pcl::gpu::SampleSetReader. A value,
 * to be handed to kernels.
 * \ingroup gpu_scenespace
 */
struct SampleSetsView {
  const std::uint32_t* counts;    ///< samples of each pixel; the highest bit is a mark
  const std::uint32_t* positions; ///< row << 16 | column
  const float* depths;            ///< metres
  const std::uint32_t* colors;    ///< blue, green, red, low byte of the frame's number
  const std::uint8_t* frame_high_bytes; ///< of the frame's number
  const FramePlacement* placements;     ///< by frames' numbers less first_frame
  int first_frame;                      ///< the least number of a frame
  int first_column, first_row;          ///< of the output, where the sets begin
  int columns, rows;                    ///< of the sets

  /** \brief The set of a pixel of the output.
   * \param[in] column from first_column to first_column + columns - 1
   * \param[in] row from first_row to first_row + rows - 1
   * \return the set; refers to this object
   */
  PCL_GPU_HOST_DEVICE SampleSetView
  at(int column, int row) const;
};

class SampleSetView {
public:
  /** \brief The set of a pixel.
   * \param[in] sets have to live as long as this object
   * \param[in] pixel its number
   */
  PCL_GPU_HOST_DEVICE
  SampleSetView(const SampleSetsView& sets, std::size_t pixel)
  : sets_(sets)
  , pixel_(pixel)
  {}

  /** \return number of samples */
  PCL_GPU_HOST_DEVICE int
  size() const
  {
    return static_cast<int>(sets_.counts[pixel_] & 0x7fffffffu);
  }

  /** \return whether there were more samples than there was room for */
  PCL_GPU_HOST_DEVICE bool
  isFull() const
  {
    return (sets_.counts[pixel_] >> 31) != 0;
  }

  /** \brief A sample.
   * \param[in] number from 0 to size() - 1; in the order of frames as they were
   * gathered
   * \return the sample
   */
  PCL_GPU_HOST_DEVICE SetSample
  operator[](int number) const
  {
    constexpr int group = 8; // samples of a pixel that lie together
    const std::size_t pixels = static_cast<std::size_t>(sets_.columns) * sets_.rows;
    const std::size_t place =
        (number / group * pixels + pixel_) * group + number % group;
    const std::uint32_t color = sets_.colors[place];
    const std::uint32_t position = sets_.positions[place];
    SetSample sample;
    sample.blue = color & 0xff;
    sample.green = color >> 8 & 0xff;
    sample.red = color >> 16 & 0xff;
    sample.frame = static_cast<int>(color >> 24 | sets_.frame_high_bytes[place] << 8);
    sample.column = position & 0xffff;
    sample.row = position >> 16;
    sample.depth = sets_.depths[place];
    const auto& m = sets_.placements[sample.frame - sets_.first_frame].to_point;
    const float u = sample.column * sample.depth, v = sample.row * sample.depth;
    sample.x = m[0][0] * u + m[0][1] * v + m[0][2] * sample.depth + m[0][3];
    sample.y = m[1][0] * u + m[1][1] * v + m[1][2] * sample.depth + m[1][3];
    sample.z = m[2][0] * u + m[2][1] * v + m[2][2] * sample.depth + m[2][3];
    return sample;
  }

private:
  const SampleSetsView& sets_;
  std::size_t pixel_;
};

PCL_GPU_HOST_DEVICE SampleSetView
SampleSetsView::at(int column, int row) const
{
  return {*this,
          static_cast<std::size_t>(row - first_row) * columns +
              (column - first_column)};
}

/** \brief Calls a filter for each set: the functor of forEachSampleSet(). */
template <typename Filter>
struct ApplyToSampleSet {
  SampleSetsView sets; ///< the sets
  Filter filter;       ///< the called function

  /** \brief Calls the filter for a set.
   * \param[in] column,row counted from the first set
   */
  PCL_GPU_HOST_DEVICE void
  operator()(int column, int row) const
  {
    const int output_column = sets.first_column + column,
              output_row = sets.first_row + row;
    filter(output_column, output_row, sets.at(output_column, output_row));
  }
};

/** \brief Makes each pixel of an output from its set by a filter of your own: O(p) =
 * Phi(S(p)) of Klose et al. 2015.
 *
 * \code
 * struct Brightest {
 *   unsigned char* output;
 *   int stride;
 *
 *   PCL_GPU_HOST_DEVICE void
 *   operator()(int column, int row, const pcl::device::SampleSetView& set) const
 *   {
 *     int most = 0;
 *     for (int i = 0; i < set.size(); ++i)
 *       most = set[i].green > most ? set[i].green : most;
 *     output[row * stride + column] = most;
 *   }
 * };
 * // In a file for nvcc:
 * using namespace pcl::device;
 * forEachSampleSet(CudaExecutor{stream}, sets, Brightest{...});
 * // In any file, for sets on the host device:
 * forEachSampleSet(HostExecutor(), sets, Brightest{...});
 * \endcode
 *
 * \param[in] executor HostExecutor or CudaExecutor, as the sets' memory wants
 * \param[in] sets the sets
 * \param[in] filter called with column and row of the output's pixel and its set;
 * copied to the device, calls must not depend on one another
 * \ingroup gpu_scenespace
 */
template <typename Executor, typename Filter>
void
forEachSampleSet(const Executor& executor,
                 const SampleSetsView& sets,
                 const Filter& filter)
{
  parallelFor2D(
      executor, sets.columns, sets.rows, ApplyToSampleSet<Filter>{sets, filter});
}

} // namespace pcl::device
