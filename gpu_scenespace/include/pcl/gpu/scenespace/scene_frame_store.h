// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/scenespace/video/rgbd_video.h>
#include <pcl/gpu/utils/stream.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief Preparation of the frames of a video, before samples are gathered from them.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS ScenePreparation {
  /** \brief Deviation of the noise of colours, levels. If it is positive, frames get
   * guides: their colours without noise, by non-local means. */
  float noise = 0.0f;
  /** \brief Gives pixels without depth that of pixels nearby with similar colour. */
  bool fill_depth = true;
  /** \brief Distance from nearer things within which pixels have no depth, pixels, 0 or
   * more: their colours are mixed with those of the things, which other views show
   * beside these as ghosts. For views from elsewhere 1 is best where edges of depth are
   * those of colour: more of them takes more away than ghosts. An effect that compares
   * pixels with those of the same frame wants 0. */
  int edge_margin = 0;
  /** \brief Returns the pixels of a frame that show objects which are to be treated in
   * a way of their own: one for each pixel, 0 elsewhere; of the size of the frame's
   * colour, or empty if it has none. Called from several threads. */
  std::function<Image<std::uint8_t>(int number)> masks;
  /** \brief Distance from masks within which pixels are neither objects nor background,
   * pixels, 0 or more: masks and the edges of depth are not exact, and colours of edges
   * are mixed. */
  int mask_margin = 2;

  /** \brief Rejects noise or margins that are negative.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief A frame of a video on a device.
 *
 * \ingroup gpu_scenespace
 */
struct PreparedFrame {
  SceneFrame::ConstPtr frame; ///< all of its pixels
  /** \brief Pixels outside the mask and its margin; frame, if there is no mask. */
  SceneFrame::ConstPtr background;
  /** \brief Pixels inside the mask, but for those at its edge, which see the background
   * as well; null, if there is no mask. */
  SceneFrame::ConstPtr objects;
  /** \brief 255 for objects, 254 for their edges, 1 for the margin around them, else 0;
   * empty, if there is no mask. */
  DeviceArray2D<std::uint8_t> mask;
  /** \brief Mean length of the gradient of the frame's brightness, levels per pixel:
   * its sharpness. */
  float sharpness = 0.0f;
};

/** \brief A part of prepared frames.
 *
 * \ingroup gpu_scenespace
 */
enum class FrameContent {
  Whole,      ///< PreparedFrame::frame
  Background, ///< PreparedFrame::background
  Objects     ///< PreparedFrame::objects; frames without a mask have none
};

/** \brief Frames that have room at a time.
 *
 * \ingroup gpu_scenespace
 */
struct FrameBatch {
  std::size_t first = 0; ///< place of the batch's first frame among those asked for
  /** \brief Frames, in the order asked for, without those that lack the content. */
  std::vector<SceneFrame::ConstPtr> frames;
  std::vector<float> weights;   ///< one for each of \a frames, as asked for
  std::vector<float> sharpness; ///< PreparedFrame::sharpness of each of \a frames
};

class FrameStore;
class SceneFrameStore;

/** \brief Frames of a video batch by batch, for one loop: see
 * SceneFrameStore::batches().
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS FrameBatches {
public:
  /** \brief Iterator over batches, which loads them. */
  class PCL_EXPORTS Iterator {
  public:
    /** \brief Makes an iterator.
     * \param[in] batches those to go through; null: the end
     */
    explicit Iterator(FrameBatches* batches) : batches_(batches) {}

    /** \return the batch; must not be kept */
    const FrameBatch&
    operator*() const
    {
      return batches_->batch_;
    }

    /** \brief Releases a batch, behind the work that was queued in the stream, and
     * loads the next one.
     * \return this iterator
     * \throws as SceneFrameStore::get()
     */
    Iterator&
    operator++();

    /** \brief Compares with the end.
     * \param[in] other iterator of the same batches
     * \return whether one of the two is at the end, but not both
     */
    bool
    operator!=(const Iterator& other) const
    {
      return batches_ != other.batches_;
    }

  private:
    FrameBatches* batches_;
  };

  /** \brief Loads the first batch. To be called once.
   * \return the first batch
   * \throws as SceneFrameStore::get()
   */
  Iterator
  begin();

  /** \return the end */
  Iterator
  end()
  {
    return Iterator(nullptr);
  }

