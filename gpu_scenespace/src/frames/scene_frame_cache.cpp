// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "effects/composition/composition_input.h"
#include "effects/effect_parts.h"
#include "frames/frame_reader.h"
#include "frames/frame_upload.h"
#include "frames/frame_uploader.h"
#include "gathering/gathering_input.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/depth_filling.h>
#include <pcl/gpu/scenespace/non_local_means.h>
#include <pcl/gpu/scenespace/scene_frame_cache.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace pcl::gpu {

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
  Event used = Event::create(); ///< behind the last work on it, if is_used_event
  bool is_used_event = false;   ///< whether all work on it lies before the event
  bool was_just_used = false;   ///< whether that is the work that was queued last

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

/** \brief Memory of an image of depth, or of colours. */
std::size_t
depthMemory(int width, int height)
{
  return arrayMemory(paddedPixels(width, height) * sizeof(float));
}

int
capacityOf(const RGBDVideo& video,
           const ScenePreparation& preparation,
           std::size_t memory)
{
  std::size_t frame_bytes = 1, image_bytes = 0;
  for (int i = 0; i < video.size(); ++i) {
    const PinholeCamera camera = video.view(i).color_camera;
    frame_bytes = std::max(
        frame_bytes,
        SceneFrameCache::estimateMemory(camera.width, camera.height, preparation));
    image_bytes = std::max(image_bytes, depthMemory(camera.width, camera.height));
  }
  const std::size_t scratch = preparation.edge_margin > 0 ? image_bytes : 0;
  const std::size_t frames = memory > scratch ? (memory - scratch) / frame_bytes : 0;
  checkArgument(
      frames >= 2, "memory for frames", memory, "room for two frames or more");
  return static_cast<int>(std::min<std::size_t>(frames, SceneFrame::max_number + 1));
}

} // namespace

class SceneFrameCache::Implementation {
public:
  Implementation(std::shared_ptr<FrameReader> frames, std::size_t memory)
  : reader(std::move(frames))
  , video(reader->video())
  , preparation(reader->preparation())
  , device(currentDevice())
  , capacity(capacityOf(*video, preparation, memory))
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
    slot.is_used_event = false; // until what follows is known to be queued
    return slot;
  }

  /** \brief Has frames be read ahead: those of the plan that are to come and are not there. */
  void
  expect(std::size_t next)
  {
    plan_next = next;
    std::vector<int> missing;
    for (std::size_t i = next; i < plan.size() && missing.size() < reader->threads();
         ++i)
      if (places.count(plan[i]) == 0)
        missing.push_back(plan[i]);
    // Then those of the output's successor.
    const int last = plan.empty() ? -1 : plan.back();
    for (int i = last + 1; i < video->size() && missing.size() < reader->threads(); ++i)
      if (places.count(i) == 0)
        missing.push_back(i);
    reader->expect(missing);
  }

  /** \brief Notes that work on some frames of the plan was queued, which nobody holds any
   * more. */
  void
  markUsed(std::size_t first, std::size_t end, const Stream& stream)
  {
    for (const auto& slot : slots)
      slot->was_just_used = false;
    const ScopedDevice scope(device);
    for (std::size_t i = first; i < end; ++i) {
      const auto place = places.find(plan[i]);
      // What is held may yet be used by other work.
      if (place == places.end() || place->second->isHeld())
        continue;
      place->second->used.record(stream);
      place->second->is_used_event = true;
      place->second->was_just_used = true;
    }
  }

  /** \brief How many frames can be had at a time. */
  std::size_t
  room() const
  {
    const auto held = std::count_if(
        slots.begin(), slots.end(), [](const auto& slot) { return slot->isHeld(); });
    return capacity - held;
  }

  std::shared_ptr<FrameReader> reader; ///< which others may share
  RGBDVideo::ConstPtr video;
  const ScenePreparation& preparation;
  Device device;
  int capacity;
  std::vector<int> plan; ///< frames that are wanted one after the other

