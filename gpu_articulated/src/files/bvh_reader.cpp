// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "angle_units.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/articulated/bvh.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/number_text.h>
#include <pcl/gpu/utils/internal/text_file.h>

#include <Eigen/Geometry>
#include <boost/algorithm/string/predicate.hpp>
#include <boost/algorithm/string/trim.hpp>

#include <cmath>
#include <limits>
#include <locale>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace pcl::gpu {

namespace {

constexpr double largest_double = std::numeric_limits<double>::max();

/** \brief Limit of lengths, metres, and angles, so that squares of them are finite. */
constexpr double largest_number = 1e9;

bool
isSpace(char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/** \brief Reads words and numbers of a text file. Keeps the line of the last word. */
class TextScanner {
public:
  /** \throws pcl::IOException if the file cannot be read */
  explicit TextScanner(const std::string& file) : file_(file), text_(readTextFile(file))
  {}

  /** \brief Returns the line of the last word, from 1. */
  int
  line() const
  {
    return word_line_;
  }

  /** \brief Returns the next word without reading it. It is empty at the end. A brace
   * is a word. */
  std::string
  peek()
  {
    for (; place_ < text_.size() && isSpace(text_[place_]); ++place_)
      line_ += text_[place_] == '\n';
    word_line_ = line_;
    const std::string word = textUntil("{} \t\n\v\f\r");
    return word.empty() ? text_.substr(place_, 1) : word;
  }

  /** \brief Reads the next word if it is this one in small or capital letters. */
  bool
  skipKeyword(const std::string& wanted)
  {
    const std::string found = peek();
    if (!boost::algorithm::iequals(found, wanted, std::locale::classic()))
      return false;
    place_ += found.size();
    return true;
  }

  /** \brief Reads the next word.
   * \throws pcl::IOException if it is not this one in small or capital letters
   */
  void
  keyword(const std::string& expected)
  {
    if (!skipKeyword(expected))
      failAtNext(expected);
  }

  /** \brief Reads the rest of the line, up to a brace, without white space around
   * it. */
  std::string
  restOfLine()
  {
    word_line_ = line_;
    const std::string rest = textUntil("{}\n\r");
    place_ += rest.size();
    return boost::algorithm::trim_copy_if(rest, isSpace);
  }

  /** \brief Reads a number.
   * \param[in] expected its meaning, for the message
   * \throws pcl::IOException if it is none, or not from least to most
   */
  template <typename Number>
  Number
  number(const char* expected, Number least, Number most)
  {
    const std::string found = peek();
    const auto value = numberOf<Number>(found);
    if (!value || !(*value >= least && *value <= most))
      failAtNext(expected);
    place_ += found.size();
    return *value;
  }

  /** \brief Throws pcl::IOException "<file>, line <line>: <problem>: expected
   * <expected>".
   * \param[in] line 0: the line of the last word
   */
  [[noreturn]] void
  fail(const std::string& problem, const std::string& expected, int line = 0) const
  {
    PCL_THROW_EXCEPTION(IOException,
                        file_ << ", line " << (line > 0 ? line : word_line_) << ": "
                              << problem << ": expected " << expected);
  }

  /** \brief Throws the same: "there is '<next word>'", or that the file ends. */
  [[noreturn]] void
  failAtNext(const std::string& expected)
  {
    const std::string word = peek();
    constexpr std::size_t longest = 40;
    fail(word.empty() ? "the file ends"
                      : "there is '" + word.substr(0, longest) +
                            (word.size() > longest ? "...'" : "'"),
         expected);
  }

private:
  std::string
  textUntil(const char* ends) const
  {
    return text_.substr(place_, text_.find_first_of(ends, place_) - place_);
  }

  std::string file_;
  std::string text_;
  std::size_t place_ = 0;
  int line_ = 1;      ///< of place_
  int word_line_ = 1; ///< of the last word
};

struct Channel {
  bool is_rotation;
  int axis;
};

/** \brief A joint as in the file. */
struct BvhJoint {
  std::string name; ///< empty: an End Site
  int parent = -1;
  int line = 0;
  Eigen::Vector3d offset = Eigen::Vector3d::Zero(); ///< the file's units
  std::vector<Channel> channels;
  // Extent and sum of the position channels over all frames.
  Eigen::AlignedBox3d extent;
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
    // Trees may be deeper than the stack of calls.
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
    if (scanner_.skipKeyword("ROOT"))
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
    // Each End Site repeats its parent's name.
    constexpr std::size_t longest = 1000;
    if (joint.name.size() > longest)
      scanner_.fail("there is a name of " + std::to_string(joint.name.size()) +
                        " characters",
                    std::to_string(longest) + " at most");
    if (!names_.insert(joint.name).second)
      scanner_.fail("there is a second joint " + joint.name, "another name");
    scanner_.keyword("{");
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

  double
  readNumber(const char* expected)
  {
    return scanner_.number(expected, -largest_double, largest_double);
  }

  Eigen::Vector3d
  readOffset()
  {
    Eigen::Vector3d offset;
    for (double& number : offset)
      number = readNumber("an offset of three numbers");
    return offset;
  }

  void
  readChannels(BvhJoint& joint)
  {
    if (!joint.channels.empty())
      scanner_.fail("there are channels again", "CHANNELS once a joint");
    const int count = scanner_.number("a number of channels, 0 to 6", 0, 6);
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
        scanner_.number("a number of frames", 0, std::numeric_limits<int>::max());
    scanner_.keyword("Frame");
    scanner_.keyword("Time:");
    motion.frame_time = readNumber("the seconds of a frame");
    if (motion.frame_time < 0.0)
      scanner_.fail("the frame time is below 0", "the seconds of a frame");
    if (frames > 0 && channel_count_ == 0)
      scanner_.fail("there are frames", "none, since no joint has channels");
    for (int frame = 0; frame < frames; ++frame)
      motion.poses.push_back(readPose());
    if (!scanner_.peek().empty())
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
        const double value = readNumber("a number for every channel of the frame");
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
      joint.extent.extend(position);
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
    for (int axis = 0; axis < 3; ++axis)
      pose[4 + axis] = static_cast<float>(rotation.vec()[axis]);
  }

  float
  asFloat(double value, int line = 0) const
  {
    if (!(std::abs(value) <= largest_number))
      scanner_.fail("there is a number beyond all bodies", "metres and degrees", line);
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
      if (i > 0) {
        joint.offset = restOffset(bvh, frames);
        for (const Channel& channel : bvh.channels)
          if (channel.is_rotation) {
            joint.angles.emplace_back();
            joint.angles.back().axis = Eigen::Vector3f::Unit(channel.axis);
          }
      }
      skeleton.addJoint(joint);
    }
  }

  /** \brief Returns the position of a joint in its parent's frame, metres. */
  Eigen::Vector3f
  restOffset(const BvhJoint& joint, std::size_t frames) const
  {
    Eigen::Vector3d offset = frames > 0 ? joint.extent.min() : joint.offset;
    if (frames > 0 && joint.extent.min() != joint.extent.max()) {
      const double stretch = options_.scale * joint.extent.sizes().norm();
      if (!(stretch <= options_.most_stretch))
        scanner_.fail("joint " + joint.name + " moves " + std::to_string(stretch) +
                          " m in its parent's frame",
                      "rigid bones",
                      joint.line);
      offset = joint.sum / static_cast<double>(frames);
    }
    Eigen::Vector3f metres;
    for (int axis = 0; axis < 3; ++axis)
      metres[axis] = asFloat(options_.scale * offset[axis], joint.line);
    return metres;
  }

  std::string
  endName(const Skeleton& skeleton, int parent)
  {
    const std::string first = skeleton.getJoints()[parent].name + "_end";
    std::string name = first;
    int& sites = end_sites_[parent];
    if (++sites > 1 || !names_.insert(name).second)
      while (!names_.insert(name = first + std::to_string(sites)).second)
        ++sites;
    return name;
  }

  TextScanner scanner_;
  BvhOptions options_;
  std::vector<BvhJoint> joints_;
  std::size_t channel_count_ = 0;
  std::unordered_set<std::string> names_;
  std::unordered_map<int, int> end_sites_; ///< highest number at each joint so far
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
