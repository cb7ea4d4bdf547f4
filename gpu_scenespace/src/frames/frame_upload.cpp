// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frames/frame_upload.h"

#include <algorithm>
#include <cstring>

#include <omp.h>

namespace pcl::gpu {

namespace {

template <typename T>
std::size_t
bytesOf(const Image<T>& image)
{
  return image.pixels.size() * sizeof(T);
}

/** \brief Copies by a few threads: one alone takes longer than some devices take for a frame. */
void
copyByThreads(const void* from, void* to, std::size_t bytes)
{
  constexpr std::size_t part = 1 << 19;
  constexpr int most_threads = 4;
  const int parts = static_cast<int>((bytes + part - 1) / part);
  const int threads = std::min({most_threads, omp_get_max_threads(), parts});
#pragma omp parallel for num_threads(std::max(1, threads)) schedule(static)
  for (int i = 0; i < parts; ++i)
    std::memcpy(static_cast<char*>(to) + i * part,
                static_cast<const char*>(from) + i * part,
                std::min(part, bytes - i * part));
}

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

void
FrameUploader::upload(const ReadFrame& read,
                      DeviceArray2D<RGB>& color,
                      DeviceArray2D<float>& depth,
                      DeviceArray2D<std::uint8_t>& mask,
                      const Event& used,
                      const Stream& stream)
{
  const RGBDFrame& frame = read.frame;
  Staging& staging = staging_[next_];
  next_ = (next_ + 1) % staging_.size();
  staging.copied.synchronize();
  staging.memory.reserve(bytesOf(frame.color) + bytesOf(frame.depth) +
                         bytesOf(read.mask));
  stream_.waitFor(used);
  auto* place = static_cast<char*>(staging.memory.get());
  const auto copy = [&](const auto& image, auto& to) {
    using Pixel = typename std::decay_t<decltype(image.pixels)>::value_type;
    copyByThreads(image.pixels.data(), place, bytesOf(image));
    copyPixels(
        reinterpret_cast<const Pixel*>(place), image.width, image.height, to, stream_);
    place += bytesOf(image);
  };
  copy(frame.color, color);
  copy(frame.depth, depth);
  if (read.mask.empty())
    mask.release();
  else
    copy(read.mask, mask);
  staging.copied.record(stream_);
  stream.waitFor(staging.copied);
}

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

void
FrameParts::add(const std::vector<Part>& parts)
{
  std::vector<char*> places;
  for (const Part& part : parts) {
    places.push_back(static_cast<char*>(staging_.get()) + used_bytes_);
    used_bytes_ += imageBytes(part.region);
    parts_.push_back({checkedView(part.read->frame, part.number), part.region});
  }
  const int count = static_cast<int>(parts.size());
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < count; ++i) {
    const RGBDFrame& frame = parts[i].read->frame;
    const ImageRegion& region = parts[i].region;
    copyPart(frame.color, region, places[i]);
    copyPart(
        frame.depth, region, places[i] + Workspace::bytesFor<RGB>(pixelsOf(region)));
  }
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
