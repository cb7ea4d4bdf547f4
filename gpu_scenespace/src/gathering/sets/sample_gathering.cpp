// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frames/resources.h"
#include "gathering/gathering_input.h"
#include "gathering/sets/sample_store.h"
#include "gathering/volumes/volume_input.h"

#include <pcl/gpu/scenespace/gathering/sample_gathering.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

struct SampleGathering::Buffers {
  GatheringInput input;
  VolumeInput volume_input;
};

namespace {

/** \brief Returns the region, or the whole output.
 * \throws pcl::BadArgumentException if it lies beyond
 */
ImageRegion
regionOf(const ImageRegion& region, const SceneView& view)
{
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

} // namespace

bool
SampleGathering::isProjected() const
{
  return !test_ && parameters_.volume.getShape() == QueryVolume::Shape::Frustum;
}

bool
SampleGathering::hasSegments() const
{
  return test_ ? test_has_segments_ : !isProjected();
}

void
SampleGathering::gather(const std::vector<SceneFrame::ConstPtr>& frames,
                        const SceneView& view,
                        const DeviceArray2D<float>* reference_depth,
                        SampleSets& sets,
                        const Stream& stream)
{
  view.validate();
  const Device device = deviceOfFrames(frames);
  const PinholeCamera& camera = view.camera;
  if (reference_depth) {
    checkDevice("reference depth", *reference_depth, "the first frame", device);
    const bool fits = reference_depth->cols() == camera.width &&
                      reference_depth->rows() == camera.height;
    checkArgument(fits, "size of the reference depth", "another", "the output's");
  }
  const ScopedDevice scope(device);
  sets.create(regionOf(parameters_.region, view), parameters_.max_samples);
  const device::SampleStore store = sampleStore(sets);
  fillAsync(device, store.counts, 0, store.pixels() * sizeof(std::uint32_t), stream);
  Buffers& buffers = buffers_.get();
  if (isProjected()) {
    const device::GatheringTask task =
        buffers.input.prepare(device,
                              frames,
                              {},
                              view,
                              parameters_.volume.getFrustum(),
                              tilesOf(store),
                              stream);
    dispatch(device,
             &device::host::storeSamples,
             PCL_GPU_CUDA_ONLY(device::cuda::storeSamples),
             device::StoreTask{task, store},
             stream);
    return;
  }
  for (const SceneFrame::ConstPtr& frame : frames)
    checkArgument(frame->isWhole(),
                  "frame",
                  "a part of one",
                  "a whole one for volumes other than frustums");
  device::VolumeTask task = buffers.volume_input.prepare(
      device, frames, view, parameters_.volume, store, stream);
  if (reference_depth) {
    task.reference_depth = reference_depth->ptr();
    task.reference_stride = strideOf(*reference_depth);
  }
  if (hasSegments())
    buffers.volume_input.addStorage(device, parameters_.max_segments, task);
  (test_ ? test_ : &testSegments)(device, task, stream);
}

void
SampleGatheringParameters::validate() const
{
  checkArgument(max_segments >= 1, "row segments a pixel", max_segments, "1 or more");
  checkArgument(max_samples >= 1, "samples a pixel", max_samples, "1 or more");
  checkArgument(region.column >= 0, "first column", region.column, "0 or more");
  checkArgument(region.row >= 0, "first row", region.row, "0 or more");
  const bool is_whole = region.columns == 0 && region.rows == 0;
  checkArgument(is_whole || region.columns >= 1,
                "columns of the region",
                region.columns,
                "1 or more");
  checkArgument(
      is_whole || region.rows >= 1, "rows of the region", region.rows, "1 or more");
}

std::size_t
SampleGathering::estimateMemory(int frames,
                                int width,
                                int height,
                                const SceneView& view) const
{
  checkArgument(frames >= 1, "number of frames", frames, "1 or more");
  checkArgument(width >= 1, "width of frames", width, "1 pixel or more");
  checkArgument(height >= 1, "height of frames", height, "1 pixel or more");
  view.validate();
  const ImageRegion region = regionOf(parameters_.region, view);
  // Three arrays of four bytes a sample, one of a byte, and the counts.
  const std::size_t pixels = std::size_t(region.columns) * region.rows,
                    counts = pixels * sizeof(std::uint32_t),
                    samples =
                        (SampleSets::estimateMemory(pixels, parameters_.max_samples) -
                         counts) /
                        SampleSets::sample_bytes;
  const std::size_t sets = 3 * arrayMemory(samples * sizeof(float)) +
                           arrayMemory(samples) + arrayMemory(counts);
  if (isProjected())
    return sets +
           arrayMemory(GatheringInput::estimateMemory(frames, width, height, region));
  return sets +
         arrayMemory(VolumeInput::estimateMemory(
             frames, height, region, hasSegments() ? parameters_.max_segments : 0));
}

void
SampleGathering::gather(const std::vector<SceneFrame::ConstPtr>& frames,
                        const SceneView& view,
                        SampleSets& sets,
                        const Stream& stream)
{
  const bool is_frustum = parameters_.volume.getShape() == QueryVolume::Shape::Frustum;
  checkArgument(is_frustum, "reference depth", "missing", "one of the output's pixels");
  gather(frames, view, nullptr, sets, stream);
}

void
SampleGathering::gather(const std::vector<SceneFrame::ConstPtr>& frames,
                        const SceneView& view,
                        const DeviceArray2D<float>& reference_depth,
                        SampleSets& sets,
                        const Stream& stream)
{
  gather(frames, view, &reference_depth, sets, stream);
}

} // namespace pcl::gpu
