// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/image_file.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/memory.h>
#include <pcl/pcl_exports.h>

#include <memory>
#include <string>

namespace pcl::gpu {

/** \brief Description of a frame of an RGB-D video, without its images.
 *
 * Colour and depth may come from two cameras, as a Kinect's do: each has intrinsics and
 * a pose of its own. Where depth is registered to colour, both are the same.
 *
 * \ingroup gpu_scenespace
 */
struct RGBDView {
  std::string name;                   ///< of the frame in messages
  double time = 0.0;                  ///< seconds
  PinholeCamera depth_camera;         ///< with the size of the depth map
  PinholeCamera color_camera;         ///< with the size of the colour image
  Pose depth_pose = Pose::Identity(); ///< of the depth camera, camera-to-world
  Pose color_pose = Pose::Identity(); ///< of the colour camera, camera-to-world

  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

/** \brief A frame of an RGB-D video.
 *
 * \ingroup gpu_scenespace
 */
struct RGBDFrame : RGBDView {
  ColorImage color;   ///< as the colour camera saw it
  Image<float> depth; ///< metres along the camera's z axis; NaN where there is none
};

/** \brief An RGB-D video: frames whose images are read when they are asked for.
 *
 * Frames can be read on several threads at once.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS RGBDVideo {
public:
  /** \brief A video that several own. */
  using Ptr = std::shared_ptr<RGBDVideo>;

  /** \brief A video that several own, and none changes. */
  using ConstPtr = std::shared_ptr<const RGBDVideo>;

  virtual ~RGBDVideo() = default;

  /** \brief Number of frames.
   * \return 0 or more
   */
  virtual int
  size() const = 0;

  /** \brief Returns the description of a frame, without its images; fast.
   * \param[in] number from 0 to size() - 1
   * \return times do not decrease from one frame to the next
   * \throws pcl::BadArgumentException naming \a number if there is no such frame
   */
  virtual RGBDView
  view(int number) const = 0;

  /** \brief Reads a frame.
   * \param[in] number from 0 to size() - 1
   * \return the frame
   * \throws pcl::BadArgumentException naming \a number if there is no such frame
   * \throws pcl::IOException naming the frame and the file, if it cannot be read or has
   * not the size of its camera's image
   */
  virtual RGBDFrame
  read(int number) const = 0;
};

/** \brief Rejects views that no video has.
 * \param[in] view the view
 * \param[in] number of its frame, for the message
 * \throws pcl::BadArgumentException naming the frame, the parameter and its value: a
 * camera or an invalid pose, a time that is not finite
 * \ingroup gpu_scenespace
 */
PCL_EXPORTS void
validateView(const RGBDView& view, int number);

} // namespace pcl::gpu
