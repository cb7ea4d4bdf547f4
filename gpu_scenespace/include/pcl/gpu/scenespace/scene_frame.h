// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/scenespace/video/rgbd_video.h>
#include <pcl/gpu/utils/stream.h>

#include <memory>

namespace pcl::gpu {

/** \brief A frame of an RGB-D video in a device's memory, ready to gather samples from.
 *
 * Colour and depth belong to one camera: every pixel with depth is a sample. Memory is
 * kept from one set() or upload() of a size to the next, which then neither allocate
 * nor wait.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SceneFrame {
public:
  /** \brief A frame that several own. */
  using Ptr = std::shared_ptr<SceneFrame>;

  /** \brief A frame that several own, and none changes. */
  using ConstPtr = std::shared_ptr<const SceneFrame>;

  /** \brief The largest width and height, pixels. */
  static constexpr int max_size = 16384;

  /** \brief The largest number of a frame. */
  static constexpr int max_number = 65535;

  /** \brief Parts of frames begin at columns and rows that are multiples of it,
   * pixels. */
  static constexpr int part_alignment = 32;

  /** \brief Brings a frame to the current device.
   * \param[in] frame colour and depth of one size, one camera and one pose
   * \param[in] number s_t of its samples, 0 to max_number
   * \param[in] stream the queue to join; the frame's images have been copied on return
   * \throws pcl::BadArgumentException naming the frame and the parameter: images of two
   * sizes, cameras or poses, of no pixels or more than max_size, \a number
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  upload(const RGBDFrame& frame, int number, const Stream& stream = {});

  /** \brief Makes a frame of images on a device, which it shares from then on.
   * \param[in] color the colours; alpha does not matter
   * \param[in] depth metres along the camera's z axis, of the same size and on the same
   * device; no depth where it is not a positive number
   * \param[in] camera of both; a size of 0 stands for that of the images
   * \param[in] pose camera-to-world
   * \param[in] number s_t of its samples, 0 to max_number
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter, as upload() does, or images
   * on two devices
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  set(const DeviceArray2D<RGB>& color,
      const DeviceArray2D<float>& depth,
      const PinholeCamera& camera,
      const Pose& pose,
      int number,
      const Stream& stream = {});

  /** \brief Makes a frame of a part of its images: the other pixels are as those
   * without depth. Gathering in frustums is for such frames, too, that in other volumes
   * is not.
   * \param[in] color,depth of the part; else as above
   * \param[in] camera of the whole frame, with its size
   * \param[in] pose camera-to-world
   * \param[in] number s_t of its samples, 0 to max_number
   * \param[in] region of the frame that the images show; its first column and row are
   * multiples of part_alignment
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter, as above, or a \a region
   * that is not in the frame, begins elsewhere or differs in size from the images
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  set(const DeviceArray2D<RGB>& color,
      const DeviceArray2D<float>& depth,
      const PinholeCamera& camera,
      const Pose& pose,
      int number,
      const ImageRegion& region,
      const Stream& stream = {});

  /** \brief Sets colours that stand for the frame's own where colours are compared: its
   * own without their noise. set() and upload() forget them.
   * \param[in] guide of the size of the frame's images and on their device; shared from
   * then on
   * \throws pcl::BadArgumentException naming the guide, if it has another size or
   * device
   */
  void
  setGuide(const DeviceArray2D<RGB>& guide);

  /** \return colours to compare; the frame's own where there are no others */
  const DeviceArray2D<RGB>&
  getGuide() const;

  /** \return the colours */
  const DeviceArray2D<RGB>&
  getColor() const
  {
    return color_;
  }

  /** \return metres; no depth where it is not a positive number */
  const DeviceArray2D<float>&
  getDepth() const
  {
    return depth_;
  }

  /** \return camera, pose and time, as an output of the same camera has them */
  const SceneView&
  getView() const
  {
    return view_;
  }

  /** \return the part of the frame that its images show: by default all of it */
  const ImageRegion&
  getRegion() const
  {
    return region_;
  }

  /** \return whether its images show all of it */
  bool
  isWhole() const;

  /** \return s_t of its samples */
  int
  getNumber() const
  {
    return static_cast<int>(view_.time);
  }

  /** \brief Bounds of the depths of blocks of pixels, which gathering looks up.
   * \return two numbers a block, at least
   */
  const DeviceArray<float>&
  getDepthBounds() const
  {
    return depth_bounds_;
  }

  PCL_MAKE_ALIGNED_OPERATOR_NEW

private:
  DeviceArray2D<RGB> color_, guide_;
  DeviceArray2D<float> depth_;
  DeviceArray<float> depth_bounds_;
  SceneView view_;
  ImageRegion region_;
};

} // namespace pcl::gpu
