// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frames/frame_preparation.h"

#include "frames/frame_preparation.hpp"
#include "gathering/gathering_input.h"

#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

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
FramePreparation::upload(const ReadFrame& read,
                         const Event& used,
                         FrameImagesOnDevice& images,
                         const Stream& stream)
{
  const RGBDFrame& frame = read.frame;
  Staging& staging = staging_[next_staging_];
  next_staging_ = (next_staging_ + 1) % staging_.size();
  staging.copied.synchronize();
  staging.memory.reserve(bytesOf(frame.color) + bytesOf(frame.depth) +
                         bytesOf(read.mask));
  copies_.waitFor(used);
  auto* place = static_cast<char*>(staging.memory.get());
  const auto copy = [&](const auto& image, auto& to) {
    using Pixel = typename std::decay_t<decltype(image.pixels)>::value_type;
    copyByThreads(image.pixels.data(), place, bytesOf(image));
    copyPixels(
        reinterpret_cast<const Pixel*>(place), image.width, image.height, to, copies_);
    place += bytesOf(image);
  };
  copy(frame.color, images.color);
  copy(frame.depth, images.depth);
  if (read.mask.empty())
    images.mask.release();
  else
    copy(read.mask, images.mask);
  staging.copied.record(copies_);
  stream.waitFor(staging.copied);
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
  upload(read, used, images, stream);
  const bool has_guide = preparation.noise > 0.0f;
  if (has_guide)
    guide_filter_.compute(images.color, preparation.noise, images.guide, stream);
  if (preparation.fill_depth)
    filling_.compute(
        images.depth, has_guide ? images.guide : images.color, images.depth, stream);
  const Device device = deviceOf(images.depth);
  const int columns = images.depth.cols(), rows = images.depth.rows();
  const auto forPixels = [&](const auto& step) {
    parallelFor2D(device, columns, rows, step, stream);
  };
  if (preparation.edge_margin > 0) {
    createOn(device, without_edges_, rows, columns);
    forPixels(device::DropEdges{inputView<float>(images.depth),
                                outputView<float>(without_edges_),
                                preparation.edge_margin});
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
  const auto keep = [&](std::uint8_t kept, DeviceArray2D<float>& masked) {
    createOn(device, masked, rows, columns);
    forPixels(device::MaskDepth{inputView<float>(images.depth),
                                inputView<std::uint8_t>(images.mask),
                                kept,
                                outputView<float>(masked)});
  };
  keep(device::mask_background, images.background_depth);
  keep(device::mask_object, images.object_depth);
  set(*images.background, images.background_depth);
  set(*images.objects, images.object_depth);
}

} // namespace pcl::gpu
