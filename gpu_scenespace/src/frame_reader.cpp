// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frame_reader.h"

#include "device/composition.hpp"

#include <pcl/exceptions.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
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
      const float here = brightness(line[column]),
                  right = brightness(line[column + 1]) - here,
                  down = brightness(line[column + image.width]) - here;
      sum += std::sqrt(right * right + down * down); // levels: nothing overflows
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

/** \brief Whether a pixel beside that of an object is none. */
bool
isAtEdge(const Image<std::uint8_t>& mask, int column, int row)
{
  const std::uint8_t* const pixel =
      &mask.pixels[std::size_t(row) * mask.width + column];
  return (column > 0 && pixel[-1] < device::mask_edge) ||
         (column + 1 < mask.width && pixel[1] < device::mask_edge) ||
         (row > 0 && pixel[-mask.width] < device::mask_edge) ||
         (row + 1 < mask.height && pixel[mask.width] < device::mask_edge);
}

/** \brief Gives masks their values: that of objects where they are not 0, that of edges on the
 * border of these, and that of margins as far around them as the margin is wide. */
void
markMargin(Image<std::uint8_t>& mask, int margin)
{
  for (std::uint8_t& value : mask.pixels)
    value = value != 0 ? device::mask_object : device::mask_background;
  const long long reach = std::min(margin, std::max(mask.width, mask.height));
  for (int row = 0; row < mask.height; ++row)
    for (int column = 0; column < mask.width; ++column) {
      std::uint8_t& center = mask.pixels[std::size_t(row) * mask.width + column];
      if (center != device::mask_object || !isAtEdge(mask, column, row))
        continue;
      center = device::mask_edge;
      const int last = std::min<long long>(mask.height - 1, row + reach);
      for (int y = std::max<long long>(0, row - reach); y <= last; ++y) {
        const long long up = y - row;
        const auto half =
            static_cast<int>(std::sqrt(static_cast<double>(reach * reach - up * up)));
        const int end = std::min(mask.width - 1, column + half);
        for (int x = std::max(0, column - half); x <= end; ++x) {
          std::uint8_t& value = mask.pixels[std::size_t(y) * mask.width + x];
          if (value == device::mask_background)
            value = device::mask_margin;
        }
      }
    }
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
  markMargin(result.mask, preparation_.mask_margin);
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
