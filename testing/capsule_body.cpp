// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/capsule_body.h"

#include <Eigen/Geometry>

namespace pcl::gpu::test {

namespace {

using Eigen::Vector3f;

/** \brief A bone: from an offset in its parent's frame to its own end. */
struct Bone {
  int parent; ///< -1 for the hips
  Vector3f offset;
  Vector3f end;
  float radius;
};

/** \brief Adds the palm and 15 pieces of fingers.
 * \param[in] side 1 for the person's left, -1 for the right
 */
void
addHand(int forearm, float side, std::vector<Bone>& bones)
{
  const int palm = static_cast<int>(bones.size());
  bones.push_back({forearm, {0, 0.26f, 0}, {0, 0.07f, 0}, 0.03f});
  for (int finger = 0; finger < 5; ++finger) {
    const bool thumb = finger == 4;
    const float along = thumb ? 0.02f : 0.09f;
    const Vector3f base(side * (thumb ? 0.04f : 0.0f), along, 0.022f * (finger - 1.5f));
    const Vector3f piece =
        thumb ? Vector3f(side * 0.02f, 0.02f, 0) : Vector3f(0, 0.028f, 0);
    for (int i = 0; i < 3; ++i)
      bones.push_back({i == 0 ? palm : static_cast<int>(bones.size()) - 1,
                       i == 0 ? base : piece,
                       piece,
                       0.009f});
  }
}

std::vector<Bone>
makeBones()
{
  std::vector<Bone> bones = {{-1, {0, 0, 0}, {0, -0.2f, 0}, 0.15f},
                             {0, {0, -0.25f, 0}, {0, -0.2f, 0}, 0.16f},
                             {1, {0, -0.3f, 0}, {0, -0.06f, 0}, 0.06f},
                             {2, {0, -0.12f, 0}, {0, -0.1f, 0}, 0.1f}};
  for (const float side : {1.0f, -1.0f}) {
    const int shoulder = static_cast<int>(bones.size());
    bones.push_back({1, {side * 0.04f, -0.2f, 0}, {side * 0.13f, 0, 0}, 0.07f});
    bones.push_back({shoulder, {side * 0.15f, 0, 0}, {side * 0.06f, 0.27f, 0}, 0.05f});
    bones.push_back(
        {shoulder + 1, {side * 0.06f, 0.28f, 0}, {side * 0.02f, 0.24f, -0.05f}, 0.04f});
    addHand(shoulder + 2, side, bones);
    const int thigh = static_cast<int>(bones.size());
    bones.push_back({0, {side * 0.1f, 0.05f, 0}, {0, 0.4f, 0}, 0.08f});
    bones.push_back({thigh, {0, 0.42f, 0}, {0, 0.38f, 0}, 0.055f});
    bones.push_back({thigh + 1, {0, 0.42f, 0}, {0, 0.03f, -0.16f}, 0.04f});
  }
  return bones;
}

} // namespace

std::vector<Capsule>
capsuleBody(const Vector3f& position, float spread, std::mt19937& random)
{
  static const std::vector<Bone> bones = makeBones();
  std::normal_distribution<float> angle(0.0f, 1.0f);
  std::vector<Eigen::Isometry3f> frames;
  std::vector<Capsule> capsules;
  for (const Bone& bone : bones) {
    Eigen::Isometry3f frame = bone.parent < 0
                                  ? Eigen::Isometry3f(Eigen::Translation3f(position))
                                  : frames[bone.parent];
    frame.translate(bone.offset);
    for (int axis = 0; axis < 3; ++axis)
      frame.rotate(Eigen::AngleAxisf(spread * angle(random), Vector3f::Unit(axis)));
    frames.push_back(frame);
    Capsule capsule;
    Vector3f::Map(capsule.a) = frame.translation();
    Vector3f::Map(capsule.b) = frame * bone.end;
    capsule.radius = bone.radius;
    capsules.push_back(capsule);
  }
  return capsules;
}

} // namespace pcl::gpu::test
