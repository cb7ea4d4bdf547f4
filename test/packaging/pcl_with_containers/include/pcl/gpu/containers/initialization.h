// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <string>

namespace pcl::gpu {

PCL_EXPORTS int
getCudaEnabledDeviceCount();
PCL_EXPORTS void
setDevice(int device);
PCL_EXPORTS std::string
getDeviceName(int device);
void PCL_EXPORTS
printCudaDeviceInfo(int device = -1);
void PCL_EXPORTS
printShortCudaDeviceInfo(int device = -1);
bool PCL_EXPORTS
checkIfPreFermiGPU(int device = -1);
PCL_EXPORTS void
error(const char* error, const char* file, int line, const char* func = "");

} // namespace pcl::gpu
