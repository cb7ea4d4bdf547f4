// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "shading/shading_tables.h"

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

device::LightSource
lightSource(const Light& light, int shadow_side, bool soft)
{
  const bool is_directional = light.shape == LightShape::Directional;
  const bool is_disc = light.shape == LightShape::Disc;
  // Of any length, also such whose square is no number any more.
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
