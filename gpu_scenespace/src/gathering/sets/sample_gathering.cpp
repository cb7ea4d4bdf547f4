// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/sets/sample_gathering.h"
#include "frames/device_bytes.h"
#include "gathering/sets/sample_store.h"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

ImageRegion
SampleGathering::Implementation::regionOf(const SceneView& view) const
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

void
testSegments(const Device& device, const device::VolumeTask& task, const Stream& stream)
{
  dispatch(device,
           &device::host::testSegments,
           PCL_GPU_CUDA_ONLY(device::cuda::testSegments),
           task,
           stream);
}

/** \brief The tiles of an output that have pixels that there are sets of. */
device::TileArea
tilesOf(const device::SampleStore& store)
{
  const int x0 = store.first_column / device::tile_columns,
            y0 = store.first_row / device::tile_rows;
  const int x1 = (store.first_column + store.columns - 1) / device::tile_columns,
            y1 = (store.first_row + store.rows - 1) / device::tile_rows;
  return {x0, y0, x1 - x0 + 1, y1 - y0 + 1};
}

void
SampleGathering::Implementation::project(
    const Device& device,
    const std::vector<SceneFrame::ConstPtr>& frames,
    const SceneView& view,
    const device::SampleStore& store,
    const Stream& stream)
{
  const device::GatheringTask task = input_.prepare(
      device, frames, {}, view, volume.getFrustum(), tilesOf(store), stream);
  dispatch(device,
           &device::host::storeSamples,
           PCL_GPU_CUDA_ONLY(device::cuda::storeSamples),
           device::StoreTask{task, store},
           stream);
}

void
SampleGathering::Implementation::testPixels(
    const Device& device,
    const std::vector<SceneFrame::ConstPtr>& frames,
    const SceneView& view,
    const DeviceArray2D<float>* reference_depth,
    const device::SampleStore& store,
    const Stream& stream)
{
  for (const SceneFrame::ConstPtr& frame : frames)
    checkArgument(frame->isWhole(),
                  "frame",
                  "a part of one",
                  "a whole one for volumes other than frustums");
  device::VolumeTask task = volume_input_.prepare(
      device, frames, view, volume.getFrustum(), shape, store, stream);
  if (reference_depth) {
    task.reference_depth = reference_depth->ptr();
    task.reference_stride = static_cast<int>(reference_depth->step() / sizeof(float));
  }
  if (hasSegments())
    volume_input_.addStorage(device, max_segments, task);
  (test ? test : &testSegments)(device, task, stream);
}

void
SampleGathering::Implementation::gather(const std::vector<SceneFrame::ConstPtr>& frames,
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
  sets.create(regionOf(view), max_samples);
  const device::SampleStore store = sampleStore(sets);
  fillAsync(device, store.counts, 0, store.pixels() * sizeof(std::uint32_t), stream);
  if (isProjected())
    project(device, frames, view, store, stream);
  else
    testPixels(device, frames, view, reference_depth, store, stream);
}

SampleGathering::SampleGathering() : implementation_(std::make_unique<Implementation>())
{}

SampleGathering::~SampleGathering() = default;

SampleGathering::SampleGathering(SampleGathering&& other) noexcept = default;

SampleGathering&
SampleGathering::operator=(SampleGathering&& other) noexcept = default;

void
SampleGathering::setFrustum(const QueryFrustum& frustum)
{
  setVolume(QueryVolume::frustum(frustum));
}

const QueryFrustum&
SampleGathering::getFrustum() const
{
  return implementation_->volume.getFrustum();
}

void
SampleGathering::setVolume(const QueryVolume& volume)
{
  implementation_->shape = queryShape(volume);
  implementation_->volume = volume;
}

const QueryVolume&
SampleGathering::getVolume() const
{
  return implementation_->volume;
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
SampleGathering::setMaxSegments(int segments)
{
  checkArgument(segments >= 1, "row segments a pixel", segments, "1 or more");
  implementation_->max_segments = segments;
}

int
SampleGathering::getMaxSegments() const
{
  return implementation_->max_segments;
}

void
SampleGathering::setRegion(const ImageRegion& region)
{
  checkArgument(region.column >= 0, "first column", region.column, "0 or more");
  checkArgument(region.row >= 0, "first row", region.row, "0 or more");
  const bool is_whole = region.columns == 0 && region.rows == 0;
  checkArgument(is_whole || region.columns >= 1,
                "columns of the region",
                region.columns,
                "1 or more");
  checkArgument(
      is_whole || region.rows >= 1, "rows of the region", region.rows, "1 or more");
  implementation_->region = region;
}

const ImageRegion&
SampleGathering::getRegion() const
{
  return implementation_->region;
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
  const Implementation& data = *implementation_;
  const ImageRegion region = data.regionOf(view);
  // Three arrays of four bytes a sample, one of a byte, and the counts.
  const std::size_t pixels = std::size_t(region.columns) * region.rows,
                    counts = pixels * sizeof(std::uint32_t),
                    samples = (SampleSets::estimateMemory(pixels, data.max_samples) -
                               counts) /
                              SampleSets::sample_bytes;
  const std::size_t sets = 3 * arrayMemory(samples * sizeof(float)) +
                           arrayMemory(samples) + arrayMemory(counts);
  if (data.isProjected())
    return sets +
           arrayMemory(GatheringInput::estimateMemory(frames, width, height, region));
  return sets +
         arrayMemory(VolumeInput::estimateMemory(
             frames, height, region, data.hasSegments() ? data.max_segments : 0));
}

void
SampleGathering::gather(const std::vector<SceneFrame::ConstPtr>& frames,
                        const SceneView& view,
                        SampleSets& sets,
                        const Stream& stream)
{
  const bool is_frustum = getVolume().getShape() == QueryVolume::Shape::Frustum;
  checkArgument(is_frustum, "reference depth", "missing", "one of the output's pixels");
  implementation_->gather(frames, view, nullptr, sets, stream);
}

void
SampleGathering::gather(const std::vector<SceneFrame::ConstPtr>& frames,
                        const SceneView& view,
                        const DeviceArray2D<float>& reference_depth,
                        SampleSets& sets,
                        const Stream& stream)
{
  implementation_->gather(frames, view, &reference_depth, sets, stream);
}

} // namespace pcl::gpu
