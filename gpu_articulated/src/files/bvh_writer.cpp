// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "text_file.h"

#include <pcl/gpu/articulated/bvh.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>
#include <utility>

namespace pcl::gpu {

namespace {

constexpr double degrees = 180.0 / M_PI;

/** \brief z, y and x of R_z R_y R_x, radians. */
Eigen::Vector3d
eulerAngles(const Eigen::Matrix3d& r)
{
  const double cosine = std::hypot(r(0, 0), r(1, 0));
  const double y = std::atan2(-r(2, 0), cosine);
  // Where z and x turn about the same axis, z turns alone.
  if (cosine < 1e-9)
    return {std::atan2(-r(0, 1), r(1, 1)), y, 0.0};
  return {std::atan2(r(1, 0), r(0, 0)), y, std::atan2(r(2, 1), r(2, 2))};
}

/** \brief How a joint is written. */
struct Layout {
  std::vector<int> children;
  bool is_end_site = false;
  /** \brief Axis of every angle, 0 to 2; empty if one is along none of them. */
  std::vector<int> axes;
  std::vector<double> signs; ///< -1 where the axis is a negative one
};

Layout
layoutOf(const SkeletonJoint& joint)
{
  Layout layout;
  for (const JointAngle& angle : joint.angles) {
    int axis = 0;
    const float largest = angle.axis.cwiseAbs().maxCoeff(&axis);
    Eigen::Vector3f rest = angle.axis;
    rest[axis] = 0.0f;
    if (largest <= 0.0f || rest.norm() > 1e-6f) {
      layout.axes.clear();
      layout.signs.clear();
      break;
    }
    layout.axes.push_back(axis);
    layout.signs.push_back(angle.axis[axis] < 0.0f ? -1.0 : 1.0);
  }
  return layout;
}

class BvhWriter {
public:
  explicit BvhWriter(const Skeleton& skeleton) : skeleton_(skeleton)
  {
    const auto& joints = skeleton.getJoints();
    for (const SkeletonJoint& joint : joints)
      layouts_.push_back(layoutOf(joint));
    for (std::size_t i = joints.size(); i-- > 1;) {
      const SkeletonJoint& joint = joints[i];
      layouts_[i].is_end_site = layouts_[i].children.empty() && joint.angles.empty() &&
                                joint.name == joints[joint.parent].name + "_end";
      layouts_[joint.parent].children.push_back(static_cast<int>(i));
    }
    for (Layout& layout : layouts_)
      std::reverse(layout.children.begin(), layout.children.end());
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
    // Pairs of a joint and which of its children is next; trees may be deep.
    std::vector<std::pair<int, std::size_t>> open;
    startJoint(0, 0);
    open.emplace_back(0, 0);
    while (!open.empty()) {
      const int joint = open.back().first;
      const std::vector<int>& children = layouts_[joint].children;
      if (open.back().second == children.size()) {
        open.pop_back();
        indent(open.size()) << "}\n";
        continue;
      }
      const int child = children[open.back().second++];
      startJoint(child, open.size());
      open.emplace_back(child, 0);
    }
  }

  std::ostream&
  indent(std::size_t depth)
  {
    // Deep trees would be written as white space else.
    return text_ << std::string(std::min<std::size_t>(depth, 32), '\t');
  }

  void
  startJoint(int number, std::size_t depth)
  {
    const SkeletonJoint& joint = skeleton_.getJoints()[number];
    const Layout& layout = layouts_[number];
    if (layout.is_end_site)
      indent(depth) << "End Site\n";
    else
      indent(depth) << (number == 0 ? "ROOT " : "JOINT ") << joint.name << '\n';
    indent(depth) << "{\n";
    indent(depth + 1) << "OFFSET " << joint.offset.x() << ' ' << joint.offset.y() << ' '
                      << joint.offset.z() << '\n';
    if (layout.is_end_site)
      return;
    order_.push_back(number);
    indent(depth + 1);
    if (number == 0)
      text_ << "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation";
    else if (layout.axes.empty() && !joint.angles.empty())
      text_ << "CHANNELS 3 Zrotation Yrotation Xrotation";
    else
      text_ << "CHANNELS " << layout.axes.size();
    for (const int axis : layout.axes)
      text_ << ' ' << "XYZ"[axis] << "rotation";
    text_ << '\n';
    if (layout.children.empty()) {
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
    writeRotation(Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]).normalized());
    for (const int number : order_) {
      const SkeletonJoint& joint = skeleton_.getJoints()[number];
      const Layout& layout = layouts_[number];
      const float* const angles = pose + skeleton_.angleIndex(number);
      for (std::size_t i = 0; i < layout.axes.size(); ++i)
        text_ << ' ' << layout.signs[i] * angles[i] * degrees;
      if (!layout.axes.empty() || joint.angles.empty())
        continue;
      Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
      for (std::size_t i = 0; i < joint.angles.size(); ++i)
        rotation = rotation *
                   Eigen::AngleAxisd(angles[i], joint.angles[i].axis.cast<double>());
      writeRotation(rotation.normalized());
    }
    text_ << '\n';
  }

  void
  writeRotation(const Eigen::Quaterniond& rotation)
  {
    for (const double angle : eulerAngles(rotation.toRotationMatrix()))
      text_ << ' ' << angle * degrees;
  }

  const Skeleton& skeleton_;
  std::vector<Layout> layouts_;
  std::vector<int> order_; ///< joints in the order of their channels
  std::ostringstream text_;
};

void
checkPose(const std::vector<float>& pose, std::size_t number, int pose_size)
{
  const std::string name = "pose " + std::to_string(number);
  checkArgument(static_cast<int>(pose.size()) == pose_size,
                ("number of floats in " + name).c_str(),
                pose.size(),
                "as many as the skeleton's poses have");
  for (const float value : pose)
    checkArgument(
        std::isfinite(value), ("a number of " + name).c_str(), value, "finite numbers");
  checkArgument(std::any_of(pose.begin() + 3,
                            pose.begin() + Skeleton::root_size,
                            [](float value) { return value != 0.0f; }),
                ("quaternion of " + name).c_str(),
                "0 0 0 0",
                "a direction");
}

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
  for (std::size_t i = 0; i < motion.poses.size(); ++i)
    checkPose(motion.poses[i], i, skeleton.poseSize());
  writeTextFile(file, BvhWriter(skeleton).write(motion));
}

} // namespace pcl::gpu
