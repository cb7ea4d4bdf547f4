// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frames/frame_uploader.h"

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

} // namespace pcl::gpu
