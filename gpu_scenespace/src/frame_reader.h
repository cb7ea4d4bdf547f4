// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/rgbd_video.h>
#include <pcl/gpu/scenespace/scene_frame_cache.h>

#include <future>
#include <map>
#include <vector>

namespace pcl {
namespace gpu {

/** \brief A frame as it is read. */
struct ReadFrame {
  RGBDFrame frame;
  Image<std::uint8_t> mask; ///< as PreparedFrame has it
  float sharpness = 0.0f;   ///< as PreparedFrame has it
};

/** \brief Reads frames ahead, each by a thread of its own. */
class FrameReader {
public:
  /** \param[in] threads the most frames that are read at a time */
  FrameReader(RGBDVideo::ConstPtr video, ScenePreparation preparation, int threads);

  /** \brief Waits for threads. */
  ~FrameReader();

  /** \brief Has frames be read, the first ones first, as far as there are threads. */
  void
  expect(const std::vector<int>& numbers);

  /** \brief Waits for a frame.
   * \throws what RGBDVideo::read() throws
   */
  ReadFrame
  take(int number);

private:
  ReadFrame
  read(int number) const;

  RGBDVideo::ConstPtr video_;
  ScenePreparation preparation_;
  std::size_t threads_;
  std::map<int, std::future<ReadFrame>> expected_;
};

} // namespace gpu
} // namespace pcl
