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
 * A small value, cheap to copy and to compare. The device need not exist in this
 * machine; functions that use it check that.
 * \ingroup gpu_containers
 */
class PCL_EXPORTS Device {
public:
  /** \brief Returns the host: the processor's own memory and threads.
   * \return the host
   */
  static Device
  host() noexcept;

  /** \brief Returns a CUDA device.
   * \param[in] id its CUDA ordinal, from 0
   * \return the CUDA device
   * \throws pcl::BadArgumentException if \a id is negative
   */
  static Device
  cuda(int id);

  /** \brief Returns whether this is the host.
   * \return true for the host
   */
  bool
  isHost() const noexcept
  {
    return place_ < 0;
  }

  /** \brief Returns whether this is a CUDA device.
   * \return true for every device but the host
   */
  bool
  isCuda() const noexcept
  {
    return place_ >= 0;
  }

  /** \brief Returns the CUDA ordinal.
   * \return the number to hand to cudaSetDevice()
   * \throws pcl::BadArgumentException if this is the host, which has none
   */
  int
  id() const;

  /** \brief Returns the name as messages and command lines spell it.
   * \return "host", "cuda:0", "cuda:1", ...
   */
  std::string
  name() const;

  /** \brief Returns whether two devices are the same.
   * \param[in] other device to compare with
   * \return true if they are the same device
   */
  bool
  operator==(const Device& other) const noexcept
  {
    return place_ == other.place_;
  }

  /** \brief Returns whether two devices differ.
   * \param[in] other device to compare with
   * \return true if they are not the same device
   */
  bool
  operator!=(const Device& other) const noexcept
  {
    return place_ != other.place_;
  }

private:
  explicit Device(int place) noexcept : place_(place) {}

  /** \brief The CUDA ordinal, or -1 for the host. */
  int place_;
};

/** \brief Returns the calling thread's current device, on which new memory is
 * allocated.
 *
 * Each thread has its own, as in CUDA. It is the host after setHostDevice(). Otherwise
 * it is CUDA's current device, or the host in a machine or a build without CUDA.
 *
 * \return the current device
 * \throws DeviceException if the CUDA driver is installed but broken
 */
PCL_EXPORTS Device
currentDevice();

/** \brief Returns the device that an address belongs to.
 *
 * Memory from cudaMalloc() belongs to its CUDA device, and so does managed memory.
 * Everything else, page-locked memory included, belongs to the host. A null pointer
 * belongs to the current device.
 *
 * \param[in] pointer any address; it is not read
 * \return the device of the memory
 * \throws DeviceException if the CUDA runtime does not know (after a kernel has
 * crashed)
 */
PCL_EXPORTS Device
deviceOf(const void* pointer);

/** \brief Returns the device that a buffer lives on. Asks the buffer, not the CUDA
 * runtime, unless the containers are PCL's own.
 * \param[in] memory any buffer, or any DeviceArray
 * \return the device of the memory; the current device if it is empty
 */
PCL_EXPORTS Device
deviceOf(const DeviceMemory& memory);

/** \brief Returns the device that a pitched buffer lives on. Asks the buffer, not the
 * CUDA runtime, unless the containers are PCL's own.
 * \param[in] memory any pitched buffer, or any DeviceArray2D
 * \return the device of the memory; the current device if it is empty
 */
PCL_EXPORTS Device
deviceOf(const DeviceMemory2D& memory);

/** \brief Scope in which a device is current for the calling thread. Its end makes the
 * former device current again.
 *
 * \code
 * ScopedDevice scope(deviceOf(cloud)); // run where the input lives
 * normals.create(cloud.size());        // allocated on the same device
 * \endcode
 * \ingroup gpu_containers
 */
class PCL_EXPORTS ScopedDevice {
public:
  /** \brief Makes a device current for the calling thread.
   * \param[in] device the device to work on
   * \throws DeviceException if there is no such device, or if it is the host and the
   * containers are PCL's own, which have no host device
   */
  explicit ScopedDevice(const Device& device);

  /** \brief Makes the calling thread's former device current again. */
  ~ScopedDevice();

  ScopedDevice(const ScopedDevice&) = delete;
  ScopedDevice&
  operator=(const ScopedDevice&) = delete;

private:
  /** \brief True if the thread had chosen the host. */
  bool former_is_host_;

  /** \brief CUDA's former device, or -1 if none has to be restored. */
  int former_cuda_id_;
};

} // namespace pcl::gpu
