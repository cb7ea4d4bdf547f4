// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_runtime_calls.h"
#include "thread_device.h"

#include <pcl/gpu/containers/device_exception.h>
#include <pcl/gpu/containers/initialization.h>

#include <cstdio>

namespace pcl::gpu {
namespace {

/** \brief Calls print with the number and the facts of the CUDA devices that a printing
 * function was asked about. */
template <typename Print>
void
printDevices(int device, const Print& print)
{
  const int count = runtime::deviceCount();
  for (int id = 0; id < count; ++id)
    if (id == device || device < 0 || device >= count)
      print(id, runtime::facts(id));
}

/** \brief Returns the single-precision cores of a device, 0 if unknown. */
int
cores(const runtime::DeviceFacts& facts)
{
  switch (facts.major) {
  case 6:
  case 8:
    return (facts.minor == 0 ? 64 : 128) * facts.multiprocessors;
  case 7:
    return 64 * facts.multiprocessors;
  default:
    return facts.major == 5 || (facts.major >= 9 && facts.major <= 12)
               ? 128 * facts.multiprocessors
               : 0;
  }
}

double
megabytes(std::size_t bytes)
{
  return static_cast<double>(bytes) / (1 << 20);
}

/** \brief Returns "13.0" for 13000. */
std::string
versionName(int version)
{
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

} // namespace

int
getCudaEnabledDeviceCount()
{
  return runtime::deviceCount();
}

void
setDevice(int device)
{
  runtime::setDevice(device);
  runtime::chooseHost(false);
}

void
setHostDevice()
{
  runtime::chooseHost(true);
}

std::string
getDeviceName(int device)
{
  return runtime::facts(device).name;
}

void
printCudaDeviceInfo(int device)
{
  const std::string driver = versionName(runtime::driverVersion());
  const std::string toolkit = versionName(runtime::runtimeVersion());
  std::printf("Device count: %d\n", runtime::deviceCount());
  printDevices(device, [](int id, const runtime::DeviceFacts& facts) {
    std::printf("\nDevice %d: \"%s\"\n", id, facts.name.c_str());
    std::printf("  Compute capability: %d.%d\n", facts.major, facts.minor);
    std::printf("  Memory: %.0f MB (%zu bytes)\n",
                megabytes(facts.memory_bytes),
                facts.memory_bytes);
    std::printf(
        "  Multiprocessors: %d (%d cores)\n", facts.multiprocessors, cores(facts));
    std::printf("%s", facts.details.c_str());
  });
  std::printf("\nCUDA driver %s, runtime %s\n", driver.c_str(), toolkit.c_str());
  std::fflush(stdout);
}

void
printShortCudaDeviceInfo(int device)
{
  const std::string driver = versionName(runtime::driverVersion());
  const std::string toolkit = versionName(runtime::runtimeVersion());
  printDevices(device, [&](int id, const runtime::DeviceFacts& facts) {
    std::printf("[pcl::gpu::printShortCudaDeviceInfo] : Device %d:  \"%s\"  %.0fMb, "
                "sm_%d%d, %d cores, Driver/Runtime ver.%s/%s\n",
                id,
                facts.name.c_str(),
                megabytes(facts.memory_bytes),
                facts.major,
                facts.minor,
                cores(facts),
                driver.c_str(),
                toolkit.c_str());
  });
  std::fflush(stdout);
}

bool
checkIfPreFermiGPU(int device)
{
  const int id = device < 0 ? runtime::currentPlace() : device;
  return id != runtime::host && runtime::facts(id).major < 2;
}

void
error(const char* error_string, const char* file, const int line, const char* func)
{
  throw DeviceException(error_string,
                        func && *func ? func : "running",
                        currentDevice(),
                        "",
                        file,
                        nullptr,
                        static_cast<unsigned>(line));
}

} // namespace pcl::gpu
