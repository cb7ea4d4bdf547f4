// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsule_shapes.h"

#include <Eigen/Geometry>

namespace pcl::gpu::test {

using Eigen::Vector3f;

float
uniform(Random& random, float low, float high)
{
  return std::uniform_real_distribution<float>(low, high)(random);
}

float
logUniform(Random& random, float low, float high)
{
  return std::exp(uniform(random, std::log(low), std::log(high)));
}

int
logUniformCount(Random& random, int most)
{
  return std::clamp(static_cast<int>(logUniform(random, 1.0f, most + 1.0f)), 1, most);
}

bool
chance(Random& random, float probability)
{
  return uniform(random, 0.0f, 1.0f) < probability;
}

Vector3f
randomVector(Random& random, float range)
{
  const float x = uniform(random, -range, range);
  const float y = uniform(random, -range, range);
  return {x, y, uniform(random, -range, range)};
}

TaperedCapsule
capsuleOf(const Vector3f& a, const Vector3f& b, float radius)
{
  TaperedCapsule capsule;
  Vector3f::Map(capsule.a) = a;
  Vector3f::Map(capsule.b) = b;
  capsule.radius_a = capsule.radius_b = radius;
  return capsule;
}

Vector3f
endOf(const TaperedCapsule& capsule, bool second)
{
  return Vector3f::Map(second ? capsule.b : capsule.a);
}

Vector3f
gridVector(Random& random, int range)
{
  const auto coordinate = [&] {
    return 0.25f *
           static_cast<float>(static_cast<int>(random() % (2 * range + 1)) - range);
  };
  const float x = coordinate();
  const float y = coordinate();
  return {x, y, coordinate()};
}

Vector3f
within(const Setting& setting, Random& random)
{
  return setting.center + randomVector(random, setting.range);
}

TaperedCapsule
roomCapsule(const Setting& setting, const Vector3f&, Random& random)
{
  const Vector3f a = within(setting, random);
  return capsuleOf(a,
                   a + randomVector(random, logUniform(random, 0.01f, 2.0f)),
                   logUniform(random, 0.01f, 0.5f));
}

TaperedCapsule
gridCapsule(const Setting&, const Vector3f&, Random& random)
{
  const Vector3f a = gridVector(random, 8);
  Vector3f b = gridVector(random, 8);
  if (chance(random, 0.5f)) {
    const int axis = static_cast<int>(random() % 3);
    const float end = b[axis];
    b = a;
    b[axis] = end;
  }
  return capsuleOf(a, b, 0.25f * static_cast<float>(random() % 7));
}

TaperedCapsule
capsuleOfAnyScale(const Setting& setting, const Vector3f&, Random& random)
{
  const float radius = logUniform(random, 1e-4f, 1e3f);
  const Vector3f along = randomVector(random, 1.0f).normalized();
  const Vector3f half = 0.5f * logUniform(random, 1e-4f, 1e3f) * along;
  // Its surface goes through the scene.
  const Vector3f across = randomVector(random, 1.0f).cross(along).normalized();
  const Vector3f middle = within(setting, random) + radius * across;
  return capsuleOf(middle - half, middle + half, radius);
}

TaperedCapsule
capsuleAroundViewpoint(const Setting& setting,
                       const Vector3f& viewpoint,
                       Random& random)
{
  TaperedCapsule capsule = roomCapsule(setting, viewpoint, random);
  const Vector3f b = endOf(capsule, true);
  const float radius = logUniform(random, 0.1f, 2.0f);
  if (chance(random, 0.7f))
    capsule = capsuleOf(viewpoint + randomVector(random, 0.5f * radius), b, radius);
  return capsule;
}

TaperedCapsule
capsuleTowardsViewpoint(const Setting& setting,
                        const Vector3f& viewpoint,
                        Random& random)
{
  const Vector3f a = within(setting, random);
  // Halving the way to the viewpoint leaves the direction almost as it is.
  Vector3f b = a + oneOf(random, {0.5f, 0.25f, -1.0f, 1.5f}) * (viewpoint - a);
  if (chance(random, 0.5f))
    b += randomVector(random, logUniform(random, 1e-7f, 1e-2f));
  return capsuleOf(a, b, logUniform(random, 0.01f, 0.3f));
}

TaperedCapsule
thinCapsule(const Setting& setting, const Vector3f& viewpoint, Random& random)
{
  TaperedCapsule capsule = roomCapsule(setting, viewpoint, random);
  capsule.radius_a = capsule.radius_b = logUniform(random, 1e-7f, 1e-3f);
  return capsule;
}

void
makeSpecial(const CapsuleScene& scene, TaperedCapsule& capsule, Random& random)
{
  Vector3f::MapType b(capsule.b);
  switch (random() % 6) {
  case 0:
    b = Vector3f::Map(capsule.a);
    break;
  case 1:
    capsule.radius_a = capsule.radius_b = 0.0f;
    break;
  case 2: // on the other side of the viewpoint
    b = 2.0f * scene.viewpoint - b;
    Vector3f::Map(capsule.a) = 2.0f * scene.viewpoint - endOf(capsule, false);
    break;
  case 3:
    if (!scene.capsules.empty())
      capsule = scene.capsules[random() % scene.capsules.size()];
    break;
  case 4:
    capsule.radius_a = capsule.radius_b =
        oneOf(random, {-capsule.radius_a, -1e-30f, not_a_number, infinity, -infinity});
    break;
  default:
    (random() % 2 ? capsule.a : capsule.b)[random() % 3] =
        oneOf(random, {not_a_number, infinity, -infinity});
  }
}

void
giveTwoRadii(bool whole, TaperedCapsule& capsule, Random& random)
{
  if (whole)
    capsule.radius_b = 0.25f * static_cast<float>(random() % 7);
  else if (chance(random, 0.9f))
    capsule.radius_b *= uniform(random, 0.0f, 2.0f);
}

} // namespace pcl::gpu::test
