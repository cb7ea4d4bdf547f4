// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "body.h"

#include "../common/command_line/errors.h"
#include "../common/files/output_file.h"

#include <pcl/common/angles.h>
#include <pcl/gpu/articulated/hand_skeleton.h>
#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/skeleton_file.h>
#include <pcl/gpu/utils/device/missing_depth.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <filesystem>

namespace pcl::gpu::apps {

namespace {

/** \brief Reads a file. Turns the library's exceptions into InputError. */
template <typename Read>
auto
readInput(const std::string& file, const Read& read)
{
  if (!std::filesystem::exists(file))
    throw fileError(file, "no such file", "the description of a body");
  try {
    return read();
  }
  catch (const PCLException& exception) {
    throw InputError(plainMessage(exception));
  }
}

MovingBody
readBvh(const std::string& file, float scale)
{
  MovingBody body;
  BvhOptions options;
  options.scale = scale;
  return readInput(file, [&] {
    loadBvh(file, body.skeleton, body.motion, options);
    return body;
  });
}

/** \brief Returns the largest extent of the joints along an axis if all angles are 0.
 */
float
spanOf(const Skeleton& skeleton)
{
  Eigen::AlignedBox3f box;
  std::vector<Eigen::Vector3f> positions;
  for (const SkeletonJoint& joint : skeleton.getJoints()) {
    const Eigen::Vector3f parent = joint.parent < 0
                                       ? Eigen::Vector3f(Eigen::Vector3f::Zero())
                                       : positions[joint.parent];
    positions.push_back(parent + joint.offset);
    box.extend(positions.back());
  }
  return box.sizes().maxCoeff();
}

/** \brief Returns a hand of the size that suits a person of the given height. */
Skeleton
makeHand(const TrackOptions& options)
{
  return makeHandSkeleton(0.19f / 1.75f * options.height_of_person, *options.hand);
}

/** \brief Gives the bones of a hand its skin, by the names of its joints. */
void
addHandCapsules(const std::string& file, const Skeleton& hand, Skeleton& bones)
{
  for (SkeletonCapsule capsule : hand.getCapsules()) {
    const std::string& name = hand.getJoints()[capsule.joint].name;
    capsule.joint = bones.findJoint(name);
    if (capsule.joint < 0)
      throw fileError(file, "has no joint " + name, "a hand as --output writes it");
    bones.addCapsule(capsule);
  }
}

float
findScale(const std::string& file, const TrackOptions& options)
{
  const float size = options.hand ? 0.1f : 1.0f; // of a body, metres
  // A unit that makes the body tiny, so that no bone seems to stretch.
  constexpr float tiny = 1e-4f;
  const float span = spanOf(readBvh(file, tiny).skeleton) / tiny;
  for (const float scale : {1.0f, 0.01f, 0.0254f, 0.05644f, 0.001f})
    if (span * scale >= size && span * scale <= 2.2f * size)
      return scale;
  throw fileError(file,
                  "the joints span " + std::to_string(span) + " units",
                  "--scale, metres for one of them");
}

MovingBody
readMovingBones(const std::string& file, const TrackOptions& options)
{
  return readBvh(file, options.scale ? *options.scale : findScale(file, options));
}

float
medianOf(const TrackFrame& frame, int axis)
{
  std::vector<float> values;
  for (const PointXYZ& point : *frame.points)
    if (isMeasuredPoint(point))
      values.push_back(point.data[axis]);
  if (values.empty())
    throw UnitError(frame.name + ": no points in the first frame: expected --frames, "
                                 "--depth-range or --position");
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Skeleton::ConstPtr
chooseWholeBody(const TrackOptions& options, const FrameSource& source)
{
  if (options.hand)
    return std::make_shared<Skeleton>(makeHand(options));
  if (!options.skeleton.empty()) {
    if (extensionOf(options.skeleton) == ".bvh")
      return std::make_shared<Skeleton>(
          readBvhBody(options.skeleton, options).skeleton);
    return readInput(options.skeleton, [&] {
      return std::make_shared<Skeleton>(loadSkeleton(options.skeleton));
    });
  }
  if (source.body())
    return source.body();
  return std::make_shared<Skeleton>(makeHumanSkeleton(options.height_of_person));
}

} // namespace

MovingBody
readBvhBody(const std::string& file, const TrackOptions& options)
{
  MovingBody body = readMovingBones(file, options);
  if (options.hand) {
    addHandCapsules(file, makeHand(options), body.skeleton);
    return body;
  }
  const std::vector<std::string> unknown = findUnknownJoints(body.skeleton);
  if (!unknown.empty())
    printNote(file + ": " + std::to_string(unknown.size()) + " of " +
              std::to_string(body.skeleton.getJoints().size()) +
              " joints name no part of a body, or no side, such as \"" +
              unknown.front() + "\": their bones get a thickness by their length");
  addBodyCapsules(body.skeleton);
  setBodyLimits(body.skeleton);
  return body;
}

Skeleton::ConstPtr
chooseBody(const TrackOptions& options, const FrameSource& source)
{
  if (!options.upper_body)
    return chooseWholeBody(options, source);
  try {
    return std::make_shared<Skeleton>(withoutLegs(*chooseWholeBody(options, source)));
  }
  catch (const BadArgumentException&) {
    throw InputError("--upper-body: expected a body with legs");
  }
}

std::vector<float>
chooseFirstPose(const TrackOptions& options,
                const Skeleton& body,
                const FrameSource& source,
                const TrackFrame& first)
{
  if (!options.initial_pose.empty()) {
    const MotionClip motion = readMovingBones(options.initial_pose, options).motion;
    if (motion.poses.empty() ||
        motion.poses[0].size() != static_cast<std::size_t>(body.poseSize()))
      throw fileError(options.initial_pose,
                      "is no pose of this body",
                      "one with " + std::to_string(body.poseSize()) + " numbers");
    return motion.poses[0];
  }
  std::vector<float> pose = body.restPose();
  const std::vector<float> known = source.firstPose();
  if (known.size() == pose.size())
    return known;
  if (!known.empty()) {
    // Another body with the same root.
    std::copy(known.begin(), known.begin() + Skeleton::root_size, pose.begin());
    return pose;
  }
  Eigen::Vector3f position;
  for (int axis = 0; axis < 3; ++axis)
    position[axis] =
        options.position ? (*options.position)[axis] : medianOf(first, axis);
  // The middle of an upper body is not between the hips, but this far above, y down.
  // That of a hand is not the wrist.
  constexpr float chest_height = 0.3f;
  constexpr float palm_height = 0.08f;
  if (!options.position)
    position.y() += options.hand         ? palm_height
                    : options.upper_body ? chest_height
                                         : 0.0f;
  // Upright before the camera, and facing it: y up becomes y down, z forward becomes
  // back.
  const Eigen::Quaternionf orientation =
      Eigen::AngleAxisf(pcl::deg2rad(180.0f), Eigen::Vector3f::UnitX()) *
      Eigen::AngleAxisf(pcl::deg2rad(options.turn), Eigen::Vector3f::UnitY());
  std::copy(position.data(), position.data() + 3, pose.begin());
  pose[3] = orientation.w();
  pose[4] = orientation.x();
  pose[5] = orientation.y();
  pose[6] = orientation.z();
  return pose;
}

} // namespace pcl::gpu::apps
