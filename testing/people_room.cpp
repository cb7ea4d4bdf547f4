// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/people_room.h"

#include <pcl/gpu/articulated/bvh.h>
#include <pcl/gpu/articulated/capsule_ray_caster.h>
#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/human_skeleton.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace pcl::gpu::test {

using Eigen::Quaternionf;
using Eigen::Vector3f;

namespace {

constexpr float camera_height = 1.3f;
constexpr int poses_per_frame = 4; // 120 a second make 30 frames

const std::vector<Eigen::AlignedBox3f>&
furniture()
{
  static const std::vector<Eigen::AlignedBox3f> boxes = {
      // A table on the right, a cupboard in the left corner; y points down.
      {Vector3f(0.9f, 0.55f, 3.4f), Vector3f(2.1f, 0.6f, 4.2f)},
      {Vector3f(-2.4f, -0.5f, 4.0f), Vector3f(-1.6f, camera_height, 4.6f)},
      // A bench in the foreground hides feet.
      {Vector3f(-0.9f, 0.55f, 1.6f), Vector3f(-0.3f, camera_height, 1.8f)}};
  return boxes;
}

/** \brief Returns the depth of the front of a box on a ray (x, y, 1). */
float
depthOfBox(const Eigen::AlignedBox3f& box, const Vector3f& ray)
{
  float enter = 0.0f, leave = std::numeric_limits<float>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    const float a = box.min()[axis] / ray[axis], b = box.max()[axis] / ray[axis];
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  return enter < leave ? enter : std::numeric_limits<float>::infinity();
}

} // namespace

RecordedPerson
readRecordedPerson(const std::string& clip, float scale)
{
  RecordedPerson person;
  const auto skeleton = std::make_shared<Skeleton>();
  BvhOptions options;
  options.scale = 0.05644f * scale; // CMU's unit of length
  loadBvh(clip, *skeleton, person.motion, options);
  addBodyCapsules(*skeleton);
  for (std::size_t i = 0; i < skeleton->getCapsules().size(); ++i) {
    constexpr float cloth = 0.008f;
    SkeletonCapsule capsule = skeleton->getCapsules()[i];
    capsule.radius_a += cloth;
    capsule.radius_b += cloth;
    skeleton->setCapsule(static_cast<int>(i), capsule);
  }
  person.skeleton = skeleton;
  return person;
}

std::vector<float>
renderBody(const Skeleton::ConstPtr& skeleton,
           const std::vector<float>& pose,
           const PinholeCamera& camera)
{
  ForwardKinematics kinematics;
  kinematics.setSkeleton(skeleton);
  DeviceArray<float> device_pose;
  device_pose.upload(pose);
  DeviceArray<TaperedCapsule> capsules;
  kinematics.computeCapsules(device_pose, capsules);
  CapsuleRayCaster caster;
  CapsuleRayCasterParameters parameters;
  parameters.camera = camera;
  caster.setParameters(parameters);
  DeviceArray2D<float> depth_map;
  caster.cast(capsules, depth_map);
  std::vector<float> depths;
  int columns = 0;
  depth_map.download(depths, columns);
  return depths;
}

const TrackedPerson*
nearestTo(const PersonTruth& truth, const std::vector<TrackedPerson>& people)
{
  const Vector3f& hips = truth.joints.at("Hips");
  const TrackedPerson* nearest = nullptr;
  float least = 0.5f;
  for (const TrackedPerson& person : people) {
    const float distance = (person.joints[0].position - hips).norm();
    if (distance < least) {
      least = distance;
      nearest = &person;
    }
  }
  return nearest;
}

std::vector<float>
seenErrors(const PersonTruth& truth, const TrackedPerson& person)
{
  std::vector<float> errors;
  for (const char* name : {"Head",
                           "LeftArm",
                           "RightArm",
                           "LeftForeArm",
                           "RightForeArm",
                           "LeftHand",
                           "RightHand",
                           "LeftUpLeg",
                           "RightUpLeg",
                           "LeftLeg",
                           "RightLeg",
                           "LeftFoot",
                           "RightFoot"})
    if (truth.is_seen.at(name)) {
      const int joint = person.skeleton->findJoint(name);
      errors.push_back((person.joints[joint].position - truth.joints.at(name)).norm());
    }
  return errors;
}

