// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/raycast/light.h>
#include <pcl/gpu/utils/argument_checks.h>

namespace pcl::gpu {

namespace {

/** \brief Holds a vector to being finite and not too short to have a direction. */
void
checkDirection(const char* name, const Eigen::Vector3f& vector)
{
  checkArgument(vector.allFinite() && vector.cwiseAbs().maxCoeff() > 1e-30f,
                name,
                vector.transpose(),
                "finite numbers, not all zero");
}

} // namespace

Light
Light::point(const Eigen::Vector3f& position)
{
  Light light;
  light.position = position;
  return light;
}

Light
Light::directional(const Eigen::Vector3f& direction)
{
  Light light;
  light.shape = LightShape::Directional;
  light.direction = direction;
  return light;
}

Light
Light::rectangle(const Eigen::Vector3f& middle,
                 const Eigen::Vector3f& half_side_u,
                 const Eigen::Vector3f& half_side_v)
{
  Light light;
  light.shape = LightShape::Rectangle;
  light.position = middle;
  light.half_side_u = half_side_u;
  light.half_side_v = half_side_v;
  return light;
}

Light
Light::disc(const Eigen::Vector3f& middle, const Eigen::Vector3f& normal, float radius)
{
  Light light;
  light.shape = LightShape::Disc;
  light.position = middle;
  light.direction = normal;
  light.radius = radius;
  return light;
}

void
Light::validate() const
{
  checkEnumerator("light shape", shape, LightShape::Disc);
  checkArgument(
      position.allFinite(), "light position", position.transpose(), "finite numbers");
  checkArgument(color.allFinite() && color.minCoeff() >= 0.0f,
                "light color",
                color.transpose(),
                "zero or positive numbers");
  checkNotNegative("light intensity", intensity);
  checkNotNegative("light intensity times color", intensity * color.maxCoeff());
  if (shape == LightShape::Directional || shape == LightShape::Disc)
    checkDirection("light direction", direction);
  if (shape == LightShape::Rectangle) {
    checkDirection("half side u of the light", half_side_u);
    checkDirection("half side v of the light", half_side_v);
  }
  if (shape == LightShape::Disc)
    checkPositive("light radius", radius);
}

} // namespace pcl::gpu
