// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/exceptions.h>
#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <cstddef>

namespace pcl::gpu {

/** \brief Checks that an input lives where the first one does.
 * \param[in] name the name of \a memory in messages
 * \param[in] memory an array; empty ones live anywhere
 * \param[in] expected_name the name of the first input
 * \param[in] expected the device of the first input
 * \throws pcl::BadArgumentException naming both
 */
template <typename Memory>
void
checkDevice(const char* name,
            const Memory& memory,
            const char* expected_name,
            const Device& expected)
{
  if (memory.empty() || deviceOf(memory) == expected)
    return;
  PCL_THROW_EXCEPTION(BadArgumentException,
                      name << " is on " << deviceOf(memory).name() << ": expected "
                           << expected.name() << ", where " << expected_name << " is");
}

/** \brief Checks that an output is not its own input.
 * \param[in] name the name of \a input in messages
 * \param[in] input an array or image
 * \param[in] output an array or image
 * \throws pcl::BadArgumentException naming the input
 */
template <typename Input, typename Output>
void
checkApart(const char* name, const Input& input, const Output& output)
{
  const bool same = !input.empty() && static_cast<const void*>(input.ptr()) ==
                                          static_cast<const void*>(output.ptr());
  checkArgument(!same, name, "its own output", "memory of its own");
}

/** \brief Gives an output its size on a device; keeps memory that fits.
 * \param[in] device the current device
 * \param[in,out] output released if \a size is 0
 * \param[in] size number of elements
 * \throws DeviceException if memory runs out
 */
template <typename T>
void
createOn(const Device& device, DeviceArray<T>& output, std::size_t size)
{
  if (size == 0)
    output.release();
  else if (output.size() != size || deviceOf(output) != device)
    output = DeviceArray<T>(size);
}

/** \brief Gives an output image its size on a device; keeps memory that fits.
 * \param[in] device the current device
 * \param[in,out] output released if it has no pixels
 * \param[in] rows number of rows
 * \param[in] columns number of columns
 * \throws DeviceException if memory runs out
 */
template <typename T>
void
createOn(const Device& device, DeviceArray2D<T>& output, int rows, int columns)
{
  if (rows == 0 || columns == 0)
    output.release();
  else if (output.rows() != rows || output.cols() != columns ||
           deviceOf(output) != device)
    output = DeviceArray2D<T>(rows, columns);
}

} // namespace pcl::gpu
