// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_runtime_calls.h"

#include <pcl/gpu/containers/device_exception.h>

#include <cuda_runtime_api.h>

#include <atomic>
#include <sstream>

namespace pcl::gpu::runtime {
namespace {

[[noreturn]] void
fail(cudaError_t error, const char* action, int id)
{
  cudaGetLastError(); // or the next launch would report it
  throw DeviceException(cudaGetErrorName(error),
                        action,
                        id < 0 ? Device::host() : Device::cuda(id),
                        cudaGetErrorString(error));
}

void
check(cudaError_t error, const char* action, int id)
{
  if (error != cudaSuccess)
    fail(error, action, id);
}

/** \brief Returns whether an error means that there is no CUDA device, not a broken
 * one. */
bool
meansNoDevice(cudaError_t error)
{
  return error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver ||
         error == cudaErrorStubLibrary;
}

void
checkAllocation(cudaError_t error, std::size_t bytes, int id)
{
  if (error != cudaErrorMemoryAllocation)
    return check(error, "allocating memory", id);
  cudaGetLastError();
  std::size_t bytes_free = 0, bytes_total = 0;
  if (cudaMemGetInfo(&bytes_free, &bytes_total) != cudaSuccess)
    cudaGetLastError();
  throw DeviceOutOfMemoryException(Device::cuda(id), bytes, bytes_free);
}

void
synchronize(int place, const char* action)
{
  if (place == host)
    return;
  const ScopedDevice scope(Device::cuda(place));
  check(cudaDeviceSynchronize(), action, place);
}

/** \brief Waits for the CUDA devices among two places. */
void
synchronize(int place, int other_place, const char* action)
{
  synchronize(place, action);
  if (other_place != place)
    synchronize(other_place, action);
}

constexpr auto waiting_before = "waiting for earlier work before copying memory";
constexpr auto copying = "copying memory";

} // namespace

int
deviceCount()
{
  static std::atomic<int> known_count{-1};
  int count = known_count;
  if (count < 0) {
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) {
      if (!meansNoDevice(error))
        fail(error, "counting the CUDA devices", host);
      cudaGetLastError();
      count = 0;
    }
    known_count = count;
  }
  return count;
}

int
currentDevice()
{
  int id = 0;
  check(cudaGetDevice(&id), "asking for the current CUDA device", host);
  return id;
}

int
tryCurrentDevice() noexcept
{
  int id = host;
  if (cudaGetDevice(&id) == cudaSuccess)
    return id;
  cudaGetLastError();
  return host;
}

void
setDevice(int id)
{
  check(cudaSetDevice(id), "selecting a CUDA device", id);
}

void
trySetDevice(int id) noexcept
{
  if (cudaSetDevice(id) != cudaSuccess)
    cudaGetLastError();
}

int
placeOf(const void* pointer)
{
  cudaPointerAttributes attributes;
  const cudaError_t error = cudaPointerGetAttributes(&attributes, pointer);
  if (error == cudaSuccess) {
    const bool on_device = attributes.type == cudaMemoryTypeDevice ||
                           attributes.type == cudaMemoryTypeManaged;
    return on_device ? attributes.device : host;
  }
  // Without a working driver no address can be a CUDA device's.
  if (meansNoDevice(error) || error == cudaErrorInitializationError ||
      error == cudaErrorSystemDriverMismatch || error == cudaErrorInvalidValue) {
    cudaGetLastError();
    return host;
  }
  fail(error, "asking where memory lives", host);
}

void*
allocate(std::size_t bytes, int id)
{
  const ScopedDevice scope(Device::cuda(id));
  void* data = nullptr;
  checkAllocation(cudaMalloc(&data, bytes), bytes, id);
  return data;
}

void*
allocateRows(int rows, int row_bytes, int id, std::size_t& step)
{
  const ScopedDevice scope(Device::cuda(id));
  void* data = nullptr;
  checkAllocation(cudaMallocPitch(&data, &step, row_bytes, rows),
                  static_cast<std::size_t>(rows) * row_bytes,
                  id);
  return data;
}

