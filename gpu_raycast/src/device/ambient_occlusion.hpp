// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "shading.hpp"

// How much of the light from all around reaches a point: by rays, or guessed from what the
// image shows (after Shanmugam and Arikan, Hardware Accelerated Ambient Occlusion
// Techniques on GPUs, 2007, section 4.1).

namespace pcl {
namespace device {

/** \brief The order of gpu::AmbientOcclusion. */
enum class AmbientOcclusion : int { None, ImageSpace, Rays };

struct AmbientOcclusionSettings {
  AmbientOcclusion method;
  float radius; ///< nothing farther away occludes
  int side;     ///< side^2 samples a pixel
};

/** \brief Two unit vectors that are orthogonal to a third and to each other. */
PCL_GPU_HOST_DEVICE void
makeBasis(const Vector3& normal, Vector3& u, Vector3& v)
{
  // Across the axis that the normal is farthest from.
  const Vector3 size = {fabsf(normal.x), fabsf(normal.y), fabsf(normal.z)};
  const bool x_is_least = size.x <= size.y && size.x <= size.z;
  const Vector3 axis = x_is_least         ? Vector3{1.0f, 0.0f, 0.0f}
                       : size.y <= size.z ? Vector3{0.0f, 1.0f, 0.0f}
                                          : Vector3{0.0f, 0.0f, 1.0f};
  u = normalized(cross(normal, axis));
  v = cross(normal, u);
}

/** \brief The part of the light from all around that rays to all sides find open, those
 * close to the normal being more. */
PCL_GPU_HOST_DEVICE float
openPartByRays(const ShadingScene& scene,
               const AmbientOcclusionSettings& settings,
               const Surface& surface,
               std::uint32_t key)
{
  const Vector3 start = surface.point + surface.margin * surface.flat;
  Vector3 u, v;
  makeBasis(surface.normal, u, v);
  int open = 0;
  int cast = 0;
  for (int i = 0; i < settings.side * settings.side; ++i) {
    const PlanePoint at = sampleDisc(key, i, settings.side);
    const float height = sqrtf(greater(1.0f - at.x * at.x - at.y * at.y, 0.0f));
    const Vector3 direction = at.x * u + at.y * v + height * surface.normal;
    // An interpolated normal has directions that lie behind its triangle.
    if (!(dot(direction, surface.flat) > 0.0f))
      continue;
    ++cast;
    const Ray ray = {start, 0.0f, direction, settings.radius};
    open += isOccluded(scene, ray) ? 0 : 1;
  }
  return cast == 0 ? 1.0f : static_cast<float>(open) / static_cast<float>(cast);
}

/** \brief Points and normals that a camera sees, in its frame. */
struct SeenSurfaces {
  PtrStep<Float4> points;
  PtrStep<Float4> normals;
};

PCL_GPU_HOST_DEVICE Vector3
asVector(const Float4& v)
{
  return {v.x, v.y, v.z};
}

/** \brief The part of the light from all around that a sphere takes from a point.
 * \param[in] to_sphere from the point to the sphere's centre
 * \param[in] radius_squared of the sphere
 */
PCL_GPU_HOST_DEVICE float
occlusionBySphere(const Vector3& normal, const Vector3& to_sphere, float radius_squared)
{
  // Points of one plane see each other at angles that are 0 but for rounding.
  constexpr float least_cosine = 0.02f;
  const float squared = dot(to_sphere, to_sphere);
  const float cosine = dot(normal, to_sphere) / sqrtf(squared) - least_cosine;
  if (!(cosine > 0.0f))
    return 0.0f;
  const float sine_squared = lesser(radius_squared / squared, 1.0f);
  // The solid angle over 2 pi is 1 - cos, here without cancellation.
  const float solid_angle = sine_squared / (1.0f + sqrtf(1.0f - sine_squared));
  return 2.0f * solid_angle * cosine;
}

/** \brief The same as openPartByRays(), guessed from the pixels around.
 *
 * Each sample stands for its part of the disc of pixels that the radius covers, and for a
 * sphere that covers as much: the finer the image, the more pixels lie between samples,
 * but the spheres stay as they are.
 */
PCL_GPU_HOST_DEVICE float
openPartInImage(const CameraModel& camera,
                const AmbientOcclusionSettings& settings,
                const SeenSurfaces& seen,
                int x,
                int y,
                std::uint32_t key)
{
  const Vector3 point = asVector(at(seen.points, y, x));
  const Vector3 normal = asVector(at(seen.normals, y, x));
  const float w = camera.orthographic ? 1.0f : point.z;
  const float reach = lesser(settings.radius / w, 1e4f);
  const float radius_squared = settings.radius * settings.radius;
  const int samples = settings.side * settings.side;
  float occluded = 0.0f;
  for (int i = 0; i < samples; ++i) {
    const PlanePoint offset = sampleDisc(key, i, settings.side);
    const float to_x = static_cast<float>(x) + offset.x * (reach * camera.fx);
    const float to_y = static_cast<float>(y) + offset.y * (reach * camera.fy);
    if (!(to_x > -0.5f && to_x < static_cast<float>(camera.width) - 0.5f &&
          to_y > -0.5f && to_y < static_cast<float>(camera.height) - 0.5f))
      continue;
    const int pixel_x = nearestInteger(to_x);
    const int pixel_y = nearestInteger(to_y);
    if (pixel_x == x && pixel_y == y)
      continue;
    const Vector3 to_sample = asVector(at(seen.points, pixel_y, pixel_x)) - point;
    const float squared = dot(to_sample, to_sample);
    if (!(squared > 0.0f && squared < radius_squared))
      continue;
    const float sample_w = camera.orthographic ? 1.0f : point.z + to_sample.z;
    const float half_size = reach * sample_w;
    const float sphere_squared = half_size * half_size / static_cast<float>(samples);
    occluded += occlusionBySphere(normal, to_sample, sphere_squared);
  }
  return greater(1.0f - occluded, 0.0f);
}

} // namespace device
} // namespace pcl