PeopleRoom::PeopleRoom(const std::vector<std::string>& clips, std::uint64_t seed)
: camera_{262.5f, 262.5f, 159.5f, 119.5f, 320, 240}
, noise_(1.0, seed)
{
  std::mt19937_64 random(seed);
  const auto between = [&](float least, float most) {
    return least + (most - least) * static_cast<float>(random() % 1000) / 999.0f;
  };
  for (std::size_t i = 0; i < clips.size(); ++i) {
    Person& person = people_.emplace_back();
    const RecordedPerson recorded = readRecordedPerson(clips[i]);
    const MotionClip& motion = recorded.motion;
    person.skeleton = recorded.skeleton;
    // Clips go along z. People cross the picture from alternate sides, the first one in
    // front; y up becomes y down.
    const float side = (i + seed) % 2 == 0 ? 1.0f : -1.0f;
    const Quaternionf turn =
        Quaternionf(Eigen::AngleAxisf(float(M_PI), Vector3f::UnitX())) *
        Quaternionf(Eigen::AngleAxisf(side * between(1.2f, 1.9f), Vector3f::UnitY()));
    const Vector3f place(between(-0.3f, 0.3f),
                         camera_height,
                         2.3f + 0.9f * static_cast<float>(i) + between(-0.1f, 0.2f));
    Vector3f middle = 0.5f * (Vector3f::Map(motion.poses.front().data()) +
                              Vector3f::Map(motion.poses.back().data()));
    middle.y() = 0.0f;
    for (std::size_t k = 0; k < motion.poses.size(); k += poses_per_frame) {
      std::vector<float> pose = motion.poses[k];
      auto root = Vector3f::Map(pose.data());
      root = place + turn * Vector3f(root - middle);
      const Quaternionf orientation =
          turn * Quaternionf(pose[3], pose[4], pose[5], pose[6]);
      pose[3] = orientation.w();
      Vector3f::Map(pose.data() + 4) = orientation.vec();
      person.poses.push_back(pose);
    }
    frame_count_ = std::max(frame_count_, static_cast<int>(person.poses.size()));
  }
}

float
PeopleRoom::depthOfRoom(const Vector3f& ray) const
{
  float depth = 4.8f; // the back wall
  if (ray.y() > 0.0f)
    depth = std::min(depth, camera_height / ray.y());
  if (ray.x() < 0.0f)
    depth = std::min(depth, -2.4f / ray.x());
  for (const Eigen::AlignedBox3f& box : furniture())
    depth = std::min(depth, depthOfBox(box, ray));
  return depth;
}

PeopleFrame
PeopleRoom::next()
{
  PeopleFrame frame;
  const auto rayOf = [&](std::size_t pixel) {
    const auto column = static_cast<float>(pixel % camera_.width);
    const auto row = static_cast<float>(pixel / camera_.width);
    return Vector3f(
        (column - camera_.cx) / camera_.fx, (row - camera_.cy) / camera_.fy, 1.0f);
  };
  std::vector<float> depths(std::size_t(camera_.width) * camera_.height);
  for (std::size_t i = 0; i < depths.size(); ++i)
    depths[i] = depthOfRoom(rayOf(i));
  std::vector<std::vector<float>> alone;
  for (const Person& person : people_) {
    const std::size_t last = person.poses.size() - 1;
    const std::vector<float>& host_pose =
        person.poses[std::min<std::size_t>(number_, last)];
    DeviceArray<float> pose;
    pose.upload(host_pose);
    ForwardKinematics kinematics;
    kinematics.setSkeleton(person.skeleton);
    alone.push_back(renderBody(person.skeleton, host_pose, camera_));
    for (std::size_t i = 0; i < depths.size(); ++i)
      depths[i] = std::fmin(depths[i], alone.back()[i]);
    DeviceArray<PointXYZ> positions;
    kinematics.computeJoints(pose, positions);
    std::vector<PointXYZ> joints;
    positions.download(joints);
    PersonTruth& truth = frame.people.emplace_back();
    for (std::size_t k = 0; k < joints.size(); ++k)
      truth.joints[person.skeleton->getJoints()[k].name] = joints[k].getVector3fMap();
  }
  for (std::size_t p = 0; p < people_.size(); ++p) {
    PersonTruth& truth = frame.people[p];
    int seen = 0, all = 0;
    for (std::size_t i = 0; i < depths.size(); ++i)
      if (std::isfinite(alone[p][i])) {
        ++all;
        seen += depths[i] == alone[p][i] ? 1 : 0;
      }
    truth.seen_share = all > 0 ? static_cast<float>(seen) / static_cast<float>(all) : 0;
    for (const auto& [name, joint] : truth.joints) {
      const auto column = std::lround(camera_.fx * joint.x() / joint.z() + camera_.cx);
      const auto row = std::lround(camera_.fy * joint.y() / joint.z() + camera_.cy);
      bool& is_seen = truth.is_seen[name];
      if (column >= 0 && row >= 0 && column < camera_.width && row < camera_.height) {
        constexpr float thickest = 0.2f; // skin that the joint is behind
        const std::size_t pixel = row * camera_.width + column;
        is_seen =
            depths[pixel] == alone[p][pixel] && joint.z() - depths[pixel] < thickest;
      }
    }
  }
  const std::vector<float> noisy = noise_.apply(depths, camera_.width);
  frame.cloud = {static_cast<std::uint32_t>(camera_.width),
                 static_cast<std::uint32_t>(camera_.height)};
  frame.cloud.is_dense = false;
  for (std::size_t i = 0; i < noisy.size(); ++i)
    frame.cloud[i].getVector3fMap() = noisy[i] * rayOf(i);
  ++number_;
  return frame;
}

} // namespace pcl::gpu::test
