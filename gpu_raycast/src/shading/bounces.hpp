// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "shading/shading.hpp"

// Light that surfaces mirror and refract. Where a ray does both it is split; the rays
// that wait are kept on a stack, which a path of max_bounces fills with one ray a
// bounce.

namespace pcl::device {

/** \brief Most bounces that gpu::MeshRenderer lets a ray make. */
constexpr int most_bounces = 16;

/** \brief Rays whose part of the pixel is less are not followed. */
constexpr float least_weight = 1.0f / 512.0f;

struct PendingRay {
  Vector3 origin;
  Vector3 direction; ///< unit vector
  Vector3 weight;    ///< of its light in the pixel
  int bounces;
};

/** \brief Rays that wait to be followed. */
struct PendingRays {
  PendingRay rays[most_bounces + 1];
  int count;

  PCL_GPU_HOST_DEVICE void
  add(const PendingRay& ray)
  {
    if (largestCoordinate(ray.weight) >= least_weight)
      rays[count++] = ray;
  }
};

PCL_GPU_HOST_DEVICE Vector3
reflected(const Vector3& direction, const Vector3& normal)
{
  return direction - (2.0f * dot(direction, normal)) * normal;
}

/** \brief The ways of a ray on from the border of two media. */
struct Refraction {
  float reflected_part; ///< 1 if all of it is
  Vector3 direction;    ///< of the rest
};

/** \brief Snell's law and Fresnel's equations for light without polarization.
 *
 * Not Schlick's approximation: it takes the same roots but mirrors at grazing angles
 * even where both media are the same.
 * \param[in] ratio refractive index on the ray's side over that on the other
 */
PCL_GPU_HOST_DEVICE Refraction
refracted(const Vector3& direction, const Vector3& normal, float ratio)
{
  const float cosine = minimum(maximum(-dot(direction, normal), 0.0f), 1.0f);
  const float other_squared =
      (1.0f - ratio * ratio) + (ratio * cosine) * (ratio * cosine);
  if (!(other_squared > 0.0f))
    return {1.0f, direction};
  const float other = sqrtf(other_squared);
  const float across = (ratio * cosine - other) / (ratio * cosine + other);
  const float along = (ratio * other - cosine) / (ratio * other + cosine);
  return {0.5f * (across * across + along * along),
          normalized(ratio * direction + (ratio * cosine - other) * normal)};
}

/** \brief Adds the rays that go on from a surface.
 * \param[in] direction of the ray that sees the surface, unit vector
 * \param[in] weight of that ray's light in the pixel
 * \param[in] bounces of that ray
 */
PCL_GPU_HOST_DEVICE void
addBounces(const ShadingScene& scene,
           const Surface& surface,
           const Vector3& direction,
           const Vector3& weight,
           int bounces,
           PendingRays& pending)
{
  if (bounces >= scene.max_bounces)
    return;
  const Material& material = *surface.material;
  // An interpolated normal can turn away from the ray, or send it to the wrong side.
  const Vector3 normal =
      dot(direction, surface.normal) < 0.0f ? surface.normal : surface.flat;
  float mirrored_part = (1.0f - material.transparency) * material.reflectivity;
  if (material.transparency > 0.0f) {
    const float index = material.refractive_index;
    const float ratio = surface.outside ? 1.0f / index : index;
    Refraction through = refracted(direction, normal, ratio);
    if (dot(through.direction, surface.flat) >= 0.0f)
      through = refracted(direction, surface.flat, ratio);
    mirrored_part += material.transparency * through.reflected_part;
    const float part = material.transparency * (1.0f - through.reflected_part);
    pending.add({surface.point - surface.margin * surface.flat,
                 through.direction,
                 part * product(surface.albedo, weight),
                 bounces + 1});
  }
  Vector3 mirrored = reflected(direction, normal);
  if (!(dot(mirrored, surface.flat) > 0.0f))
    mirrored = reflected(direction, surface.flat);
  pending.add({surface.point + surface.margin * surface.flat,
               mirrored,
               mirrored_part * weight,
               bounces + 1});
}

/** \brief The light that comes along waiting rays and those that they lead to. */
PCL_GPU_HOST_DEVICE Vector3
follow(const ShadingScene& scene, PendingRays& pending, std::uint32_t key)
{
  Vector3 light = {0.0f, 0.0f, 0.0f};
  for (std::uint32_t step = 0; pending.count > 0; ++step) {
    const PendingRay ray = pending.rays[--pending.count];
    const RayHit found = closestHit(
        scene.hierarchy, {ray.origin, 0.0f, ray.direction, HUGE_VALF}, Culling::None);
    if (found.triangle < 0) {
      light = light + product(ray.weight, lightFrom(scene.background, ray.direction));
      continue;
    }
    const Surface surface = surfaceAt(scene,
                                      static_cast<std::uint32_t>(found.triangle),
                                      {found.distance, found.u, found.v},
                                      ray.direction);
    const std::uint32_t step_key = mixed(key, step);
    const auto visible_part = [&](int number) {
      const LightSource& source = scene.lights[number];
      if (source.side == 0)
        return 1.0f;
      const std::uint32_t light_key =
          mixed(step_key, static_cast<std::uint32_t>(number));
      return visiblePart(source, visibleSamples(scene, source, surface, light_key));
    };
    const Vector3 own =
        lightFromSurface(scene, surface, ray.direction, 1.0f, visible_part);
    light = light + product(ray.weight, own);
    addBounces(scene, surface, ray.direction, ray.weight, ray.bounces, pending);
  }
  return light;
}

} // namespace pcl::device
