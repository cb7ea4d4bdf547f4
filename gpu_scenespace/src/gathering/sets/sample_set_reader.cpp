// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/frame_projection.h"
#include "gathering/gathering_input.h"

#include <pcl/gpu/scenespace/gathering/sample_set_reader.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

namespace pcl::gpu {

struct SampleSetReader::Buffers {
  std::vector<device::FramePlacement> placements;
  MirroredTable<device::FramePlacement> device_placements;
};

device::SampleSetsView
SampleSetReader::read(const SampleSets& sets,
                      const std::vector<SceneFrame::ConstPtr>& frames,
                      const SceneView& view,
                      const Stream& stream)
{
  view.validate();
  const Device device = deviceOfFrames(frames);
  checkArgument(!sets.getCounts().empty(), "sample sets", "empty", "gathered ones");
  checkDevice("the sample sets", sets.getCounts(), "the first frame", device);
  const auto [first, count] = numbersOf(frames);
  Buffers& data = buffers_.get();
  data.placements.assign(count, {});
  for (const SceneFrame::ConstPtr& frame : frames)
    rowsOf(data.placements[frame->getNumber() - first].to_point) =
        pointMatrix(frame->getView(), view).cast<float>();
  const ScopedDevice scope(device);
  const ImageRegion& region = sets.getRegion();
  return {sets.getCounts().ptr(),
          sets.getPositions().ptr(),
          sets.getDepths().ptr(),
          sets.getColors().ptr(),
          sets.getFrameHighBytes().ptr(),
          data.device_placements.upload(device, data.placements, stream),
          first,
          region.column,
          region.row,
          region.columns,
          region.rows};
}

} // namespace pcl::gpu
