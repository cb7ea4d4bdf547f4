// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "body_parts.h"

#include <Eigen/Geometry>
#include <boost/algorithm/string/case_conv.hpp>

#include <algorithm>
#include <initializer_list>
#include <locale>

namespace pcl::gpu {

namespace {

/** \brief Thigh and calf of a person of 1.75 m, metres. */
constexpr float usual_leg = 0.8607f;

/** \brief Returns a name in small letters, without anything up to a colon
 * ("mixamorig:Hips"). */
std::string
plainName(const std::string& name)
{
  return boost::algorithm::to_lower_copy(name.substr(name.rfind(':') + 1),
                                         std::locale::classic());
}

bool
hasAny(const std::string& name, std::initializer_list<const char*> words)
{
  return std::any_of(words.begin(), words.end(), [&](const char* word) {
    return name.find(word) != std::string::npos;
  });
}

BodyPart
partNamed(const std::string& name, int side)
{
  struct Entry {
    BodyPart part;
    std::initializer_list<const char*> words;
  };
  // In this order: "LeftHandIndex1" is a finger, "LeftForeArm" no upper arm.
  static const Entry entries[] = {
      {BodyPart::End, {"_end", "nub"}},
      {BodyPart::Thumb, {"thumb"}},
      {BodyPart::Finger, {"finger", "index", "middle", "ring", "pinky"}},
      {BodyPart::Hand, {"hand", "wrist"}},
      {BodyPart::Forearm, {"forearm", "lowerarm", "elbow"}},
      {BodyPart::Clavicle, {"clavicle", "collar", "shoulder"}},
      {BodyPart::UpperArm, {"arm"}},
      {BodyPart::Toe, {"toe"}},
      {BodyPart::Foot, {"foot", "ankle"}},
      {BodyPart::Thigh, {"upleg", "upperleg", "thigh"}},
      {BodyPart::HipJoint, {"hipjoint"}},
      {BodyPart::Calf, {"knee", "shin", "calf", "leg"}},
      {BodyPart::Pelvis, {"hip", "pelvis"}},
      {BodyPart::Neck, {"neck"}},
      {BodyPart::Head, {"head"}},
      {BodyPart::Trunk,
       {"spine", "chest", "back", "torso", "abdomen", "waist", "thorax"}}};
  for (const Entry& entry : entries)
    if (hasAny(name, entry.words))
      // The thigh of a side begins at its hip.
      return entry.part == BodyPart::Pelvis && side != 0 ? BodyPart::Thigh : entry.part;
  return BodyPart::Unknown;
}

/** \brief Returns the side in a name: "LeftArm", "LHipJoint", "lhand", "Bip01 L Calf",
 * "arm_l". */
int
sideNamed(const std::string& name)
{
  if (hasAny(name, {"left"}))
    return 1;
  if (hasAny(name, {"right"}))
    return -1;
  for (const char letter : {'l', 'r'}) {
    const std::string text(1, letter);
    const bool is_before =
        name.size() > 2 && name[0] == letter &&
        (name[1] == '_' || name[1] == '.' ||
         hasAny(name.substr(1, 3),
                {"hip", "han", "fin", "thu", "arm", "leg", "foo", "toe",
                 "sho", "col", "cla", "thi", "cal", "kne", "elb", "wri",
                 "ank", "for", "upp", "low", "upl", "shi"}));
    const std::string ending = name.size() > 2 ? name.substr(name.size() - 2) : "";
    if (!is_before && !hasAny(name, {(" " + text + " ").c_str()}) &&
        ending != "_" + text && ending != "." + text)
      continue;
    // "lowerback" and "lowerneck" are on no side.
    if (hasAny(name, {"back", "neck", "chest", "spine"}))
      return 0;
    return letter == 'l' ? 1 : -1;
  }
  return 0;
}

} // namespace

Body::Body(const Skeleton& skeleton)
{
  const auto& joints = skeleton.getJoints();
  const int count = static_cast<int>(joints.size());
  std::vector<std::string> names;
  for (const SkeletonJoint& joint : joints) {
    names.push_back(plainName(joint.name));
    sides.push_back(sideNamed(names.back()));
    parts.push_back(partNamed(names.back(), sides.back()));
    parents.push_back(joint.parent);
    positions.push_back(joint.parent < 0 ? Eigen::Vector3f::Zero().eval()
                                         : (positions[joint.parent] + joint.offset));
  }

  // "LeftShoulder" is a collarbone in some files, and an upper arm in others.
  for (int i = 0; i < count; ++i)
    if (hasAny(names[i], {"shoulder"}) && childOf(i, BodyPart::UpperArm) < 0)
      parts[i] = BodyPart::UpperArm;

  float leg = 0.0f;
  int legs = 0;
  for (int i = count - 1; i >= 0; --i) {
    const int side = sides[i] > 0 ? 0 : 1;
    if (sides[i] != 0 && parts[i] == BodyPart::Thigh)
      hips[side] = i;
    if (sides[i] != 0 && parts[i] == BodyPart::UpperArm)
      shoulders[side] = i;
    if (parts[i] == BodyPart::Foot && parents[i] >= 0 &&
        parts[parents[i]] == BodyPart::Calf) {
      leg += joints[i].offset.norm() + joints[parents[i]].offset.norm();
      ++legs;
    }
  }
  if (legs > 0 && leg > 0.0f)
    scale = leg / static_cast<float>(legs) / usual_leg;

  if (std::min({hips[0], hips[1], shoulders[0], shoulders[1]}) < 0)
    return;
  const Eigen::Vector3f upwards = middle(shoulders) - middle(hips);
  const Eigen::Vector3f sideways = positions[hips[0]] - positions[hips[1]];
  const Eigen::Vector3f ahead = sideways.cross(upwards);
  if (ahead.norm() < 1e-3f * scale * scale)
    return;
  has_trunk = true;
  forward = ahead.normalized();
  up = upwards.normalized();
  left = up.cross(forward);
}

Eigen::Vector3f
Body::middle(const int (&pair)[2]) const
{
  return 0.5f * (positions[pair[0]] + positions[pair[1]]);
}

int
Body::childOf(int joint, BodyPart part) const
{
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parents[i] == joint && parts[i] == part)
      return static_cast<int>(i);
  return -1;
}

int
Body::tipOf(int joint, BodyPart part) const
{
  std::vector<bool> belongs(parts.size(), false);
  belongs[joint] = true;
  int tip = joint;
  float farthest = 0.0f;
  for (std::size_t i = joint + 1; i < parts.size(); ++i) {
    belongs[i] = belongs[parents[i]] && (parts[i] == part || parts[i] == parts[joint] ||
                                         parts[i] == BodyPart::End);
    const float distance = (positions[i] - positions[joint]).norm();
    if (belongs[i] && distance > farthest) {
      farthest = distance;
      tip = static_cast<int>(i);
    }
  }
  return tip;
}

} // namespace pcl::gpu
