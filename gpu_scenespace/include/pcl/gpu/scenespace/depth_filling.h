// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

namespace pcl::gpu {

/** \brief Fills the holes of a depth map with depths of pixels around them that look
 * alike.
 *
 * A pixel without depth, which is not a positive finite number, gets that of one of the
 * nearest pixels with depth to its right, left, below, above and on its diagonals: of
 * that where the distance of the two colours, levels of 0 to 255, plus the distance of
 * the two pixels, pixels, is least; of the first of them, in the order right, left,
 * below, above, right below, left above, right above, left below, if there are several.
 * Where there is none, the pixel becomes NaN. Other pixels keep their depth.
 *
 * Depth is copied, never made up: holes get no slopes. Colours should have little
 * noise, or noise chooses.
 *
 * O(pixels), and O(pixels x image side / 32) where most are missing. Memory is kept
 * from one run to the next: steady state neither allocates nor waits. The same bits on
 * every device.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS DepthFilling {
public:
  /** \brief Fills holes.
   * \param[in] depth metres, or any other unit
   * \param[in] color the colours of the same pixels, of the same size and on the same
   * device; alpha does not matter
   * \param[in,out] filled of the same size, on the same device; may be \a depth itself,
   * but not share memory with \a color
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter: images of two sizes or on
   * two devices, a result that is the colour
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const DeviceArray2D<float>& depth,
          const DeviceArray2D<RGB>& color,
          DeviceArray2D<float>& filled,
          const Stream& stream = {});

private:
  Workspace scratch_;
};

} // namespace pcl::gpu
