// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "composition_input.h"
#include "frame_reader.h"
#include "frame_upload.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/depth_filling.h>
#include <pcl/gpu/scenespace/non_local_means.h>
#include <pcl/gpu/scenespace/scene_frame_cache.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/device_memory_checks.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace pcl {
namespace gpu {

namespace {

/** \brief A place for a frame. */
struct Slot {
  int number = -1;
  std::uint64_t last_use = 0;
  DeviceArray2D<RGB> color, guide;
  DeviceArray2D<float> depth, background_depth, object_depth;
  DeviceArray2D<std::uint8_t> mask;
  std::shared_ptr<SceneFrame> frame = std::make_shared<SceneFrame>();
  std::shared_ptr<SceneFrame> background = std::make_shared<SceneFrame>();
  std::shared_ptr<SceneFrame> objects = std::make_shared<SceneFrame>();
  float sharpness = 0.0f;

  bool
  isHeld() const
  {
    return frame.use_count() > 1 || background.use_count() > 1 ||
           objects.use_count() > 1;
  }

  PreparedFrame
  prepared() const
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
};

int
capacityOf(const RGBDVideo& video,
           const ScenePreparation& preparation,
           std::size_t memory)
{
  std::size_t frame_bytes = 1;
  for (int i = 0; i < video.size(); ++i) {
    const PinholeCamera camera = video.view(i).color_camera;
    frame_bytes = std::max(
        frame_bytes,
        SceneFrameCache::estimateMemory(camera.width, camera.height, preparation));
  }
  const std::size_t frames = memory / frame_bytes;
  checkArgument(
      frames >= 2, "memory for frames", memory, "room for two frames or more");
  return static_cast<int>(std::min<std::size_t>(frames, SceneFrame::max_number + 1));
}

} // namespace

class SceneFrameCache::Implementation {
public:
  Implementation(RGBDVideo::ConstPtr input,
                 ScenePreparation how,
                 std::size_t memory,
                 int threads)
  : video(std::move(input))
  , preparation(std::move(how))
  , device(currentDevice())
  , capacity(capacityOf(*video, preparation, memory))
  , reader(video, preparation, threads)
  , ahead(threads)
  {}

  /** \brief The slot of a frame; it is loaded if it is not there. */
  Slot&
  slotOf(int number, const Stream& stream)
  {
    checkArgument(number >= 0 && number < video->size(),
                  "number of the frame",
                  number,
                  "one of the video's frames");
    const auto found = places.find(number);
    Slot& slot = found == places.end() ? load(number, stream) : *found->second;
    slot.last_use = ++uses;
    return slot;
  }

  /** \brief Has frames be read ahead: those to come that are not there. */
  void
  expect(const std::vector<int>& numbers, std::size_t next)
  {
    std::vector<int> missing;
    for (std::size_t i = next; i < numbers.size() && missing.size() < ahead; ++i)
      if (places.count(numbers[i]) == 0)
        missing.push_back(numbers[i]);
    // Then those of the output's successor.
    const int last = numbers.empty() ? -1 : numbers.back();
    for (int i = last + 1; i < video->size() && missing.size() < ahead; ++i)
      if (places.count(i) == 0)
        missing.push_back(i);
    reader.expect(missing);
  }

  /** \brief How many frames can be had at a time. */
  std::size_t
  room() const
  {
    const auto held = std::count_if(
        slots.begin(), slots.end(), [](const auto& slot) { return slot->isHeld(); });
    return capacity - held;
  }

  RGBDVideo::ConstPtr video;
  ScenePreparation preparation;
  Device device;
  int capacity;

private:
  Slot&
  freeSlot()
  {
    if (static_cast<int>(slots.size()) < capacity) {
      slots.push_back(std::make_unique<Slot>());
      return *slots.back();
    }
    Slot* oldest = nullptr;
    for (const auto& slot : slots)
      if (!slot->isHeld() && (!oldest || slot->last_use < oldest->last_use))
        oldest = slot.get();
    if (!oldest)
      PCL_THROW_EXCEPTION(ComputeFailedException,
                          "all " << capacity
                                 << " frames that there is memory for are in use");
    places.erase(oldest->number);
    oldest->number = -1;
    return *oldest;
  }

  Slot&
  load(int number, const Stream& stream)
  {
    const ReadFrame read = reader.take(number);
    Slot& slot = freeSlot();
    const ScopedDevice scope(device);
    prepare(read, number, slot, stream);
    slot.number = number;
    places[number] = &slot;
    return slot;
  }

