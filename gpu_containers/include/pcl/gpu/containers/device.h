// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <string>

/** \file
 * \brief Places where memory lives and algorithms run. Not part of PCL's own
 * gpu/containers; works with PCL's containers as well as with the bundled ones.
 */

namespace pcl::gpu {

class DeviceMemory;
class DeviceMemory2D;

/** \brief A place where memory lives and algorithms run: the host or one CUDA device.
 *
 * A small value, to be passed and compared freely. It does not say that such a device
 * exists in this machine; what uses the device finds out.
 * \ingroup gpu_containers
 */
class PCL_EXPORTS Device {
public:
  /** \brief The host: the processor's own memory and threads.
   * \return the host
   */
  static Device
  host() noexcept;

  /** \brief A CUDA device.
   * \param[in] id its CUDA ordinal, from 0
   * \return the CUDA device
   * \throws pcl::BadArgumentException if \a id is negative
   */
  static Device
  cuda(int id);

  /** \brief Whether this is the host.
   * \return true for the host
   */
  bool
  isHost() const noexcept;

  /** \brief Whether this is a CUDA device.
   * \return true for every device but the host
   */
  bool
  isCuda() const noexcept;

  /** \brief The CUDA ordinal.
   * \return the number to hand to cudaSetDevice()
   * \throws pcl::BadArgumentException if this is the host, which has none
   */
  int
  id() const;

  /** \brief The name, as messages and command lines spell it.
   * \return "host", "cuda:0", "cuda:1", ...
   */
  std::string
  name() const;

  /** \brief Whether two devices are one.
   * \param[in] other device to compare with
   * \return true if they are the same device
   */
  bool
  operator==(const Device& other) const noexcept;

  /** \brief Whether two devices differ.
   * \param[in] other device to compare with
   * \return true if they are not the same device
   */
  bool
  operator!=(const Device& other) const noexcept;

private:
  explicit Device(int place) noexcept;

  /** \brief The CUDA ordinal, or -1 for the host. */
  int place_;
};

/** \brief The device that the calling thread works on: where its new memory is made.
 *
 * Each thread has its own, as in CUDA. It is the host after setHostDevice(); otherwise
 * CUDA's current device, or the host in a machine (or a build) without a CUDA device.
 *
 * \return the current device
 * \throws DeviceException if the CUDA driver is installed but broken
 */
PCL_EXPORTS Device
currentDevice();

/** \brief The device that an address belongs to.
 *
 * Memory from cudaMalloc() belongs to its CUDA device, and so does managed memory.
 * Everything else, page-locked memory included, belongs to the host. A null pointer
 * belongs to the current device.
 *
 * \param[in] pointer any address; it is not read
 * \return where the memory lives
 * \throws DeviceException if the CUDA runtime cannot tell (after a kernel has crashed)
 */
PCL_EXPORTS Device
deviceOf(const void* pointer);

/** \brief The device that a buffer lives on. Asks the buffer, not the CUDA runtime,
 * unless the containers are PCL's own.
 * \param[in] memory any buffer, or any DeviceArray
 * \return where the memory lives; the current device if it is empty
 */
PCL_EXPORTS Device
deviceOf(const DeviceMemory& memory);

/** \brief The device that a pitched buffer lives on. Asks the buffer, not the CUDA
 * runtime, unless the containers are PCL's own.
 * \param[in] memory any pitched buffer, or any DeviceArray2D
 * \return where the memory lives; the current device if it is empty
 */
PCL_EXPORTS Device
deviceOf(const DeviceMemory2D& memory);

/** \brief Makes a device current for the calling thread, and the former one again when
 * it goes out of scope.
 *
 * \code
 * ScopedDevice scope(deviceOf(cloud)); // run where the input lives
 * normals.create(cloud.size());        // so that this is made there, too
 * \endcode
 * \ingroup gpu_containers
 */
class PCL_EXPORTS ScopedDevice {
public:
  /** \brief Makes a device current for the calling thread.
   * \param[in] device the device to work on
   * \throws DeviceException if there is no such device, or if it is the host and the
   * containers are PCL's own, which know no host device
   */
  explicit ScopedDevice(const Device& device);

  /** \brief Makes the former device current again, in the thread that calls. */
  ~ScopedDevice();

  ScopedDevice(const ScopedDevice&) = delete;
  ScopedDevice&
  operator=(const ScopedDevice&) = delete;

private:
  /** \brief Whether the thread had chosen the host. */
  bool former_is_host_;

  /** \brief CUDA's former device, or -1 where it was left alone. */
  int former_cuda_id_;
};

} // namespace pcl::gpu
