// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/frame_projection.h"
#include "gathering/gathering_input.h"
#include "gathering/sets/sample_store.h"

#include <pcl/gpu/scenespace/scene_space_denoising.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/workspace.h>

#include <algorithm>

namespace pcl::gpu {

namespace {

/** \brief The device that a frame is denoised on.
 * \throws pcl::BadArgumentException as SceneSpaceDenoising::compute() does
 */
Device
checkedDevice(const std::vector<SceneFrame::ConstPtr>& frames,
              const SceneFrame& reference,
              const DeviceArray2D<RGB>& color)
{
  const Device device = deviceOfFrames(frames);
  checkDevice("the reference", reference.getColor(), "the first frame", device);
  checkArgument(!reference.getColor().empty(), "the reference", "empty", "a frame");
  checkArgument(reference.isWhole(), "the reference", "a part of a frame", "all of it");
  checkApart("the reference's colour", reference.getColor(), color);
  return device;
}

/** \brief Writes a part of a picture, of which there are sums. */
void
divide(const device::GatheringDriver& driver,
       const device::ColorSum* sums,
       device::ReferenceImages reference,
       const ImageRegion& region,
       DeviceArray2D<RGB>& color,
       const Stream& stream)
{
  reference.color += std::size_t(region.row) * reference.color_stride + region.column;
  RGB* const first = color.ptr(region.row) + region.column;
  driver.divideSums(sums,
                    reference,
                    region.columns,
                    region.rows,
                    reinterpret_cast<device::PackedColor*>(first),
                    strideOf(color),
                    stream.get());
}

} // namespace

class SceneSpaceDenoising::Implementation {
public:
  float sigma_rgb = 40.0f, sigma_xyz = 0.05f, sigma_frame = 6.0f;
  QueryFrustum frustum;
  GatheringInput input;
  Workspace sum_memory;
  std::vector<device::StoredProjection> frame_table;
  MirroredTable<device::StoredProjection> device_frame_table;

  device::SimilarityExponents
  exponents(const SceneFrame& reference) const
  {
    return {exponentOf(sigma_rgb),
            exponentOf(sigma_xyz),
            exponentOf(sigma_frame),
            reference.getView().time};
  }

  /** \brief Sums of pixels, all zero. */
  device::ColorSum*
  clearSums(const device::GatheringDriver& driver,
            std::size_t pixels,
            const Stream& stream)
  {
    sum_memory.reserve(Workspace::bytesFor<device::ColorSum>(pixels));
    auto* const sums = sum_memory.take<device::ColorSum>(pixels);
    driver.clear(sums, pixels * sizeof(device::ColorSum), stream.get());
    return sums;
  }

