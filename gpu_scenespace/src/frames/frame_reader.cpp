// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frames/frame_reader.h"

#include "frames/frame_preparation.hpp"
#include "video/brightness.h"
#include "video/frame_checks.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>

namespace pcl::gpu {

namespace {

/** \brief Mean length of the gradient, by differences to the right and downwards. */
float
sharpnessOf(const ColorImage& image)
{
  double sum = 0.0;
  for (int row = 0; row + 1 < image.height; ++row) {
    const RGB* const line = &image.pixels[std::size_t(row) * image.width];
    for (int column = 0; column + 1 < image.width; ++column) {
      const float here = brightnessOf(line[column]),
                  right = brightnessOf(line[column + 1]) - here,
                  down = brightnessOf(line[column + image.width]) - here;
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

/** \brief Returns whether a pixel beside that of an object is not an object's. */
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

/** \brief Gives masks their values: that of objects where they are not 0, that of edges
 * on the border of these, and that of margins as far around them as the margin is
 * wide. */
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

/** \brief Host memory of a frame. */
std::size_t
bytesOf(const ReadFrame& read)
{
  return sizeof(read) + read.frame.color.pixels.size() * sizeof(RGB) +
         read.frame.depth.pixels.size() * sizeof(float) + read.mask.pixels.size();
}

/** \brief Returns the entry not used for longest among those that meet a condition. */
template <typename Entries, typename Condition>
auto
oldestOf(Entries& entries, Condition condition)
{
  auto oldest = entries.end();
  for (auto i = entries.begin(); i != entries.end(); ++i)
    if (condition(i->first, i->second) &&
        (oldest == entries.end() || i->second.last_use < oldest->second.last_use))
      oldest = i;
  return oldest;
}

} // namespace

FrameReader::FrameReader(RGBDVideo::ConstPtr video,
                         ScenePreparation preparation,
                         int threads,
                         std::size_t memory)
: video(std::move(video))
, preparation(std::move(preparation))
, threads(threads)
, memory_(memory)
{
  checkVideo(this->video);
  constexpr int most = SceneFrame::max_number + 1;
  checkBetween("number of frames", this->video->size(), 0, most, "65536 at most");
  this->preparation.validate();
  checkArgument(threads >= 1, "reading threads", threads, "1 or more");
}

FrameReader::FramePtr
FrameReader::read(int number) const
{
  auto result = std::make_shared<ReadFrame>();
  result->frame = video->read(number);
  result->sharpness = sharpnessOf(result->frame.color);
  if (preparation.masks)
    result->mask = preparation.masks(number);
  if (!result->mask.empty())
    checkMask(result->mask, result->frame);
  markMargin(result->mask, preparation.mask_margin);
  return result;
}

void
FrameReader::expect(const std::vector<int>& numbers)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const int number : numbers) {
    const auto found = entries_.find(number);
    if (found != entries_.end()) {
      found->second.last_use = ++uses_;
      continue;
    }
    if (expected_ >= threads && !dropExpected(numbers))
      return;
    Entry& entry = entries_[number];
    entry.frame =
        std::async(std::launch::async, [this, number] { return read(number); });
    entry.last_use = ++uses_;
    ++expected_;
  }
}

/** \brief Gives up a frame that was read and is not wanted, so that others can be
 * read. */
bool
FrameReader::dropExpected(const std::vector<int>& wanted)
{
  const auto oldest = oldestOf(entries_, [&](int number, const Entry& entry) {
    return !entry.was_wanted &&
           entry.frame.wait_for(std::chrono::seconds(0)) == std::future_status::ready &&
           std::find(wanted.begin(), wanted.end(), number) == wanted.end();
  });
  if (oldest == entries_.end())
    return false;
  entries_.erase(oldest);
  --expected_;
  return true;
}

FrameReader::FramePtr
FrameReader::take(int number)
{
  std::shared_future<FramePtr> frame;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    Entry& entry = entries_[number];
    // This thread reads a missing frame. Others that want it meanwhile wait.
    if (!entry.frame.valid())
      entry.frame =
          std::async(std::launch::deferred, [this, number] { return read(number); });
    else if (!entry.was_wanted)
      --expected_;
    entry.was_wanted = true;
    frame = entry.frame;
  }
  frame.wait();
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = entries_.find(number);
  const bool is_kept = found != entries_.end() && found->second.was_wanted;
  try {
    const FramePtr& result = frame.get();
    if (is_kept) {
      Entry& entry = found->second;
      if (entry.bytes == 0)
        kept_bytes_ += entry.bytes = bytesOf(*result);
      entry.last_use = ++uses_;
    }
    while (kept_bytes_ > memory_)
      forget(
          oldestOf(entries_, [](int, const Entry& entry) { return entry.bytes > 0; }));
    return result;
  }
  catch (...) {
    // The next one to want it tries again.
    if (is_kept)
      forget(found);
    throw;
  }
}

FrameReader::FramePtr
FrameReader::take(const std::vector<int>& numbers, std::size_t place)
{
  const std::size_t end = std::min(numbers.size(), place + threads);
  expect({numbers.begin() + place, numbers.begin() + end});
  return take(numbers[place]);
}

void
FrameReader::forget(Entries::iterator entry)
{
  kept_bytes_ -= entry->second.bytes;
  entries_.erase(entry);
}

} // namespace pcl::gpu
