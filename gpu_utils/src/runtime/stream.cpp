// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/utils/stream.h>

#if PCL_GPU_HAVE_CUDA
#include <pcl/gpu/utils/device/cuda_check.h>
#endif

namespace pcl::gpu {

Stream::Stream(CUstream_st* handle) : handle_(handle, [](CUstream_st*) {}) {}

Stream
Stream::create()
{
  Stream stream;
#if PCL_GPU_HAVE_CUDA
  if (currentDevice().isCuda()) {
    cudaStream_t handle = nullptr;
    device::checkCuda(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking),
                      "creating a stream");
    // A destructor must not throw; a failed stream has thrown before.
    stream.handle_.reset(handle, [](CUstream_st* s) { cudaStreamDestroy(s); });
  }
#endif
  return stream;
}

void
Stream::synchronize() const
{
#if PCL_GPU_HAVE_CUDA
  if (handle_ || currentDevice().isCuda())
    device::checkCuda(cudaStreamSynchronize(get()), "waiting for a stream");
#endif
}

void
Stream::waitFor([[maybe_unused]] const Event& event) const
{
#if PCL_GPU_HAVE_CUDA
  if (event.get())
    device::checkCuda(cudaStreamWaitEvent(get(), event.get(), 0),
                      "making a stream wait for an event");
#endif
}

Event
Event::create()
{
  Event event;
#if PCL_GPU_HAVE_CUDA
  if (currentDevice().isCuda()) {
    cudaEvent_t handle = nullptr;
    device::checkCuda(cudaEventCreateWithFlags(&handle, cudaEventDisableTiming),
                      "creating an event");
    event.handle_.reset(handle, [](CUevent_st* e) { cudaEventDestroy(e); });
  }
#endif
  return event;
}

void
Event::record([[maybe_unused]] const Stream& stream) const
{
#if PCL_GPU_HAVE_CUDA
  if (handle_)
    device::checkCuda(cudaEventRecord(get(), stream.get()), "recording an event");
#endif
}

void
Event::synchronize() const
{
#if PCL_GPU_HAVE_CUDA
  if (handle_)
    device::checkCuda(cudaEventSynchronize(get()), "waiting for an event");
#endif
}

} // namespace pcl::gpu
