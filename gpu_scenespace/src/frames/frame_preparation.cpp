// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frames/frame_preparation.h"

#include "frames/frame_preparation.hpp"
#include "gathering/gathering_input.h"

#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

namespace {

/** \brief Removes depth except where a mask has a value. */
void
maskDepth(const DeviceArray2D<float>& depth,
          const DeviceArray2D<std::uint8_t>& mask,
          std::uint8_t kept,
          DeviceArray2D<float>& masked,
          const Stream& stream)
{
  const Device device = deviceOf(depth);
  createOn(device, masked, depth.rows(), depth.cols());
  const device::MaskDepth step{inputView<float>(depth),
                               inputView<std::uint8_t>(mask),
                               kept,
                               outputView<float>(masked)};
  parallelFor2D(device, depth.cols(), depth.rows(), step, stream);
}

/** \brief Removes depth beside nearer surfaces. */
void
dropEdges(const DeviceArray2D<float>& depth,
          int margin,
          DeviceArray2D<float>& kept,
          const Stream& stream)
{
  const Device device = deviceOf(depth);
  createOn(device, kept, depth.rows(), depth.cols());
  const device::DropEdges step{
      inputView<float>(depth), outputView<float>(kept), margin};
  parallelFor2D(device, depth.cols(), depth.rows(), step, stream);
}

} // namespace

bool
FrameImagesOnDevice::isHeld() const
{
  return frame.use_count() > 1 || background.use_count() > 1 || objects.use_count() > 1;
}

PreparedFrame
FrameImagesOnDevice::prepared() const
{
  PreparedFrame result;
  result.frame = result.background = frame;
  result.sharpness = sharpness;
  if (!mask.empty()) {
    result.background = background;
    result.objects = objects;
    result.mask = mask;
  }
  return result;
}

void
FramePreparation::prepare(const ReadFrame& read,
                          int number,
                          const ScenePreparation& preparation,
                          const Event& used,
                          FrameImagesOnDevice& images,
                          const Stream& stream)
{
  const RGBDFrame& frame = read.frame;
  checkRegistered(frame);
  uploader_.upload(read, images.color, images.depth, images.mask, used, stream);
  const bool has_guide = preparation.noise > 0.0f;
  if (has_guide)
    guide_filter_.compute(images.color, preparation.noise, images.guide, stream);
  if (preparation.fill_depth)
    filling_.compute(
        images.depth, has_guide ? images.guide : images.color, images.depth, stream);
  if (preparation.edge_margin > 0) {
    dropEdges(images.depth, preparation.edge_margin, without_edges_, stream);
    images.depth.swap(without_edges_);
  }
  const auto set = [&](SceneFrame& scene_frame, const DeviceArray2D<float>& depth) {
    scene_frame.set(
        images.color, depth, frame.color_camera, frame.color_pose, number, stream);
    if (has_guide)
      scene_frame.setGuide(images.guide);
  };
  set(*images.frame, images.depth);
  images.sharpness = read.sharpness;
  if (read.mask.empty())
    return;
  maskDepth(images.depth,
            images.mask,
            device::mask_background,
            images.background_depth,
            stream);
  maskDepth(
      images.depth, images.mask, device::mask_object, images.object_depth, stream);
  set(*images.background, images.background_depth);
  set(*images.objects, images.object_depth);
}

} // namespace pcl::gpu
