// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstddef>
#include <string>

/** \file
 * \brief The module's calls of the CUDA runtime. cuda_runtime_calls.cpp implements
 * them; cuda_runtime_absent.cpp replaces it in a build without the CUDA toolkit.
 *
 * A place is a CUDA ordinal, or \ref host. Functions that are not noexcept throw
 * DeviceException. None leaves an error behind in the runtime.
 */

namespace pcl::gpu::runtime {

/** \brief The place that is no CUDA device. */
constexpr int host = -1;

/** \brief Properties of a device for the printing functions. */
struct DeviceFacts {
  std::string name;
  int major;
  int minor;
  int multiprocessors;
  std::size_t memory_bytes;
  std::string details; ///< further lines, "  label: value\n" each
};

/** \brief Returns the number of CUDA devices, 0 without a driver. Asks the driver once
 * per process. */
int
deviceCount();

/** \brief Returns CUDA's current device. */
int
currentDevice();

/** \brief Returns CUDA's current device, or \ref host if there is none or CUDA
 * fails. */
int
tryCurrentDevice() noexcept;

/** \brief Changes CUDA's current device. */
void
setDevice(int id);

/** \brief Changes CUDA's current device; ignores errors. */
void
trySetDevice(int id) noexcept;

/** \brief Returns the place of an address: a CUDA device or the host. */
int
placeOf(const void* pointer);

/** \brief Allocates memory of a CUDA device. */
void*
allocate(std::size_t bytes, int id);

/** \brief Allocates rows of memory of a CUDA device, and sets their step. */
void*
allocateRows(int rows, int row_bytes, int id, std::size_t& step);

/** \brief Frees memory of a CUDA device. */
void
free(void* data, int id) noexcept;

/** \brief Rows of memory. */
struct Rows {
  void* data;       ///< first byte
  std::size_t step; ///< bytes from one row to the next
  int place;
};

/** \brief Copies rows; at least one of the places is a CUDA device. Waits for all
 * earlier work of these devices, then for the copy. A single row may have any number of
 * bytes.
 */
void
copy(const Rows& to, const Rows& from, std::size_t row_bytes, std::size_t rows);

/** \brief Returns the properties of a CUDA device. */
DeviceFacts
facts(int id);

/** \brief Returns the newest CUDA version that the driver supports, as 1000 major + 10
 * minor. */
int
driverVersion();

/** \brief Returns the version of the CUDA runtime, as 1000 major + 10 minor. */
int
runtimeVersion();

} // namespace pcl::gpu::runtime
