// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/video/rendered_images.h"

#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <cstdint>
#include <string>

namespace pcl::gpu::test {

/** \brief Motion of the camera, after the videos of Klose et al. 2015 (Sampling based
 * scene-space video processing). Each takes 10 s from end to end, and then goes
 * back. */
enum class CameraMotion {
  Rotation, ///< turns on the spot, from the sofa past the table to the counter
  Sideways, ///< from left to right before the table
  Forward   ///< towards the globe, down to 1.1 m
};

/** \brief Returns the motion of a name.
 * \param[in] name rotation, sideways or forward
 * \throws std::runtime_error for another name
 */
CameraMotion
motionNamed(const std::string& name);

/** \brief Settings of a rendered video. The defaults are those of a perfect camera. */
struct RenderedVideoSettings {
  CameraMotion motion = CameraMotion::Sideways;
  PinholeCamera camera = PinholeCamera::fromFieldOfView(0.8f, 1280, 720);
  PinholeCamera color_camera;             ///< a focal length of 0: that of depth
  Pose color_to_depth = Pose::Identity(); ///< colour camera to depth camera
  int frames = 300;
  float frame_rate = 30.0f; ///< frames a second
  float begin = 0.0f;       ///< seconds from the motion's start to the first frame
  float shake = 0.0f;       ///< of a hand; 1: some 3 mm and 0.1 degrees
  std::uint64_t seed = 1;   ///< of shake and noise

  int supersampling = 2;    ///< samples along a row and along a column of a pixel
  float color_noise = 0.0f; ///< deviation of the levels of colour, of 255
  float exposure = 0.0f;    ///< seconds that a frame is blurred over, about its time
  int exposure_samples = 8; ///< number of poses that a blurred frame is the mean of

  float depth_noise =
      0.0f; ///< deviation at 1 m, metres; grows with the distance squared
  float depth_unit = 0.0f;    ///< step that depth is rounded to, metres; 0: none
  float depth_dropout = 0.0f; ///< share of pixels without depth, at random
  float depth_baseline =
      0.0f; ///< from camera to projector on its right, metres: there is
            ///< no depth in the projector's shadow; Kinect: 0.075

  RoomContents contents; ///< the time is that of the frame

  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

/** \brief Adds the errors of a Kinect: noise in both images, rounded depth, and depth
 * that is missing at random and beside edges. */
RenderedVideoSettings
likeKinect(RenderedVideoSettings settings);

/** \brief Returns the pose of the depth camera.
 * \param[in] settings of the video
 * \param[in] time seconds from the first frame
 * \return camera-to-world
 */
Pose
cameraPose(const RenderedVideoSettings& settings, double time);

/** \brief A video of the rendered room, whose truth is known. Frames are rendered when
 * they are read, and are the same bits each time. */
class RenderedVideo : public RGBDVideo {
public:
  /** \brief Renders nothing yet. */
  explicit RenderedVideo(const RenderedVideoSettings& settings);

  int
  size() const override;

  RGBDView
  view(int number) const override;

  RGBDFrame
  read(int number) const override;

  /** \brief Returns colour without noise, with supersampling and blur. */
  ColorImage
  trueColor(int number) const;

  /** \brief Returns the exact depth. */
  gpu::Image<float>
  trueDepth(int number) const;

  /** \brief Returns the contents of the room at the time of a frame. */
  RoomContents
  contents(int number) const;

private:
  std::vector<float>
  levels(const RGBDView& view, int number) const;

  RenderedVideoSettings settings_;
};

} // namespace pcl::gpu::test
