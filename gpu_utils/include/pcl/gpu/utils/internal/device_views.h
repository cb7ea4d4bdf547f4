// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/exceptions.h>
#include <pcl/gpu/containers/device_array.h>

#include <sstream>

namespace pcl::gpu {

/** \brief Returns a driver's view of an image.
 * \tparam To the driver's type of a pixel
 * \param[in] image pixels of the same size
 * \return the view; its pointer is null for an empty image
 */
template <typename To, typename T>
PtrStepSz<const To>
inputView(const DeviceArray2D<T>& image)
{
  static_assert(sizeof(To) == sizeof(T), "both must describe the same pixel");
  return PtrStepSz<const To>(image.rows(),
                             image.cols(),
                             reinterpret_cast<const To*>(image.ptr()),
                             image.step());
}

/** \brief Returns a driver's view of an image that it writes to.
 * \tparam To the driver's type of a pixel
 * \param[in,out] image pixels of the same size
 * \return the view
 */
template <typename To, typename T>
PtrStep<To>
outputView(DeviceArray2D<T>& image)
{
  static_assert(sizeof(To) == sizeof(T), "both must describe the same pixel");
  return PtrStep<To>(reinterpret_cast<To*>(image.ptr()), image.step());
}

/** \brief Checks that two images have the same size.
 * \param[in] name the name of \a image in messages
 * \param[in] image an image
 * \param[in] expected_name the name of \a expected in messages
 * \param[in] expected an image of the right size
 * \throws pcl::BadArgumentException naming both and their sizes
 */
template <typename T, typename U>
void
checkSameSize(const char* name,
              const DeviceArray2D<T>& image,
              const char* expected_name,
              const DeviceArray2D<U>& expected)
{
  if (image.rows() == expected.rows() && image.cols() == expected.cols())
    return;
  PCL_THROW_EXCEPTION(BadArgumentException,
                      name << " has " << image.cols() << " x " << image.rows()
                           << " pixels: expected " << expected.cols() << " x "
                           << expected.rows() << ", as " << expected_name << " has");
}

} // namespace pcl::gpu