  void
  prepare(const ReadFrame& read, int number, Slot& slot, const Stream& stream)
  {
    const RGBDFrame& frame = read.frame;
    checkRegistered(frame);
    copyImage(frame.color, slot.color, stream);
    DeviceArray2D<float>& uploaded = preparation.fill_depth ? depth_ : slot.depth;
    copyImage(frame.depth, uploaded, stream);
    const bool has_guide = preparation.noise > 0.0f;
    if (has_guide)
      guide_filter.compute(slot.color, preparation.noise, slot.guide, stream);
    if (preparation.fill_depth)
      filling.compute(
          uploaded, has_guide ? slot.guide : slot.color, slot.depth, stream);
    const auto set = [&](SceneFrame& scene_frame, const DeviceArray2D<float>& depth) {
      scene_frame.set(
          slot.color, depth, frame.color_camera, frame.color_pose, number, stream);
      if (has_guide)
        scene_frame.setGuide(slot.guide);
    };
    set(*slot.frame, slot.depth);
    slot.sharpness = read.sharpness;
    slot.mask.release();
    if (read.mask.empty())
      return;
    copyImage(read.mask, slot.mask, stream);
    maskDepth(slot.depth, slot.mask, false, slot.background_depth, stream);
    maskDepth(slot.depth, slot.mask, true, slot.object_depth, stream);
    set(*slot.background, slot.background_depth);
    set(*slot.objects, slot.object_depth);
  }

  std::vector<std::unique_ptr<Slot>> slots;
  std::map<int, Slot*> places;
  std::uint64_t uses = 0;
  FrameReader reader;
  std::size_t ahead;
  NonLocalMeans guide_filter;
  DepthFilling filling;
  DeviceArray2D<float> depth_; ///< of the frame that is being loaded
};

SceneFrameCache::SceneFrameCache(RGBDVideo::ConstPtr video,
                                 ScenePreparation preparation,
                                 std::size_t memory,
                                 int threads)
{
  if (!video)
    PCL_THROW_EXCEPTION(BadArgumentException, "video is null: expected one");
  checkArgument(video->size() <= SceneFrame::max_number + 1,
                "number of frames",
                video->size(),
                "65536 at most");
  checkNotNegative("noise of colours", preparation.noise);
  checkArgument(threads >= 1, "reading threads", threads, "1 or more");
  implementation_ = std::make_unique<Implementation>(
      std::move(video), std::move(preparation), memory, threads);
}

SceneFrameCache::~SceneFrameCache() = default;

const RGBDVideo&
SceneFrameCache::getVideo() const
{
  return *implementation_->video;
}

const ScenePreparation&
SceneFrameCache::getPreparation() const
{
  return implementation_->preparation;
}

int
SceneFrameCache::getCapacity() const
{
  return implementation_->capacity;
}

std::size_t
SceneFrameCache::estimateMemory(int width,
                                int height,
                                const ScenePreparation& preparation)
{
  // Colour and depth; what gathering keeps of depth and of each block besides is a pixel's
  // half byte.
  std::size_t half_bytes = 2 * (sizeof(RGB) + sizeof(float)) + 2;
  if (preparation.noise > 0.0f)
    half_bytes += 2 * sizeof(RGB);
  if (preparation.masks)
    half_bytes += 2 * (2 * sizeof(float) + 1) + 2;
  // Rows of images begin at multiples of 512 bytes on a GPU.
  const std::size_t columns = (std::size_t(width) + 127) / 128 * 128;
  return columns * height * half_bytes / 2 + 4096;
}

PreparedFrame
SceneFrameCache::get(int number, const Stream& stream)
{
  return implementation_->slotOf(number, stream).prepared();
}

void
SceneFrameCache::forEachPart(const std::vector<int>& numbers,
                             const std::function<void(const std::vector<PreparedFrame>&,
                                                      std::size_t first)>& work,
                             const Stream& stream)
{
  std::vector<PreparedFrame> part;
  for (std::size_t first = 0; first < numbers.size();) {
    const std::size_t room = std::max<std::size_t>(1, implementation_->room());
    const std::size_t end = std::min(numbers.size(), first + room);
    for (std::size_t i = first; i < end; ++i) {
      implementation_->expect(numbers, i);
      part.push_back(get(numbers[i], stream));
    }
    implementation_->expect(numbers, end);
    work(part, first);
    part.clear();
    first = end;
  }
}

} // namespace gpu
} // namespace pcl
