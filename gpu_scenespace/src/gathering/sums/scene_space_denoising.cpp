// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/frame_projection.h"
#include "gathering/gathering_input.h"
#include "gathering/sets/sample_store.h"
#include "gathering/sums/sums.h"

#include <pcl/gpu/scenespace/gathering/scene_space_denoising.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/internal/workspace_pieces.h>

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

} // namespace

struct SceneSpaceDenoising::Buffers {
  GatheringInput input;
  Workspace sum_memory;
  std::vector<float> time_exponents; ///< log2 of the weights of frames' samples
  std::vector<device::StoredProjection> frame_table;
  MirroredTable<device::StoredProjection> device_frame_table;

  /** \brief Uploads a table that finds the frames of samples by their numbers. */
  const device::StoredProjection*
  uploadFrames(const Device& device,
               const std::vector<SceneFrame::ConstPtr>& frames,
               const NumberRange& numbers,
               const SceneView& view,
               const Stream& stream)
  {
    frame_table.assign(numbers.count, {});
    for (std::size_t i = 0; i < frames.size(); ++i)
      frame_table[frames[i]->getNumber() - numbers.first] = {
          frameProjection(frames[i]->getView(), view), time_exponents[i]};
    return device_frame_table.upload(device, frame_table, stream);
  }

  /** \brief Denoises a frame, or a part of it.
   * \param[in] sets samples of the part; null: all of the frames
   */
  void
  denoise(const SceneSpaceDenoisingParameters& parameters,
          const SceneFrame& reference,
          const std::vector<SceneFrame::ConstPtr>& frames,
          const SampleSets* sets,
          DeviceArray2D<RGB>& color,
          const Stream& stream)
  {
    const Device device = checkedDevice(frames, reference, color);
    const SceneView& view = reference.getView();
    ImageRegion region{0, 0, view.camera.width, view.camera.height};
    if (sets) {
      checkDevice("the sample sets", sets->getCounts(), "the first frame", device);
      region = sets->getRegion();
      const bool fits = region.column + region.columns <= view.camera.width &&
                        region.row + region.rows <= view.camera.height;
      checkArgument(
          fits, "region of the sample sets", "beyond", "a part of the reference");
    }
    const ScopedDevice scope(device);
    createOn(device, color, view.camera.height, view.camera.width);
    device::WeightedSums<device::ColorSum> sums{};
    sums.reference = pictureOf(reference);
    sums.exponents.color = exponentOf(parameters.sigma_rgb);
    sums.exponents.position = exponentOf(parameters.sigma_xyz);
    const float time_exponent = exponentOf(parameters.sigma_frame);
    time_exponents.clear();
    for (const SceneFrame::ConstPtr& frame : frames) {
      const float difference = frame->getView().time - view.time;
      time_exponents.push_back(time_exponent * (difference * difference));
    }
    const std::size_t pixels = std::size_t(region.columns) * region.rows;
    takePieces(sum_memory, Piece{sums.sums, pixels});
    fillAsync(device, sums.sums, 0, pixels * sizeof(device::ColorSum), stream);
    if (sets) {
      const NumberRange numbers = numbersOf(frames);
      const device::StoredSumTask task{
          sums,
          sampleStore(*sets),
          viewGeometry(view, parameters.frustum),
          uploadFrames(device, frames, numbers, view, stream),
          numbers.first,
          numbers.count};
      dispatch(device, PCL_GPU_BOTH(sumStoredSamples), task, stream);
    }
    else {
      const device::SumTask task{
          sums,
          input.prepare(
              device, frames, time_exponents, view, parameters.frustum, {}, stream)};
      dispatch(device, PCL_GPU_BOTH(addSamples), task, stream);
    }
    const device::DividePixel division{sums.sums,
                                       region.columns,
                                       region.column,
                                       region.row,
                                       sums.reference.color,
                                       outputView<device::PackedColor>(color)};
    parallelFor2D(device, region.columns, region.rows, division, stream);
  }
};

void
SceneSpaceDenoisingParameters::validate() const
{
  checkPositive("sigma_rgb", sigma_rgb);
  checkPositive("sigma_xyz", sigma_xyz);
  checkDeviation("sigma_frame", sigma_frame);
  frustum.validate();
}

void
SceneSpaceDenoising::compute(const SceneFrame& reference,
                             const std::vector<SceneFrame::ConstPtr>& frames,
                             DeviceArray2D<RGB>& color,
                             const Stream& stream)
{
  buffers_.get().denoise(parameters_, reference, frames, nullptr, color, stream);
}

void
SceneSpaceDenoising::compute(const SceneFrame& reference,
                             const std::vector<SceneFrame::ConstPtr>& frames,
                             const SampleSets& sets,
                             DeviceArray2D<RGB>& color,
                             const Stream& stream)
{
  buffers_.get().denoise(parameters_, reference, frames, &sets, color, stream);
}

} // namespace pcl::gpu
