// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/tables/frame_poses.h"

#include "formats/file_names.h"

#include <pcl/exceptions.h>

#include <cmath>
#include <map>

namespace pcl::gpu {

namespace {

/** \brief A pose of the 12 or 16 entries of a matrix.
 * \return whether it is one, by its last row
 */
bool
toPose(const std::vector<double>& entries, Pose& pose)
{
  pose = Pose::Identity();
  for (std::size_t i = 0; i < 12; ++i)
    pose.matrix()(i / 4, i % 4) = static_cast<float>(entries[i]);
  for (std::size_t i = 12; i < entries.size(); ++i)
    if (entries[i] != (i == 15 ? 1.0 : 0.0))
      return false;
  return true;
}

const char* const no_pose = "a matrix whose last row is not 0 0 0 1";

} // namespace

TimedPose::TimedPose(const TableLine& line)
{
  double v[8];
  for (int i = 0; i < 8; ++i)
    v[i] = line.valueAt(i);
  time = v[0];
  position = Eigen::Vector3d(v[1], v[2], v[3]);
  orientation = Eigen::Quaterniond(v[7], v[4], v[5], v[6]);
  if (std::abs(orientation.norm() - 1.0) > 0.01)
    line.fail("a quaternion of length " + std::to_string(orientation.norm()), "1");
  orientation.normalize();
}

Pose
TimedPose::towards(const TimedPose& later, double part) const
{
  Eigen::Isometry3d between = Eigen::Isometry3d::Identity();
  between.linear() = orientation.slerp(part, later.orientation).toRotationMatrix();
  between.translation() = position + part * (later.position - position);
  return between.cast<float>();
}

Pose
readPoseFile(const std::string& file)
{
  std::vector<double> entries;
  const std::vector<TableLine> lines = readTable(file);
  for (const TableLine& line : lines)
    for (std::size_t i = 0; i < line.words.size(); ++i)
      entries.push_back(line.valueAt(i));
  if (entries.size() != 12 && entries.size() != 16)
    PCL_THROW_EXCEPTION(
        IOException, file << ": " << entries.size() << " numbers: expected 16, or 12");
  // Nothing else shows that a matrix without its last row is complete.
  if (entries.size() == 12 && !lines.back().has_end)
    lines.back().fail("the file ends within a line", "a line break after 12 numbers");
  Pose pose;
  if (!toPose(entries, pose))
    PCL_THROW_EXCEPTION(IOException, file << ": " << no_pose);
  return pose;
}

FramePoses
readFramePoses(const std::string& file,
               const std::vector<RGBDVideoFiles::Frame>& frames)
{
  FramePoses result;
  std::map<std::string, Pose> named; // by names and numbers; empty without them
  for (const TableLine& line : readUniformTable(file)) {
    const std::size_t words = line.words.size();
    Pose pose;
    if (words == 8) {
      const TimedPose timed(line);
      pose = timed.towards(timed, 0.0);
      result.times.push_back(timed.time);
    }
    else if (words == 12 || words == 13 || words == 16 || words == 17) {
      const std::size_t names = words % 4; // before the matrix
      std::vector<double> entries;
      for (std::size_t i = names; i < words; ++i)
        entries.push_back(line.valueAt(i));
      if (!toPose(entries, pose))
        line.fail(no_pose, "one of a rotation and a translation");
      if (names > 0) {
        const std::string number = numberOf(line.words[0]);
        if (!number.empty())
          named[number] = pose;
        named[line.words[0]] = pose;
      }
    }
    else
      line.fail(
          std::to_string(words) + " words",
          "16 or 12 of a matrix, one more with a name, or 8 with time and quaternion");
    result.poses.push_back(pose);
  }
  if (named.empty() && result.poses.size() != frames.size())
    PCL_THROW_EXCEPTION(IOException,
                        file << ": " << result.poses.size() << " poses: expected "
                             << frames.size() << ", as many as frames");
  if (named.empty())
    return result;
  result.poses.clear();
  for (const RGBDVideoFiles::Frame& frame : frames) {
    const std::string& name = frame.view.name;
    auto found = named.find(name);
    if (found == named.end())
      found = named.find(numberOf(name));
    if (found == named.end())
      PCL_THROW_EXCEPTION(IOException, file << ": no pose of frame " << name);
    result.poses.push_back(found->second);
  }
  return result;
}

} // namespace pcl::gpu
