// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/composition/picture_mean.h"

#include "gathering/gathering_input.h"

#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

namespace {

std::size_t
pixelsOf(const SceneView& view)
{
  return static_cast<std::size_t>(view.camera.width) * view.camera.height;
}

} // namespace

PictureMean::PictureMean(Workspace& memory, const SceneFrame& middle, float focus)
: middle_(middle)
, focus_(focus)
, device_(currentDevice())
, columns_(middle.getColor().cols())
, rows_(middle.getColor().rows())
{
  memory.reserve(estimateMemory(middle.getView()));
  sums_ = memory.take<device::PictureSum>(pixelsOf(middle.getView()));
}

void
PictureMean::add(const SceneImage& picture,
                 const LensShift& shift,
                 float weight,
                 const Stream& stream)
{
  device::AddPicture task{};
  task.color = packedColors(picture.color);
  task.color_stride = strideOf(picture.color);
  task.depth = picture.depth.ptr();
  task.depth_stride = strideOf(picture.depth);
  task.variance = picture.variance.ptr();
  task.variance_stride = strideOf(picture.variance);
  task.middle.color = packedColors(middle_.getColor());
  task.middle.color_stride = strideOf(middle_.getColor());
  task.middle.depth = middle_.getDepth().ptr();
  task.middle.depth_stride = strideOf(middle_.getDepth());
  task.middle.inverse_focus = 1.0f / focus_;
  task.middle.shift_right = shift.right;
  task.middle.shift_down = shift.down;
  task.middle.tolerance = 0.03f;
  task.weight = weight;
  task.is_first = is_empty_;
  task.sums = sums_;
  task.columns = columns_;
  parallelFor2D(device_, columns_, rows_, task, stream);
  is_empty_ = false;
}

void
PictureMean::finish(SceneImage& mean, const Stream& stream)
{
  createOn(device_, mean, rows_, columns_);
  device::DividePictures task{};
  task.sums = sums_;
  task.columns = columns_;
  task.other_color = packedColors(middle_.getColor());
  task.other_color_stride = strideOf(middle_.getColor());
  task.other_depth = middle_.getDepth().ptr();
  task.other_depth_stride = strideOf(middle_.getDepth());
  task.color = packedColors(mean.color);
  task.color_stride = strideOf(mean.color);
  task.depth = mean.depth.ptr();
  task.depth_stride = strideOf(mean.depth);
  task.variance = mean.variance.ptr();
  task.variance_stride = strideOf(mean.variance);
  parallelFor2D(device_, columns_, rows_, task, stream);
}

std::size_t
PictureMean::estimateMemory(const SceneView& view)
{
  return Workspace::bytesFor<device::PictureSum>(pixelsOf(view));
}

} // namespace pcl::gpu
