// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/raycast/camera_view.h>
#include <pcl/pcl_exports.h>
#include <pcl/range_image/range_image_planar.h>

namespace pcl::gpu {

/** \brief Makes PCL's range image of a depth map.
 *
 * RangeImagePlanar::createFromPointCloudWithFixedSize() gives the same for the points
 * that the camera sees, in the world's frame, with the camera's pose as sensor pose.
 * There is no interpolation between pixels here. Points lie in the world's frame, and
 * their range is the distance from the camera. Pixels without depth are unobserved
 * (NaN, range minus infinity).
 *
 * \param[in] depth z in the camera's frame, metres; pixels that are not positive and
 * finite are unobserved; on any device, whose default stream is waited for
 * \param[in] view the camera, a pinhole
 * \param[out] range_image gets the camera's size
 * \throws pcl::BadArgumentException if the camera is orthographic, which range images
 * cannot be, or the depth map has not its size
 * \throws DeviceException if the device fails
 * \ingroup gpu_raycast
 */
PCL_EXPORTS void
toRangeImagePlanar(const DeviceArray2D<float>& depth,
                   const CameraView& view,
                   RangeImagePlanar& range_image);

} // namespace pcl::gpu
