// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/paper_gathering/paper_gathering.h"

#include "gathering/sets/gather_samples.h"
#include "gathering/volumes/host_volume_passes.h"
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

namespace {

VolumeTest
testBy(GatheringAlgorithm algorithm, const QueryVolume& volume)
{
  switch (algorithm) {
  case GatheringAlgorithm::Naive:
    return {
        [](const Device& device, const device::VolumeTask& task, const Stream& stream) {
          dispatch(device, PCL_GPU_BOTH(testAllPixels), task, stream);
        }};
  case GatheringAlgorithm::ConvexBounds:
    return {
        [](const Device& device, const device::VolumeTask& task, const Stream& stream) {
          dispatch(device, PCL_GPU_BOTH(testHulls), task, stream);
        }};
  case GatheringAlgorithm::ProducerConsumer:
    return {&testSegments, true};
  default:
    return testFor(volume);
  }
}

} // namespace

struct PaperGathering::Buffers : GatheringBuffers {};

void
PaperGathering::setAlgorithm(GatheringAlgorithm algorithm)
{
  checkEnumerator(
      "gathering algorithm", algorithm, GatheringAlgorithm::ProducerConsumer);
  algorithm_ = algorithm;
}

GatheringAlgorithm
PaperGathering::getAlgorithm() const
{
  return algorithm_;
}

std::size_t
PaperGathering::estimateMemory(int frames,
                               int width,
                               int height,
                               const SceneView& view) const
{
  return gatheringMemory(
      parameters_, testBy(algorithm_, parameters_.volume), frames, width, height, view);
}

void
PaperGathering::gather(const std::vector<SceneFrame::ConstPtr>& frames,
                       const SceneView& view,
                       SampleSets& sets,
                       const Stream& stream)
{
  gatherSamples(parameters_,
                testBy(algorithm_, parameters_.volume),
                buffers_.get(),
                frames,
                view,
                nullptr,
                sets,
                stream);
}

void
PaperGathering::gather(const std::vector<SceneFrame::ConstPtr>& frames,
                       const SceneView& view,
                       const DeviceArray2D<float>& reference_depth,
                       SampleSets& sets,
                       const Stream& stream)
{
  gatherSamples(parameters_,
                testBy(algorithm_, parameters_.volume),
                buffers_.get(),
                frames,
                view,
                &reference_depth,
                sets,
                stream);
}

} // namespace pcl::gpu
