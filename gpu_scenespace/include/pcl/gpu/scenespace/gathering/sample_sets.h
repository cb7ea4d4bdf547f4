// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/pcl_exports.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pcl::gpu {

/** \brief An observation of a point of the scene by a pixel of an input frame.
 *
 * Its position in the scene follows from pixel, depth and the frame's camera (section 5
 * of Klose et al. 2015).
 *
 * \ingroup gpu_scenespace
 */
struct SceneSample {
  int column = 0;         ///< of the pixel
  int row = 0;            ///< of the pixel
  float depth = 0.0f;     ///< metres along the z axis of the frame's camera
  std::uint8_t red = 0;   ///< of the pixel
  std::uint8_t green = 0; ///< of the pixel
  std::uint8_t blue = 0;  ///< of the pixel
  int frame = 0;          ///< SceneFrame::getNumber()
};

/** \brief The sets of samples S(p) of the pixels of an output or of a part of it, on a
 * device.
 *
 * 13 bytes a sample, as in table 1 of Klose et al. 2015, and 4 bytes a pixel. The paper
 * has sample k of all pixels lie before sample k + 1, so that neighbouring threads
 * write neighbouring memory. But pixels have more and fewer samples, so that threads
 * drift apart and each writes to a line of its own. Here group_size samples of a pixel
 * lie together, the least that memory is written by, and group k of all pixels before
 * group k + 1: see place().
 *
 * A pixel with more samples than the capacity keeps whole frames, in the order in which
 * they were gathered, up to the first that has no room. It and all later ones are left
 * out. Gathered by their distance in time, the frames kept are the nearest ones.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SampleSets {
public:
  /** \brief Bytes of a sample. */
  static constexpr std::size_t sample_bytes = 13;

  /** \brief Samples of a pixel that lie together. */
  static constexpr std::size_t group_size = 8;

  /** \brief Set in getCounts() where samples were left out. */
  static constexpr std::uint32_t is_full = 0x80000000u;

  /** \brief Gives the sets their size on the current device; contents are undefined,
   * memory that fits is kept.
   * \param[in] region pixels of the output that have sets, 1 or more; not beyond column
   * and row 0
   * \param[in] capacity samples a pixel, 1 or more
   * \throws pcl::BadArgumentException naming the parameter and its value
   * \throws DeviceException if memory runs out
   */
  void
  create(const ImageRegion& region, int capacity);

  /** \brief Bytes of device memory that sets take: table 1 of Klose et al. 2015, and
   * the counts.
   * \param[in] pixels number of pixels
   * \param[in] capacity samples a pixel
   * \return bytes
   */
  static std::size_t
  estimateMemory(std::size_t pixels, int capacity);

  /** \return the pixels of the output that have sets */
  const ImageRegion&
  getRegion() const
  {
    return region_;
  }

  /** \return columns of the region */
  int
  getColumns() const
  {
    return region_.columns;
  }

  /** \return rows of the region */
  int
  getRows() const
  {
    return region_.rows;
  }

  /** \return the most samples of a pixel */
  int
  getCapacity() const
  {
    return capacity_;
  }

  /** \return a number for each pixel, and is_full where samples were left out */
  const DeviceArray<std::uint32_t>&
  getCounts() const
  {
    return counts_;
  }

  /** \return row << 16 | column of each sample */
  const DeviceArray<std::uint32_t>&
  getPositions() const
  {
    return positions_;
  }

  /** \return metres */
  const DeviceArray<float>&
  getDepths() const
  {
    return depths_;
  }

  /** \return blue, green and red of each sample from the lowest byte on, and the low
   * byte of its frame's number */
  const DeviceArray<std::uint32_t>&
  getColors() const
  {
    return colors_;
  }

  /** \return the high byte of the number of each sample's frame */
  const DeviceArray<std::uint8_t>&
  getFrameHighBytes() const
  {
    return frame_high_bytes_;
  }

  /** \brief Returns the place of a sample in the arrays.
   * \param[in] pixel row * getColumns() + column, counted from the region's first ones
   * \param[in] number of the sample in the pixel's set
   * \return its place in each array but getCounts()
   */
  std::size_t
  place(std::size_t pixel, std::size_t number) const;

  /** \brief Copies the set of a pixel to the host; waits for the device, slow.
   * \param[in] column of the output's pixel
   * \param[in] row of the output's pixel
   * \return its samples, in the order of their frames
   * \throws pcl::BadArgumentException naming the column or row if the region has no
   * such pixel
   * \throws DeviceException if the device fails
   */
  std::vector<SceneSample>
  download(int column, int row) const;

private:
  ImageRegion region_;
  int capacity_ = 0;
  DeviceArray<std::uint32_t> counts_;
  DeviceArray<std::uint32_t> positions_;
  DeviceArray<float> depths_;
  DeviceArray<std::uint32_t> colors_;
  DeviceArray<std::uint8_t> frame_high_bytes_;
};

} // namespace pcl::gpu
