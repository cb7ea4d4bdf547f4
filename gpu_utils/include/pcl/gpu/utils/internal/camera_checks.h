// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/exceptions.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/device/types.hpp>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>

#include <sstream>

namespace pcl::gpu {

/** \brief Rejects intrinsics that no camera has, unless they were not set.
 * \param[in] camera is not set if both focal lengths are 0
 * \throws pcl::BadArgumentException as PinholeCamera::validate()
 */
inline void
validateIfSet(const PinholeCamera& camera)
{
  if (camera.fx != 0.0f || camera.fy != 0.0f)
    camera.validate();
}

/** \brief Rejects a camera that was not set, and one whose image has another size.
 * \param[in] name the camera's name in messages
 * \param[in] camera its intrinsics; a width or height of 0 fits every image
 * \param[in] image_name the image's name in messages
 * \param[in] image the camera's image
 * \throws pcl::BadArgumentException naming the camera and both sizes
 */
template <typename T>
void
checkCamera(const char* name,
            const PinholeCamera& camera,
            const char* image_name,
            const DeviceArray2D<T>& image)
{
  checkArgument(camera.fx > 0.0f, name, "not set", "one set before compute()");
  const bool fits = (camera.width == 0 || camera.width == image.cols()) &&
                    (camera.height == 0 || camera.height == image.rows());
  if (!fits)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        name << " has " << camera.width << " x " << camera.height
                             << " pixels: expected those of " << image_name << ", "
                             << image.cols() << " x " << image.rows());
}

/** \brief Returns the numbers of a camera that a pixel needs.
 * \param[in] camera valid intrinsics
 * \return them, with the divisions done
 */
inline device::Intrinsics
intrinsicsOf(const PinholeCamera& camera)
{
  return {camera.cx, camera.cy, 1.0f / camera.fx, 1.0f / camera.fy};
}

/** \brief Returns a pose as kernels have it, in single precision.
 * \param[in] pose of any precision
 * \return the first three rows of its matrix
 */
template <typename Scalar, int Options>
device::RigidTransform
rigidTransform(const Eigen::Transform<Scalar, 3, Eigen::Isometry, Options>& pose)
{
  device::RigidTransform transform;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column)
      transform.m[row][column] = static_cast<float>(pose(row, column));
  return transform;
}

} // namespace pcl::gpu
