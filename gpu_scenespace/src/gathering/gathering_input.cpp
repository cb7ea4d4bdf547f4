// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/gathering_input.h"

#include "gathering/frame_projection.h"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/driver_choice.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

float
exponentOf(double sigma)
{
  constexpr double log2e = 1.4426950408889634;
  return static_cast<float>(-0.5 * log2e / (sigma * sigma));
}

void
WeightedFrames::assign(const std::vector<SceneFrame::ConstPtr>& all,
                       const std::vector<float>& all_weights)
{
  checkArgument(all_weights.empty() || all_weights.size() == all.size(),
                "number of weights",
                all_weights.size(),
                "that of the frames, or 0");
  for (const float weight : all_weights)
    checkArgument(weight >= 0.0f && std::isfinite(weight),
                  "weight of a frame",
                  weight,
                  "0 or a positive number");
  frames.clear();
  weights.clear();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const float weight = all_weights.empty() ? 1.0f : all_weights[i];
    if (weight == 0.0f)
      continue;
    frames.push_back(all[i]);
    weights.push_back(weight);
  }
}

const device::GatheringDriver&
gatheringDriverFor(const Device& device)
{
  return chooseDriver(device,
                      &device::hostGatheringDriver,
                      PCL_GPU_CUDA_ONLY(device::cudaGatheringDriver),
                      "gpu_scenespace");
}

Device
deviceOfFrames(const std::vector<SceneFrame::ConstPtr>& frames)
{
  checkArgument(!frames.empty(), "number of frames", 0, "1 or more");
  for (std::size_t i = 0; i < frames.size(); ++i) {
    checkArgument(frames[i] != nullptr, "frame", "null", "a frame");
    checkArgument(
        !frames[i]->getColor().empty(), "frame", "empty", "a frame with images");
    checkDevice("a frame",
                frames[i]->getColor(),
                "the first frame",
                deviceOf(frames[0]->getColor()));
  }
  return deviceOf(frames[0]->getColor());
}

device::ViewGeometry
viewGeometry(const SceneView& view, const QueryFrustum& frustum)
{
  const PinholeCamera& camera = view.camera;
  return {camera.fx,
          camera.fy,
          camera.cx,
          camera.cy,
          camera.width,
          camera.height,
          frustum.near_depth,
          frustum.far_depth,
          frustum.width};
}

device::FrameImages
frameImages(const SceneFrame& frame)
{
  const DeviceArray2D<RGB>& color = frame.getColor();
  const DeviceArray2D<float>& depth = frame.getDepth();
  const ImageRegion& region = frame.getRegion();
  const auto first_pixel = [&](const auto* pixels, int stride) {
    return pixels - (std::ptrdiff_t(region.row) * stride + region.column);
  };
  const int color_stride = strideOf(color), depth_stride = strideOf(depth),
            guide_stride = strideOf(frame.getGuide());
  return {first_pixel(packedColors(color), color_stride),
          first_pixel(depth.ptr(), depth_stride),
          color_stride,
          depth_stride,
          region.column + region.columns,
          region.row + region.rows,
          reinterpret_cast<const device::DepthRange*>(frame.getDepthBounds().ptr()),
          first_pixel(packedColors(frame.getGuide()), guide_stride),
          guide_stride,
          static_cast<std::int16_t>(region.column),
          static_cast<std::int16_t>(region.row)};
}

device::ReferenceImages
referenceImages(const SceneFrame& frame)
{
  return {packedColors(frame.getColor()),
          frame.getDepth().ptr(),
          strideOf(frame.getColor()),
          strideOf(frame.getDepth())};
}

void
GatheringInput::reserve(const Device& device,
                        device::GatheringTask& task,
                        int range_count)
{
  const std::size_t groups = task.group_count, blocks = groups * device::group_blocks;
  const int tiles = task.tiles.columns * task.tiles.rows;
  task.order_scratch_bytes = gatheringDriverFor(device).orderScratchBytes(tiles);
  // Four numbers a tile, where tiles are sorted.
  const std::size_t numbers = task.order_scratch_bytes == 0 ? 0 : tiles;
  scratch_.reserve(Workspace::bytesFor<device::TileRange>(groups) +
                   Workspace::bytesFor<device::TileRange>(blocks) +
                   Workspace::bytesFor<device::TileRange>(range_count) +
                   4 * Workspace::bytesFor<std::uint32_t>(numbers) +
                   Workspace::bytesFor<char>(task.order_scratch_bytes));
  task.group_tiles = scratch_.take<device::TileRange>(groups);
  task.block_tiles = scratch_.take<device::TileRange>(blocks);
  task.range_tiles = scratch_.take<device::TileRange>(range_count);
  task.tile_order = scratch_.take<std::uint32_t>(numbers);
  task.tile_numbers = scratch_.take<std::uint32_t>(numbers);
  task.tile_costs = scratch_.take<std::uint32_t>(numbers);
  task.sorted_costs = scratch_.take<std::uint32_t>(numbers);
  task.order_scratch = scratch_.take<char>(task.order_scratch_bytes);
}

std::size_t
GatheringInput::estimateMemory(int frames,
                               int width,
                               int height,
                               const ImageRegion& region)
{
  device::FrameImages images{};
  images.columns = width;
  images.rows = height;
  const std::size_t ranges =
      std::size_t(images.groups()) * (1 + device::group_blocks) + images.groupRanges();
  const std::size_t tiles = (std::size_t(region.columns) / device::tile_columns + 2) *
                            (std::size_t(region.rows) / device::tile_rows + 2);
  return frames * (ranges * sizeof(device::TileRange) + sizeof(device::Frame)) +
         8 * tiles * sizeof(std::uint32_t);
}

device::GatheringTask
GatheringInput::prepare(const Device& device,
                        const std::vector<SceneFrame::ConstPtr>& frames,
                        const SceneView& view,
                        const QueryFrustum& frustum,
                        const Stream& stream,
                        const std::vector<float>& weights,
                        const device::TileArea& tiles)
{
  device::GatheringTask task{};
  task.view = viewGeometry(view, frustum);
  task.tiles = tiles;
  if (tiles.columns == 0)
    task.tiles = {0, 0, task.view.tileColumns(), task.view.tileRows()};
  int range_count = 0;
  frames_.clear();
  for (const SceneFrame::ConstPtr& frame : frames) {
    const SceneView& source = frame->getView();
    device::Frame entry{};
    entry.images = frameImages(*frame);
    entry.projection = frameProjection(source.camera, source.pose, view, source.time);
    entry.number = frame->getNumber();
    entry.first_group = task.group_count;
    task.group_count += entry.images.groups();
    entry.first_range = range_count;
    range_count += entry.images.groupRanges();
    task.most_groups = std::max(task.most_groups, entry.images.groups());
    if (!weights.empty())
      entry.weight_exponent = std::log2(weights[frames_.size()]);
    frames_.push_back(entry);
  }
  task.frame_count = static_cast<int>(frames_.size());
  task.frames = device_frames_.upload(device, frames_, stream);
  reserve(device, task, range_count);
  return task;
}

} // namespace pcl::gpu
