// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

constexpr std::size_t most_angles = 3;

template <typename T>
void
check(bool valid, const std::string& name, const T& value, const char* expectation)
{
  checkArgument(valid, name.c_str(), value, expectation);
}

/** \brief Checks an angle and gives its axis length 1. */
JointAngle
checkedAngle(const JointAngle& angle, const std::string& of_joint)
{
  constexpr float infinity = std::numeric_limits<float>::infinity();
  JointAngle checked = angle;
  const float largest = angle.axis.cwiseAbs().maxCoeff();
  check(angle.axis.allFinite() && largest > 0.0f,
        "axis" + of_joint,
        angle.axis.transpose(),
        "finite numbers, not all of them 0");
  // Squares of very small and very large numbers would leave the range of floats.
  checked.axis = (angle.axis / largest).normalized();
  check(angle.lower < infinity,
        "lower limit" + of_joint,
        angle.lower,
        "a number below infinity");
  check(angle.upper > -infinity,
        "upper limit" + of_joint,
        angle.upper,
        "a number above minus infinity");
  check(angle.lower <= angle.upper,
        "lower limit" + of_joint,
        angle.lower,
        "no more than the upper limit");
  check(std::isfinite(angle.deviation) && angle.deviation >= 0.0f,
        "deviation" + of_joint,
        angle.deviation,
        "zero or a positive number");
  return checked;
}

} // namespace

constexpr int Skeleton::root_size;

SkeletonJoint
Skeleton::checkedJoint(const SkeletonJoint& joint, int number) const
{
  check(!joint.name.empty(), "name of a joint", "empty", "a name");
  const int owner = findJoint(joint.name);
  check(owner < 0 || owner == number,
        "name of a joint",
        joint.name,
        "one that no other joint has");
  const std::string of_joint = " of joint " + joint.name;
  if (number == 0) {
    check(joint.parent == -1, "parent" + of_joint, joint.parent, "-1 for the first");
    check(joint.offset.isZero(0.0f),
          "offset" + of_joint,
          joint.offset.transpose(),
          "none for the root");
    check(joint.angles.empty(),
          "number of angles" + of_joint,
          joint.angles.size(),
          "none for the root");
  }
  else {
    check(joint.parent >= 0 && joint.parent < number,
          "parent" + of_joint,
          joint.parent,
          "the number of a joint before it");
    check(joint.offset.allFinite(),
          "offset" + of_joint,
          joint.offset.transpose(),
          "finite numbers");
  }
  check(joint.angles.size() <= most_angles,
        "number of angles" + of_joint,
        joint.angles.size(),
        "three at most");
  SkeletonJoint checked = joint;
  for (JointAngle& angle : checked.angles)
    angle = checkedAngle(angle, of_joint);
  return checked;
}

void
Skeleton::checkCapsule(const SkeletonCapsule& capsule) const
{
  const std::string of_capsule = " of capsule " + capsule.name;
  check(capsule.joint >= 0 && capsule.joint < static_cast<int>(joints_.size()),
        "joint" + of_capsule,
        capsule.joint,
        "the number of a joint");
  check(capsule.a.allFinite(),
        "end a" + of_capsule,
        capsule.a.transpose(),
        "finite numbers");
  check(capsule.b.allFinite(),
        "end b" + of_capsule,
        capsule.b.transpose(),
        "finite numbers");
  checkPositive(("radius at a" + of_capsule).c_str(), capsule.radius_a);
  checkPositive(("radius at b" + of_capsule).c_str(), capsule.radius_b);
}

int
Skeleton::addJoint(const SkeletonJoint& joint)
{
  const int number = static_cast<int>(joints_.size());
  joints_.push_back(checkedJoint(joint, number));
  joint_numbers_.emplace(joint.name, number);
  angle_indices_.push_back(pose_size_);
  pose_size_ += static_cast<int>(joint.angles.size());
  return number;
}

int
Skeleton::addCapsule(const SkeletonCapsule& capsule)
{
  checkCapsule(capsule);
  capsules_.push_back(capsule);
  return static_cast<int>(capsules_.size()) - 1;
}

void
Skeleton::setJoint(int number, const SkeletonJoint& joint)
{
  check(number >= 0 && number < static_cast<int>(joints_.size()),
        "number of the joint",
        number,
        "that of a joint");
  SkeletonJoint& former = joints_[number];
  const std::string of_joint = " of joint " + former.name;
  check(joint.parent == former.parent,
        "parent" + of_joint,
        joint.parent,
        "the one it was added with");
  check(joint.angles.size() == former.angles.size(),
        "number of angles" + of_joint,
        joint.angles.size(),
        "as many as it was added with");
  SkeletonJoint checked = checkedJoint(joint, number);
  joint_numbers_.erase(former.name);
  joint_numbers_.emplace(checked.name, number);
  former = std::move(checked);
}

void
Skeleton::setCapsule(int number, const SkeletonCapsule& capsule)
{
  check(number >= 0 && number < static_cast<int>(capsules_.size()),
        "number of the capsule",
        number,
        "that of a capsule");
  checkCapsule(capsule);
  capsules_[number] = capsule;
}

const std::vector<SkeletonJoint>&
Skeleton::getJoints() const
{
  return joints_;
}

const std::vector<SkeletonCapsule>&
Skeleton::getCapsules() const
{
  return capsules_;
}

int
Skeleton::findJoint(const std::string& name) const
{
  const auto found = joint_numbers_.find(name);
  return found == joint_numbers_.end() ? -1 : found->second;
}

int
Skeleton::poseSize() const
{
  return pose_size_;
}

int
Skeleton::angleIndex(int joint) const
{
  check(joint >= 0 && joint < static_cast<int>(joints_.size()),
        "number of the joint",
        joint,
        "that of a joint");
  return angle_indices_[joint];
}

std::vector<float>
Skeleton::restPose() const
{
  std::vector<float> pose(root_size, 0.0f);
  pose[3] = 1.0f;
  for (const SkeletonJoint& joint : joints_)
    for (const JointAngle& angle : joint.angles)
      pose.push_back(std::min(std::max(0.0f, angle.lower), angle.upper));
  return pose;
}

bool
Skeleton::hasPlainCapsules() const
{
  return std::all_of(capsules_.begin(), capsules_.end(), [](const auto& capsule) {
    return capsule.radius_a == capsule.radius_b;
  });
}

} // namespace pcl::gpu
