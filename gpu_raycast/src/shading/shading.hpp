// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "scene/scene.hpp"
#include "shading/shading_scene.hpp"

#include <pcl/gpu/utils/internal/device/trigonometry.hpp>

#include <cstdint>
// Random numbers without a state: each is a function of its purpose, so that pictures
// do not depend on who computes which pixel when.

namespace pcl::device {

/** \brief A word each bit of which depends on all bits of two others. */
PCL_GPU_HOST_DEVICE std::uint32_t
mixed(std::uint32_t key, std::uint32_t number)
{
  std::uint32_t bits = key ^ (number * 0x9e3779b9u + 0x7f4a7c15u);
  bits = (bits ^ bits >> 16) * 0x85ebca6bu;
  bits = (bits ^ bits >> 13) * 0xc2b2ae35u;
  return bits ^ bits >> 16;
}

/** \brief A number from 0 to below 1. */
PCL_GPU_HOST_DEVICE float
unitNumber(std::uint32_t bits)
{
  return static_cast<float>(bits >> 8) * 0x1p-24f;
}

/** \brief One of side^2 points of the unit square, each in a cell of its own.
 * \param[in] number of the point, from 0
 */
PCL_GPU_HOST_DEVICE PlanePoint
sampleSquare(std::uint32_t key, int number, int side)
{
  const std::uint32_t bits = mixed(key, static_cast<std::uint32_t>(number));
  const float cell = 1.0f / static_cast<float>(side);
  return {(static_cast<float>(number % side) + unitNumber(bits)) * cell,
          (static_cast<float>(number / side) + unitNumber(mixed(bits, 1u))) * cell};
}

/** \brief One of side^2 points of the unit disc, evenly spread. */
PCL_GPU_HOST_DEVICE PlanePoint
sampleDisc(std::uint32_t key, int number, int side)
{
  const PlanePoint square = sampleSquare(key, number, side);
  const float radius = sqrtf(square.x);
  const float angle = 2.0f * pi * square.y;
  return {radius * cosine(angle), radius * sine(angle)};
}

} // namespace pcl::device

// Light that comes to a surface straight from the lights and from all around.

namespace pcl::device {

/** \brief A point of a light, as seen from its middle. */
PCL_GPU_HOST_DEVICE Vector3
sampleLight(const LightSource& light, std::uint32_t key, int number)
{
  PlanePoint at;
  if (light.shape == LightShape::Disc) {
    at = sampleDisc(key, number, light.side);
  }
  else {
    at = sampleSquare(key, number, light.side);
    at = {2.0f * at.x - 1.0f, 2.0f * at.y - 1.0f};
  }
  return at.x * light.half_u + at.y * light.half_v;
}

/** \brief One of a light's side^2 shadow rays from a surface.
 * \return false if it would have to start through the surface: the light is not seen
 */
PCL_GPU_HOST_DEVICE bool
shadowRay(const LightSource& light,
          const Surface& surface,
          std::uint32_t key,
          int number,
          Ray& ray)
{
  const bool is_directional = light.shape == LightShape::Directional;
  ray.origin = surface.point + surface.margin * surface.flat;
  ray.nearest = 0.0f;
  ray.direction = light.position;
  if (light.is_spread)
    ray.direction = ray.direction + sampleLight(light, key, number);
  if (!is_directional)
    ray.direction = ray.direction - ray.origin;
  ray.farthest = HUGE_VALF;
  if (!is_directional) {
    // It ends before the light, so that a surface in which the lamp lies does not hide
    // it from where it is seen at 15 degrees or more.
    const float end =
        4.0f * (surface.margin + 0x1p-20f * largestCoordinate(light.position));
    const float length = sqrtf(dot(ray.direction, ray.direction));
    ray.farthest = length > end ? 1.0f - end / length : 0.0f;
  }
  return dot(ray.direction, surface.flat) > 0.0f;
}

/** \brief Counts a light's side^2 shadow rays from a surface that reach it. */
PCL_GPU_HOST_DEVICE int
visibleSamples(const ShadingScene& scene,
               const LightSource& light,
               const Surface& surface,
               std::uint32_t key)
{
  int visible = 0;
  for (int i = 0; i < light.side * light.side; ++i) {
    Ray ray;
    if (shadowRay(light, surface, key, i, ray))
      visible += isOccluded(scene, ray) ? 0 : 1;
  }
  return visible;
}

/** \brief The part of a light that so many shadow rays stand for. */
PCL_GPU_HOST_DEVICE float
visiblePart(const LightSource& light, int visible)
{
  return static_cast<float>(visible) / static_cast<float>(light.side * light.side);
}

PCL_GPU_HOST_DEVICE float
integerPower(float base, int exponent)
{
  float result = 1.0f;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1)
      result = result * base;
    base = base * base;
  }
  return result;
}

/** \brief Adds the light of one source to the light that a surface sends back.
 * \param[in] direction of the ray that sees the surface, unit vector
 * \param[in] visible_part asked for the part of the light that is visible, 0 to 1, only
 * if it matters: to find it may take many rays
 * \param[in,out] diffuse light that arrives, to be multiplied by the surface's colour
 * \param[in,out] specular light that leaves as a highlight
 */
template <typename VisiblePart>
PCL_GPU_HOST_DEVICE void
addLight(const LightSource& light,
         const Surface& surface,
         const Vector3& direction,
         const VisiblePart& visible_part,
         Vector3& diffuse,
         Vector3& specular)
{
  const bool is_directional = light.shape == LightShape::Directional;
  const Vector3 way = is_directional ? light.position : light.position - surface.point;
  const Vector3 to_light = normalized(way);
  const float cosine = dot(surface.normal, to_light);
  if (!(cosine > 0.0f))
    return;
  const float visible = visible_part();
  if (!(visible > 0.0f))
    return;
  const float strength = light.falls_off ? visible / dot(way, way) : visible;
  diffuse = diffuse + (strength * cosine) * light.light;
  const Material& material = *surface.material;
  if (!(material.specular > 0.0f))
    return;
  const float highlight = dot(surface.normal, normalized(to_light - direction));
  if (highlight > 0.0f)
    specular = specular + (strength * material.specular *
                           integerPower(highlight, material.shininess)) *
                              light.light;
}

/** \brief Light that a surface sends back along a ray, but for mirrored and refracted.
 * \param[in] direction of the ray that sees the surface, unit vector
 * \param[in] ambient_part of the ambient light that is not occluded
 * \param[in] visible_part of a light, from 0 to 1, given its number
 */
template <typename VisiblePart>
PCL_GPU_HOST_DEVICE Vector3
lightFromSurface(const ShadingScene& scene,
                 const Surface& surface,
                 const Vector3& direction,
                 float ambient_part,
                 const VisiblePart& visible_part)
{
  const Material& material = *surface.material;
  // The part of its look that is the surface's own, not mirrored or seen through.
  const float opaque = (1.0f - material.transparency) * (1.0f - material.reflectivity);
  Vector3 diffuse = ambient_part * lightFrom(scene.ambient, surface.normal);
  Vector3 specular = {0.0f, 0.0f, 0.0f};
  const bool shows_light = opaque > 0.0f || material.specular > 0.0f;
  for (int i = 0; shows_light && i < scene.light_count; ++i)
    addLight(
        scene.lights[i],
        surface,
        direction,
        [&] { return visible_part(i); },
        diffuse,
        specular);
  return opaque * product(surface.albedo, diffuse) + specular;
}

} // namespace pcl::device
