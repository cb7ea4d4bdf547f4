// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/gathering_input.h"

#include "gathering/frame_projection.h"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/key_sort.h>
#include <pcl/gpu/utils/internal/workspace_pieces.h>

#include <algorithm>
#include <limits>
#include <type_traits>

namespace pcl::gpu {

float
exponentOf(double sigma)
{
  constexpr double log2e = 1.4426950408889634;
  return static_cast<float>(-0.5 * log2e / (sigma * sigma));
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

NumberRange
numbersOf(const std::vector<SceneFrame::ConstPtr>& frames)
{
  const auto by_number = [](const auto& a, const auto& b) {
    return a->getNumber() < b->getNumber();
  };
  const auto ends = std::minmax_element(frames.begin(), frames.end(), by_number);
  const int first = (*ends.first)->getNumber();
  return {first, (*ends.second)->getNumber() - first + 1};
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
  const ImageRegion& region = frame.getRegion();
  device::FrameImages images{};
  const auto set = [&](const auto& image, auto*& first_pixel, int& stride) {
    using Pixel = std::decay_t<decltype(*first_pixel)>;
    const auto view = inputView<Pixel>(image);
    stride = static_cast<int>(view.step / sizeof(Pixel));
    first_pixel = view.data - (std::ptrdiff_t(region.row) * stride + region.column);
  };
  set(frame.getColor(), images.color, images.color_stride);
  set(frame.getDepth(), images.depth, images.depth_stride);
  set(frame.getGuide(), images.guide, images.guide_stride);
  images.columns = region.column + region.columns;
  images.rows = region.row + region.rows;
  images.block_depths =
      reinterpret_cast<const device::DepthRange*>(frame.getDepthBounds().ptr());
  images.first_column = static_cast<std::int16_t>(region.column);
  images.first_row = static_cast<std::int16_t>(region.row);
  return images;
}

void
GatheringInput::reserve(const Device& device,
                        device::GatheringTask& task,
                        std::size_t groups,
                        std::size_t ranges)
{
  const std::size_t tiles = std::size_t(task.tiles.columns) * task.tiles.rows;
  const std::size_t sort_bytes = sortScratchBytes(device, tiles, device::cost_bits);
  device::KeySort& sort = task.tile_sort;
  sort.count = tiles;
  sort.bits = device::cost_bits;
  char* sort_scratch;
  takePieces(scratch_,
             Piece{task.group_tiles, groups},
             Piece{task.block_tiles, groups * device::group_blocks},
             Piece{task.range_tiles, ranges},
             Piece{sort.keys, tiles},
             Piece{sort.numbers, tiles},
             Piece{sort.other_keys, tiles},
             Piece{sort.other_numbers, tiles},
             Piece{sort_scratch, sort_bytes});
  sort.scratch = sort_scratch;
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
                        const std::vector<float>& weight_exponents,
                        const SceneView& view,
                        const QueryFrustum& frustum,
                        const device::TileArea& tiles,
                        const Stream& stream)
{
  device::GatheringTask task{};
  task.view = viewGeometry(view, frustum);
  task.tiles = tiles;
  if (tiles.columns == 0)
    task.tiles = {0, 0, task.view.tileColumns(), task.view.tileRows()};
  int group_count = 0, range_count = 0;
  frames_.clear();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const float weight_exponent = weight_exponents.empty() ? 0.0f : weight_exponents[i];
    if (weight_exponent == -std::numeric_limits<float>::infinity())
      continue;
    const SceneFrame& frame = *frames[i];
    device::Frame entry{};
    entry.images = frameImages(frame);
    entry.projection = frameProjection(frame.getView(), view);
    entry.number = frame.getNumber();
    entry.weight_exponent = weight_exponent;
    entry.first_group = group_count;
    group_count += entry.images.groups();
    entry.first_range = range_count;
    range_count += entry.images.groupRanges();
    task.most_groups = std::max(task.most_groups, entry.images.groups());
    frames_.push_back(entry);
  }
  task.frame_count = static_cast<int>(frames_.size());
  if (task.frame_count == 0)
    return task;
  task.frames = device_frames_.upload(device, frames_, stream);
  reserve(device, task, group_count, range_count);
  return task;
}

} // namespace pcl::gpu
