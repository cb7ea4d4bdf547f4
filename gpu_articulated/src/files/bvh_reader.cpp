// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "text_scanner.h"

#include <pcl/gpu/articulated/bvh.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <Eigen/Geometry>

#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace pcl::gpu {

namespace {

constexpr double radians = M_PI / 180.0;

struct Channel {
  bool is_rotation;
  int axis;
};

/** \brief A joint as the file has it. */
struct BvhJoint {
  std::string name;
  int parent = -1;
  int line = 0;
  Eigen::Vector3d offset = Eigen::Vector3d::Zero(); ///< the file's units
  std::vector<Channel> channels;
  // Extent and sum of the position channels over all frames.
  Eigen::Vector3d least = Eigen::Vector3d::Constant(HUGE_VAL);
  Eigen::Vector3d most = Eigen::Vector3d::Constant(-HUGE_VAL);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
};

class BvhReader {
public:
  BvhReader(const std::string& file, const BvhOptions& options)
  : scanner_(file)
  , options_(options)
  {}

  void
  read(Skeleton& skeleton, MotionClip& motion)
  {
    readHierarchy();
    readMotion(motion);
    makeSkeleton(motion.poses.size(), skeleton);
  }

private:
  void
  readHierarchy()
  {
    scanner_.keyword("HIERARCHY");
    scanner_.keyword("ROOT");
    // Nesting is as deep as the file likes: a stack of numbers, not of calls.
    std::vector<int> open{startJoint(-1)};
    while (!open.empty()) {
      const int inner = open.back();
      if (scanner_.skipKeyword("}"))
        open.pop_back();
      else if (scanner_.skipKeyword("JOINT"))
        open.push_back(startJoint(inner));
      else if (scanner_.skipKeyword("End"))
        readEndSite(inner);
      else if (scanner_.skipKeyword("OFFSET"))
        joints_[inner].offset = readOffset();
      else if (scanner_.skipKeyword("CHANNELS"))
        readChannels(joints_[inner]);
      else
        scanner_.failAtNext("OFFSET, CHANNELS, JOINT, End Site or }");
    }
    if (sameWord(scanner_.peek(), "ROOT"))
      scanner_.fail("there is a second ROOT", "MOTION, as of one body");
  }

  int
  startJoint(int parent)
  {
    BvhJoint joint;
    joint.name = scanner_.restOfLine();
    joint.parent = parent;
    joint.line = scanner_.line();
    if (joint.name.empty())
      scanner_.fail("there is a joint without a name", "a name");
    scanner_.keyword("{");
    names_.insert(joint.name);
    joints_.push_back(std::move(joint));
    return static_cast<int>(joints_.size()) - 1;
  }

  void
  readEndSite(int parent)
  {
    scanner_.keyword("Site");
    scanner_.restOfLine(); // some programs write a name
    scanner_.keyword("{");
    BvhJoint site;
    site.parent = parent;
    site.line = scanner_.line();
    scanner_.keyword("OFFSET");
    site.offset = readOffset();
    scanner_.keyword("}");
    joints_.push_back(std::move(site));
  }

  Eigen::Vector3d
  readOffset()
  {
    Eigen::Vector3d offset;
    for (double& number : offset)
      number = scanner_.number("an offset of three numbers");
    return offset;
  }

  void
  readChannels(BvhJoint& joint)
  {
    if (!joint.channels.empty())
      scanner_.fail("there are channels again", "CHANNELS once a joint");
    const int count = scanner_.count("a number of channels, 0 to 6", 6);
    int rotations = 0;
    bool has_position[3] = {};
    for (int i = 0; i < count; ++i) {
      const Channel channel = readChannel();
      if (channel.is_rotation && ++rotations > 3)
        scanner_.fail("there is a fourth rotation", "three a joint at most");
      if (!channel.is_rotation && std::exchange(has_position[channel.axis], true))
        scanner_.fail("there is a position again", "one position an axis");
      joint.channels.push_back(channel);
    }
    channel_count_ += joint.channels.size();
  }

  Channel
  readChannel()
  {
    static const char* const names[] = {
        "Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation"};
    for (int i = 0; i < 6; ++i)
      if (scanner_.skipKeyword(names[i]))
        return {i >= 3, i % 3};
    scanner_.failAtNext("a channel: Xposition, Yposition, Zposition, Xrotation, "
                        "Yrotation or Zrotation");
  }

  void
  readMotion(MotionClip& motion)
  {
    scanner_.keyword("MOTION");
    scanner_.keyword("Frames:");
    const int frames =
        scanner_.count("a number of frames", std::numeric_limits<int>::max());
    scanner_.keyword("Frame");
    scanner_.keyword("Time:");
    motion.frame_time = scanner_.number("the seconds of a frame");
    if (motion.frame_time < 0.0)
      scanner_.fail("the frame time is below 0", "the seconds of a frame");
    if (frames > 0 && channel_count_ == 0)
      scanner_.fail("there are frames", "none, since no joint has channels");
    for (int frame = 0; frame < frames; ++frame)
      motion.poses.push_back(readPose());
    if (!scanner_.atEnd())
      scanner_.failAtNext("the end of the file after " + std::to_string(frames) +
                          " frames");
  }

