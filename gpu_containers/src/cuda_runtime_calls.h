// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstddef>
#include <string>

/** \file
 * \brief Everything this module asks of the CUDA runtime. cuda_runtime_calls.cpp asks
 * it; cuda_runtime_absent.cpp stands in where there is no CUDA toolkit.
 *
 * A place is a CUDA ordinal, or \ref host. All but the noexcept ones throw
 * DeviceException, and leave no error behind in the runtime for others to trip over.
 */

namespace pcl::gpu::runtime {

/** \brief The place that is no CUDA device. */
constexpr int host = -1;

/** \brief What the printing functions say of a device. */
struct DeviceFacts {
  std::string name;
  int major;
  int minor;
  int multiprocessors;
  std::size_t memory_bytes;
  std::string details; ///< further lines, "  label: value\n" each
};

/** \brief Number of CUDA devices, 0 without a driver. Found out once a process. */
int
deviceCount();

/** \brief CUDA's current device. */
int
currentDevice();

/** \brief CUDA's current device, or \ref host if there is none or it cannot tell. */
int
tryCurrentDevice() noexcept;

/** \brief Changes CUDA's current device. */
void
setDevice(int id);

/** \brief Changes CUDA's current device if that succeeds. */
void
trySetDevice(int id) noexcept;

/** \brief Where an address belongs: a CUDA device or the host. */
int
placeOf(const void* pointer);

/** \brief Allocates memory of a CUDA device. */
void*
allocate(std::size_t bytes, int id);

/** \brief Allocates rows of memory of a CUDA device, and says how far apart. */
void*
allocateRows(int rows, int row_bytes, int id, std::size_t& step);

/** \brief Frees memory of a CUDA device. */
void
free(void* data, int id) noexcept;

/** \brief Copies; one of the places at least is a CUDA device. Waits for what the
 * devices concerned still have to do, then for the copy.
 */
void
copy(void* to, int to_place, const void* from, int from_place, std::size_t bytes);

/** \brief Copies rows. See copy(). */
void
copyRows(void* to,
         std::size_t to_step,
         int to_place,
         const void* from,
         std::size_t from_step,
         int from_place,
         int row_bytes,
         int rows);

/** \brief What is known of a CUDA device. */
DeviceFacts
facts(int id);

/** \brief Newest CUDA version that the driver serves, as 1000 major + 10 minor. */
int
driverVersion();

/** \brief Version of the CUDA runtime, as 1000 major + 10 minor. */
int
runtimeVersion();

} // namespace pcl::gpu::runtime
