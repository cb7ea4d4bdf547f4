// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Options of writeRGBDFolder().
 *
 * \ingroup gpu_scenespace
 */
struct RGBDFolderWriterOptions {
  /** \brief Metres. Depth below half of it or above 65534 of it is written as
   * missing. */
  float depth_unit = 0.001f;
  /** \brief Goes on after a call that was interrupted. Existing images are taken for
   * those of this video. */
  bool resume = false;
  /** \brief Number of threads that read and encode frames, each of them a frame at a
   * time; 1: the caller's. Encoding takes longer than most else. */
  int threads = 1;
  /** \brief Called with the number of written frames: before the first one, and after
   * each. Called by one thread at a time, not always the same. */
  std::function<void(int done)> progress;

  /** \brief Numbers of the frames to write, in this order: other processes may write
   * the others. Without a value all that have no images yet. The tables are those of
   * the whole video. */
  std::optional<std::vector<int>> frames;
  /** \brief Asked before a frame is read, by several threads at once: false leaves the
   * frame out. */
  std::function<bool(int number)> begin;
  /** \brief Called when a frame has both images, by several threads at once. */
  std::function<void(int number)> end;
};

/** \brief Writes a video to a folder of colour and depth, as openRGBDFolder() reads
 * them.
 *
 * Frames are named by their numbers, color/000000.png and depth/000000.png. Reading
 * gives the same frames: depth to half a unit, poses but for rounding, all else
 * exactly.
 *
 * Every file appears when it is complete. After an error threads end the frames that
 * they have begun; then it is thrown. Before all images are there, openRGBDFolder()
 * rejects the folder.
 *
 * \param[in] video whose frames are read, as many at a time as there are threads
 * \param[in] folder its name; made if it does not exist
 * \param[in] options of writing
 * \throws pcl::BadArgumentException naming the parameter and its value: a video without
 * frames, a number that no frame has, a depth unit that is not positive, no thread
 * \throws pcl::IOException naming the file and the reason: one that cannot be written,
 * a folder that has images or tables of another video, images and no resume
 * \throws as RGBDVideo::read() and the functions of \a options
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS void
writeRGBDFolder(const RGBDVideo& video,
                const std::string& folder,
                const RGBDFolderWriterOptions& options = {});

} // namespace pcl::gpu
