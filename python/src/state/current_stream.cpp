// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "state/current_stream.h"

#include <vector>

namespace pcl_gpu_python {

namespace {

thread_local std::vector<pcl::gpu::Stream> streams;

} // namespace

pcl::gpu::Stream
currentStream()
{
  return streams.empty() ? pcl::gpu::Stream() : streams.back();
}

void
pushStream(const pcl::gpu::Stream& stream)
{
  streams.push_back(stream);
}

void
popStream()
{
  streams.pop_back();
}

} // namespace pcl_gpu_python
