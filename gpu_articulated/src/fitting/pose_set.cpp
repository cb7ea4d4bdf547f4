// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "fitting/pose_set.h"

#include "filter/motion.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace pcl::gpu {

using Eigen::Quaternionf;
using Eigen::Vector3f;

namespace {

// Dimensions of random numbers beyond those of joints.
constexpr std::uint32_t place_dimension = 0x80000000u;
constexpr std::uint32_t turn_dimension = 0x80000001u;
constexpr std::uint32_t first_other_dimension = 0x80000002u;

Vector3f
threeOf(const device::RandomBits& bits)
{
  const device::NormalDeviates normal = device::normalDeviates(bits);
  return {normal.value[0], normal.value[1], normal.value[2]};
}

} // namespace

void
PoseSet::add(const std::vector<float>& pose)
{
  numbers.insert(numbers.end(), pose.begin(), pose.end());
  families.push_back(0);
  values.push_back(0.0);
}

void
PoseSet::add(const PoseSet& from, std::size_t i, int family)
{
  numbers.insert(numbers.end(), from[i], from[i] + width);
  families.push_back(family);
  values.push_back(from.values[i]);
}

std::vector<std::size_t>
PoseSet::byValue() const
{
  std::vector<std::size_t> order(size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return values[a] > values[b];
  });
  return order;
}

PoseSet
PoseSet::best(std::size_t most, std::size_t most_of_family) const
{
  PoseSet chosen(width);
  std::unordered_map<int, std::size_t> counts;
  for (const std::size_t i : byValue()) {
    if (chosen.size() == most)
      break;
    if (counts[families[i]]++ < most_of_family)
      chosen.add(*this, i, families[i]);
  }
  return chosen;
}

PoseNoise::PoseNoise(const Skeleton& skeleton,
                     const std::vector<int>& limbs,
                     std::uint64_t seed)
: seed_(seed)
{
  const std::vector<SkeletonJoint>& joints = skeleton.getJoints();
  for (std::size_t joint = 0; joint < joints.size(); ++joint)
    for (std::size_t i = 0; i < joints[joint].angles.size(); ++i) {
      constexpr float most = 2.0f, most_of_trunk = 0.3f; // radians
      constexpr float prior_share = 0.42f;
      const JointAngle& angle = joints[joint].angles[i];
      const float half = std::min(most, 0.5f * (angle.upper - angle.lower));
      const float range = limbs[joint] == 0 ? std::min(half, most_of_trunk) : half;
      angles_.push_back({static_cast<int>(joint),
                         static_cast<int>(i),
                         limbs[joint],
                         angle.lower,
                         angle.upper,
                         angle.deviation > 0.0f ? range : 0.0f,
                         prior_share * half});
    }
}

Vector3f
PoseNoise::normals(const Draw& draw, std::uint32_t which) const
{
  return threeOf(device::randomBits(
      seed_, draw.number, first_other_dimension + which, draw.round, 0));
}

float
PoseNoise::uniform(const Draw& draw, std::uint32_t which) const
{
  return device::uniformDeviate(
      device::randomBits(
          seed_, draw.number, first_other_dimension + which, draw.round, 1)
          .v[0]);
}

void
PoseNoise::moveAngles(const Draw& draw,
                      const std::vector<bool>& is_moved,
                      float scale,
                      float* pose) const
{
  int joint = -1;
  Vector3f normal = Vector3f::Zero();
  for (std::size_t i = 0; i < angles_.size(); ++i) {
    const Angle& angle = angles_[i];
    if (!is_moved[angle.limb] || angle.range == 0.0f)
      continue;
    if (angle.joint != joint) {
      joint = angle.joint;
      normal = threeOf(device::randomBits(seed_, draw.number, joint, draw.round, 0));
    }
    float& value = pose[Skeleton::root_size + i];
    value = device::reflectedAngle(
        value + scale * angle.range * normal[angle.number], angle.lower, angle.upper);
  }
}

void
PoseNoise::moveRoot(const Draw& draw, float place, float turn, float* pose) const
{
  Vector3f::Map(pose) +=
      place *
      threeOf(device::randomBits(seed_, draw.number, place_dimension, draw.round, 0));
  const Vector3f vector =
      turn *
      threeOf(device::randomBits(seed_, draw.number, turn_dimension, draw.round, 0));
  const float angle = vector.norm();
  if (angle > 0.0f)
    setOrientation(orientationOf(pose) * Eigen::AngleAxisf(angle, vector / angle),
                   pose);
}

double
PoseNoise::logPrior(const float* pose, const float* start) const
{
  double sum = 0.0;
  for (std::size_t i = 0; i < angles_.size(); ++i)
    if (angles_[i].range > 0.0f) {
      const std::size_t place = Skeleton::root_size + i;
      const double change = (pose[place] - start[place]) / angles_[i].deviation;
      sum -= 0.5 * change * change;
    }
  return sum;
}

float
PoseNoise::distanceOfLimb(int limb, const float* a, const float* b) const
{
  float sum = 0.0f;
  for (std::size_t i = 0; i < angles_.size(); ++i)
    if (angles_[i].limb == limb) {
      const float way = a[Skeleton::root_size + i] - b[Skeleton::root_size + i];
      sum += way * way;
    }
  return sum;
}

void
PoseNoise::copyLimb(int limb, const float* from, float* to) const
{
  for (std::size_t i = 0; i < angles_.size(); ++i)
    if (angles_[i].limb == limb)
      to[Skeleton::root_size + i] = from[Skeleton::root_size + i];
}

Quaternionf
orientationOf(const float* pose)
{
  return {pose[3], pose[4], pose[5], pose[6]};
}

void
setOrientation(const Quaternionf& orientation, float* pose)
{
  const Quaternionf unit = orientation.normalized();
  pose[3] = unit.w();
  Vector3f::Map(pose + 4) = unit.vec();
}

} // namespace pcl::gpu
