// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/utils/device/parallel_for.hpp>
#include <pcl/gpu/utils/stream.h>
#include <pcl/pcl_exports.h>

#include <algorithm>
#include <cstddef>

// The one way from an API class to a device. An algorithm is a task, which is a plain
// struct, and two functions, host::f(task) and cuda::f(task, stream). An element-wise
// algorithm is a functor.

/** \brief The host's and CUDA's version of a function of pcl::device, as two arguments
 * of dispatch() or functionFor(). CUDA's is null in a build without CUDA. */
#if PCL_GPU_HAVE_CUDA
#define PCL_GPU_BOTH(function)                                                         \
  (&::pcl::device::host::function), (&::pcl::device::cuda::function)
#else
#define PCL_GPU_BOTH(function)                                                         \
  (&::pcl::device::host::function),                                                    \
      (static_cast<decltype(&::pcl::device::cuda::function)>(nullptr))
#endif

namespace pcl::gpu {

/** \brief Throws the error of a build without CUDA.
 * \param[in] device the CUDA device that was asked for
 * \throws DeviceException always
 */
[[noreturn]] PCL_EXPORTS void
throwBuiltWithoutCuda(const Device& device);

/** \brief Returns the host's or CUDA's version of a function.
 * \param[in] device the device to run on
 * \param[in] host the host's version
 * \param[in] cuda CUDA's version, null in a build without CUDA
 * \return the function
 * \throws DeviceException if the device is a CUDA device and the build has no CUDA
 */
template <typename Function>
Function*
functionFor(const Device& device, Function* host, Function* cuda)
{
  if (device.isHost())
    return host;
  if (!cuda)
    throwBuiltWithoutCuda(device);
  return cuda;
}

/** \brief Runs a task on the device that its memory lives on.
 * \param[in] device the current device
 * \param[in] host the host's version of the function
 * \param[in] cuda CUDA's version, null in a build without CUDA
 * \param[in] task its argument
 * \param[in] stream the queue to join; has no meaning on the host
 * \return the function's result
 * \throws DeviceException if the device is a CUDA device and the build has no CUDA
 */
template <typename Result, typename Task>
Result
dispatch(const Device& device,
         Result (*host)(const Task&),
         Result (*cuda)(const Task&, CUstream_st*),
         const Task& task,
         const Stream& stream)
{
  if (device.isHost())
    return host(task);
  if (!cuda)
    throwBuiltWithoutCuda(device);
  return cuda(task, stream.get());
}

} // namespace pcl::gpu

namespace pcl::device::cuda {

/** \brief Calls functor(x, y) for every pixel on the current CUDA device. A .cu file
 * instantiates it by PCL_GPU_INSTANTIATE_LOOP() of cuda_loop.cuh. */
template <typename Functor>
void
parallelFor2D(int columns, int rows, const Functor& functor, CUstream_st* stream);

} // namespace pcl::device::cuda

namespace pcl::gpu {

/** \brief Calls functor(x, y) for every pixel on the device that its memory lives on.
 * \param[in] device the current device
 * \param[in] columns number of values of x, from 0
 * \param[in] rows number of values of y, from 0
 * \param[in] functor whose calls do not depend on one another
 * \param[in] stream the queue to join; has no meaning on the host
 * \throws DeviceException if the device is a CUDA device and the build has no CUDA
 */
template <typename Functor>
void
parallelFor2D(const Device& device,
              int columns,
              int rows,
              const Functor& functor,
              const Stream& stream)
{
  if (device.isHost())
    return device::parallelFor2D(device::HostExecutor{}, columns, rows, functor);
#if PCL_GPU_HAVE_CUDA
  device::cuda::parallelFor2D(columns, rows, functor, stream.get());
#else
  static_cast<void>(stream);
  throwBuiltWithoutCuda(device);
#endif
}

/** \brief Calls functor(i) for the elements of a list on the device that its memory
 * lives on. A .cu file instantiates the loop of device::ElementLoop<Functor>.
 * \param[in] device the current device
 * \param[in] count number of elements, below 2^44
 * \param[in] functor whose calls do not depend on one another
 * \param[in] stream the queue to join; has no meaning on the host
 * \throws DeviceException if the device is a CUDA device and the build has no CUDA
 */
template <typename Functor>
void
parallelFor(const Device& device,
            std::size_t count,
            const Functor& functor,
            const Stream& stream)
{
  // As many rows as a CUDA grid may have, and enough of short lists for all threads.
  constexpr std::size_t most_rows = 1 << 19, least_columns = 64;
  const std::size_t columns =
      std::max(least_columns, (count + most_rows - 1) / most_rows);
  const std::size_t rows = (count + columns - 1) / columns;
  parallelFor2D(device,
                static_cast<int>(columns),
                static_cast<int>(rows),
                device::ElementLoop<Functor>{functor, count, static_cast<int>(columns)},
                stream);
}

} // namespace pcl::gpu
