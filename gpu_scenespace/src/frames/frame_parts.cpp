// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frames/frame_parts.h"

#include <pcl/gpu/utils/async_copy.h>

#include <algorithm>
#include <cstring>

namespace pcl::gpu {

namespace {

std::size_t
pixelsOf(const ImageRegion& region)
{
  return std::size_t(region.columns) * region.rows;
}

/** \brief Copies a part of an image, row behind row. */
template <typename T>
void
copyPart(const Image<T>& image, const ImageRegion& region, void* to)
{
  auto* place = static_cast<T*>(to);
  for (int row = 0; row < region.rows; ++row, place += region.columns) {
    const std::size_t first =
        std::size_t(region.row + row) * image.width + region.column;
    std::memcpy(place, &image.pixels[first], region.columns * sizeof(T));
  }
}

} // namespace

std::size_t
FrameParts::imageBytes(const ImageRegion& region)
{
  const std::size_t pixels = pixelsOf(region);
  return Workspace::bytesFor<RGB>(pixels) + Workspace::bytesFor<float>(pixels);
}

void
FrameParts::begin(std::size_t bytes)
{
  copied_.synchronize();
  used_.synchronize();
  capacity_ = std::max(capacity_, bytes);
  staging_.reserve(capacity_);
  parts_.clear();
  frames_.clear();
  used_bytes_ = 0;
}

char*
FrameParts::add(const SceneView& taken, const ImageRegion& region)
{
  char* const place = static_cast<char*>(staging_.get()) + used_bytes_;
  used_bytes_ += imageBytes(region);
  parts_.push_back({taken, region});
  return place;
}

void
FrameParts::copyImages(const RGBDFrame& frame, const ImageRegion& region, char* place)
{
  copyPart(frame.color, region, place);
  copyPart(frame.depth, region, place + Workspace::bytesFor<RGB>(pixelsOf(region)));
}

const std::vector<SceneFrame::ConstPtr>&
FrameParts::upload(const Stream& copies, const Stream& stream)
{
  memory_.reserve(capacity_);
  char* place = memory_.take<char>(used_bytes_);
  copyAsync(staging_.get(), place, used_bytes_, copies);
  copied_.record(copies);
  stream.waitFor(copied_);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto& [taken, region] = parts_[i];
    const auto part = [&, &region = region](auto& image, std::size_t step) {
      image = {region.rows, region.columns, place, step};
      place += Workspace::bytesFor<char>(step * region.rows);
    };
    DeviceArray2D<RGB> color;
    DeviceArray2D<float> depth;
    part(color, region.columns * sizeof(RGB));
    part(depth, region.columns * sizeof(float));
    if (pool_.size() <= i)
      pool_.push_back(std::make_shared<SceneFrame>());
    pool_[i]->set(color,
                  depth,
                  taken.camera,
                  taken.pose,
                  static_cast<int>(taken.time),
                  region,
                  stream);
    frames_.push_back(pool_[i]);
  }
  return frames_;
}

void
FrameParts::markUsed(const Stream& stream)
{
  used_.record(stream);
}

} // namespace pcl::gpu
