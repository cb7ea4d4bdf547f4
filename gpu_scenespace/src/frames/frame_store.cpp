// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frames/frame_preparation.hpp"
#include "frames/frame_reader.h"
#include "frames/frame_upload.h"
#include "frames/resources.h"
#include "gathering/gathering_input.h"
#include "video/frame_checks.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/depth_filling.h>
#include <pcl/gpu/scenespace/non_local_means.h>
#include <pcl/gpu/scenespace/scene_frame_store.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/page_locked_memory.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include <omp.h>

namespace pcl::gpu {

namespace {

template <typename T>
std::size_t
bytesOf(const Image<T>& image)
{
  return image.pixels.size() * sizeof(T);
}

/** \brief Copies by a few threads: one alone takes longer than some devices take for a
 * frame. */
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

/** \brief A place for a prepared frame, with the memory of its images. */
struct FrameSlot {
  DeviceArray2D<RGB> color, guide;
  DeviceArray2D<float> depth, background_depth, object_depth;
  DeviceArray2D<std::uint8_t> mask;
  std::shared_ptr<SceneFrame> frame = std::make_shared<SceneFrame>();
  std::shared_ptr<SceneFrame> background = std::make_shared<SceneFrame>();
  std::shared_ptr<SceneFrame> objects = std::make_shared<SceneFrame>();
  float sharpness = 0.0f;
  std::uint64_t last_use = 0;
  Event used = Event::create(); ///< behind the last work on it, if is_used_event
  bool is_used_event = false;   ///< whether all work on it lies before the event
  bool was_just_used = false;   ///< whether that is the work that was queued last

  /** \brief Returns whether the frame is in use. */
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

/** \brief Makes prepared frames of those that are read, on the current device. */
class FramePreparation {
public:
  /** \brief Queues the copy and the preparation of a frame.
   * \param[in] read the frame; not needed any more on return
   * \param[in] number of the frame
   * \param[in] preparation its parameters
   * \param[in,out] slot gets the prepared frame, behind the work on its former one
   * \param[in] stream in which it can be used from now on
   */
  void
  prepare(const ReadFrame& read,
          int number,
          const ScenePreparation& preparation,
          FrameSlot& slot,
          const Stream& stream)
  {
    const RGBDFrame& frame = read.frame;
    checkRegistered(frame);
    upload(read, slot, stream);
    const bool has_guide = preparation.noise > 0.0f;
    if (has_guide)
      guide_filter_.compute(slot.color, preparation.noise, slot.guide, stream);
    if (preparation.fill_depth)
      filling_.compute(
          slot.depth, has_guide ? slot.guide : slot.color, slot.depth, stream);
    const Device device = deviceOf(slot.depth);
    const int columns = slot.depth.cols(), rows = slot.depth.rows();
    const auto forPixels = [&](const auto& step) {
      parallelFor2D(device, columns, rows, step, stream);
    };
    if (preparation.edge_margin > 0) {
      createOn(device, without_edges_, rows, columns);
      forPixels(device::DropEdges{inputView<float>(slot.depth),
                                  outputView<float>(without_edges_),
                                  preparation.edge_margin});
      slot.depth.swap(without_edges_);
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
    const auto keep = [&](std::uint8_t kept, DeviceArray2D<float>& masked) {
      createOn(device, masked, rows, columns);
      forPixels(device::MaskDepth{inputView<float>(slot.depth),
                                  inputView<std::uint8_t>(slot.mask),
                                  kept,
                                  outputView<float>(masked)});
    };
    keep(device::mask_background, slot.background_depth);
    keep(device::mask_object, slot.object_depth);
    set(*slot.background, slot.background_depth);
    set(*slot.objects, slot.object_depth);
  }

private:
  /** \brief Page-locked memory of a frame, and the end of its copy. */
  struct Staging {
    PageLockedMemory memory;
    Event copied = Event::create();
  };

  /** \brief Copies a frame's images by a queue of its own, from page-locked memory. */
  void
  upload(const ReadFrame& read, FrameSlot& slot, const Stream& stream)
  {
    const RGBDFrame& frame = read.frame;
    Staging& staging = staging_[next_staging_];
    next_staging_ = (next_staging_ + 1) % staging_.size();
    staging.copied.synchronize();
    staging.memory.reserve(bytesOf(frame.color) + bytesOf(frame.depth) +
                           bytesOf(read.mask));
    copies_.waitFor(slot.used);
    auto* place = static_cast<char*>(staging.memory.get());
    const auto copy = [&](const auto& image, auto& to) {
      using Pixel = typename std::decay_t<decltype(image.pixels)>::value_type;
      copyByThreads(image.pixels.data(), place, bytesOf(image));
      copyPixels(reinterpret_cast<const Pixel*>(place),
                 image.width,
                 image.height,
                 to,
                 copies_);
      place += bytesOf(image);
    };
    copy(frame.color, slot.color);
    copy(frame.depth, slot.depth);
    if (read.mask.empty())
      slot.mask.release();
    else
      copy(read.mask, slot.mask);
    staging.copied.record(copies_);
    stream.waitFor(staging.copied);
  }

  NonLocalMeans guide_filter_;
  DepthFilling filling_;
  DeviceArray2D<float> without_edges_; ///< and then the depth with edges
  std::array<Staging, 2> staging_;     ///< one is filled while the other is copied
  std::size_t next_staging_ = 0;
  Stream copies_ = Stream::create();
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
        SceneFrameStore::estimateMemory(camera.width, camera.height, preparation));
    image_bytes = std::max(image_bytes, depthMemory(camera.width, camera.height));
  }
  const std::size_t scratch = preparation.edge_margin > 0 ? image_bytes : 0;
  const std::size_t frames = memory > scratch ? (memory - scratch) / frame_bytes : 0;
  checkArgument(
      frames >= 2, "memory for frames", memory, "room for two frames or more");
  return static_cast<int>(std::min<std::size_t>(frames, SceneFrame::max_number + 1));
}

} // namespace

void
ScenePreparation::validate() const
{
  checkNotNegative("noise of colours", noise);
  checkArgument(edge_margin >= 0, "margin of edges", edge_margin, "0 pixels or more");
  checkArgument(mask_margin >= 0, "margin of masks", mask_margin, "0 pixels or more");
}

/** \brief The frames of a device, which it keeps as long as there is room and they are
 * used now and then. */
class FrameStore {
public:
  /** \param[in] capacity number of frames */
  FrameStore(std::shared_ptr<FrameReader> frames, int capacity)
  : reader(std::move(frames))
  , capacity(capacity)
  {}

