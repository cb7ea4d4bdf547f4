// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "angle_units.h"
#include "skeleton/pose_check.h"

#include <pcl/gpu/articulated/bvh.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/atomic_file.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>

namespace pcl::gpu {

namespace {

/** \brief Returns z, y and x of R_z R_y R_x, radians. */
Eigen::Vector3d
eulerAngles(const Eigen::Matrix3d& r)
{
  const double cosine = std::hypot(r(0, 0), r(1, 0));
  const double y = std::atan2(-r(2, 0), cosine);
  // If z and x turn about the same axis, z turns alone.
  if (cosine < 1e-9)
    return {std::atan2(-r(0, 1), r(1, 1)), y, 0.0};
  return {std::atan2(r(1, 0), r(0, 0)), y, std::atan2(r(2, 1), r(2, 2))};
}

/** \brief Returns the axes of a joint's angles, 0 to 2. Empty if one is along none of
 * them. */
std::vector<int>
axesOf(const SkeletonJoint& joint)
{
  std::vector<int> axes;
  for (const JointAngle& angle : joint.angles) {
    int axis = 0;
    angle.axis.cwiseAbs().maxCoeff(&axis);
    Eigen::Vector3f rest = angle.axis;
    rest[axis] = 0.0f;
    if (rest.norm() > 1e-6f)
      return {};
    axes.push_back(axis);
  }
  return axes;
}

class BvhWriter {
public:
  explicit BvhWriter(const Skeleton& skeleton)
  : skeleton_(skeleton)
  , joints_(skeleton.getJoints())
  , children_(joints_.size())
  {
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const int parent = joints_[i].parent;
      axes_.push_back(axesOf(joints_[i]));
      depths_.push_back(parent < 0 ? 0 : depths_[parent] + 1);
      if (parent >= 0)
        children_[parent].push_back(static_cast<int>(i));
    }
    text_.imbue(std::locale::classic());
    text_.precision(9);
  }

  std::string
  write(const MotionClip& motion)
  {
    text_ << "HIERARCHY\n";
    writeJoints();
    text_ << "MOTION\nFrames: " << motion.poses.size()
          << "\nFrame Time: " << motion.frame_time << '\n';
    for (const std::vector<float>& pose : motion.poses)
      writePose(pose.data());
    return text_.str();
  }

private:
  void
  writeJoints()
  {
    // Trees may be deeper than the stack of calls.
    std::vector<int> next{0};
    std::size_t open_braces = 0;
    const auto closeBraces = [&](std::size_t depth) {
      while (open_braces > depth)
        indent(--open_braces) << "}\n";
    };
    while (!next.empty()) {
      const int number = next.back();
      next.pop_back();
      closeBraces(depths_[number]);
      startJoint(number);
      ++open_braces;
      next.insert(next.end(), children_[number].rbegin(), children_[number].rend());
    }
    closeBraces(0);
  }

  std::ostream&
  indent(std::size_t depth)
  {
    // Otherwise a deep tree would be mostly white space.
    return text_ << std::string(std::min<std::size_t>(depth, 32), '\t');
  }

  void
  startJoint(int number)
  {
    const SkeletonJoint& joint = joints_[number];
    const std::vector<int>& axes = axes_[number];
    const std::size_t depth = depths_[number];
    const bool is_leaf = children_[number].empty();
    const bool is_end_site = number > 0 && is_leaf && joint.angles.empty() &&
                             joint.name == joints_[joint.parent].name + "_end";
    indent(depth) << (is_end_site   ? "End Site"
                      : number == 0 ? "ROOT "
                                    : "JOINT ")
                  << (is_end_site ? "" : joint.name) << '\n';
    indent(depth) << "{\n";
    indent(depth + 1) << "OFFSET " << joint.offset.x() << ' ' << joint.offset.y() << ' '
                      << joint.offset.z() << '\n';
    if (is_end_site)
      return;
    order_.push_back(number);
    indent(depth + 1) << "CHANNELS ";
    if (number == 0)
      text_ << "6 Xposition Yposition Zposition Zrotation Yrotation Xrotation";
    else if (axes.size() < joint.angles.size())
      text_ << "3 Zrotation Yrotation Xrotation";
    else
      text_ << axes.size();
    for (const int axis : axes)
      text_ << ' ' << "XYZ"[axis] << "rotation";
    text_ << '\n';
    if (is_leaf) {
      indent(depth + 1) << "End Site\n";
      indent(depth + 1) << "{\n";
      indent(depth + 2) << "OFFSET 0 0 0\n";
      indent(depth + 1) << "}\n";
    }
  }

  void
  writePose(const float* pose)
  {
    text_ << pose[0] << ' ' << pose[1] << ' ' << pose[2];
    writeRotation({pose[3], pose[4], pose[5], pose[6]});
    for (const int number : order_) {
      const std::vector<JointAngle>& turns = joints_[number].angles;
      const std::vector<int>& axes = axes_[number];
      const float* const angles = pose + skeleton_.angleIndex(number);
      for (std::size_t i = 0; i < axes.size(); ++i)
        text_ << ' '
              << (turns[i].axis[axes[i]] < 0.0f ? -1.0 : 1.0) * angles[i] * degrees;
      if (axes.size() == turns.size())
        continue;
      Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
      for (std::size_t i = 0; i < turns.size(); ++i)
        rotation =
            rotation * Eigen::AngleAxisd(angles[i], turns[i].axis.cast<double>());
      writeRotation(rotation);
    }
    text_ << '\n';
  }

  void
  writeRotation(const Eigen::Quaterniond& rotation)
  {
    for (const double angle : eulerAngles(rotation.normalized().toRotationMatrix()))
      text_ << ' ' << angle * degrees;
  }

  const Skeleton& skeleton_;
  const std::vector<SkeletonJoint>& joints_;
  std::vector<std::vector<int>> children_;
  std::vector<std::vector<int>> axes_;
  std::vector<std::size_t> depths_;
  std::vector<int> order_; ///< joints in the order of their channels
  std::ostringstream text_;
};

} // namespace

void
saveBvh(const std::string& file, const Skeleton& skeleton, const MotionClip& motion)
{
  checkArgument(!skeleton.getJoints().empty(), "skeleton", "empty", "a root joint");
  for (const SkeletonJoint& joint : skeleton.getJoints())
    checkArgument(joint.name.find_first_of("{}\r\n") == std::string::npos,
                  "name of a joint",
                  joint.name,
                  "no braces and line breaks in a BVH file");
  checkArgument(std::isfinite(motion.frame_time) && motion.frame_time >= 0.0,
                "frame time",
                motion.frame_time,
                "zero or a positive number");
  for (std::size_t i = 0; i < motion.poses.size(); ++i) {
    const std::vector<float>& pose = motion.poses[i];
    const std::string name = "pose " + std::to_string(i);
    checkPose(name, pose, skeleton.poseSize());
    checkArgument(std::any_of(pose.begin() + 3,
                              pose.begin() + Skeleton::root_size,
                              [](float value) { return value != 0.0f; }),
                  ("quaternion of " + name).c_str(),
                  "0 0 0 0",
                  "a direction");
  }
  writeFile(file, BvhWriter(skeleton).write(motion));
}

} // namespace pcl::gpu
