// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <string>

/** \file
 * \brief Selection and properties of devices: PCL's functions of the same names, and
 * setHostDevice().
 */

namespace pcl::gpu {

/** \brief Returns the number of CUDA devices in this machine.
 *
 * Returns 0 if the CUDA driver is missing or too old for the CUDA runtime; PCL
 * returns -1.
 *
 * \return number of devices, 0 without a CUDA device, driver or toolkit
 * \throws DeviceException if the driver is installed but broken (PCL: exits)
 */
PCL_EXPORTS int
getCudaEnabledDeviceCount();

/** \brief Makes a CUDA device current for the calling thread, as cudaSetDevice() does.
 * Undoes setHostDevice().
 * \param[in] device CUDA ordinal
 * \throws DeviceException if there is no such device (PCL: exits)
 */
PCL_EXPORTS void
setDevice(int device);

/** \brief Makes the host the current device of the calling thread, in any machine.
 *
 * New memory is then host memory, and algorithms run on the processor; no CUDA function
 * is called for either. setDevice() undoes it. A machine without a CUDA device needs no
 * call: the host is current there from the beginning.
 *
 * \note PCL lacks this function: source that calls it needs the bundled containers.
 */
PCL_EXPORTS void
setHostDevice();

/** \brief Returns the model name of a CUDA device.
 * \param[in] device CUDA ordinal
 * \return such as "NVIDIA GeForce RTX 3080"
 * \throws DeviceException if there is no such device (PCL: exits)
 */
PCL_EXPORTS std::string
getDeviceName(int device);

/** \brief Prints the properties of one CUDA device or of all to the standard output.
 * \param[in] device CUDA ordinal; any other number stands for all devices
 * \throws DeviceException if the CUDA runtime fails (PCL: exits)
 */
PCL_EXPORTS void
printCudaDeviceInfo(int device = -1);

/** \brief Prints one line about one CUDA device, or about each, to the standard output.
 * \param[in] device CUDA ordinal; any other number stands for all devices
 * \throws DeviceException if the CUDA runtime fails (PCL: exits)
 */
PCL_EXPORTS void
printShortCudaDeviceInfo(int device = -1);

/** \brief Returns whether a CUDA device is older than the Fermi generation of 2010.
 * \param[in] device CUDA ordinal; a negative number stands for the current device
 * \return true for compute capability 1.x; false if the current device is the host
 * \throws DeviceException if there is no such device (PCL: exits)
 */
PCL_EXPORTS bool
checkIfPreFermiGPU(int device = -1);

/** \brief Throws an error; PCL prints it and exits.
 * \param[in] error_string the error, in words
 * \param[in] file source file that detected it
 * \param[in] line line that detected it
 * \param[in] func function that detected it
 * \throws DeviceException always; \a error_string is its error name
 */
[[noreturn]] PCL_EXPORTS void
error(const char* error_string,
      const char* file,
      const int line,
      const char* func = "");

} // namespace pcl::gpu
