// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/rgbd_video.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/utils/stream.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief What is done with the frames of a video before samples are gathered from them.
 *
 * \ingroup gpu_scenespace
 */
struct ScenePreparation {
  /** \brief Deviation of the noise of colours, levels. If it is positive, frames get guides:
   * their colours without noise, by non-local means. */
  float noise = 0.0f;
  /** \brief Whether pixels without depth get that of pixels nearby with similar colour. */
  bool fill_depth = true;
  /** \brief How far beside nearer things pixels have no depth, pixels, 0 or more: their colours
   * are mixed with those of the things, which other views show beside these as ghosts. For
   * views from elsewhere 1 is best where edges of depth are those of colour: more of them
   * takes more away than ghosts. An effect that compares pixels with those of the same frame
   * wants 0. */
  int edge_margin = 0;
  /** \brief Tells which pixels of a frame show objects that are to be treated in a way of
   * their own: one for each pixel, 0 elsewhere; of the size of the frame's colour, or empty if
   * it has none. Called from several threads. */
  std::function<Image<std::uint8_t>(int number)> masks;
  /** \brief How far around masks pixels are neither objects nor background, pixels, 0 or more:
   * masks and the edges of depth are not exact, and colours of edges are mixed. */
  int mask_margin = 2;
};

/** \brief A frame of a video on a device.
 *
 * \ingroup gpu_scenespace
 */
struct PreparedFrame {
  SceneFrame::ConstPtr frame; ///< all of its pixels
  /** \brief Those outside the mask and its margin; frame, if there is no mask. */
  SceneFrame::ConstPtr background;
  /** \brief Those inside the mask, but for those at its edge, which see what is behind as
   * well; null, if there is no mask. */
  SceneFrame::ConstPtr objects;
  /** \brief 255 for objects, 254 for their edges, 1 for the margin around them, else 0; empty,
   * if there is no mask. */
  DeviceArray2D<std::uint8_t> mask;
  /** \brief Mean length of the gradient of the frame's brightness, levels per pixel: how sharp
   * it is. */
  float sharpness = 0.0f;
};

/** \brief The frames of a video on a device, loaded when they are asked for and kept as long as
 * there is room.
 *
 * Frames that are likely to be asked for next are read by threads meanwhile. Belongs to the
 * device that is current when it is made; not to be used by several threads at once.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SceneFrameCache {
public:
  /** \brief Takes a video; reads nothing yet.
   * \param[in] video whose depth is registered to colour
   * \param[in] preparation what is done with frames
   * \param[in] memory bytes of the device's memory that frames may take
   * \param[in] threads that read frames, 1 or more
   * \param[in] host_memory bytes of the host's memory in which frames that were read are kept
   * for when they have to be loaded again, or by another device
   * \throws pcl::BadArgumentException naming the parameter and its value: no video, one of
   * more than SceneFrame::max_number + 1 frames, noise or a margin that is negative,
   * memory for fewer than two frames, no thread
   */
  SceneFrameCache(RGBDVideo::ConstPtr video,
                  ScenePreparation preparation,
                  std::size_t memory,
                  int threads,
                  std::size_t host_memory = 0);

  /** \brief Takes the video and the preparation of another cache, which may be used at the same
   * time: both share what is read by its threads, and the host's memory.
   * \param[in] other cache, most likely of another device
   * \param[in] memory bytes of the current device's memory that frames may take
   * \throws pcl::BadArgumentException naming \a memory if it is too little for two frames
   */
  SceneFrameCache(const SceneFrameCache& other, std::size_t memory);

  /** \brief Waits for threads that read. */
  ~SceneFrameCache();

  SceneFrameCache(const SceneFrameCache&) = delete;
  SceneFrameCache&
  operator=(const SceneFrameCache&) = delete;

  /** \return the video */
  const RGBDVideo&
  getVideo() const;

  /** \return how frames are prepared */
  const ScenePreparation&
  getPreparation() const;

  /** \return the most frames that there is room for */
  int
  getCapacity() const;

  /** \brief Bytes that a frame takes.
   * \param[in] width,height of its images, pixels
   * \param[in] preparation what is done with it
   * \return bytes of device memory
   */
  static std::size_t
  estimateMemory(int width, int height, const ScenePreparation& preparation);

  /** \brief A frame. As long as any part of it is held, it takes up room.
   * \param[in] number of the frame in the video
   * \param[in] stream the queue to join
   * \return the frame
   * \throws pcl::BadArgumentException naming \a number if there is no such frame
   * \throws pcl::ComputeFailedException if as many frames are held as there is room for
   * \throws what RGBDVideo::read() throws
   * \throws DeviceException if the device fails or runs out of memory
   */
  PreparedFrame
  get(int number, const Stream& stream = {});

  /** \brief Hands out frames, as many at a time as there is room for.
   * \param[in] numbers of the frames in the video
   * \param[in] work is given frames, and the place of the first of them among \a numbers; must
   * not keep them
   * \param[in] stream the queue to join
   * \throws what get() and \a work throw
   */
  void
  forEachPart(const std::vector<int>& numbers,
              const std::function<void(const std::vector<PreparedFrame>&,
                                       std::size_t first)>& work,
              const Stream& stream = {});

private:
  class Implementation;

  std::unique_ptr<Implementation> implementation_;
};

} // namespace pcl::gpu