  const std::shared_ptr<FrameReader> reader; ///< which others may share
  const int capacity;

  /** \brief Returns a frame, and loads it if it is missing. */
  PreparedFrame
  get(int number, const Stream& stream)
  {
    checkFrameNumber(number, reader->video->size());
    const auto found = slots.find(number);
    FrameSlot& slot = found == slots.end() ? loadFrame(number, stream) : found->second;
    slot.last_use = ++uses;
    slot.is_used_event = false; // until the coming work is known to be queued
    return slot.prepared();
  }

  /** \brief Loads the frames of the next batch, as many as there is room for.
   * \param[in] batches that have ended before the batch's first frame
   * \return the frames
   */
  std::vector<PreparedFrame>
  load(const FrameBatches& batches)
  {
    plan = batches.numbers_;
    // If not all have room, some are loaded while others are worked on.
    const std::size_t free_slots = room();
    const std::size_t fitting = plan.size() <= free_slots
                                    ? free_slots
                                    : std::max<std::size_t>(1, free_slots / 2);
    const std::size_t first = batches.end_;
    const std::size_t end =
        std::min(plan.size(), first + std::min(batches.most_, fitting));
    std::vector<PreparedFrame> frames;
    for (std::size_t i = first; i < end; ++i) {
      expect(i);
      frames.push_back(get(plan[i], batches.stream_));
    }
    expect(end);
    return frames;
  }

