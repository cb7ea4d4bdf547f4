// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frames/resources.h"
#include "gathering/gathering_input.h"
#include "gathering/sets/gather_samples.h"
#include "gathering/sets/sample_store.h"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

namespace {

/** \brief The tiles of an output with pixels that have sets. */
device::TileArea
tilesOf(const device::SampleStore& store)
{
  const int x0 = store.first_column / device::tile_columns,
            y0 = store.first_row / device::tile_rows;
  const int x1 = (store.first_column + store.columns - 1) / device::tile_columns,
            y1 = (store.first_row + store.rows - 1) / device::tile_rows;
  return {x0, y0, x1 - x0 + 1, y1 - y0 + 1};
}

bool
isFrustum(const QueryVolume& volume)
{
  return volume.getShape() == QueryVolume::Shape::Frustum;
}

/** \brief Gives sets the size that is wanted, on the current device, and empties
 * them. */
device::SampleStore
emptySets(const SampleGatheringParameters& parameters,
          const SceneView& view,
          SampleSets& sets,
          const Stream& stream)
{
  sets.create(wantedRegion(parameters, view), parameters.max_samples);
  const device::SampleStore store = sampleStore(sets);
  fillAsync(deviceOf(sets.getCounts()),
            store.counts,
            0,
            store.pixels() * sizeof(std::uint32_t),
            stream);
  return store;
}

} // namespace

ImageRegion
wantedRegion(const SampleGatheringParameters& parameters, const SceneView& view)
{
  const ImageRegion& region = parameters.region;
  const PinholeCamera& camera = view.camera;
  if (region.columns == 0 && region.rows == 0)
    return {0, 0, camera.width, camera.height};
  checkArgument(region.column + region.columns <= camera.width,
                "last column of the region",
                region.column + region.columns - 1,
                "one of the output's");
  checkArgument(region.row + region.rows <= camera.height,
                "last row of the region",
                region.row + region.rows - 1,
                "one of the output's");
  return region;
}

device::VolumeTask
volumeTask(const SampleGatheringParameters& parameters,
           const std::vector<SceneFrame::ConstPtr>& frames,
           const SceneView& view,
           const DeviceArray2D<float>& reference_depth,
           VolumeInput& input,
           SampleSets& sets,
           const Stream& stream)
{
  const device::SampleStore store = emptySets(parameters, view, sets, stream);
  device::VolumeTask task =
      input.prepare(currentDevice(), frames, view, parameters.volume, store, stream);
  task.reference_depth = inputView<float>(reference_depth);
  return task;
}

void
checkEstimated(int frames, int width, int height, const SceneView& view)
{
  checkAtLeast("number of frames", frames, 1);
  checkArgument(width >= 1, "width of frames", width, "1 pixel or more");
  checkArgument(height >= 1, "height of frames", height, "1 pixel or more");
  view.validate();
}

std::size_t
setsMemory(const ImageRegion& region, int max_samples)
{
  // Three arrays of four bytes a sample, one of a byte, and the counts.
  const std::size_t pixels = std::size_t(region.columns) * region.rows,
                    counts = pixels * sizeof(std::uint32_t),
                    samples =
                        (SampleSets::estimateMemory(pixels, max_samples) - counts) /
                        SampleSets::sample_bytes;
  return 3 * arrayMemory(samples * sizeof(float)) + arrayMemory(samples) +
         arrayMemory(counts);
}

void
SampleGatheringParameters::validate() const
{
  checkAtLeast("row segments a pixel", max_segments, 1);
  checkAtLeast("samples a pixel", max_samples, 1);
  checkAtLeast("first column", region.column, 0);
  checkAtLeast("first row", region.row, 0);
  if (region.columns == 0 && region.rows == 0)
    return;
  checkAtLeast("columns of the region", region.columns, 1);
  checkAtLeast("rows of the region", region.rows, 1);
}

struct SampleGathering::Buffers {
  GatheringInput input;
  VolumeInput volume_input;
};

std::size_t
SampleGathering::estimateMemory(int frames,
                                int width,
                                int height,
                                const SceneView& view) const
{
  checkEstimated(frames, width, height, view);
  const ImageRegion region = wantedRegion(parameters_, view);
  const std::size_t scratch =
      isFrustum(parameters_.volume)
          ? GatheringInput::estimateMemory(frames, width, height, region)
          : VolumeInput::estimateMemory(
                frames, height, region, parameters_.max_segments);
  return setsMemory(region, parameters_.max_samples) + arrayMemory(scratch);
}

void
SampleGathering::gather(const std::vector<SceneFrame::ConstPtr>& frames,
                        const SceneView& view,
                        SampleSets& sets,
                        const Stream& stream)
{
  const QueryVolume& volume = parameters_.volume;
  checkArgument(
      isFrustum(volume), "reference depth", "missing", "one of the output's pixels");
  view.validate();
  const Device device = deviceOfFrames(frames);
  const ScopedDevice scope(device);
  const device::SampleStore store = emptySets(parameters_, view, sets, stream);
  const device::GatheringTask task = buffers_.get().input.prepare(
      device, frames, {}, view, volume.getFrustum(), tilesOf(store), stream);
  dispatch(device, PCL_GPU_BOTH(storeSamples), device::StoreTask{task, store}, stream);
}

void
SampleGathering::gather(const std::vector<SceneFrame::ConstPtr>& frames,
                        const SceneView& view,
                        const DeviceArray2D<float>& reference_depth,
                        SampleSets& sets,
                        const Stream& stream)
{
  view.validate();
  const Device device = deviceOfFrames(frames);
  checkReference("reference depth", reference_depth, view, device);
  if (isFrustum(parameters_.volume))
    return gather(frames, view, sets, stream);
  const ScopedDevice scope(device);
  VolumeInput& input = buffers_.get().volume_input;
  device::VolumeTask task =
      volumeTask(parameters_, frames, view, reference_depth, input, sets, stream);
  input.addStorage(device, parameters_.max_segments, task);
  dispatch(device, PCL_GPU_BOTH(testSegments), task, stream);
}

} // namespace pcl::gpu
