// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>

namespace pcl::gpu {

namespace {

constexpr std::size_t most_angles = 3;

/** \brief Checks members of a joint or a capsule, and names it in messages. */
struct Checks {
  std::string owner;

  template <typename T>
  void
  operator()(bool valid, const char* name, const T& value, const char* expected) const
  {
    checkArgument(valid, (name + owner).c_str(), value, expected);
  }
};

void
checkNumber(int number, std::size_t count, const char* name, const char* expected)
{
  checkArgument(
      number >= 0 && number < static_cast<int>(count), name, number, expected);
}

/** \brief Checks an angle and gives its axis length 1. */
JointAngle
checkedAngle(JointAngle angle, const Checks& check)
{
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float largest = angle.axis.cwiseAbs().maxCoeff();
  check(angle.axis.allFinite() && largest > 0.0f,
        "axis",
        angle.axis.transpose(),
        "finite numbers, not all of them 0");
  const float lower = angle.lower;
  const float upper = angle.upper;
  check(lower < infinity, "lower limit", lower, "a number below infinity");
  check(upper > -infinity, "upper limit", upper, "a number above minus infinity");
  check(lower <= upper, "lower limit", lower, "no more than the upper limit");
  checkNotNegative(("deviation" + check.owner).c_str(), angle.deviation);
  // Squares of very small and very large numbers would leave the range of floats.
  angle.axis = (angle.axis / largest).normalized();
  return angle;
}

/** \brief Checks a joint of a skeleton and gives its axes length 1. */
SkeletonJoint
checkedJoint(const Skeleton& skeleton, SkeletonJoint joint, int number)
{
  const Checks check{" of joint " + joint.name};
  checkArgument(!joint.name.empty(), "name of a joint", "empty", "a name");
  const int owner = skeleton.findJoint(joint.name);
  checkArgument(owner < 0 || owner == number,
                "name of a joint",
                joint.name,
                "one that no other joint has");
  const auto offset = joint.offset.transpose();
  const std::size_t angles = joint.angles.size();
  if (number == 0) {
    check(joint.parent == -1, "parent", joint.parent, "-1 for the first");
    check(joint.offset.isZero(0.0f), "offset", offset, "none for the root");
    check(angles == 0, "number of angles", angles, "none for the root");
  }
  else {
    check(joint.parent >= 0 && joint.parent < number,
          "parent",
          joint.parent,
          "the number of a joint before it");
    check(joint.offset.allFinite(), "offset", offset, "finite numbers");
  }
  check(angles <= most_angles, "number of angles", angles, "three at most");
  for (JointAngle& angle : joint.angles)
    angle = checkedAngle(angle, check);
  return joint;
}

void
checkCapsule(const SkeletonCapsule& capsule, std::size_t joints)
{
  const Checks check{" of capsule " + capsule.name};
  check(capsule.joint >= 0 && capsule.joint < static_cast<int>(joints),
        "joint",
        capsule.joint,
        "the number of a joint");
  check(capsule.a.allFinite(), "end a", capsule.a.transpose(), "finite numbers");
  check(capsule.b.allFinite(), "end b", capsule.b.transpose(), "finite numbers");
  checkPositive(("radius at a" + check.owner).c_str(), capsule.radius_a);
  checkPositive(("radius at b" + check.owner).c_str(), capsule.radius_b);
}

} // namespace

int
Skeleton::addJoint(const SkeletonJoint& joint)
{
  const int number = static_cast<int>(joints_.size());
  joints_.push_back(checkedJoint(*this, joint, number));
  joint_numbers_.emplace(joint.name, number);
  angle_indices_.push_back(pose_size_);
  pose_size_ += static_cast<int>(joint.angles.size());
  return number;
}

int
Skeleton::addCapsule(const SkeletonCapsule& capsule)
{
  checkCapsule(capsule, joints_.size());
  capsules_.push_back(capsule);
  return static_cast<int>(capsules_.size()) - 1;
}

void
Skeleton::setJoint(int number, const SkeletonJoint& joint)
{
  checkNumber(number, joints_.size(), "number of the joint", "that of a joint");
  SkeletonJoint& former = joints_[number];
  const Checks check{" of joint " + former.name};
  check(joint.parent == former.parent,
        "parent",
        joint.parent,
        "the one it was added with");
  check(joint.angles.size() == former.angles.size(),
        "number of angles",
        joint.angles.size(),
        "as many as it was added with");
  SkeletonJoint checked = checkedJoint(*this, joint, number);
  joint_numbers_.erase(former.name);
  joint_numbers_.emplace(checked.name, number);
  former = std::move(checked);
}

void
Skeleton::setCapsule(int number, const SkeletonCapsule& capsule)
{
  checkNumber(number, capsules_.size(), "number of the capsule", "that of a capsule");
  checkCapsule(capsule, joints_.size());
  capsules_[number] = capsule;
}

int
Skeleton::findJoint(const std::string& name) const
{
  const auto found = joint_numbers_.find(name);
  return found == joint_numbers_.end() ? -1 : found->second;
}

int
Skeleton::angleIndex(int joint) const
{
  checkNumber(joint, joints_.size(), "number of the joint", "that of a joint");
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
