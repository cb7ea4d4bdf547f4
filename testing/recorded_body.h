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

/** \brief Returns the distances of some joints from their true places, metres.
 * \param[in] kinematics of the body
 * \param[in] pose of the body
 * \param[in] truth places of all joints, frame by frame
 * \param[in] frame number of the frame
 * \param[in] counted numbers of the joints
 */
std::vector<float>
distancesOfJoints(ForwardKinematics& kinematics,
                  const std::vector<float>& pose,
                  const std::vector<PointXYZ>& truth,
                  int frame,
                  const std::vector<int>& counted);

/** \brief Camera and scene of a recorded motion. */
struct RecordedBodyOptions {
  int width = 320; ///< of the depth camera's images
  int height = 240;
  int step = 4; ///< recorded poses a frame: 120 a second make 30 frames
  int most_frames = 1 << 30;
  bool wall = true;     ///< 1.5 m behind the body's farthest place; else nothing
  bool occluder = true; ///< a pole of 16 cm that passes between camera and body
};

/** \brief A body in recorded motion (CMU's database), as a depth camera sees it: with 1
 * cm of noise, 10 % outliers and an occluder. Works on the current device. */
class RecordedBody {
public:
  RecordedBody(const std::string& file, const RecordedBodyOptions& options);

  int
  frameCount() const
  {
    return static_cast<int>(poses_.size());
  }

  /** \brief Returns the seconds from one frame to the next. */
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

  /** \brief Returns the points that the camera sees. */
  const DeviceArray<PointXYZ>&
  points(int frame) const
  {
    return points_[frame];
  }

  /** \brief Returns the first frame's pose with errors: 2 cm, and 3 degrees in every
   * angle that moves skin. */
  std::vector<float>
  firstPose(std::uint64_t seed) const;

  /** \brief Returns the pose that regressPose() reads off a frame's points near the
   * joints of another pose; that pose if there are too few points. */
  std::vector<float>
  regressedPose(const std::vector<float>& pose, int frame);

  /** \brief Returns the distances of joints from their true places, metres: one for
   * each counted joint, that is, each joint that moves skin.
   */
  std::vector<float>
  jointErrors(const std::vector<float>& pose, int frame);

  /** \brief Returns the names of the counted joints. */
  std::vector<std::string>
  countedJoints() const;

private:
  void
  placeCamera(const RecordedBodyOptions& options);

  TaperedCapsule
  occluderAt(int frame) const;

  void
  see(const RecordedBodyOptions& options);

  /** \brief Puts the wall into pixels without the body. */
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

/** \brief Errors of tracking a clip. */
struct TrackingErrors {
  double mean = 0.0;        ///< over all frames and joints, metres
  double worst_frame = 0.0; ///< greatest mean over the joints of a frame, metres
  double worst_joint = 0.0; ///< greatest mean over the frames of a joint, metres
  std::string worst_joint_name;
  bool is_lost = false; ///< 15 cm of mean error at the end, or in 10 frames in a row
  double milliseconds = 0.0;  ///< a frame, from points on the device to the estimate
  std::vector<double> frames; ///< mean errors
  std::vector<double> joints; ///< mean errors of the counted joints
};

/** \brief Tracks the body through all frames.
 * \param[in] body seen on the current device
 * \param[in] filter with its settings
 * \param[in] seed of the filter's random numbers and the first pose's errors
 * \param[in] proposes gives the filter the pose of regressPose() before each frame
 */
TrackingErrors
track(RecordedBody& body,
      PoseParticleFilter& filter,
      std::uint64_t seed,
      bool proposes = false);

} // namespace pcl::gpu::test
