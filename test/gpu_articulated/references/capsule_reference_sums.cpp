// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsule_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pcl::gpu::test {

long double
CapsuleScene::weightOf(std::size_t point) const
{
  const Eigen::Vector3f x = points[point].getVector3fMap();
  const float weight = weights.empty() ? 1.0f : weights[point];
  return x.allFinite() && x != viewpoint && std::isfinite(weight) && weight > 0.0f
             ? static_cast<long double>(weight)
             : 0.0L;
}

long double
CapsuleScene::backgroundOf(std::size_t point) const
{
  constexpr auto unknown = std::numeric_limits<long double>::infinity();
  if (backgrounds.empty() || !std::isfinite(backgrounds[point]) ||
      backgrounds[point] <= 0.0f)
    return unknown;
  using Vector = Eigen::Matrix<long double, 3, 1>;
  const Vector ray = points[point].getVector3fMap().cast<long double>() -
                     viewpoint.cast<long double>();
  return backgrounds[point] - ray.norm();
}

long double
CapsuleScene::totalWeight() const
{
  long double total = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    total += weightOf(i);
  return total;
}

std::size_t
CapsuleScene::countSkipped() const
{
  std::size_t count = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    count += weightOf(i) == 0 ? 1 : 0;
  return count;
}

namespace {

/** \brief Adds the contribution of one point to all sums of a sample. */
void
addPoint(const CapsuleScene& scene,
         std::size_t sample,
         std::size_t point,
         long double weight,
         ReferenceSums& sums)
{
  const Eigen::Vector3f x = scene.points[point].getVector3fMap();
  const long double tau = scene.truncation_distance;
  long double nearest_to_point = tau;
  long double first_length = std::numeric_limits<long double>::infinity();
  long double first_offset = first_length;
  long double nearest_to_viewpoint = tau;
  bool uncertain = false;
  for (int k = 0; k < scene.capsules_per_sample; ++k) {
    const ReferenceHit hit = castAtCapsule(
        scene.viewpoint, x, scene.capsules[sample * scene.capsules_per_sample + k]);
    uncertain = uncertain || hit.uncertain;
    if (!hit.exists)
      continue;
    const long double distance = std::min(std::abs(hit.offset), tau);
    nearest_to_point = std::min(nearest_to_point, distance);
    if (hit.length < first_length) {
      first_length = hit.length;
      first_offset = hit.offset;
      nearest_to_viewpoint = distance;
    }
  }
  // The room is one more surface, which hides what is behind it.
  const long double background = scene.backgroundOf(point);
  const long double to_background = std::min(std::abs(background), tau);
  nearest_to_point = std::min(nearest_to_point, to_background);
  if (background < first_offset)
    nearest_to_viewpoint = to_background;
  const long double distances[] = {nearest_to_point, nearest_to_viewpoint};
  for (int visibility = 0; visibility < 2; ++visibility) {
    const long double d = distances[visibility];
    sums.sums[0][visibility] += weight * d * d;
    sums.sums[1][visibility] += weight * d;
    if (uncertain) {
      sums.doubt[0][visibility] += weight * tau * tau;
      sums.doubt[1][visibility] += weight * tau;
    }
  }
}

} // namespace

std::vector<ReferenceSums>
referenceSums(const CapsuleScene& scene)
{
  std::vector<ReferenceSums> sums(scene.sampleCount());
  // Each sum has one thread: its order stays the same.
#pragma omp parallel for schedule(dynamic)
  for (std::size_t sample = 0; sample < sums.size(); ++sample)
    for (std::size_t point = 0; point < scene.points.size(); ++point) {
      const long double weight = scene.weightOf(point);
      if (weight > 0)
        addPoint(scene, sample, point, weight, sums[sample]);
    }
  return sums;
}

} // namespace pcl::gpu::test
