// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/bvh.h>
#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/hand_skeleton.h>
#include <pcl/gpu/articulated/pose_particle_filter.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pcl::gpu::test {

/** \brief The hand that signs, and the camera that sees it. */
struct SigningHandOptions {
  HandSide side = HandSide::Right;
  /** \brief The hand has bones and girths of its own, up to 6 % longer or shorter,
   * thicker or thinner than those of the skeleton that is tracked, each by itself. */
  bool is_other = true;
  int width = 320; ///< of the depth camera's images
  int height = 240;
  float frame_rate = 30.0f;  ///< frames a second
  float transition = 0.6f;   ///< time from one sign to the next, seconds
  float hold = 0.2f;         ///< time that a sign stays, seconds
  int most_frames = 1 << 30; ///< frames after these are left out
  std::uint64_t seed = 0;    ///< of the hand's own sizes and of the sensor's noise
};

/** \brief A hand that signs ten poses, one after the other, moving and turning between
 * 0.35 and 0.9 m from a depth camera with a Kinect's noise, 2 % outliers and 2 % of
 * pixels without measurement. There is a wall behind it. The camera is the origin, z
 * forward and y down. Works on the current device.
 *
 * The signs are the open hand, the fist, the numbers 1 to 4, L, the horns, OK, and the
 * thumb up. The hand has the same angles as the skeleton that is tracked. */
class SigningHand {
public:
  explicit SigningHand(const SigningHandOptions& options);

  /** \brief Returns the names of the signs. */
  static std::vector<std::string>
  signs();

  int
  frameCount() const
  {
    return static_cast<int>(motion_.poses.size());
  }

  /** \brief Returns the seconds from one frame to the next. */
  float
  frameTime() const
  {
    return static_cast<float>(motion_.frame_time);
  }

  /** \brief Returns the number of the sign that a frame shows, or goes to. */
  int
  signOf(int frame) const;

  /** \brief Returns the skeleton to track, of default size. */
  const Skeleton::ConstPtr&
  skeleton() const
  {
    return skeleton_;
  }

  /** \brief Returns the hand that is seen. */
  const Skeleton::ConstPtr&
  seen() const
  {
    return seen_;
  }

  /** \brief Returns its poses. */
  const MotionClip&
  motion() const
  {
    return motion_;
  }

  /** \brief Returns the points that the camera sees. */
  const DeviceArray<PointXYZ>&
  points(int frame) const
  {
    return points_[frame];
  }

  /** \brief Returns the first frame's pose with errors: 1 cm, and 6 degrees in every
   * angle. */
  std::vector<float>
  firstPose(std::uint64_t seed) const;

  /** \brief Returns the distances of joints from their true places, metres: of the 14
   * joints at which phalanges begin, then of the five finger tips. */
  std::vector<float>
  jointErrors(const std::vector<float>& pose, int frame);

  /** \brief Number of joints at which phalanges begin. */
  static constexpr int counted = 14;

private:
  void
  move(const SigningHandOptions& options);

  void
  see(const SigningHandOptions& options);

  Skeleton::ConstPtr skeleton_;
  Skeleton::ConstPtr seen_;
  MotionClip motion_;
  std::vector<int> signs_; ///< of frames
  std::vector<int> measured_;
  ForwardKinematics kinematics_;
  std::vector<DeviceArray<PointXYZ>> points_;
  std::vector<PointXYZ> joints_; ///< true ones, frame by frame
};

/** \brief Errors of tracking a hand, metres. */
struct SigningErrors {
  double mean = 0.0;          ///< over all frames and the 14 joints
  double tips = 0.0;          ///< over all frames and the finger tips
  double worst_frame = 0.0;   ///< greatest mean over the joints of a frame
  std::vector<double> signs;  ///< means over the joints and the frames of each sign
  std::vector<double> frames; ///< means over the joints
  double milliseconds = 0.0;  ///< a frame, from points on the device to the estimate
};

/** \brief Tracks the hand through all frames.
 * \param[in] hand seen on the current device
 * \param[in] filter with its settings and a skeleton
 * \param[in] seed of the filter's random numbers and the first pose's errors
 */
SigningErrors
track(SigningHand& hand, PoseParticleFilter& filter, std::uint64_t seed);

} // namespace pcl::gpu::test
