// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frame_reader.h"

#include <pcl/exceptions.h>

#include <cmath>
#include <utility>

namespace pcl {
namespace gpu {

namespace {

/** \brief Red, green and blue by how bright they are seen, ITU-R BT.601. */
float
brightness(const RGB& color)
{
  return 0.299f * color.r + 0.587f * color.g + 0.114f * color.b;
}

/** \brief Mean length of the gradient, by differences to the right and downwards. */
float
sharpnessOf(const ColorImage& image)
{
  double sum = 0.0;
  for (int row = 0; row + 1 < image.height; ++row) {
    const RGB* const line = &image.pixels[std::size_t(row) * image.width];
    for (int column = 0; column + 1 < image.width; ++column) {
      const float here = brightness(line[column]);
      sum += std::hypot(brightness(line[column + 1]) - here,
                        brightness(line[column + image.width]) - here);
    }
  }
  const double gradients = double(image.width - 1) * (image.height - 1);
  return gradients > 0.0 ? static_cast<float>(sum / gradients) : 0.0f;
}

void
checkMask(const Image<std::uint8_t>& mask, const RGBDFrame& frame)
{
  if (mask.width != frame.color.width || mask.height != frame.color.height)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        "frame " << frame.name << " has a mask of " << mask.width << "x"
                                 << mask.height << " pixels: expected "
                                 << frame.color.width << "x" << frame.color.height);
}

} // namespace

FrameReader::FrameReader(RGBDVideo::ConstPtr video,
                         ScenePreparation preparation,
                         int threads)
: video_(std::move(video))
, preparation_(std::move(preparation))
, threads_(threads)
{}

FrameReader::~FrameReader() = default;

ReadFrame
FrameReader::read(int number) const
{
  ReadFrame result;
  result.frame = video_->read(number);
  result.sharpness = sharpnessOf(result.frame.color);
  if (preparation_.masks)
    result.mask = preparation_.masks(number);
  if (!result.mask.empty())
    checkMask(result.mask, result.frame);
  return result;
}

void
FrameReader::expect(const std::vector<int>& numbers)
{
  for (const int number : numbers) {
    if (expected_.size() >= threads_)
      return;
    if (expected_.count(number) == 0)
      expected_[number] =
          std::async(std::launch::async, [this, number] { return read(number); });
  }
}

ReadFrame
FrameReader::take(int number)
{
  const auto found = expected_.find(number);
  if (found == expected_.end()) {
    // What was expected is not wanted: it would keep others from being read.
    if (expected_.size() >= threads_)
      expected_.clear();
    return read(number);
  }
  std::future<ReadFrame> future = std::move(found->second);
  expected_.erase(found);
  return future.get();
}

} // namespace gpu
} // namespace pcl
