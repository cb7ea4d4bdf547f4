// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/exceptions.h>
#include <pcl/gpu/containers/device.h>
#include <pcl/pcl_exports.h>

#include <cstddef>
#include <string>

namespace pcl::gpu {

/** \brief Returns the message of one of PCL's exceptions without the place in the
 * source where it was thrown, which is no use to the user of a program.
 * \param[in] exception any exception
 * \return the message
 * \ingroup gpu_containers
 */
PCL_EXPORTS std::string
plainMessage(const PCLException& exception);

/** \brief Failure of a device. PCL's own GPU modules print a message and exit
 * instead.
 *
 * The message reads "<action> on <device>: <error name> (<reason>)".
 * \ingroup gpu_containers
 */
class PCL_EXPORTS DeviceException : public PCLException {
public:
  /** \brief Describes a failure.
   * \param[in] error_name CUDA's name of the error, such as "cudaErrorInvalidDevice"
   * \param[in] action the action, such as "launching the kernel castRays"
   * \param[in] device the device that failed
   * \param[in] reason the error in words, may be empty
   * \param[in] file_name source file that detected it, or null
   * \param[in] function_name function that detected it, or null
   * \param[in] line_number line that detected it, or 0
   */
  DeviceException(const std::string& error_name,
                  const std::string& action,
                  const Device& device,
                  const std::string& reason = std::string(),
                  const char* file_name = nullptr,
                  const char* function_name = nullptr,
                  unsigned line_number = 0);

  /** \brief Destroys the exception. Out of line, so that all libraries of a program
   * share one type. */
  ~DeviceException() noexcept override;

  /** \brief Returns CUDA's name of the error.
   * \return such as "cudaErrorInvalidDevice"
   */
  const std::string&
  errorName() const noexcept
  {
    return error_name_;
  }

  /** \brief Returns the action that failed.
   * \return such as "launching the kernel castRays"
   */
  const std::string&
  action() const noexcept
  {
    return action_;
  }

  /** \brief Returns the device that failed.
   * \return the device that failed
   */
  const Device&
  device() const noexcept
  {
    return device_;
  }

private:
  std::string error_name_;
  std::string action_;
  Device device_;
};

/** \brief Failure to allocate memory. The message names the bytes asked for and the
 * bytes free.
 *
 * The device stays usable: free something, or ask for less, and try again.
 * \ingroup gpu_containers
 */
class PCL_EXPORTS DeviceOutOfMemoryException : public DeviceException {
public:
  /** \brief Describes a refused allocation.
   * \param[in] device the device that refused
   * \param[in] bytes_asked size of the allocation
   * \param[in] bytes_free memory that was free; 0 if unknown
   * \param[in] file_name source file that detected it, or null
   * \param[in] function_name function that detected it, or null
   * \param[in] line_number line that detected it, or 0
   */
  DeviceOutOfMemoryException(const Device& device,
                             std::size_t bytes_asked,
                             std::size_t bytes_free,
                             const char* file_name = nullptr,
                             const char* function_name = nullptr,
                             unsigned line_number = 0);

  /** \brief Destroys the exception. Out of line, so that all libraries of a program
   * share one type. */
  ~DeviceOutOfMemoryException() noexcept override;

  /** \brief Returns the size of the refused allocation.
   * \return bytes
   */
  std::size_t
  bytesAsked() const noexcept
  {
    return bytes_asked_;
  }

  /** \brief Returns the memory that was free at that time.
   * \return bytes; 0 if unknown
   */
  std::size_t
  bytesFree() const noexcept
  {
    return bytes_free_;
  }

private:
  std::size_t bytes_asked_;
  std::size_t bytes_free_;
};

} // namespace pcl::gpu
