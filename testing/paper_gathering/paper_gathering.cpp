// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/paper_gathering/paper_gathering.h"

#include "gathering/volumes/host_volume_passes.h"
#include "gathering/volumes/volume_input.h"
#include "testing/paper_gathering/paper_passes.hpp"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::device::host {

void
testAllPixels(const VolumeTask& task)
{
  passOverFrames<TestAllPixels>("testAllPixels", task, for_each_pixel);
}

void
testHulls(const VolumeTask& task)
{
  boundFrames(task);
  passOverFrames<TestHulls>("testHulls", task, for_each_pixel);
}

} // namespace pcl::device::host

namespace pcl::gpu {

void
PaperGathering::setAlgorithm(GatheringAlgorithm algorithm)
{
  checkEnumerator(
      "gathering algorithm", algorithm, GatheringAlgorithm::ProducerConsumer);
  algorithm_ = algorithm;
  test_ = nullptr;
  test_has_segments_ = algorithm == GatheringAlgorithm::ProducerConsumer;
  if (algorithm == GatheringAlgorithm::Naive)
    test_ =
        [](const Device& device, const device::VolumeTask& task, const Stream& stream) {
          dispatch(device, PCL_GPU_BOTH(testAllPixels), task, stream);
        };
  else if (algorithm == GatheringAlgorithm::ConvexBounds)
    test_ =
        [](const Device& device, const device::VolumeTask& task, const Stream& stream) {
          dispatch(device, PCL_GPU_BOTH(testHulls), task, stream);
        };
  else if (algorithm == GatheringAlgorithm::ProducerConsumer)
    test_ = &testSegments;
}

GatheringAlgorithm
PaperGathering::getAlgorithm() const
{
  return algorithm_;
}

} // namespace pcl::gpu
