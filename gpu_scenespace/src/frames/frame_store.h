// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "frames/frame_preparation.h"
#include "frames/frame_reader.h"
#include "frames/frame_upload.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief A part of a frame that is wanted on a device. */
struct WantedPart {
  int number; ///< of the frame in the video
  ImageRegion region;
};

/** \brief The store of a device: whole frames that are kept, and parts that come and go. */
class FrameStore {
public:
  /** \param[in] capacity of whole frames */
  FrameStore(std::shared_ptr<FrameReader> frames, int capacity);

  /** \brief Returns the images of a frame, which is loaded if it is not there. */
  const FrameImagesOnDevice&
  get(int number, const Stream& stream);

  /** \brief Loads frames from a place among \a numbers on, as many as there is room for.
   * \param[in] most of them
   * \return place of the first one that is not loaded
   */
  std::size_t
  load(const std::vector<int>& numbers,
       std::size_t first,
       std::size_t most,
       const Stream& stream,
       std::vector<PreparedFrame>& frames);

  /** \brief Notes that work on some frames was queued, which are no longer held. */
  void
  markUsed(const std::vector<int>& numbers,
           std::size_t first,
           std::size_t end,
           const Stream& stream);

  /** \brief Reads a frame, and starts to read those behind it. */
  FrameReader::FramePtr
  read(const std::vector<int>& numbers, std::size_t place);

  /** \brief Brings parts of frames, as they were read, to the device all at once, while work on
   * the parts of the call before goes on.
   * \param[in] stream in which parts are worked on
   * \return the parts, until the second call from now
   */
  const std::vector<SceneFrame::ConstPtr>&
  loadParts(const std::vector<WantedPart>& parts, const Stream& stream);

  /** \brief Returns the bytes of images that a call of loadParts() has room for. */
  std::size_t
  partCapacity() const;

  /** \brief Gives the memory of parts back, when they are not used any more. */
  void
  releaseParts();

  std::shared_ptr<FrameReader> reader; ///< which others may share
  Device device;
  int capacity;
  // What parts take: bytes of images, and whether those of two calls are there at a time.
  std::size_t part_bytes = 0;
  bool has_two_parts = true;

private:
  /** \brief A place for a frame. */
  struct Slot {
    int number = -1;
    std::uint64_t last_use = 0;
    FrameImagesOnDevice images;
    Event used = Event::create(); ///< behind the last work on it, if is_used_event
    bool is_used_event = false;   ///< whether all work on it lies before the event
    bool was_just_used = false;   ///< whether that is the work that was queued last
  };

  void
  expect(std::size_t next);

  std::size_t
  room() const;

  Slot&
  freeSlot();

  bool
  isBetterToLose(const Slot& a, const Slot& b) const;

  std::size_t
  stepsUntil(int number) const;

  Slot&
  loadFrame(int number, const Stream& stream);

  std::vector<std::unique_ptr<Slot>> slots;
  std::map<int, Slot*> places;
  std::uint64_t uses = 0;
  std::vector<int> plan; ///< frames that are wanted one after the other
  std::size_t plan_next = 0;
  FramePreparation preparation_;
  Stream copies = Stream::create(); ///< of parts
  std::array<std::unique_ptr<FrameParts>, 2> part_slots;
  std::size_t next_part_slot = 0;
  FrameParts* last_parts = nullptr;
};

} // namespace pcl::gpu
