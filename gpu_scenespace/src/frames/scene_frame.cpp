// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frames/frame_upload.h"
#include "gathering/gathering_input.h"
#include "video/frame_checks.h"

#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <cmath>
#include <string>

namespace pcl::gpu {

static_assert(SceneFrame::part_alignment == device::group_columns &&
                  SceneFrame::part_alignment == device::group_rows,
              "parts are of whole groups");

namespace {

void
checkImageSize(int columns, int rows)
{
  constexpr int most = SceneFrame::max_size;
  checkBetween("width of a frame", columns, 1, most, "1 to 16384 pixels");
  checkBetween("height of a frame", rows, 1, most, "1 to 16384 pixels");
}

void
checkNumber(int number)
{
  checkBetween("number of a frame", number, 0, SceneFrame::max_number, "0 to 65535");
}

/** \brief The camera with the size of its images. */
PinholeCamera
cameraOfImage(const PinholeCamera& camera, int columns, int rows)
{
  camera.validate();
  const bool fits = (camera.width == 0 || camera.width == columns) &&
                    (camera.height == 0 || camera.height == rows);
  checkArgument(fits, "size of a frame's camera", "another", "that of its images");
  PinholeCamera sized = camera;
  sized.width = columns;
  sized.height = rows;
  return sized;
}

/** \brief Rejects parts of a frame that do not lie in it or do not begin where blocks
 * do. */
void
checkRegion(const ImageRegion& region, const PinholeCamera& camera)
{
  const auto check = [](const char* name, int first, int count, int size) {
    const bool fits = first >= 0 && first % SceneFrame::part_alignment == 0 &&
                      count >= 1 && count <= size - first;
    checkArgument(fits,
                  name,
                  std::to_string(first) + " to " + std::to_string(first + count - 1),
                  "some of the frame's, from a multiple of 32 on");
  };
  check("columns of a part", region.column, region.columns, camera.width);
  check("rows of a part", region.row, region.rows, camera.height);
}

} // namespace

void
checkRegistered(const RGBDFrame& frame)
{
  const bool is_registered = frame.color.width == frame.depth.width &&
                             frame.color.height == frame.depth.height &&
                             haveSameLens(frame.color_camera, frame.depth_camera) &&
                             frame.color_pose.matrix() == frame.depth_pose.matrix();
  if (!is_registered)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        "frame "
                            << frame.name
                            << " has depth of another camera than colour: expected "
                               "depth that is registered to colour");
}

SceneView
checkedView(const RGBDFrame& frame, int number)
{
  checkRegistered(frame);
  checkImageSize(frame.color.width, frame.color.height);
  checkNumber(number);
  validatePose(frame.color_pose, "pose of a frame");
  SceneView view;
  view.camera =
      cameraOfImage(frame.color_camera, frame.color.width, frame.color.height);
  view.pose = frame.color_pose;
  view.time = static_cast<float>(number);
  return view;
}

void
SceneView::validate() const
{
  camera.validate();
  constexpr int most = max_size;
  checkBetween("width of the output", camera.width, 1, most, "1 to 16384 pixels");
  checkBetween("height of the output", camera.height, 1, most, "1 to 16384 pixels");
  validatePose(pose, "pose of the output camera");
  checkArgument(std::isfinite(time), "time of the output", time, "a finite number");
}

void
QueryFrustum::validate() const
{
  checkBetween<int>("frustum width", width, 1, max_width, "1 to 15 pixels");
  checkNotNegative("near depth", near_depth);
  checkArgument(
      far_depth >= near_depth, "far depth", far_depth, "at least the near depth");
}

void
SceneFrame::upload(const RGBDFrame& frame, int number, const Stream& stream)
{
  const SceneView view = checkedView(frame, number);
  const int width = frame.color.width, height = frame.color.height;
  copyPixels(frame.color.pixels.data(), width, height, color_, stream);
  copyPixels(frame.depth.pixels.data(), width, height, depth_, stream);
  set(color_, depth_, view.camera, view.pose, number, stream);
}

void
SceneFrame::set(const DeviceArray2D<RGB>& color,
                const DeviceArray2D<float>& depth,
                const PinholeCamera& camera,
                const Pose& pose,
                int number,
                const Stream& stream)
{
  checkImageSize(color.cols(), color.rows());
  const PinholeCamera sized = cameraOfImage(camera, color.cols(), color.rows());
  const ImageRegion all{0, 0, sized.width, sized.height};
  set(color, depth, sized, pose, number, all, stream);
}

void
SceneFrame::set(const DeviceArray2D<RGB>& color,
                const DeviceArray2D<float>& depth,
                const PinholeCamera& camera,
                const Pose& pose,
                int number,
                const ImageRegion& region,
                const Stream& stream)
{
  camera.validate();
  checkImageSize(camera.width, camera.height);
  checkRegion(region, camera);
  const bool fits = color.cols() == region.columns && color.rows() == region.rows;
  checkArgument(fits, "size of a part's colour", "another", "that of the region");
  checkSameSize("depth", depth, "colour", color);
  checkDevice("depth", depth, "colour", deviceOf(color));
  checkNumber(number);
  validatePose(pose, "pose of a frame");
  const Device device = deviceOf(color);
  const ScopedDevice scope(device);
  color_ = color;
  guide_.release();
  depth_ = depth;
  region_ = region;
  view_.camera = camera;
  view_.pose = pose;
  view_.time = static_cast<float>(number);
  const device::FrameImages images = frameImages(*this);
  const std::size_t blocks = std::size_t(images.groups()) * device::group_blocks;
  // Parts are of many sizes: memory that is large enough is kept.
  if (depth_bounds_.size() < 2 * blocks || deviceOf(depth_bounds_) != device)
    createOn(device, depth_bounds_, 2 * blocks);
  const device::DepthBoundsTask task{
      images, reinterpret_cast<device::DepthRange*>(depth_bounds_.ptr())};
  dispatch(device, PCL_GPU_BOTH(boundDepths), task, stream);
}

void
SceneFrame::setGuide(const DeviceArray2D<RGB>& guide)
{
  checkSameSize("guide", guide, "colour", color_);
  checkDevice("guide", guide, "colour", deviceOf(color_));
  guide_ = guide;
}

const DeviceArray2D<RGB>&
SceneFrame::getGuide() const
{
  return guide_.empty() ? color_ : guide_;
}

bool
SceneFrame::isWhole() const
{
  return region_.columns == view_.camera.width && region_.rows == view_.camera.height;
}

} // namespace pcl::gpu
