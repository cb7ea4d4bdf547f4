// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/sets/frame_parts.h"

#include "frames/frame_upload.h"

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

const std::vector<SceneFrame::ConstPtr>&
FrameParts::load(FrameReader& reader,
                 const std::vector<FramePart>& parts,
                 std::size_t bytes,
                 const Stream& copies,
                 const Stream& stream)
{
  copied_.synchronize();
  used_.synchronize();
  capacity = std::max(capacity, bytes);
  staging_.reserve(capacity);
  frames_.clear();
  std::vector<int> numbers;
  for (const FramePart& part : parts)
    numbers.push_back(part.number);
  std::vector<SceneView> views;
  std::size_t used_bytes = 0;
  for (std::size_t first = 0; first < parts.size(); first += reader.threads) {
    // All processors copy as many as are read at a time.
    const int count = static_cast<int>(std::min(reader.threads, parts.size() - first));
    std::vector<FrameReader::FramePtr> read;
    std::vector<char*> places;
    for (int i = 0; i < count; ++i) {
      const FramePart& part = parts[first + i];
      read.push_back(reader.take(numbers, first + i));
      views.push_back(checkedView(read.back()->frame, part.number));
      places.push_back(static_cast<char*>(staging_.get()) + used_bytes);
      used_bytes += imageBytes(part.region);
    }
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < count; ++i) {
      const RGBDFrame& frame = read[i]->frame;
      const ImageRegion& region = parts[first + i].region;
      copyPart(frame.color, region, places[i]);
      copyPart(
          frame.depth, region, places[i] + Workspace::bytesFor<RGB>(pixelsOf(region)));
    }
  }

  memory_.reserve(capacity);
  char* place = memory_.take<char>(used_bytes);
  copyAsync(staging_.get(), place, used_bytes, copies);
  copied_.record(copies);
  stream.waitFor(copied_);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ImageRegion& region = parts[i].region;
    const auto take = [&](auto& image, std::size_t step) {
      image = {region.rows, region.columns, place, step};
      place += Workspace::bytesFor<char>(step * region.rows);
    };
    DeviceArray2D<RGB> color;
    DeviceArray2D<float> depth;
    take(color, region.columns * sizeof(RGB));
    take(depth, region.columns * sizeof(float));
    if (pool_.size() <= i)
      pool_.push_back(std::make_shared<SceneFrame>());
    pool_[i]->set(
        color, depth, views[i].camera, views[i].pose, numbers[i], region, stream);
    frames_.push_back(pool_[i]);
  }
  return frames_;
}

} // namespace pcl::gpu
