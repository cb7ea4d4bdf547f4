// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/scenespace/video/rgbd_video.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/stream.h>

namespace pcl::gpu {

/** \brief Rejects frames whose depth is of another camera than colour.
 * \throws pcl::BadArgumentException naming the frame
 */
void
checkRegistered(const RGBDFrame& frame);

/** \brief Returns the camera, pose and time of a frame.
 * \throws pcl::BadArgumentException as SceneFrame::upload()
 */
SceneView
checkedView(const RGBDFrame& frame, int number);

/** \brief Copies an image's pixels to the current device. */
template <typename T>
void
copyPixels(
    const T* pixels, int width, int height, DeviceArray2D<T>& to, const Stream& stream)
{
  createOn(currentDevice(), to, height, width);
  const std::size_t row_bytes = width * sizeof(T);
  copyAsync2D(pixels, row_bytes, to.ptr(), to.step(), row_bytes, height, stream);
}

} // namespace pcl::gpu
