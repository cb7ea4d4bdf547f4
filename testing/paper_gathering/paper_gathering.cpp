// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/paper_gathering/paper_gathering.h"

#include "frames/resources.h"
#include "gathering/gathering_input.h"
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

struct PaperGathering::Buffers {
  SampleGathering projection;
  VolumeInput input;
};

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
  if (algorithm_ == GatheringAlgorithm::Projection) {
    SampleGathering projection;
    projection.setParameters(parameters_);
    return projection.estimateMemory(frames, width, height, view);
  }
  checkEstimated(frames, width, height, view);
  const bool has_segments = algorithm_ == GatheringAlgorithm::ProducerConsumer;
  const ImageRegion region = wantedRegion(parameters_, view);
  return setsMemory(region, parameters_.max_samples) +
         arrayMemory(VolumeInput::estimateMemory(
             frames, height, region, has_segments ? parameters_.max_segments : 0));
}

void
PaperGathering::gather(const std::vector<SceneFrame::ConstPtr>& frames,
                       const SceneView& view,
                       SampleSets& sets,
                       const Stream& stream)
{
  if (algorithm_ != GatheringAlgorithm::Projection) {
    checkArgument(parameters_.volume.getShape() == QueryVolume::Shape::Frustum,
                  "reference depth",
                  "missing",
                  "one of the output's pixels");
    return gatherByVolumes(frames, view, {}, sets, stream);
  }
  SampleGathering& projection = buffers_.get().projection;
  projection.setParameters(parameters_);
  projection.gather(frames, view, sets, stream);
}

void
PaperGathering::gather(const std::vector<SceneFrame::ConstPtr>& frames,
                       const SceneView& view,
                       const DeviceArray2D<float>& reference_depth,
                       SampleSets& sets,
                       const Stream& stream)
{
  if (algorithm_ != GatheringAlgorithm::Projection) {
    checkReference("reference depth", reference_depth, view, deviceOfFrames(frames));
    return gatherByVolumes(frames, view, reference_depth, sets, stream);
  }
  SampleGathering& projection = buffers_.get().projection;
  projection.setParameters(parameters_);
  projection.gather(frames, view, reference_depth, sets, stream);
}

void
PaperGathering::gatherByVolumes(const std::vector<SceneFrame::ConstPtr>& frames,
                                const SceneView& view,
                                const DeviceArray2D<float>& reference_depth,
                                SampleSets& sets,
                                const Stream& stream)
{
  view.validate();
  const Device device = deviceOfFrames(frames);
  const ScopedDevice scope(device);
  VolumeInput& input = buffers_.get().input;
  device::VolumeTask task =
      volumeTask(parameters_, frames, view, reference_depth, input, sets, stream);
  if (algorithm_ == GatheringAlgorithm::Naive)
    return dispatch(device, PCL_GPU_BOTH(testAllPixels), task, stream);
  if (algorithm_ == GatheringAlgorithm::ConvexBounds)
    return dispatch(device, PCL_GPU_BOTH(testHulls), task, stream);
  input.addStorage(device, parameters_.max_segments, task);
  dispatch(device, PCL_GPU_BOTH(testSegments), task, stream);
}

} // namespace pcl::gpu