private:
  Slot&
  freeSlot()
  {
    if (static_cast<int>(slots.size()) < capacity) {
      slots.push_back(std::make_unique<Slot>());
      return *slots.back();
    }
    Slot* best = nullptr;
    for (const auto& slot : slots)
      if (!slot->isHeld() && (!best || isBetterToLose(*slot, *best)))
        best = slot.get();
    if (!best)
      PCL_THROW_EXCEPTION(ComputeFailedException,
                          "all " << capacity
                                 << " frames that there is memory for are in use");
    places.erase(best->number);
    best->number = -1;
    return *best;
  }

  /** \brief Which of two frames gives way: the one that is wanted later, as far as is known. */
  bool
  isBetterToLose(const Slot& a, const Slot& b) const
  {
    // Work that was queued last would have to be waited for.
    if (a.was_just_used != b.was_just_used)
      return b.was_just_used;
    const std::size_t a_steps = stepsUntil(a.number), b_steps = stepsUntil(b.number);
    return a_steps != b_steps ? a_steps > b_steps : a.last_use < b.last_use;
  }

  /** \brief How many frames of the plan come before a frame is wanted; those that the plan has
   * behind it are likely to be wanted when it is run through again. */
  std::size_t
  stepsUntil(int number) const
  {
    const auto found = std::find(plan.begin(), plan.end(), number);
    if (found == plan.end())
      return 2 * plan.size();
    const std::size_t place = found - plan.begin();
    return place >= plan_next ? place - plan_next : place + plan.size() - plan_next;
  }

  Slot&
  load(int number, const Stream& stream)
  {
    const FrameReader::FramePtr read = reader->take(number);
    Slot& slot = freeSlot();
    const ScopedDevice scope(device);
    prepare(*read, number, slot, stream);
    slot.number = number;
    places[number] = &slot;
    return slot;
  }

  void
  prepare(const ReadFrame& read, int number, Slot& slot, const Stream& stream)
  {
    const RGBDFrame& frame = read.frame;
    checkRegistered(frame);
    if (!slot.is_used_event)
      slot.used.record(stream);
    slot.is_used_event = false;
    uploader.upload(read, slot.color, slot.depth, slot.mask, slot.used, stream);
    const bool has_guide = preparation.noise > 0.0f;
    if (has_guide)
      guide_filter.compute(slot.color, preparation.noise, slot.guide, stream);
    if (preparation.fill_depth)
      filling.compute(
          slot.depth, has_guide ? slot.guide : slot.color, slot.depth, stream);
    if (preparation.edge_margin > 0) {
      dropEdges(slot.depth, preparation.edge_margin, without_edges, stream);
      slot.depth.swap(without_edges);
    }
    const auto set = [&](SceneFrame& scene_frame, const DeviceArray2D<float>& depth) {
      scene_frame.set(
          slot.color, depth, frame.color_camera, frame.color_pose, number, stream);
      if (has_guide)
        scene_frame.setGuide(slot.guide);
    };
    set(*slot.frame, slot.depth);
    slot.sharpness = read.sharpness;
    if (read.mask.empty())
      return;
    maskDepth(
        slot.depth, slot.mask, device::mask_background, slot.background_depth, stream);
    maskDepth(slot.depth, slot.mask, device::mask_object, slot.object_depth, stream);
    set(*slot.background, slot.background_depth);
    set(*slot.objects, slot.object_depth);
  }

  std::vector<std::unique_ptr<Slot>> slots;
  std::map<int, Slot*> places;
  std::uint64_t uses = 0;
  NonLocalMeans guide_filter;
  DepthFilling filling;
  DeviceArray2D<float> without_edges; ///< and then what there was with edges
  FrameUploader uploader;
  std::size_t plan_next = 0;
};

SceneFrameCache::SceneFrameCache(RGBDVideo::ConstPtr video,
                                 ScenePreparation preparation,
                                 std::size_t memory,
                                 int threads,
                                 std::size_t host_memory)
{
  if (!video)
    PCL_THROW_EXCEPTION(BadArgumentException, "video is null: expected one");
  checkArgument(video->size() <= SceneFrame::max_number + 1,
                "number of frames",
                video->size(),
                "65536 at most");
  checkNotNegative("noise of colours", preparation.noise);
  checkArgument(preparation.edge_margin >= 0,
                "margin of edges",
                preparation.edge_margin,
                "0 pixels or more");
  checkArgument(preparation.mask_margin >= 0,
                "margin of masks",
                preparation.mask_margin,
                "0 pixels or more");
  checkArgument(threads >= 1, "reading threads", threads, "1 or more");
  implementation_ = std::make_unique<Implementation>(
      std::make_shared<FrameReader>(
          std::move(video), std::move(preparation), threads, host_memory),
      memory);
}

SceneFrameCache::SceneFrameCache(const SceneFrameCache& other, std::size_t memory)
: implementation_(
      std::make_unique<Implementation>(other.implementation_->reader, memory))
{}

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
  const std::size_t pixels = paddedPixels(width, height),
                    image = depthMemory(width, height);
  const std::size_t images =
      2 + (preparation.noise > 0.0f) + (preparation.masks ? 2 : 0);
  const std::size_t mask = preparation.masks ? arrayMemory(pixels) : 0;
  // Bounds of depth, and what gathering keeps besides while it works on the frame.
  const ImageRegion none{};
  const std::size_t bounds =
      pixels * sizeof(device::DepthRange) / device::block_pixels + 65536;
  const std::size_t scene_frames = preparation.masks ? 3 : 1;
  return images * image + mask + scene_frames * bounds +
         GatheringInput::estimateMemory(1, width, height, none);
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
  Implementation& data = *implementation_;
  data.plan = numbers;
  std::vector<PreparedFrame> part;
  for (std::size_t first = 0; first < numbers.size();) {
    // Where not all have room, some are loaded while others are worked on.
    const std::size_t room = data.room();
    const std::size_t most =
        numbers.size() <= room ? room : std::max<std::size_t>(1, room / 2);
    const std::size_t end = std::min(numbers.size(), first + most);
    for (std::size_t i = first; i < end; ++i) {
      data.expect(i);
      part.push_back(get(numbers[i], stream));
    }
    data.expect(end);
    work(part, first);
    part.clear();
    data.markUsed(first, end, stream);
    first = end;
  }
}

} // namespace pcl::gpu
