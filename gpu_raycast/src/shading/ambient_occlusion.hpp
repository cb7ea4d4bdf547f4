// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "shading/shading.hpp"

// The part of the light from all around that reaches a point: by rays, or guessed from
// the image (as Shanmugam and Arikan do, Hardware Accelerated Ambient Occlusion
// Techniques on GPUs, 2007; pieces of surface are flat here, where they have spheres).

namespace pcl::device {

struct AmbientOcclusionSettings {
  bool by_rays; ///< else in the image
  float radius; ///< nothing farther away occludes
  int side;     ///< side^2 samples a pixel
};

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
    const float height = sqrtf(maximum(1.0f - at.x * at.x - at.y * at.y, 0.0f));
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

/** \brief The part of the light from all around that a piece of surface takes from a
 * point.
 *
 * Its form factor, kept below 1 where the piece is close (Bunnell, Dynamic Ambient
 * Occlusion and Indirect Lighting, GPU Gems 2, 2005). Both its sides count: of a body
 * that stands before the point, the camera sees the far side.
 * \param[in] normal at the point
 * \param[in] to_piece from the point to the piece
 * \param[in] area of the piece
 */
PCL_GPU_HOST_DEVICE float
occlusionByPiece(const Vector3& normal,
                 const Vector3& to_piece,
                 const Vector3& piece_normal,
                 float area)
{
  // Points of one plane see each other at angles that are 0 but for rounding.
  constexpr float least_cosine = 0.02f;
  const float squared = dot(to_piece, to_piece);
  const float distance = sqrtf(squared);
  const float cosine = dot(normal, to_piece) / distance;
  if (!(cosine > least_cosine))
    return 0.0f;
  const float piece_cosine = fabsf(dot(piece_normal, to_piece)) / distance;
  return cosine * piece_cosine * area / (pi * squared + area);
}

/** \brief The area of the surface that a pixel shows, over that of a surface across the
 * line of sight. */
PCL_GPU_HOST_DEVICE float
slantOf(const CameraModel& camera, const Vector3& point, const Vector3& normal)
{
  constexpr float most = 10.0f; // a surface seen edge-on is no good estimate
  const float cosine =
      camera.orthographic
          ? fabsf(normal.z)
          : fabsf(dot(normal, point)) / maximum(sqrtf(dot(point, point)), min_depth);
  return 1.0f / maximum(cosine, 1.0f / most);
}

/** \brief The same as openPartByRays(), guessed from the pixels around.
 *
 * Each sample stands for its part of the disc of pixels that the radius covers,
 * whatever number of pixels these are: the finer the image, the more of them lie
 * between samples.
 */
PCL_GPU_HOST_DEVICE float
openPartInImage(const CameraModel& camera,
                const AmbientOcclusionSettings& settings,
                const SeenSurfaces& seen,
                int x,
                int y,
                std::uint32_t key)
{
  const Vector3 point = loadVertex(seen.points.ptr(y), x);
  const Vector3 normal = loadVertex(seen.normals.ptr(y), x);
  const float reach =
      minimum(settings.radius / (camera.orthographic ? 1.0f : point.z), 1e4f);
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
    const Vector3 piece = loadVertex(seen.points.ptr(pixel_y), pixel_x);
    const Vector3 to_piece = piece - point;
    const float squared = dot(to_piece, to_piece);
    // Without a surface there, or at the point itself, this is false.
    if (!(squared > 0.0f && squared < radius_squared))
      continue;
    const Vector3 piece_normal = loadVertex(seen.normals.ptr(pixel_y), pixel_x);
    const float half_size = reach * (camera.orthographic ? 1.0f : piece.z);
    const float area = pi * half_size * half_size / static_cast<float>(samples);
    occluded += occlusionByPiece(
        normal, to_piece, piece_normal, area * slantOf(camera, piece, piece_normal));
  }
  return occluded < 1.0f ? 1.0f - occluded : 0.0f;
}

} // namespace pcl::device
