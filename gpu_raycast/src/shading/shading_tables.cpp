// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "shading/shading_tables.h"

#include <pcl/gpu/utils/argument_checks.h>

#include <Eigen/Geometry>

#include <cmath>

namespace pcl::gpu {

namespace {

/** \brief IEC 61966-2-1.
 * \param[in] value of a channel, 0 to 255
 */
float
linearFromSrgb(double value)
{
  const double part = value / 255.0;
  return static_cast<float>(part <= 0.04045 ? part / 12.92
                                            : std::pow((part + 0.055) / 1.055, 2.4));
}

std::vector<float>
makeSrgbTable()
{
  std::vector<float> table;
  for (int i = 0; i < 256; ++i)
    table.push_back(linearFromSrgb(i));
  for (int i = 1; i < 256; ++i)
    table.push_back(linearFromSrgb(i - 0.5));
  return table;
}

} // namespace

void
checkDirection(const char* name, const Eigen::Vector3f& vector)
{
  checkArgument(vector.allFinite() && vector.cwiseAbs().maxCoeff() > 1e-30f,
                name,
                vector.transpose(),
                "finite numbers, not all zero");
}

void
checkColor(const char* name, const Eigen::Vector3f& color)
{
  checkArgument(color.allFinite() && color.minCoeff() >= 0.0f,
                name,
                color.transpose(),
                "zero or positive numbers");
}

void
Light::validate() const
{
  checkEnumerator("light shape", shape, LightShape::Disc);
  checkArgument(
      position.allFinite(), "light position", position.transpose(), "finite numbers");
  checkColor("light color", color);
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

void
Material::validate() const
{
  checkArgument(diffuse.allFinite() && diffuse.minCoeff() >= 0.0f &&
                    diffuse.maxCoeff() <= 1.0f,
                "diffuse color",
                diffuse.transpose(),
                "numbers from 0 to 1");
  checkBetween("specular strength", specular, 0.0f, 1.0f, "0 to 1");
  checkBetween("shininess", shininess, 1, max_shininess, "1 to 4096");
  checkBetween("reflectivity", reflectivity, 0.0f, 1.0f, "0 to 1");
  checkBetween("transparency", transparency, 0.0f, 1.0f, "0 to 1");
  checkBetween("refractive index", refractive_index, 0.1f, 10.0f, "0.1 to 10");
}

device::LightSource
lightSource(const Light& light, int shadow_side, bool soft)
{
  const bool is_directional = light.shape == LightShape::Directional;
  const bool is_disc = light.shape == LightShape::Disc;
  // The vector may have any length, even one whose square is infinite or zero.
  const Eigen::Vector3f direction = light.direction.stableNormalized();
  device::LightSource source{};
  source.shape = static_cast<device::LightShape>(light.shape);
  source.position = asVector3(is_directional ? Eigen::Vector3f(-direction)
                                             : Eigen::Vector3f(light.position));
  if (is_disc) {
    const Eigen::Vector3f u = direction.unitOrthogonal();
    source.half_u = asVector3(light.radius * u);
    source.half_v = asVector3(light.radius * direction.cross(u));
  }
  else {
    source.half_u = asVector3(light.half_side_u);
    source.half_v = asVector3(light.half_side_v);
  }
  source.light = asVector3(light.intensity * light.color);
  source.falls_off = light.falls_off && !is_directional;
  source.is_spread = soft && (is_disc || light.shape == LightShape::Rectangle);
  source.side = source.is_spread || shadow_side == 0 ? shadow_side : 1;
  return source;
}

device::Material
surfaceMaterial(const Material& material)
{
  return {asVector3(material.diffuse),
          material.specular,
          material.shininess,
          material.reflectivity,
          material.transparency,
          material.refractive_index,
          material.casts_shadow};
}

const std::vector<float>&
srgbTable()
{
  static const std::vector<float> table = makeSrgbTable();
  return table;
}

} // namespace pcl::gpu