  /** \brief Releases the last batch, behind the work that was queued on it. */
  void
  release(FrameBatches& batches)
  {
    // Frames that are held take up room.
    batches.batch_.frames.clear();
    batches.batch_.weights.clear();
    batches.batch_.sharpness.clear();
    for (auto& slot : slots)
      slot.second.was_just_used = false;
    const ScopedDevice scope(device);
    for (std::size_t i = batches.batch_.first; i < batches.end_; ++i) {
      const auto found = slots.find(batches.numbers_[i]);
      // Frames that are held may yet be used by other work.
      if (found == slots.end() || found->second.isHeld())
        continue;
      FrameSlot& slot = found->second;
      slot.used.record(batches.stream_);
      slot.is_used_event = slot.was_just_used = true;
    }
  }

private:
  using Slots = std::map<int, FrameSlot>; ///< by the numbers of their frames

  /** \brief Reads frames ahead: the coming ones of the plan that are missing. */
  void
  expect(std::size_t next)
  {
    plan_next = next;
    std::vector<int> missing;
    for (std::size_t i = next; i < plan.size() && missing.size() < reader->threads; ++i)
      if (slots.count(plan[i]) == 0)
        missing.push_back(plan[i]);
    // Then those of the output's successor.
    const int last = plan.empty() ? -1 : plan.back();
    const int size = reader->video->size();
    for (int i = last + 1; i < size && missing.size() < reader->threads; ++i)
      if (slots.count(i) == 0)
        missing.push_back(i);
    reader->expect(missing);
  }

  /** \brief Returns the number of frames that can be loaded at a time. */
  std::size_t
  room() const
  {
    const auto held = std::count_if(slots.begin(), slots.end(), [](const auto& slot) {
      return slot.second.isHeld();
    });
    return capacity - held;
  }

  /** \brief Takes a slot out of slots, or makes one while there is room and frames have
   * been used of late. */
  Slots::node_type
  freeSlot()
  {
    auto best = slots.end();
    for (auto i = slots.begin(); i != slots.end(); ++i)
      if (!i->second.isHeld() && (best == slots.end() || isBetterToLose(*i, *best)))
        best = i;
    // To allocate and to free a slot takes longer than to load a frame again.
    constexpr std::uint64_t passes = 64; // of the plan
    const bool is_best_forgotten =
        best != slots.end() && !best->second.was_just_used &&
        uses - best->second.last_use > passes * std::max<std::size_t>(1, plan.size());
    if (static_cast<int>(slots.size()) < capacity && !is_best_forgotten)
      return slots.extract(slots.try_emplace(-1).first);
    if (best == slots.end())
      PCL_THROW_EXCEPTION(ComputeFailedException,
                          "all " << capacity
                                 << " frames that there is memory for are in use");
    return slots.extract(best);
  }

  /** \brief Returns which of two frames gives way: the one that is wanted later, as far
   * as is known. */
  bool
  isBetterToLose(const Slots::value_type& a, const Slots::value_type& b) const
  {
    // Work that was queued last would have to be waited for.
    if (a.second.was_just_used != b.second.was_just_used)
      return b.second.was_just_used;
    const std::size_t a_steps = stepsUntil(a.first), b_steps = stepsUntil(b.first);
    return a_steps != b_steps ? a_steps > b_steps
                              : a.second.last_use < b.second.last_use;
  }

  /** \brief Returns the number of frames of the plan before a frame is wanted; those
   * that the plan has behind it are likely to be wanted when it is run through
   * again. */
  std::size_t
  stepsUntil(int number) const
  {
    const auto found = std::find(plan.begin(), plan.end(), number);
    if (found == plan.end())
      return 2 * plan.size();
    const std::size_t place = found - plan.begin();
    return place >= plan_next ? place - plan_next : place + plan.size() - plan_next;
  }

  FrameSlot&
  loadFrame(int number, const Stream& stream)
  {
    const FrameReader::FramePtr read = reader->take(number);
    const ScopedDevice scope(device);
    Slots::node_type node = freeSlot();
    FrameSlot& slot = node.mapped();
    if (!slot.is_used_event)
      slot.used.record(stream);
    slot.is_used_event = false;
    preparation_.prepare(*read, number, reader->preparation, slot, stream);
    node.key() = number;
    return slots.insert(std::move(node)).position->second;
  }

