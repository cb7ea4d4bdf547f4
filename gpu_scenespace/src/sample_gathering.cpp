// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering_input.h"
#include "sample_store.h"

#include <pcl/gpu/scenespace/sample_gathering.h>
#include <pcl/gpu/utils/argument_checks.h>

namespace pcl {
namespace gpu {

class SampleGathering::Implementation {
public:
  QueryFrustum frustum;
  int max_samples = 1024;
  GatheringInput input;
};

SampleGathering::SampleGathering() : implementation_(std::make_unique<Implementation>())
{}

SampleGathering::~SampleGathering() = default;

SampleGathering::SampleGathering(SampleGathering&& other) noexcept = default;

SampleGathering&
SampleGathering::operator=(SampleGathering&& other) noexcept = default;

void
SampleGathering::setFrustum(const QueryFrustum& frustum)
{
  frustum.validate();
  implementation_->frustum = frustum;
}

const QueryFrustum&
SampleGathering::getFrustum() const
{
  return implementation_->frustum;
}

void
SampleGathering::setMaxSamples(int samples)
{
  checkArgument(samples >= 1, "samples a pixel", samples, "1 or more");
  implementation_->max_samples = samples;
}

int
SampleGathering::getMaxSamples() const
{
  return implementation_->max_samples;
}

void
SampleGathering::gather(const std::vector<SceneFrame::ConstPtr>& frames,
                        const SceneView& view,
                        SampleSets& sets,
                        const Stream& stream)
{
  view.validate();
  const Device device = deviceOfFrames(frames);
  const ScopedDevice scope(device);
  Implementation& data = *implementation_;
  sets.create(view.camera.width, view.camera.height, data.max_samples);
  const device::GatheringDriver& driver = gatheringDriverFor(device);
  const device::SampleStore store = sampleStore(sets);
  driver.clear(store.counts, store.pixels() * sizeof(std::uint32_t), stream.get());
  driver.storeSamples(
      {data.input.prepare(device, frames, view, data.frustum, stream), store},
      stream.get());
}

} // namespace gpu
} // namespace pcl
