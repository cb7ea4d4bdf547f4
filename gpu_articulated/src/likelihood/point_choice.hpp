// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "likelihood/observation.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Neighbours of about one depth are joined: their mean, with their number as its
// weight, says as much of the surface's place as they do.
//
// Of these, some are chosen by priority sampling (Duffield, Lund and Thorup 2007): with
// the weight w of each, times its importance, and a number u of its own between 0 and
// 1, those of the least u / w are chosen. Where r is the least u / w of those that are
// not chosen, a chosen one stands for 1 / (w r) of its kind, but at least for itself.
// Sums over the chosen ones are expected to be the sums over all.

namespace pcl::device {

/** \brief Choice of the points that matter to a body. All arrays live on the device. */
struct PointChoiceTask {
  ObservationTask all; ///< points, backgrounds, keys and the order of the keys
  const TaperedCapsule* capsules; ///< of the body
  int capsule_count;

  // Joined points, in the order of the keys.
  Float4* joined;
  float* joined_weights; ///< 0 for those that were joined with one before
  float* joined_backgrounds;
  std::uint32_t* keys;
  std::uint32_t* places;

  const std::uint32_t* sorted_places; ///< in the order of the keys
  std::size_t chosen_count;           ///< less than there are points
  Float4* chosen;
  float* chosen_weights; ///< 0 for a point that is not used
  float* chosen_backgrounds;
};

PCL_GPU_HOST_DEVICE Vector3
placeOf(const Float4& point)
{
  return {point.x, point.y, point.z};
}

/** \brief Returns the cell of directions of a place in the order: some 2 cm wide where
 * the body is. */
PCL_GPU_HOST_DEVICE std::uint32_t
cellOf(const PointChoiceTask& task, std::size_t place)
{
  const TaperedCapsule& trunk = task.capsules[0];
  const Vector3 way =
      Vector3{trunk.a[0], trunk.a[1], trunk.a[2]} - task.all.observation.viewpoint;
  const float distance = sqrtf(dot(way, way));
  // A key has two bits a level, and from the third level on one of the depth.
  constexpr float finest = 0.001f, widest = 0.025f; // radians, metres
  constexpr int most_levels = 9;
  int levels = 0;
  for (float side = finest * distance; levels < most_levels && 2.0f * side <= widest;
       side *= 2.0f)
    ++levels;
  const int bits = 2 * levels + (levels > 2 ? levels - 2 : 0);
  const std::uint32_t key =
      sortKey(observedPoint(task.all, task.all.sorted_numbers[place]), true);
  return key == skipped_key ? key : key >> bits;
}

/** \brief Joins the points of the cell that begins at a place. */
PCL_GPU_HOST_DEVICE void
joinPoints(const PointChoiceTask& task, std::size_t place)
{
  constexpr float one_surface = 0.04f; // metres between points of it along their rays
  constexpr std::size_t most_joined = 64;
  const std::uint32_t cell = cellOf(task, place);
  if (place > 0 && cellOf(task, place - 1) == cell && cell != skipped_key)
    return;
  const std::uint32_t* const order = task.all.sorted_numbers;
  const ObservationTask& all = task.all;
  std::size_t end = place;
  do
    task.joined_weights[end++] = cell == skipped_key ? 0.0f : -1.0f;
  while (end < all.count && cell != skipped_key && cellOf(task, end) == cell);
  for (std::size_t i = place; i < end; ++i) {
    task.joined[i] = all.points[order[i]];
    if (all.backgrounds)
      task.joined_backgrounds[i] = all.backgrounds[order[i]];
    if (task.joined_weights[i] == 0.0f)
      continue;
    const float length = static_cast<float>(RayToPoint(all, order[i]).length());
    Vector3 sum = placeOf(all.points[order[i]]);
    float count = 1.0f, background = all.backgrounds ? all.backgrounds[order[i]] : 0.0f;
    for (std::size_t j = i + 1; j < end && j - i < most_joined; ++j) {
      const auto other = static_cast<float>(RayToPoint(all, order[j]).length());
      if (task.joined_weights[j] == 0.0f || !(fabsf(other - length) < one_surface))
        continue;
      sum = sum + placeOf(all.points[order[j]]);
      background += all.backgrounds ? all.backgrounds[order[j]] : 0.0f;
      count += 1.0f;
      task.joined_weights[j] = 0.0f;
    }
    task.joined[i].x = sum.x / count;
    task.joined[i].y = sum.y / count;
    task.joined[i].z = sum.z / count;
    task.joined_weights[i] = count;
    if (all.backgrounds)
      task.joined_backgrounds[i] = background / count;
  }
}

/** \brief Returns the distance of a capsule's skin from a ray, about; below 0 if the
 * ray meets it. */
PCL_GPU_HOST_DEVICE float
gapTo(const TaperedCapsule& capsule, const Vector3& viewpoint, const Vector3& direction)
{
  const auto beside = [&](const float(&end)[3]) {
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

/** \brief Returns the importance of a joined point times its weight: the nearer its ray
 * is to the body, the greater it is. */
PCL_GPU_HOST_DEVICE float
importanceOf(const PointChoiceTask& task, std::size_t place)
{
  const float weight = task.joined_weights[place];
  if (!(weight > 0.0f))
    return 0.0f;
  // Edges of the body say most. Some limbs are looked for far away, by few points.
  constexpr float near = 0.05f, least = 0.003f;
  const Vector3& viewpoint = task.all.observation.viewpoint;
  const Vector3 ray = placeOf(task.joined[place]) - viewpoint;
  const float length = sqrtf(dot(ray, ray));
  float gap = endless;
  for (int i = 0; i < task.capsule_count; ++i)
    gap = fminf(gap, gapTo(task.capsules[i], viewpoint, (1.0f / length) * ray));
  const float nearness = near / fmaxf(gap, near);
  return weight * fmaxf(least, nearness * nearness);
}

/** \brief Returns the number u / w of a joined point that orders the choice; infinity
 * if it has no weight. */
PCL_GPU_HOST_DEVICE float
rankOf(const PointChoiceTask& task, std::size_t place)
{
  // Multiples of the golden ratio: chosen points are evenly distributed.
  const auto turned = (static_cast<std::uint32_t>(place) + 1u) * 2654435769u;
  const float own = (static_cast<float>(turned >> 8) + 0.5f) / 16777216.0f;
  return own / importanceOf(task, place);
}

/** \brief Makes the key of a joined point. */
PCL_GPU_HOST_DEVICE void
makeChoiceKey(const PointChoiceTask& task, std::size_t place)
{
  // The bits of floats above 0 have their order.
  const float rank = rankOf(task, place);
  std::memcpy(task.keys + place, &rank, sizeof(rank));
  task.places[place] = static_cast<std::uint32_t>(place);
}

/** \brief Copies a chosen point. */
PCL_GPU_HOST_DEVICE void
copyChosen(const PointChoiceTask& task, std::size_t number)
{
  const std::size_t place = task.sorted_places[number];
  const float importance = importanceOf(task, place);
  const float least_left = rankOf(task, task.sorted_places[task.chosen_count]);
  const float stands_for =
      importance > 0.0f ? fmaxf(1.0f, 1.0f / (importance * least_left)) : 0.0f;
  task.chosen[number] = task.joined[place];
  task.chosen_weights[number] = task.joined_weights[place] * stands_for;
  if (task.all.backgrounds)
    task.chosen_backgrounds[number] = task.joined_backgrounds[place];
}

namespace host {

void
joinNeighbors(const PointChoiceTask& task);

void
makeChoiceKeys(const PointChoiceTask& task);

void
copyChosenPoints(const PointChoiceTask& task);

} // namespace host

namespace cuda {

void
joinNeighbors(const PointChoiceTask& task, CUstream_st* stream);

void
makeChoiceKeys(const PointChoiceTask& task, CUstream_st* stream);

void
copyChosenPoints(const PointChoiceTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
