// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_frame_store.h>
#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <cstddef>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace pcl::gpu {

/** \brief A frame as it is read. */
struct ReadFrame {
  RGBDFrame frame;
  Image<std::uint8_t> mask; ///< as PreparedFrame has it
  float sharpness = 0.0f;   ///< as PreparedFrame has it
};

/** \brief Reads frames ahead, each by a thread of its own, and keeps those that were
 * wanted as long as there is room. Several threads may use it at once: a frame that
 * more than one wants is read once. Its end waits for its threads. */
class FrameReader {
public:
  using FramePtr = std::shared_ptr<const ReadFrame>;

  /** \param[in] threads the most frames that are read ahead at a time
   * \param[in] memory bytes that frames may take that were wanted already
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  FrameReader(RGBDVideo::ConstPtr video,
              ScenePreparation preparation,
              int threads,
              std::size_t memory);

  /** \brief Starts to read frames, the first ones first, as far as there are
   * threads. */
  void
  expect(const std::vector<int>& numbers);

  /** \brief Waits for a frame.
   * \throws as RGBDVideo::read()
   */
  FramePtr
  take(int number);

  /** \brief Waits for a frame of a list, and starts to read those behind it.
   * \param[in] place of the frame in the list
   * \throws as RGBDVideo::read()
   */
  FramePtr
  take(const std::vector<int>& numbers, std::size_t place);

  const RGBDVideo::ConstPtr video;
  const ScenePreparation preparation;
  const std::size_t threads; ///< the most frames that are read ahead at a time

private:
  /** \brief A frame that is read, or being read. */
  struct Entry {
    std::shared_future<FramePtr> frame;
    bool was_wanted = false;
    std::size_t bytes = 0; ///< 0 until it was handed out
    std::uint64_t last_use = 0;
  };

  using Entries = std::map<int, Entry>;

  FramePtr
  read(int number) const;

  void
  forget(Entries::iterator entry);

  bool
  dropExpected(const std::vector<int>& wanted);

  std::size_t memory_;
  std::mutex mutex_; ///< of the following members
  std::size_t expected_ = 0, kept_bytes_ = 0;
  std::uint64_t uses_ = 0;
  Entries entries_;
};

} // namespace pcl::gpu
