// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsule_scenes.h"

#include "capsule_shapes.h"

#include "testing/capsule_body.h"

#include <algorithm>

namespace pcl::gpu::test {

namespace {

using Eigen::Vector3f;

PointXYZ
pointOf(const Vector3f& position)
{
  return {position.x(), position.y(), position.z()};
}

Vector3f
goalOnCapsule(const CapsuleScene& scene, Random& random)
{
  const TaperedCapsule& capsule = scene.capsules[random() % scene.capsules_per_sample];
  const float along = uniform(random, -0.2f, 1.2f);
  const float largest = std::max(capsule.radius_a, capsule.radius_b);
  const float radius = largest > 0.0f && largest < infinity ? largest : 0.0f;
  return endOf(capsule, false) +
         along * (endOf(capsule, true) - endOf(capsule, false)) +
         randomVector(random, 0.7f * radius);
}

PointXYZ
makePoint(const CapsuleScene& scene, const Setting& setting, bool whole, Random& random)
{
  const float tau = std::min(scene.truncation_distance, 1.0f);
  const Vector3f anywhere = whole ? gridVector(random, 12) : within(setting, random);
  if (whole && chance(random, 0.8f))
    return pointOf(anywhere);
  const float choice = uniform(random, 0.0f, 1.0f);
  const Vector3f goal = goalOnCapsule(scene, random);
  if (!goal.allFinite() || goal == scene.viewpoint || choice < 0.25f)
    return pointOf(anywhere);
  if (choice < 0.32f)
    return pointOf(
        endOf(scene.capsules[random() % scene.capsules.size()], choice < 0.28f));
  if (choice < 0.37f)
    return pointOf(scene.viewpoint + 1e-2f * (goal - scene.viewpoint));
  if (choice < 0.4f)
    return pointOf(2.0f * scene.viewpoint - goal);
  const float deviation = tau * oneOf(random, {0.0f, 0.05f, 0.3f, 1.0f, 3.0f});
  return pointSeen(
      scene, goal, deviation * std::normal_distribution<float>(0.0f, 1.0f)(random));
}

void
makePointSpecial(CapsuleScene& scene, PointXYZ& point, Random& random)
{
  switch (random() % 4) {
  case 0:
    point = pointOf(scene.viewpoint);
    break;
  case 1:
  case 2:
    point.data[random() % 3] = oneOf(random, {not_a_number, infinity, -infinity});
    break;
  default:
    point = scene.points[random() % scene.points.size()];
  }
}

void
addWeights(CapsuleScene& scene, float bad_share, Random& random)
{
  for (std::size_t i = 0; i < scene.points.size(); ++i)
    scene.weights.push_back(
        chance(random, bad_share)
            ? oneOf(random, {0.0f, -0.0f, -1.0f, not_a_number, infinity, -infinity})
            : logUniform(random, 0.1f, 10.0f));
}

/** \brief Adds a room: in the place of a point, near it, far behind it, or unknown. */
void
addBackgrounds(CapsuleScene& scene, Random& random)
{
  const float near = 2.0f * scene.truncation_distance;
  for (const PointXYZ& point : scene.points) {
    const float length = (point.getVector3fMap() - scene.viewpoint).norm();
    scene.backgrounds.push_back(
        oneOf(random,
              {length,
               length + uniform(random, -near, near),
               length + uniform(random, 0.0f, 4.0f),
               oneOf(random, {0.0f, -1.0f, not_a_number, infinity, -infinity})}));
  }
}

CapsuleScene
makeScene(const Setting& setting,
          CapsuleScene scene,
          SceneKind kind,
          bool two_radii,
          Random& random)
{
  const bool whole = kind == SceneKind::Grid;
  const float special_share = kind == SceneKind::Broken ? 0.5f : 0.05f;
  scene.capsules_per_sample = logUniformCount(random, 200);
  const int samples = logUniformCount(random, 5);
  for (int i = 0; i < samples * scene.capsules_per_sample; ++i) {
    TaperedCapsule capsule = setting.makeCapsule(setting, scene.viewpoint, random);
    if (two_radii)
      giveTwoRadii(whole, capsule, random);
    if (chance(random, special_share))
      makeSpecial(scene, capsule, random);
    scene.capsules.push_back(capsule);
  }
  const int points = logUniformCount(random, 2000);
  for (int i = 0; i < points; ++i) {
    scene.points.push_back(makePoint(scene, setting, whole, random));
    if (chance(random, special_share))
      makePointSpecial(scene, scene.points.back(), random);
  }
  if (chance(random, 0.5f))
    addWeights(scene, special_share, random);
  if (chance(random, 0.5f))
    addBackgrounds(scene, random);
  return scene;
}

} // namespace

const char*
nameOf(SceneKind kind)
{
  static const char* const names[scene_kinds] = {"Room",
                                                 "Body",
                                                 "Grid",
                                                 "Far",
                                                 "Scales",
                                                 "Inside",
                                                 "Near",
                                                 "Towards",
                                                 "Thin",
                                                 "Broken"};
  return names[static_cast<int>(kind)];
}

CapsuleScene
randomScene(SceneKind kind, std::uint32_t seed, bool two_radii)
{
  Random random(seed);
  CapsuleScene scene;
  scene.truncation_distance = oneOf(random, {0.05f, 0.1f, 0.2f, 0.5f});
  scene.viewpoint = randomVector(random, 0.5f);
  Setting setting{Vector3f(0, 0, 3), 2.0f, &roomCapsule};
  switch (kind) {
  case SceneKind::Body:
    scene = bodyScene(200 + random() % 800,
                      uniform(random, 0.2f, 1.0f),
                      1 + random() % 3,
                      oneOf(random, {0.05f, 0.2f}),
                      random());
    for (TaperedCapsule& capsule : scene.capsules)
      if (two_radii)
        giveTwoRadii(false, capsule, random);
    if (chance(random, 0.5f))
      addBackgrounds(scene, random);
    return scene;
  case SceneKind::Grid:
    setting.makeCapsule = &gridCapsule;
    scene.viewpoint = gridVector(random, 12);
    break;
  case SceneKind::Far:
    setting.center = randomVector(random, 1000.0f);
    scene.viewpoint = setting.center + randomVector(random, 4.0f);
    break;
  case SceneKind::Scales:
    setting.makeCapsule = &capsuleOfAnyScale;
    break;
  case SceneKind::Inside:
    setting.makeCapsule = &capsuleAroundViewpoint;
    break;
  case SceneKind::Near:
    setting = {scene.viewpoint, 0.3f, &roomCapsule};
    scene.truncation_distance = oneOf(random, {0.5f, 100.0f});
    break;
  case SceneKind::Towards:
    setting.makeCapsule = &capsuleTowardsViewpoint;
    break;
  case SceneKind::Thin:
    setting.makeCapsule = &thinCapsule;
    break;
  default:
    break;
  }
  return makeScene(setting, std::move(scene), kind, two_radii, random);
}

CapsuleScene
bodyScene(std::size_t points,
          float on_body,
          std::size_t samples,
          float spread,
          std::uint32_t seed)
{
  Random random(seed);
  CapsuleScene scene;
  const Vector3f hips(0.0f, 0.1f, 3.0f);
  for (std::size_t j = 0; j < samples; ++j)
    for (const Capsule& capsule : capsuleBody(hips, j == 0 ? 0.0f : spread, random))
      scene.capsules.push_back(tapered(capsule));
  scene.capsules_per_sample = static_cast<int>(scene.capsules.size() / samples);
  std::normal_distribution<float> noise(0.0f, 0.01f);
  for (std::size_t i = 0; i < points; ++i)
    if (chance(random, on_body))
      scene.points.push_back(
          pointSeen(scene, goalOnCapsule(scene, random), noise(random)));
    else {
      const float x = uniform(random, -2.5f, 2.5f);
      const float y = uniform(random, -1.8f, 1.0f);
      scene.points.push_back({x, y, 4.5f + noise(random)});
    }
  return scene;
}

PointXYZ
pointSeen(const CapsuleScene& scene, const Vector3f& goal, float distance)
{
  ReferenceHit first;
  for (int k = 0; k < scene.capsules_per_sample; ++k) {
    const ReferenceHit hit = castAtCapsule(scene.viewpoint, goal, scene.capsules[k]);
    if (hit.exists && (!first.exists || hit.length < first.length))
      first = hit;
  }
  if (!first.exists)
    return pointOf(goal);
  const Eigen::Vector3d p = scene.viewpoint.cast<double>();
  const Eigen::Vector3d v = (goal.cast<double>() - p).normalized();
  return pointOf((p + v * static_cast<double>(first.length + distance)).cast<float>());
}

std::vector<Capsule>
plainCapsules(const CapsuleScene& scene)
{
  std::vector<Capsule> capsules;
  for (const TaperedCapsule& capsule : scene.capsules) {
    Capsule plain;
    std::copy(capsule.a, capsule.a + 3, plain.a);
    std::copy(capsule.b, capsule.b + 3, plain.b);
    plain.radius = capsule.radius_a;
    capsules.push_back(plain);
  }
  return capsules;
}

} // namespace pcl::gpu::test