  Device device = currentDevice();
  Slots slots;
  std::uint64_t uses = 0;
  std::vector<int> plan; ///< frames that are wanted one after the other
  std::size_t plan_next = 0;
  FramePreparation preparation_;
};

SceneFrameStore::SceneFrameStore(RGBDVideo::ConstPtr video,
                                 ScenePreparation preparation,
                                 std::size_t memory,
                                 int threads,
                                 std::size_t host_memory)
{
  const auto reader = std::make_shared<FrameReader>(
      std::move(video), std::move(preparation), threads, host_memory);
  store_ = std::make_unique<FrameStore>(
      reader, capacityOf(*reader->video, reader->preparation, memory));
}

SceneFrameStore::SceneFrameStore(const SceneFrameStore& other, std::size_t memory)
: store_(std::make_unique<FrameStore>(
      other.store_->reader,
      capacityOf(other.getVideo(), other.getPreparation(), memory)))
{}

SceneFrameStore::~SceneFrameStore() = default;

const RGBDVideo&
SceneFrameStore::getVideo() const
{
  return *store_->reader->video;
}

const ScenePreparation&
SceneFrameStore::getPreparation() const
{
  return store_->reader->preparation;
}

int
SceneFrameStore::getCapacity() const
{
  return store_->capacity;
}

std::size_t
SceneFrameStore::estimateMemory(int width,
                                int height,
                                const ScenePreparation& preparation)
{
  const std::size_t pixels = paddedPixels(width, height),
                    image = depthMemory(width, height);
  const std::size_t images =
      2 + (preparation.noise > 0.0f) + (preparation.masks ? 2 : 0);
  const std::size_t mask = preparation.masks ? arrayMemory(pixels) : 0;
  // Bounds of depth, and memory of gathering while it works on the frame.
  const ImageRegion none{};
  const std::size_t bounds =
      pixels * sizeof(device::DepthRange) / device::block_pixels + 65536;
  const std::size_t scene_frames = preparation.masks ? 3 : 1;
  return images * image + mask + scene_frames * bounds +
         GatheringInput::estimateMemory(1, width, height, none);
}

PreparedFrame
SceneFrameStore::get(int number, const Stream& stream)
{
  return store_->get(number, stream);
}

FrameBatches
SceneFrameStore::batches(const std::vector<int>& numbers,
                         const std::vector<float>& weights,
                         const Stream& stream,
                         FrameContent content,
                         int most)
{
  checkArgument(weights.empty() || weights.size() == numbers.size(),
                "number of weights",
                weights.size(),
                "that of the frames, or 0");
  checkEnumerator("content of frames", content, FrameContent::Objects);
  checkArgument(most >= 1, "frames of a batch", most, "1 or more");
  FrameBatches result;
  result.store_ = store_.get();
  result.numbers_ = numbers;
  result.weights_ = weights;
  result.stream_ = stream;
  result.content_ = content;
  result.most_ = most;
  return result;
}

FrameBatches::Iterator
FrameBatches::begin()
{
  end_ = 0;
  return Iterator(load() ? this : nullptr);
}

bool
FrameBatches::load()
{
  while (end_ < numbers_.size()) {
    batch_.first = end_;
    std::vector<PreparedFrame> prepared = store_->load(*this);
    end_ += prepared.size();
    for (std::size_t i = 0; i < prepared.size(); ++i) {
      const PreparedFrame& its = prepared[i];
      const SceneFrame::ConstPtr& frame = content_ == FrameContent::Whole ? its.frame
                                          : content_ == FrameContent::Background
                                              ? its.background
                                              : its.objects;
      if (!frame)
        continue;
      batch_.frames.push_back(frame);
      batch_.weights.push_back(weights_.empty() ? 1.0f : weights_[batch_.first + i]);
      batch_.sharpness.push_back(its.sharpness);
    }
    if (!batch_.frames.empty())
      return true;
    prepared.clear();
    store_->release(*this);
  }
  return false;
}

FrameBatches::Iterator&
FrameBatches::Iterator::operator++()
{
  batches_->store_->release(*batches_);
  if (!batches_->load())
    batches_ = nullptr;
  return *this;
}

} // namespace pcl::gpu
