// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "tensor_stages.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace benchmarks {

using namespace pcl::gpu;

TensorStages::TensorStages(const RawDepth& depth, const Stream& stream)
: stream_(stream)
{
  depth_.upload(depth.millimetres, depth.camera.width);
  Stream().synchronize();
  DepthMapTriangulationParameters parameters;
  parameters.projection.camera = depth.camera;
  chain_.setParameters(parameters);
  queueChain();
}

void
TensorStages::queueChain()
{
  chain_.compute(depth_, 0.001f, stream_);
}

void
TensorStages::queuePairs()
{
  estimation_.compute(
      chain_.cloud(), chain_.normals(), chain_.statistics(), pairs_, stream_);
}

void
TensorStages::queueTensors()
{
  queueTensors(pairs_, extraction_, tensors_, stream_);
}

void
TensorStages::queueTensors(const PointPairs& pairs,
                           TensorExtraction& extraction,
                           TensorSet& tensors,
                           const Stream& stream) const
{
  extraction.compute(chain_.cloud(),
                     chain_.normals(),
                     chain_.mesh(),
                     chain_.statistics(),
                     pairs,
                     tensors,
                     stream);
}

const DepthMapTriangulation&
TensorStages::chain() const
{
  return chain_;
}

const PointPairs&
TensorStages::pairs() const
{
  return pairs_;
}

const TensorSet&
TensorStages::tensors() const
{
  return tensors_;
}

PointPairEstimation&
TensorStages::estimation()
{
  return estimation_;
}

int
TensorStages::tensorCount() const
{
  int count = 0;
  tensors_.count.download(&count);
  return count;
}

double
TensorStages::entriesPerTensor() const
{
  std::vector<std::uint32_t> starts;
  tensors_.starts.download(starts);
  const int count = tensorCount();
  return starts.at(count) / std::max(1.0, static_cast<double>(count));
}

} // namespace benchmarks
