// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule_ray_caster.h>
#include <pcl/gpu/articulated/depth_sensor_simulation.h>
#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/pose_particle_filter.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pcl::gpu::test {

/** \brief What a recorded motion is seen by, and how. */
struct RecordedBodyOptions {
  int width = 320; ///< of the depth camera's images
  int height = 240;
  int step = 4; ///< every which recorded pose is a frame: 120 to 30 a second
  int most_frames = 1 << 30;
  bool wall = true;     ///< 1.5 m behind where the body is at most; else nothing
  bool occluder = true; ///< a pole of 16 cm that passes between camera and body
};

/** \brief A body that moves as recorded (CMU's motions), as a depth camera sees it: with 1 cm
 * of noise, 10 % outliers and an occluder. Works on the current device. */
class RecordedBody {
public:
  RecordedBody(const std::string& file, const RecordedBodyOptions& options);

  int
  frameCount() const
  {
    return static_cast<int>(poses_.size());
  }

  /** \brief Seconds from one frame to the next. */
  float
  frameTime() const
  {
    return frame_time_;
  }

  Skeleton::ConstPtr
  skeleton() const
  {
    return skeleton_;
  }

  const Eigen::Vector3f&
  viewpoint() const
  {
    return viewpoint_;
  }

  /** \brief What is seen. */
  const DeviceArray<PointXYZ>&
  points(int frame) const
  {
    return points_[frame];
  }

  /** \brief The first frame's pose, slightly wrong: 2 cm, 3 degrees in every angle that
   * moves skin. */
  std::vector<float>
  firstPose(std::uint64_t seed) const;

  /** \brief How far joints are from where they should be, metres: one a joint that counts,
   * which are all that move skin.
   */
  std::vector<float>
  jointErrors(const std::vector<float>& pose, int frame);

  /** \brief Names of the joints that count. */
  std::vector<std::string>
  countedJoints() const;

private:
  void
  placeCamera(const RecordedBodyOptions& options);

  TaperedCapsule
  occluderAt(int frame) const;

  void
  see(const RecordedBodyOptions& options);

  /** \brief Puts the wall where nothing else is seen. */
  void
  addWall(DeviceArray2D<float>& depth) const;

  Skeleton::ConstPtr skeleton_;
  std::vector<std::vector<float>> poses_;
  float frame_time_ = 0.0f;
  std::vector<int> counted_;
  Eigen::Vector3f target_;
  Eigen::Vector3f viewpoint_;
  CapsuleRayCaster caster_;
  DepthSensorSimulation sensor_;
  ForwardKinematics kinematics_;
  std::vector<DeviceArray<PointXYZ>> points_;
  std::vector<PointXYZ> joints_; ///< true ones, frame by frame
};

/** \brief What tracking a clip brought. */
struct TrackingErrors {
  double mean = 0.0;        ///< over all frames and joints, metres
  double worst_frame = 0.0; ///< greatest mean over the joints of a frame, metres
  double worst_joint = 0.0; ///< greatest mean over the frames of a joint, metres
  std::string worst_joint_name;
  bool is_lost = false; ///< 15 cm of mean error at the end, or in 10 frames one by one
  double milliseconds = 0.0;  ///< a frame, from points on the device to the estimate
  std::vector<double> frames; ///< mean errors
  std::vector<double> joints; ///< mean errors of the joints that count
};

/** \brief Tracks the body through all frames.
 * \param[in] body seen on the current device
 * \param[in] filter with its settings
 * \param[in] seed of the filter's random numbers and the first pose's errors
 */
TrackingErrors
track(RecordedBody& body, PoseParticleFilter& filter, std::uint64_t seed);

} // namespace pcl::gpu::test
