// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/recorded_body.h"

#include <pcl/gpu/articulated/bvh.h>
#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/motion_view.h>
#include <pcl/gpu/articulated/pose_regression.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <random>

namespace pcl::gpu::test {

using Eigen::Vector3f;

std::vector<float>
distancesOfJoints(ForwardKinematics& kinematics,
                  const std::vector<float>& pose,
                  const std::vector<PointXYZ>& truth,
                  int frame,
                  const std::vector<int>& counted)
{
  DeviceArray<float> row;
  row.upload(pose);
  DeviceArray<PointXYZ> positions;
  kinematics.computeJoints(row, positions);
  std::vector<PointXYZ> joints;
  positions.download(joints);
  std::vector<float> errors;
  const PointXYZ* const places = truth.data() + frame * joints.size();
  for (const int joint : counted)
    errors.push_back(
        (joints[joint].getVector3fMap() - places[joint].getVector3fMap()).norm());
  return errors;
}

RecordedBody::RecordedBody(const std::string& file, const RecordedBodyOptions& options)
{
  const auto skeleton = std::make_shared<Skeleton>();
  MotionClip motion;
  BvhOptions bvh;
  bvh.scale = 0.05644f; // CMU's unit of length
  loadBvh(file, *skeleton, motion, bvh);
  addBodyCapsules(*skeleton);
  setBodyLimits(*skeleton);
  skeleton_ = skeleton;
  for (std::size_t i = 0; i < motion.poses.size() && frameCount() < options.most_frames;
       i += options.step)
    poses_.push_back(motion.poses[i]);
  frame_time_ = static_cast<float>(options.step * motion.frame_time);

  // A joint moves skin if it has a capsule, or one of its children has.
  const std::vector<SkeletonJoint>& joints = skeleton->getJoints();
  std::vector<bool> has_skin(joints.size(), false);
  for (const SkeletonCapsule& capsule : skeleton->getCapsules())
    has_skin[capsule.joint] = true;
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (has_skin[i])
      counted_.push_back(static_cast<int>(i));
  kinematics_.setSkeleton(skeleton_);
  placeCamera(options);
  see(options);
}

void
RecordedBody::placeCamera(const RecordedBodyOptions& options)
{
  PinholeCamera camera;
  camera.width = options.width;
  camera.height = options.height;
  camera.fx = camera.fy = 525.0f * options.width / 640.0f;
  camera.cx = 0.5f * (options.width - 1);
  camera.cy = 0.5f * (options.height - 1);
  target_ = centerOfMotion(poses_);
  const Pose pose = viewOfMotion(camera, poses_, target_);
  viewpoint_ = pose.translation();
  caster_.setParameters({camera, pose});
  DepthSensorSimulationParameters sensor;
  sensor.camera = camera;
  sensor.pose = pose;
  sensor.noise.farthest_outlier = 1.5f * (target_ - viewpoint_).norm();
  sensor_.setParameters(sensor);
}

TaperedCapsule
RecordedBody::occluderAt(int frame) const
{
  // From one side of the picture to the other, in two seconds each way.
  const float phase = frame * frame_time_ / 2.0f;
  const float side = std::abs(phase - 2.0f * std::floor(0.5f * phase + 0.5f)) - 0.5f;
  const Vector3f right = caster_.getParameters().pose.linear().col(0);
  const Vector3f center =
      viewpoint_ + 0.8f * (target_ - viewpoint_) + 2.0f * side * right;
  TaperedCapsule pole = {};
  for (int axis = 0; axis < 3; ++axis)
    pole.a[axis] = pole.b[axis] = center[axis];
  pole.a[1] -= 2.0f;
  pole.b[1] += 2.0f;
  pole.radius_a = pole.radius_b = 0.08f;
  return pole;
}

void
RecordedBody::see(const RecordedBodyOptions& options)
{
  std::vector<TaperedCapsule> capsules;
  std::vector<PointXYZ> joints;
  points_.resize(poses_.size());
  for (int frame = 0; frame < frameCount(); ++frame) {
    DeviceArray<float> pose;
    pose.upload(poses_[frame]);
    DeviceArray<PointXYZ> positions;
    kinematics_.computeJoints(pose, positions);
    positions.download(joints);
    joints_.insert(joints_.end(), joints.begin(), joints.end());
    DeviceArray<TaperedCapsule> skin;
    kinematics_.computeCapsules(pose, skin);
    skin.download(capsules);
    if (options.occluder)
      capsules.push_back(occluderAt(frame));
    skin.upload(capsules);
    DeviceArray2D<float> depth;
    caster_.cast(skin, depth);
    if (options.wall)
      addWall(depth);
    sensor_.addNoise(depth, frame, depth);
    sensor_.computePoints(depth, points_[frame]);
  }
}

void
RecordedBody::addWall(DeviceArray2D<float>& depth) const
{
  const Vector3f forward = caster_.getParameters().pose.linear().col(2);
  float wall_depth = 0.0f;
  for (const std::vector<float>& pose : poses_)
    wall_depth =
        std::max(wall_depth,
                 forward.dot(Vector3f(pose[0], pose[1], pose[2]) - viewpoint_) + 1.5f);
  std::vector<float> pixels;
  int columns = 0;
  depth.download(pixels, columns);
  // Also replaces NaN, where there is nothing.
  for (float& pixel : pixels)
    if (!(pixel < wall_depth))
      pixel = wall_depth;
  depth.upload(pixels, columns);
}

std::vector<float>
RecordedBody::firstPose(std::uint64_t seed) const
{
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> pose = poses_.front();
  for (int axis = 0; axis < 3; ++axis)
    pose[axis] += 0.02f * normal(random);
  std::size_t number = Skeleton::root_size;
  for (const SkeletonJoint& joint : skeleton_->getJoints())
    for (const JointAngle& angle : joint.angles) {
      const float error = 0.05f * normal(random);
      pose[number++] += angle.deviation > 0.0f ? error : 0.0f;
    }
  return pose;
}

std::vector<float>
RecordedBody::regressedPose(const std::vector<float>& pose, int frame)
{
  constexpr float reach = 0.3f; // metres
  DeviceArray<float> row;
  row.upload(pose);
  DeviceArray<PointXYZ> positions;
  kinematics_.computeJoints(row, positions);
  std::vector<PointXYZ> joints, points, near;
  positions.download(joints);
  points_[frame].download(points);
  Eigen::AlignedBox3f box; // rejects most points quickly
  for (const PointXYZ& joint : joints)
    box.extend(joint.getVector3fMap());
  const Vector3f margin = Vector3f::Constant(reach);
  box = Eigen::AlignedBox3f(box.min() - margin, box.max() + margin);
  std::copy_if(
      points.begin(), points.end(), std::back_inserter(near), [&](auto& point) {
        const auto isNear = [&](auto& joint) {
          return (point.getVector3fMap() - joint.getVector3fMap()).squaredNorm() <
                 reach * reach;
        };
        return box.contains(point.getVector3fMap()) &&
               std::any_of(joints.begin(), joints.end(), isNear);
      });
  if (near.empty())
    return pose;
  positions.upload(near);
  PoseRegressionOptions options;
  options.fit_lengths = false;
  return regressPose(*skeleton_, skeleton_->restPose(), positions, viewpoint_, options)
      .pose;
}

std::vector<float>
RecordedBody::jointErrors(const std::vector<float>& pose, int frame)
{
  return distancesOfJoints(kinematics_, pose, joints_, frame, counted_);
}

std::vector<std::string>
RecordedBody::countedJoints() const
{
  std::vector<std::string> names;
  for (const int joint : counted_)
    names.push_back(skeleton_->getJoints()[joint].name);
  return names;
}

TrackingErrors
track(RecordedBody& body, PoseParticleFilter& filter, std::uint64_t seed, bool proposes)
{
  constexpr double lost_error = 0.15;
  constexpr int lost_frames = 10;
  setParameter(filter, &PoseParticleFilterParameters::seed, seed);
  filter.initialize(body.firstPose(seed));
  TrackingErrors errors;
  PoseEstimate estimate;
  estimate.mean = body.firstPose(seed);
  std::vector<double>& of_joint = errors.joints;
  of_joint.assign(body.countedJoints().size(), 0.0);
  int wrong_frames = 0;
  for (int frame = 0; frame < body.frameCount(); ++frame) {
    const auto start = std::chrono::steady_clock::now();
    if (proposes)
      filter.propose(body.regressedPose(estimate.mean, frame));
    filter.processFrame(body.points(frame), body.viewpoint(), body.frameTime());
    filter.getEstimate(estimate);
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    errors.milliseconds += elapsed.count() / body.frameCount();
    const std::vector<float> distances = body.jointErrors(estimate.mean, frame);
    double mean = 0.0;
    for (std::size_t i = 0; i < distances.size(); ++i) {
      mean += distances[i] / distances.size();
      of_joint[i] += distances[i] / body.frameCount();
    }
    errors.frames.push_back(mean);
    errors.mean += mean / body.frameCount();
    errors.worst_frame = std::max(errors.worst_frame, mean);
    wrong_frames = mean > lost_error ? wrong_frames + 1 : 0;
    errors.is_lost = errors.is_lost || wrong_frames >= lost_frames;
  }
  errors.is_lost = errors.is_lost || wrong_frames > 0;
  const auto worst = std::max_element(of_joint.begin(), of_joint.end());
  errors.worst_joint = *worst;
  errors.worst_joint_name = body.countedJoints()[worst - of_joint.begin()];
  return errors;
}

} // namespace pcl::gpu::test
