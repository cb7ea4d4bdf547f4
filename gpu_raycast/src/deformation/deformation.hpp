// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "scene/surface.hpp"

#include <pcl/gpu/utils/internal/device/trigonometry.hpp>

namespace pcl::device {

/** \brief gpu::Deformation, in its order. */
enum class DeformationKind { Wave, Twist, Bend, Noise };

/** \brief Vertices to deform. Normals may be null. */
struct DeformationTask {
  DeformationKind kind;
  Vector3 center;
  float radius;
  float strength;
  float phase; ///< 0 to 1
  const Float4* vertices;
  const Float4* normals;
  Float4* deformed_vertices;
  Float4* deformed_normals;
};

/** \brief sin(x) / x */
PCL_GPU_HOST_DEVICE float
sineOver(float x)
{
  return fabsf(x) < 1e-2f ? 1.0f - x * x / 6.0f : sine(x) / x;
}

/** \brief A number from -1 to 1 for a point of the integer lattice. */
PCL_GPU_HOST_DEVICE float
latticeValue(int x, int y, int z, std::uint32_t field)
{
  std::uint32_t hash = field * 0x9e3779b9u;
  const std::uint32_t numbers[3] = {static_cast<std::uint32_t>(x),
                                    static_cast<std::uint32_t>(y),
                                    static_cast<std::uint32_t>(z)};
  for (const std::uint32_t number : numbers) {
    hash = (hash ^ number) * 0x85ebca6bu;
    hash ^= hash >> 15;
  }
  hash *= 0xc2b2ae35u;
  return static_cast<float>(hash >> 8) * (2.0f / 16777216.0f) - 1.0f;
}

/** \brief Returns a number from 0 to 1 whose first two derivatives are 0 at both
 * ends. */
PCL_GPU_HOST_DEVICE float
smoothStep(float t)
{
  return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

/** \brief A smooth field of numbers from -1 to 1 that varies over a length of 1. */
PCL_GPU_HOST_DEVICE float
smoothNoise(const Vector3& p, std::uint32_t field)
{
  const Vector3 corner = {floorf(p.x), floorf(p.y), floorf(p.z)};
  const float weights[3] = {smoothStep(p.x - corner.x),
                            smoothStep(p.y - corner.y),
                            smoothStep(p.z - corner.z)};
  float sum = 0.0f;
  for (int i = 0; i < 8; ++i) {
    const int steps[3] = {i & 1, i >> 1 & 1, i >> 2};
    float weight = 1.0f;
    for (int axis = 0; axis < 3; ++axis)
      weight *= steps[axis] ? weights[axis] : 1.0f - weights[axis];
    sum += weight * latticeValue(static_cast<int>(corner.x) + steps[0],
                                 static_cast<int>(corner.y) + steps[1],
                                 static_cast<int>(corner.z) + steps[2],
                                 field);
  }
  return sum;
}

/** \brief Returns the new place of a point; lengths are relative to the region's
 * radius. */
PCL_GPU_HOST_DEVICE Vector3
deformed(const DeformationTask& task, const Vector3& q)
{
  const float cycle = 2.0f * pi * task.phase;
  switch (task.kind) {
  case DeformationKind::Wave:
    return {q.x, q.y + 0.15f * task.strength * sine(1.5f * pi * q.x - cycle), q.z};
  case DeformationKind::Twist: {
    const float angle = 1.2f * task.strength * sine(cycle) * q.y;
    const float c = cosine(angle);
    const float s = sine(angle);
    return {c * q.x + s * q.z, q.y, c * q.z - s * q.x};
  }
  case DeformationKind::Bend: {
    // The axis becomes an arc of the same length.
    const float angle = 0.7f * task.strength * sine(cycle) * q.y;
    const float half = sineOver(0.5f * angle);
    return {cosine(angle) * q.x + 0.5f * angle * half * half * q.y,
            sineOver(angle) * q.y - sine(angle) * q.x,
            q.z};
  }
  default: {
    const Vector3 at = {
        2.5f * q.x + 0.6f * cosine(cycle), 2.5f * q.y + 0.6f * sine(cycle), 2.5f * q.z};
    const float reach = 0.12f * task.strength;
    return {q.x + reach * smoothNoise(at, 1),
            q.y + reach * smoothNoise(at, 2),
            q.z + reach * smoothNoise(at, 3)};
  }
  }
}

/** \brief The normal of the deformed surface, from the deformation of two tangents. */
PCL_GPU_HOST_DEVICE Vector3
deformedNormal(const DeformationTask& task, const Vector3& q, const Vector3& normal)
{
  const Vector3 n = normalized(normal);
  Vector3 first, second;
  makeBasis(n, first, second);
  constexpr float step = 2e-3f;
  const auto along = [&](const Vector3& tangent) {
    return deformed(task, q + step * tangent) - deformed(task, q - step * tangent);
  };
  return normalized(cross(along(first), along(second)));
}

/** \brief Deforms a vertex. Those far out of the region stay. */
struct DeformVertices {
  DeformationTask task;

  PCL_GPU_HOST_DEVICE void
  operator()(std::size_t i) const
  {
    constexpr float farthest = 1e5f;
    const Float4 from = task.vertices[i];
    const float inverse = 1.0f / task.radius;
    const Vector3 q = inverse * (Vector3{from.x, from.y, from.z} - task.center);
    const bool moves =
        fabsf(q.x) < farthest && fabsf(q.y) < farthest && fabsf(q.z) < farthest;
    task.deformed_vertices[i] =
        moves ? asFloat4(task.center + task.radius * deformed(task, q)) : from;
    if (!task.normals)
      return;
    const Float4 normal = task.normals[i];
    const Vector3 n =
        moves ? deformedNormal(task, q, {normal.x, normal.y, normal.z}) : Vector3{};
    task.deformed_normals[i] = moves ? Float4{n.x, n.y, n.z, 0.0f} : normal;
  }
};

} // namespace pcl::device
