// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/stream.h>

#include <cstddef>

namespace pcl::gpu {

/** \brief Queues a copy of contiguous memory. Asks CUDA where both ends live.
 *
 * Unlike the containers' upload() and download(), this neither allocates nor waits.
 * Host memory must stay unchanged until the stream has made the copy. Copies from and
 * to host memory overlap other work only if that memory is page-locked. On the host
 * device the copy is complete on return.
 *
 * \param[in] source first byte to read
 * \param[out] destination first byte to write
 * \param[in] bytes number of bytes
 * \param[in] stream the queue to join
 * \throws DeviceException if the CUDA runtime refuses
 */
PCL_EXPORTS void
copyAsync(const void* source,
          void* destination,
          std::size_t bytes,
          const Stream& stream);

/** \brief Queues a copy of a pitched image. See copyAsync().
 * \param[in] source first byte of the first row to read
 * \param[in] source_step bytes from one row to the next
 * \param[out] destination first byte of the first row to write
 * \param[in] destination_step bytes from one row to the next
 * \param[in] row_bytes bytes to copy of each row
 * \param[in] rows number of rows
 * \param[in] stream the queue to join
 * \throws DeviceException if the CUDA runtime refuses
 */
PCL_EXPORTS void
copyAsync2D(const void* source,
            std::size_t source_step,
            void* destination,
            std::size_t destination_step,
            std::size_t row_bytes,
            int rows,
            const Stream& stream);

/** \brief Queues setting all bytes of memory to a value.
 * \param[in] device where the memory lives: the current device
 * \param[out] memory first byte to write
 * \param[in] value of every byte
 * \param[in] bytes number of bytes
 * \param[in] stream the queue to join
 * \throws DeviceException if the CUDA runtime refuses
 */
PCL_EXPORTS void
fillAsync(const Device& device,
          void* memory,
          unsigned char value,
          std::size_t bytes,
          const Stream& stream);

/** \brief Makes copies from one CUDA device to another direct, over NVLink or PCIe, if
 * the machine can. Otherwise they go through host memory. Needed once per process.
 * \param[in] device the device whose streams copy
 * \param[in] peer the other device
 * \return whether copies are direct; true for the same device and for the host
 * \throws DeviceException if there is no such device, or the CUDA runtime refuses
 */
PCL_EXPORTS bool
enablePeerAccess(const Device& device, const Device& peer);

} // namespace pcl::gpu
