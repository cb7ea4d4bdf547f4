// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frame_source.h"

#include "../../common/command_line/errors.h"
#include "../body.h"

#include <pcl/gpu/articulated/capsule_ray_caster.h>
#include <pcl/gpu/articulated/depth_sensor_simulation.h>
#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/motion_view.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <optional>

namespace pcl::gpu::apps {

namespace {

using Eigen::Vector3f;

PinholeCamera
simulatedCamera(const TrackOptions& options)
{
  PinholeCamera camera =
      options.intrinsics.value_or(usualCamera(options.size.width, options.size.height));
  camera.width = options.size.width;
  camera.height = options.size.height;
  return camera;
}

template <typename T>
DeviceArray<T>
uploaded(const std::vector<T>& values)
{
  DeviceArray<T> array;
  array.upload(values.data(), values.size());
  return array;
}

class SimulatedFrames : public FrameSource {
public:
  explicit SimulatedFrames(const TrackOptions& options);

  int
  size() const override
  {
    return static_cast<int>(poses_.size());
  }

  TrackFrame
  read(int number) override;

  Pose
  camera() const override
  {
    return caster_.getParameters().pose;
  }

  Skeleton::ConstPtr
  body() const override
  {
    return body_;
  }

  std::vector<float>
  firstPose() const override
  {
    return poses_.front();
  }

private:
  void
  placeCamera(const TrackOptions& options);

  void
  placeOccluder(const Vector3f& target);

  Skeleton::ConstPtr body_;
  std::vector<std::vector<float>> poses_;
  int first_frame_;
  std::optional<TaperedCapsule> occluder_;
  ForwardKinematics kinematics_;
  CapsuleRayCaster caster_;
  DepthSensorSimulation sensor_;
};

SimulatedFrames::SimulatedFrames(const TrackOptions& options)
: first_frame_(options.frames.first)
{
  MovingBody body = readBvhBody(options.simulate, options);
  const std::vector<std::vector<float>>& recorded = body.motion.poses;
  if (recorded.empty() || !(body.motion.frame_time > 0.0))
    throw fileError(
        options.simulate, "has no motion", "poses and a frame time above 0");
  // Of the recorded poses, those that are nearest in time to the camera's frames.
  for (int frame = first_frame_; frame <= options.frames.last; ++frame) {
    const double pose =
        std::floor(frame / (options.frame_rate * body.motion.frame_time) + 0.5);
    if (pose >= static_cast<double>(recorded.size()))
      break;
    poses_.push_back(recorded[static_cast<std::size_t>(pose)]);
  }
  if (poses_.empty())
    throw InputError(
        "--frames: " + options.simulate + " ends before: expected numbers from " +
        std::to_string(0) + " to " +
        std::to_string(static_cast<int>((recorded.size() - 1) * body.motion.frame_time *
                                        options.frame_rate)));
  body_ = std::make_shared<Skeleton>(body.skeleton);
  kinematics_.setSkeleton(body_);
  placeCamera(options);
}

void
SimulatedFrames::placeCamera(const TrackOptions& options)
{
  const PinholeCamera camera = simulatedCamera(options);
  const Vector3f target = options.target ? *options.target : centerOfMotion(poses_);
  const Pose pose =
      options.eye ? lookAt(*options.eye, target)
                  : viewOfMotion(camera, poses_, target, options.hand ? 0.22f : 1.1f);
  caster_.setParameters({camera, pose});
  DepthSensorSimulationParameters sensor = {camera, pose, options.noise};
  const float distance = (target - pose.translation()).norm();
  sensor.noise.nearest_outlier =
      std::min(sensor.noise.nearest_outlier, 0.5f * distance);
  sensor.noise.farthest_outlier = 1.5f * distance;
  sensor_.setParameters(sensor);
  if (options.occluder)
    placeOccluder(target);
}

void
SimulatedFrames::placeOccluder(const Vector3f& target)
{
  const Vector3f eye = camera().translation();
  const Vector3f foot = eye + 0.6f * (target - eye) - 2.0f * Vector3f::UnitY();
  TaperedCapsule pole = {};
  std::copy(foot.data(), foot.data() + 3, pole.a);
  std::copy(foot.data(), foot.data() + 3, pole.b);
  pole.b[1] += 4.0f;
  pole.radius_a = pole.radius_b = 0.08f;
  occluder_ = pole;
}

TrackFrame
SimulatedFrames::read(int number)
{
  TrackFrame frame;
  frame.number = first_frame_ + number;
  frame.name = "frame " + std::to_string(frame.number);
  const DeviceArray<float> pose = uploaded(poses_[number]);
  DeviceArray<PointXYZ> joints, points;
  kinematics_.computeJoints(pose, joints);
  std::vector<PointXYZ> positions;
  joints.download(positions);
  for (std::size_t i = 0; i < positions.size(); ++i)
    frame.truth[body_->getJoints()[i].name] = positions[i].getVector3fMap();

  DeviceArray<TaperedCapsule> skin;
  DeviceArray2D<float> depth;
  kinematics_.computeCapsules(pose, skin);
  if (occluder_) {
    std::vector<TaperedCapsule> capsules;
    skin.download(capsules);
    capsules.push_back(*occluder_);
    skin = uploaded(capsules);
  }
  caster_.cast(skin, depth);
  sensor_.addNoise(depth, frame.number, depth);
  sensor_.computePoints(depth, points);
  frame.points.reset(new PointCloud<PointXYZ>(caster_.getParameters().camera.width,
                                              caster_.getParameters().camera.height));
  points.download(frame.points->points.data());
  frame.points->is_dense = false;
  frame.points->sensor_origin_.head<3>() = camera().translation();
  return frame;
}

} // namespace

std::unique_ptr<FrameSource>
simulateFrames(const TrackOptions& options)
{
  return std::make_unique<SimulatedFrames>(options);
}

} // namespace pcl::gpu::apps
