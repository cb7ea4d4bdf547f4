// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "capsules/capsule_types.hpp"

#include <pcl/gpu/utils/internal/device/vector3.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

struct CUstream_st;

// Priority sampling (Duffield, Lund and Thorup 2007): with the importance w of each
// point and a number u of its own between 0 and 1, the points of the least u / w are
// chosen. A chosen point stands for 1 / (w r) points, but at least for itself, where r
// is the least u / w of those that are not chosen. Sums over the chosen points, with
// these weights, are expected to be the sums over all points.

namespace pcl::device {

/** \brief Choice of the points that matter to a body. All arrays live on the device. */
struct PointChoiceTask {
  const Float4* points;
  const float* backgrounds; ///< one a point; null: not known
  std::size_t count;
  Vector3 viewpoint;
  const TaperedCapsule* capsules; ///< of the body
  int capsule_count;
  std::uint32_t* keys;    ///< one a point
  std::uint32_t* numbers; ///< one a point

  const std::uint32_t* sorted_numbers; ///< in the order of the keys
  std::size_t chosen_count; ///< less than count
  Float4* chosen_points;
  float* chosen_weights; ///< 0 for a point that is not used
  float* chosen_backgrounds;
};

/** \brief Returns the distance of a capsule's skin from a ray, about; below 0 if the
 * ray meets it. */
PCL_GPU_HOST_DEVICE float
gapTo(const TaperedCapsule& capsule, const Vector3& viewpoint, const Vector3& direction)
{
  const auto beside = [&](const float (&end)[3]) {
    const Vector3 place = Vector3{end[0], end[1], end[2]} - viewpoint;
    return place - dot(place, direction) * direction;
  };
  const Vector3 a = beside(capsule.a);
  const Vector3 along = beside(capsule.b) - a;
  const float square = dot(along, along);
  const float t =
      square > 0.0f ? fminf(fmaxf(-dot(a, along) / square, 0.0f), 1.0f) : 0.0f;
  const Vector3 nearest = a + t * along;
  const float radius = capsule.radius_a + t * (capsule.radius_b - capsule.radius_a);
  return sqrtf(dot(nearest, nearest)) - radius;
}

/** \brief Returns the importance of a point, at most 1: the nearer its ray is to the
 * body, the greater it is. That of a point that is not finite is 0. */
PCL_GPU_HOST_DEVICE float
importanceOf(const PointChoiceTask& task, std::size_t number)
{
  // Limbs move by less in a frame. Some of them are looked for farther away, by few
  // points. No point may stand for many others: it might be an outlier.
  constexpr float near = 0.08f, least = 0.1f;
  const Float4 point = task.points[number];
  const Vector3 ray = Vector3{point.x, point.y, point.z} - task.viewpoint;
  const float length = sqrtf(dot(ray, ray));
  if (!(length > 0.0f && length < 1e30f))
    return 0.0f;
  float gap = endless;
  for (int i = 0; i < task.capsule_count; ++i)
    gap = fminf(gap, gapTo(task.capsules[i], task.viewpoint, (1.0f / length) * ray));
  return fmaxf(least, fminf(1.0f, near / fmaxf(gap, near)));
}

/** \brief Returns the number u / w of a point that orders the choice; infinity if the
 * point is not finite. */
PCL_GPU_HOST_DEVICE float
rankOf(const PointChoiceTask& task, std::size_t number)
{
  // Multiples of the golden ratio: those of neighbours differ much.
  const auto turned = (static_cast<std::uint32_t>(number) + 1u) * 2654435769u;
  const float own = (static_cast<float>(turned >> 8) + 0.5f) / 16777216.0f;
  return own / importanceOf(task, number);
}

/** \brief Makes the key of a point. */
PCL_GPU_HOST_DEVICE void
makeChoiceKey(const PointChoiceTask& task, std::size_t number)
{
  // The bits of floats above 0 have their order.
  const float rank = rankOf(task, number);
  std::memcpy(task.keys + number, &rank, sizeof(rank));
  task.numbers[number] = static_cast<std::uint32_t>(number);
}

/** \brief Copies a chosen point. */
PCL_GPU_HOST_DEVICE void
copyChosen(const PointChoiceTask& task, std::size_t place)
{
  const std::uint32_t number = task.sorted_numbers[place];
  const float importance = importanceOf(task, number);
  const float least_left = rankOf(task, task.sorted_numbers[task.chosen_count]);
  task.chosen_points[place] = task.points[number];
  task.chosen_weights[place] =
      importance > 0.0f ? fmaxf(1.0f, 1.0f / (importance * least_left)) : 0.0f;
  if (task.backgrounds)
    task.chosen_backgrounds[place] = task.backgrounds[number];
}

namespace host {

void
makeChoiceKeys(const PointChoiceTask& task);

void
copyChosenPoints(const PointChoiceTask& task);

} // namespace host

namespace cuda {

void
makeChoiceKeys(const PointChoiceTask& task, CUstream_st* stream);

void
copyChosenPoints(const PointChoiceTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