  /** \brief Has samples find their frames by numbers. */
  void
  setFrames(const std::vector<SceneFrame::ConstPtr>& frames,
            const SceneView& view,
            const Device& device,
            const Stream& stream,
            device::StoredSumTask& task)
  {
    const auto by_number = [](const auto& a, const auto& b) {
      return a->getNumber() < b->getNumber();
    };
    const auto ends = std::minmax_element(frames.begin(), frames.end(), by_number);
    task.first_number = (*ends.first)->getNumber();
    task.frame_count = (*ends.second)->getNumber() - task.first_number + 1;
    frame_table.assign(task.frame_count, {});
    for (const SceneFrame::ConstPtr& frame : frames) {
      const SceneView& source = frame->getView();
      const device::FrameProjection projection =
          frameProjection(source.camera, source.pose, view, source.time);
      device::StoredProjection& entry =
          frame_table[frame->getNumber() - task.first_number];
      std::copy_n(&projection.to_point[0][0], 12, &entry.to_point[0][0]);
      entry.center_column = projection.center_column;
      entry.center_row = projection.center_row;
      entry.time = projection.time;
    }
    task.frames = device_frame_table.upload(device, frame_table, stream);
  }
};

SceneSpaceDenoising::SceneSpaceDenoising()
: implementation_(std::make_unique<Implementation>())
{}

SceneSpaceDenoising::~SceneSpaceDenoising() = default;

SceneSpaceDenoising::SceneSpaceDenoising(SceneSpaceDenoising&& other) noexcept =
    default;

SceneSpaceDenoising&
SceneSpaceDenoising::operator=(SceneSpaceDenoising&& other) noexcept = default;

void
SceneSpaceDenoising::setSigmaRGB(float sigma)
{
  checkPositive("sigma_rgb", sigma);
  implementation_->sigma_rgb = sigma;
}

float
SceneSpaceDenoising::getSigmaRGB() const
{
  return implementation_->sigma_rgb;
}

void
SceneSpaceDenoising::setSigmaXYZ(float sigma)
{
  checkPositive("sigma_xyz", sigma);
  implementation_->sigma_xyz = sigma;
}

float
SceneSpaceDenoising::getSigmaXYZ() const
{
  return implementation_->sigma_xyz;
}

void
SceneSpaceDenoising::setSigmaFrame(float sigma)
{
  checkDeviation("sigma_frame", sigma);
  implementation_->sigma_frame = sigma;
}

float
SceneSpaceDenoising::getSigmaFrame() const
{
  return implementation_->sigma_frame;
}

void
SceneSpaceDenoising::setFrustum(const QueryFrustum& frustum)
{
  frustum.validate();
  implementation_->frustum = frustum;
}

const QueryFrustum&
SceneSpaceDenoising::getFrustum() const
{
  return implementation_->frustum;
}

void
SceneSpaceDenoising::compute(const SceneFrame& reference,
                             const std::vector<SceneFrame::ConstPtr>& frames,
                             DeviceArray2D<RGB>& color,
                             const Stream& stream)
{
  const Device device = checkedDevice(frames, reference, color);
  const ScopedDevice scope(device);
  const device::GatheringDriver& driver = gatheringDriverFor(device);
  Implementation& data = *implementation_;
  const SceneView& view = reference.getView();
  createOn(device, color, view.camera.height, view.camera.width);
  device::SumTask task{};
  task.reference = referenceImages(reference);
  task.exponents = data.exponents(reference);
  const ImageRegion region{0, 0, view.camera.width, view.camera.height};
  task.sums = data.clearSums(driver, std::size_t(region.columns) * region.rows, stream);
  task.gathering = data.input.prepare(device, frames, view, data.frustum, stream);
  driver.addSamples(task, stream.get());
  divide(driver, task.sums, task.reference, region, color, stream);
}

void
SceneSpaceDenoising::compute(const SceneFrame& reference,
                             const std::vector<SceneFrame::ConstPtr>& frames,
                             const SampleSets& sets,
                             DeviceArray2D<RGB>& color,
                             const Stream& stream)
{
  const Device device = checkedDevice(frames, reference, color);
  checkDevice("the sample sets", sets.getCounts(), "the first frame", device);
  const SceneView& view = reference.getView();
  const ImageRegion& region = sets.getRegion();
  const bool fits = region.column + region.columns <= view.camera.width &&
                    region.row + region.rows <= view.camera.height;
  checkArgument(fits, "region of the sample sets", "beyond", "a part of the reference");
  const ScopedDevice scope(device);
  const device::GatheringDriver& driver = gatheringDriverFor(device);
  Implementation& data = *implementation_;
  createOn(device, color, view.camera.height, view.camera.width);
  device::StoredSumTask task{};
  task.store = sampleStore(sets);
  data.setFrames(frames, view, device, stream, task);
  task.view = viewGeometry(view, data.frustum);
  task.reference = referenceImages(reference);
  task.exponents = data.exponents(reference);
  task.sums = data.clearSums(driver, std::size_t(region.columns) * region.rows, stream);
  driver.sumStoredSamples(task, stream.get());
  divide(driver, task.sums, task.reference, region, color, stream);
}

} // namespace pcl::gpu