private:
  friend class FrameStore;
  friend class SceneFrameStore;

  FrameBatches() = default;

  /** \brief Loads frames from first_ on.
   * \return whether there are any
   */
  bool
  load();

  FrameStore* store_ = nullptr;
  std::vector<int> numbers_;
  std::vector<float> weights_;
  Stream stream_;
  FrameContent content_ = FrameContent::Whole;
  std::size_t most_ = 0, end_ = 0;
  FrameBatch batch_;
};

/** \brief The frames of a video on a device, loaded when they are asked for and kept as
 * long as there is room.
 *
 * A new frame takes the memory of one that has not been asked for while 64 other
 * batches were used, though there is room.
 *
 * Frames that are likely to be asked for next are read by threads meanwhile. Belongs to
 * the device that is current when it is made; not to be used by several threads at
 * once.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SceneFrameStore {
public:
  /** \brief Takes a video; reads nothing yet.
   * \param[in] video whose depth is registered to colour
   * \param[in] preparation of its frames
   * \param[in] memory bytes of the device's memory that frames may take
   * \param[in] threads that read frames, 1 or more
   * \param[in] host_memory bytes of the host's memory in which frames that were read
   * are kept for when they have to be loaded again, or by another device
   * \throws pcl::BadArgumentException naming the parameter and its value: no video, one
   * of more than SceneFrame::max_number + 1 frames, noise or a margin that is negative,
   * memory for fewer than two frames, no thread
   */
  SceneFrameStore(RGBDVideo::ConstPtr video,
                  ScenePreparation preparation,
                  std::size_t memory,
                  int threads,
                  std::size_t host_memory = 0);

  /** \brief Takes the video and the preparation of another store, which may be used at
   * the same time: both share its reading threads and the host's memory.
   * \param[in] other store, most likely of another device
   * \param[in] memory bytes of the current device's memory that frames may take
   * \throws pcl::BadArgumentException naming \a memory if it is too little for two
   * frames
   */
  SceneFrameStore(const SceneFrameStore& other, std::size_t memory);

  /** \brief Waits for threads that read. */
  ~SceneFrameStore();

  SceneFrameStore(const SceneFrameStore&) = delete;

  SceneFrameStore&
  operator=(const SceneFrameStore&) = delete;

  /** \return the video */
  const RGBDVideo&
  getVideo() const;

  /** \return the preparation of frames */
  const ScenePreparation&
  getPreparation() const;

  /** \return the most frames that have room */
  int
  getCapacity() const;

  /** \brief Returns the bytes that a frame takes.
   * \param[in] width,height of its images, pixels
   * \param[in] preparation of it
   * \return bytes of device memory
   */
  static std::size_t
  estimateMemory(int width, int height, const ScenePreparation& preparation);

  /** \brief Returns a frame. As long as any part of it is held, it takes up room.
   * \param[in] number of the frame in the video
   * \param[in] stream the queue to join
   * \return the frame
   * \throws pcl::BadArgumentException naming \a number if there is no such frame
   * \throws pcl::ComputeFailedException if as many frames are held as there is room for
   * \throws as RGBDVideo::read()
   * \throws DeviceException if the device fails or runs out of memory
   */
  PreparedFrame
  get(int number, const Stream& stream = {});

  /** \brief Goes through frames, as many at a time as there is room for.
   *
   * \code
   * for (const FrameBatch& batch : frames.batches(numbers, weights, stream))
   *   average.add(batch.frames, batch.weights, stream);
   * \endcode
   *
   * \param[in] numbers of the frames in the video
   * \param[in] weights one for each of \a numbers, handed on; none: all 1
   * \param[in] stream the queue to join, in which frames are worked on
   * \param[in] content which of their pixels are meant
   * \param[in] most frames of a batch, 1 or more
   * \return the batches, for one loop; the store must outlive them
   * \throws pcl::BadArgumentException naming the parameter and its value: not as many
   * weights as numbers, \a most below 1
   */
  FrameBatches
  batches(const std::vector<int>& numbers,
          const std::vector<float>& weights = {},
          const Stream& stream = {},
          FrameContent content = FrameContent::Whole,
          int most = SceneFrame::max_number + 1);

private:
  friend class FrameBatches;

  std::unique_ptr<FrameStore> store_;
};

} // namespace pcl::gpu