  std::vector<float>
  readPose()
  {
    std::vector<float> pose(Skeleton::root_size);
    pose.reserve(Skeleton::root_size + channel_count_);
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      BvhJoint& joint = joints_[i];
      Eigen::Vector3d position = joint.offset;
      Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
      for (const Channel& channel : joint.channels) {
        const double value = scanner_.number("a number for every channel of the frame");
        if (!channel.is_rotation)
          position[channel.axis] = value;
        else if (i > 0)
          pose.push_back(asFloat(value * radians));
        else
          rotation = rotation * Eigen::AngleAxisd(value * radians,
                                                  Eigen::Vector3d::Unit(channel.axis));
      }
      if (i == 0)
        setRoot(position, rotation, pose);
      joint.least = joint.least.cwiseMin(position);
      joint.most = joint.most.cwiseMax(position);
      joint.sum += position;
    }
    return pose;
  }

  void
  setRoot(const Eigen::Vector3d& position,
          Eigen::Quaterniond rotation,
          std::vector<float>& pose)
  {
    if (rotation.dot(last_rotation_) < 0.0)
      rotation.coeffs() = -rotation.coeffs();
    last_rotation_ = rotation;
    for (int axis = 0; axis < 3; ++axis)
      pose[axis] = asFloat(options_.scale * position[axis]);
    pose[3] = static_cast<float>(rotation.w());
    pose[4] = static_cast<float>(rotation.x());
    pose[5] = static_cast<float>(rotation.y());
    pose[6] = static_cast<float>(rotation.z());
  }

  float
  asFloat(double value) const
  {
    if (!(std::abs(value) <= std::numeric_limits<float>::max()))
      scanner_.fail("there is a number beyond all bodies", "metres and degrees");
    return static_cast<float>(value);
  }

  void
  makeSkeleton(std::size_t frames, Skeleton& skeleton)
  {
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const BvhJoint& bvh = joints_[i];
      SkeletonJoint joint;
      joint.parent = bvh.parent;
      joint.name = bvh.name.empty() ? endName(skeleton, bvh.parent) : bvh.name;
      if (skeleton.findJoint(joint.name) >= 0)
        scanner_.failAt(
            bvh.line, "there is a second joint " + joint.name, "another name");
      if (i > 0) {
        joint.offset = restOffset(bvh, frames);
        for (const Channel& channel : bvh.channels)
          if (channel.is_rotation) {
            JointAngle angle;
            angle.axis = Eigen::Vector3f::Unit(channel.axis);
            joint.angles.push_back(angle);
          }
      }
      skeleton.addJoint(joint);
    }
  }

  /** \brief Where a joint is in its parent's frame, metres. */
  Eigen::Vector3f
  restOffset(const BvhJoint& joint, std::size_t frames) const
  {
    Eigen::Vector3d offset = joint.offset;
    if (frames > 0 && joint.least != joint.most) {
      const double stretch = options_.scale * (joint.most - joint.least).norm();
      if (!(stretch <= options_.most_stretch))
        scanner_.failAt(joint.line,
                        "joint " + joint.name + " moves " + std::to_string(stretch) +
                            " m in its parent's frame",
                        "rigid bones");
      offset = joint.sum / static_cast<double>(frames);
    }
    else if (frames > 0)
      offset = joint.least;
    offset *= options_.scale;
    if (!(offset.cwiseAbs().maxCoeff() <= std::numeric_limits<float>::max()))
      scanner_.failAt(joint.line, "there is an offset beyond all bodies", "metres");
    return offset.cast<float>();
  }

  std::string
  endName(const Skeleton& skeleton, int parent)
  {
    const std::string first = skeleton.getJoints()[parent].name + "_end";
    std::string name = first;
    int& sites = end_sites_[parent];
    while (++sites > 1 || names_.count(name) > 0) {
      name = first + std::to_string(sites);
      if (names_.count(name) == 0)
        break;
    }
    names_.insert(name);
    return name;
  }

  TextScanner scanner_;
  BvhOptions options_;
  std::vector<BvhJoint> joints_;
  std::size_t channel_count_ = 0;
  std::unordered_set<std::string> names_;
  std::unordered_map<int, int> end_sites_; ///< how many each joint has so far
  Eigen::Quaterniond last_rotation_ = Eigen::Quaterniond::Identity();
};

} // namespace

void
loadBvh(const std::string& file,
        Skeleton& skeleton,
        MotionClip& motion,
        const BvhOptions& options)
{
  checkPositive("scale", options.scale);
  checkNotNegative("most stretch", options.most_stretch);
  Skeleton read_skeleton;
  MotionClip read_motion;
  BvhReader(file, options).read(read_skeleton, read_motion);
  skeleton = std::move(read_skeleton);
  motion = std::move(read_motion);
}

} // namespace pcl::gpu
