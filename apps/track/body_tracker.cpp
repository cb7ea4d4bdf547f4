// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "body_tracker.h"

#include <pcl/common/angles.h>
#include <pcl/gpu/articulated/body_tracking.h>

#include <chrono>
#include <cmath>

namespace pcl::gpu::apps {

namespace {

template <typename T>
std::vector<T>
downloaded(const DeviceArray<T>& array)
{
  std::vector<T> values;
  array.download(values);
  return values;
}

} // namespace

void
setBody(ForwardKinematics& kinematics,
        const std::vector<float>& pose,
        TrackedFrame& result)
{
  DeviceArray<float> uploaded;
  uploaded.upload(pose);
  DeviceArray<PointXYZ> joints;
  DeviceArray<TaperedCapsule> skin;
  kinematics.computeCapsules(uploaded, skin);
  kinematics.computeJoints(uploaded, joints);
  result.skeleton = kinematics.getSkeleton();
  result.skin = downloaded(skin);
  for (const PointXYZ& position : downloaded(joints)) {
    TrackedJoint joint;
    joint.name = kinematics.getSkeleton()->getJoints()[result.joints.size()].name;
    joint.position = position.getVector3fMap();
    result.joints.push_back(joint);
  }
}

PoseParticleFilterParameters
filterParameters(const TrackOptions& options)
{
  PoseParticleFilterParameters parameters = options.filter;
  parameters.particle_count = options.particles;
  parameters.root_rotation_deviation = pcl::deg2rad(options.turn_deviation);
  if (options.constant_velocity)
    parameters.motion_model = MotionModel::ConstantVelocity;
  if (options.each_capsule)
    parameters.likelihood.visibility = CapsuleVisibility::EachCapsule;
  return parameters;
}

BodyTracker::BodyTracker(const TrackOptions& options,
                         const Skeleton::ConstPtr& body,
                         const std::vector<Device>& devices)
: options_(options)
, body_(body)
, is_counted_(body->getJoints().size(), false)
{
  tracker_.setSkeleton(body);
  tracker_.setFrameRate(options.frame_rate);
  PoseParticleFilterParameters parameters = filterParameters(options);
  if (!options.no_partitions)
    parameters.partitions =
        (options.hand ? handTrackingParameters(*body) : bodyTrackingParameters(*body))
            .partitions;
  tracker_.getFilter().setParameters(parameters);
  tracker_.getFilter().setDevices(devices);
  kinematics_.setSkeleton(body);
  for (const SkeletonJoint& joint : body->getJoints())
    if (joint.parent >= 0)
      is_counted_[joint.parent] = true;
}

void
BodyTracker::start(const std::vector<float>& pose, bool is_known)
{
  tracker_.setInitialPose(pose);
  tracker_.setIterationNum(options_.first_layers.value_or(
      is_known ? options_.filter.layers : TrackOptions::coarse_pose_layers));
  if (is_known)
    return;
  // A coarse pose: 15 cm, or 4 cm of a hand, 20 degrees about each axis, and what
  // joints do in half a second.
  const double distance = options_.hand ? 0.04 : 0.15;
  std::vector<double> variances(3, distance * distance);
  variances.insert(variances.end(), 3, 0.35 * 0.35);
  for (const SkeletonJoint& joint : body_->getJoints())
    for (const JointAngle& angle : joint.angles)
      variances.push_back(0.5 * angle.deviation * angle.deviation);
  tracker_.setInitialNoiseCovariance(variances);
  // Far from the truth parts of the body hide the wrong ones, and the particles' spread
  // says nothing of how far it is.
  PoseParticleFilterParameters parameters = tracker_.getFilter().getParameters();
  parameters.layer_noise = LayerNoise::Motion;
  parameters.likelihood.visibility = CapsuleVisibility::EachCapsule;
  tracker_.getFilter().setParameters(parameters);
}

void
BodyTracker::setEffort(const Effort& effort)
{
  PoseParticleFilter& filter = tracker_.getFilter();
  PoseParticleFilterParameters parameters = filter.getParameters();
  parameters.particle_count = effort.particles;
  parameters.layers = effort.layers;
  filter.setParameters(parameters);
  if (!filter.isInitialized())
    filter.initialize(tracker_.getEstimate().mean, tracker_.getEstimate().deviations);
}

TrackedFrame
BodyTracker::run(const TrackFrame& frame)
{
  TrackedFrame result;
  result.number = frame.number;
  const auto start = std::chrono::steady_clock::now();
  if (last_frame_)
    tracker_.setFrameRate(options_.frame_rate / (frame.number - *last_frame_));
  tracker_.setInputCloud(frame.points);
  tracker_.compute();
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - start;
  result.milliseconds = elapsed.count();
  if (!last_frame_) {
    PoseParticleFilterParameters parameters = tracker_.getFilter().getParameters();
    parameters.layers = options_.filter.layers;
    parameters.layer_noise = options_.filter.layer_noise;
    parameters.likelihood.visibility = options_.each_capsule
                                           ? CapsuleVisibility::EachCapsule
                                           : options_.filter.likelihood.visibility;
    tracker_.getFilter().setParameters(parameters);
  }
  last_frame_ = frame.number;
  result.estimate = tracker_.getEstimate();
  measureJoints(frame, result);
  return result;
}

void
BodyTracker::measureJoints(const TrackFrame& frame, TrackedFrame& result)
{
  setBody(kinematics_, result.estimate.mean, result);
  const std::vector<JointEstimate> estimates =
      estimateJoints(tracker_.getFilter(), kinematics_);
  double errors = 0.0;
  int counted = 0;
  for (std::size_t i = 0; i < result.joints.size(); ++i) {
    TrackedJoint& joint = result.joints[i];
    joint.deviation = estimates[i].deviation;
    const auto truth = frame.truth.find(joint.name);
    if (truth != frame.truth.end() && is_counted_[i]) {
      joint.error = (joint.position - truth->second).norm();
      errors += joint.error;
      ++counted;
    }
  }
  if (counted > 0)
    result.mean_error = static_cast<float>(errors / counted);
}

} // namespace pcl::gpu::apps
