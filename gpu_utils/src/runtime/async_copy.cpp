// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/utils/async_copy.h>

#if PCL_GPU_HAVE_CUDA
#include <pcl/gpu/utils/device/cuda_check.h>
#endif

#include <cstring>

namespace pcl::gpu {

void
copyAsync(const void* source,
          void* destination,
          std::size_t bytes,
          const Stream& stream)
{
  copyAsync2D(source, bytes, destination, bytes, bytes, 1, stream);
}

void
copyAsync2D(const void* source,
            std::size_t source_step,
            void* destination,
            std::size_t destination_step,
            std::size_t row_bytes,
            int rows,
            const Stream& stream)
{
  if (row_bytes == 0 || rows == 0)
    return;
  if (deviceOf(source).isHost() && deviceOf(destination).isHost()) {
    stream.synchronize();
    for (int row = 0; row < rows; ++row)
      std::memcpy(static_cast<char*>(destination) + row * destination_step,
                  static_cast<const char*>(source) + row * source_step,
                  row_bytes);
    return;
  }
#if PCL_GPU_HAVE_CUDA
  device::checkCuda(
      // CUDA limits the length of a row, but not of a single one.
      rows == 1 ? cudaMemcpyAsync(
                      destination, source, row_bytes, cudaMemcpyDefault, stream.get())
                : cudaMemcpy2DAsync(destination,
                                    destination_step,
                                    source,
                                    source_step,
                                    row_bytes,
                                    rows,
                                    cudaMemcpyDefault,
                                    stream.get()),
      "copying memory");
#endif
}

void
fillAsync(const Device& device,
          void* memory,
          unsigned char value,
          std::size_t bytes,
          const Stream& stream)
{
  if (bytes == 0)
    return;
  if (device.isHost()) {
    std::memset(memory, value, bytes);
    return;
  }
#if PCL_GPU_HAVE_CUDA
  device::checkCuda(cudaMemsetAsync(memory, value, bytes, stream.get()),
                    "filling memory");
#endif
}

bool
enablePeerAccess(const Device& device, const Device& peer)
{
  if (device == peer || device.isHost() || peer.isHost())
    return true;
#if PCL_GPU_HAVE_CUDA
  int can_access = 0;
  device::checkCuda(cudaDeviceCanAccessPeer(&can_access, device.id(), peer.id()),
                    "asking for peer access");
  if (!can_access)
    return false;
  const ScopedDevice scope(device);
  const cudaError_t error = cudaDeviceEnablePeerAccess(peer.id(), 0);
  if (error == cudaErrorPeerAccessAlreadyEnabled)
    cudaGetLastError(); // it was enabled before
  else
    device::checkCuda(error, "enabling peer access");
  return true;
#else
  return false;
#endif
}

} // namespace pcl::gpu
