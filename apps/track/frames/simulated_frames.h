// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../body.h"
#include "frame_source.h"

#include <pcl/gpu/articulated/capsule_ray_caster.h>
#include <pcl/gpu/articulated/depth_sensor_simulation.h>
#include <pcl/gpu/articulated/forward_kinematics.h>

#include <optional>

namespace pcl::gpu::apps {

/** \brief Frames of a body that moves as recorded, seen by a simulated depth camera. */
class SimulatedFrames : public FrameSource {
public:
  /** \brief Reads the motion and places the camera.
   * \throws InputError if the motion cannot be used
   */
  explicit SimulatedFrames(const TrackOptions& options);

  int
  size() const override;

  TrackFrame
  read(int number) override;

  Pose
  camera() const override;

  Skeleton::ConstPtr
  body() const override;

  std::vector<float>
  firstPose() const override;

private:
  void
  placeCamera(const TrackOptions& options);

  void
  placeOccluder(const Eigen::Vector3f& target);

  Skeleton::ConstPtr body_;
  std::vector<std::vector<float>> poses_;
  int first_frame_;
  std::optional<TaperedCapsule> occluder_;
  ForwardKinematics kinematics_;
  CapsuleRayCaster caster_;
  DepthSensorSimulation sensor_;
};

} // namespace pcl::gpu::apps