void
free(void* data, int id) noexcept
{
  // Errors are ignored: at the end of a program the runtime may be gone already.
  const int former = tryCurrentDevice();
  if (former != id)
    trySetDevice(id);
  if (cudaFree(data) != cudaSuccess)
    cudaGetLastError();
  if (former != id && former != host)
    trySetDevice(former);
}

void
copy(const Rows& to, const Rows& from, std::size_t row_bytes, std::size_t rows)
{
  const int id = to.place == host ? from.place : to.place;
  const ScopedDevice scope(Device::cuda(id));
  synchronize(to.place, from.place, waiting_before);
  // CUDA limits the length of a row, but not of a single one.
  const cudaError_t error =
      rows == 1 ? cudaMemcpy(to.data, from.data, row_bytes, cudaMemcpyDefault)
                : cudaMemcpy2D(to.data,
                               to.step,
                               from.data,
                               from.step,
                               row_bytes,
                               rows,
                               cudaMemcpyDefault);
  check(error, copying, id);
  synchronize(to.place, from.place, copying);
}

DeviceFacts
facts(int id)
{
  const auto attribute = [id](cudaDeviceAttr name) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, name, id), "asking for an attribute", id);
    return value;
  };
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, id), "asking for the properties", id);

  const auto yes = [](int value) { return value ? "yes\n" : "no\n"; };
  const auto& [block_x, block_y, block_z] = properties.maxThreadsDim;
  const auto& [grid_x, grid_y, grid_z] = properties.maxGridSize;
  std::ostringstream details;
  details << "  Clock: " << attribute(cudaDevAttrClockRate) / 1000 << " MHz\n"
          << "  Memory clock: " << attribute(cudaDevAttrMemoryClockRate) / 1000
          << " MHz\n"
          << "  Memory bus: " << properties.memoryBusWidth << " bits\n"
          << "  L2 cache: " << properties.l2CacheSize << " bytes\n"
          << "  Constant memory: " << properties.totalConstMem << " bytes\n"
          << "  Shared memory per block: " << properties.sharedMemPerBlock << " bytes\n"
          << "  Registers per block: " << properties.regsPerBlock << "\n"
          << "  Warp size: " << properties.warpSize << "\n"
          << "  Threads per block: at most " << properties.maxThreadsPerBlock << "\n"
          << "  Block size: at most " << block_x << " x " << block_y << " x " << block_z
          << "\n"
          << "  Grid size: at most " << grid_x << " x " << grid_y << " x " << grid_z
          << "\n"
          << "  Memory pitch: at most " << properties.memPitch << " bytes\n"
          << "  Texture alignment: " << properties.textureAlignment << " bytes\n"
          << "  Copy engines: " << properties.asyncEngineCount << "\n"
          << "  Concurrent kernels: " << yes(properties.concurrentKernels)
          << "  Run time limit on kernels: "
          << yes(attribute(cudaDevAttrKernelExecTimeout))
          << "  Shares the host's memory: " << yes(properties.integrated)
          << "  Maps page-locked host memory: " << yes(properties.canMapHostMemory)
          << "  Unified addressing: " << yes(properties.unifiedAddressing)
          << "  Error correction (ECC): " << yes(properties.ECCEnabled)
          << "  PCI domain:bus:device: " << properties.pciDomainID << ":"
          << properties.pciBusID << ":" << properties.pciDeviceID << "\n";

  return {properties.name,
          properties.major,
          properties.minor,
          properties.multiProcessorCount,
          properties.totalGlobalMem,
          details.str()};
}

int
driverVersion()
{
  int version = 0;
  check(cudaDriverGetVersion(&version), "asking for the driver's version", host);
  return version;
}

int
runtimeVersion()
{
  int version = 0;
  check(cudaRuntimeGetVersion(&version), "asking for the runtime's version", host);
  return version;
}

} // namespace pcl::gpu::runtime
