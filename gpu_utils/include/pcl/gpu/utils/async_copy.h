// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/stream.h>

#include <cstddef>

namespace pcl::gpu {

/** \brief Queues a copy of contiguous memory; where the two ends live is found out.
 *
 * Unlike the containers' own upload() and download() this neither allocates nor waits.
 * Host memory must stay as it is until the stream has come to the copy; only from and to
 * page-locked host memory does the copy run beside other work. On the host device the
 * copy is done on return.
 *
 * \param[in] source first byte to read
 * \param[out] destination first byte to write
 * \param[in] bytes how many
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
 * \param[in] bytes how many
 * \param[in] stream the queue to join
 * \throws DeviceException if the CUDA runtime refuses
 */
PCL_EXPORTS void
fillAsync(const Device& device,
          void* memory,
          unsigned char value,
          std::size_t bytes,
          const Stream& stream);

/** \brief Lets copies from one CUDA device to another go straight there, over NVLink or PCIe,
 * where the machine can; else they go through the host's memory. Needed once a process.
 * \param[in] device the device whose streams copy
 * \param[in] peer the other device
 * \return whether copies go straight; also for the same device and for the host
 * \throws DeviceException if there is no such device, or the CUDA runtime refuses
 */
PCL_EXPORTS bool
enablePeerAccess(const Device& device, const Device& peer);

} // namespace pcl::gpu
