// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "splat_surface.h"

#include "../../common/view/poly_data.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace pcl::gpu::apps {

namespace {

using Eigen::Vector3f;

/** \brief Shift of surfaces towards the camera, metres, which hides the noise of the
 * scene's surface. */
constexpr float lift = 0.003f;

/** \brief Place on a surface. */
struct Surfel {
  Vector3f point, normal;
};

/** \brief Returns whether points with these normals may be on one side of a smooth
 * surface. */
bool
isSameSide(const Vector3f& a, const Vector3f& b)
{
  return a.dot(b) > 0.5f;
}

/** \brief Returns the typical distance of a point from its neighbours on its side. */
float
spacingOf(const std::vector<Surfel>& surfels)
{
  constexpr std::size_t neighbor = 5;
  std::vector<float> spacings;
  for (const Surfel& a : surfels) {
    std::vector<float> squared;
    for (const Surfel& b : surfels)
      if (isSameSide(a.normal, b.normal))
        squared.push_back((a.point - b.point).squaredNorm());
    if (squared.size() <= neighbor)
      continue;
    std::nth_element(squared.begin(), squared.begin() + neighbor, squared.end());
    spacings.push_back(std::sqrt(squared[neighbor]));
  }
  if (spacings.empty())
    return 0.005f;
  const auto middle =
      spacings.begin() + static_cast<std::ptrdiff_t>(spacings.size() / 2);
  std::nth_element(spacings.begin(), middle, spacings.end());
  return *middle;
}

/** \brief Moves a place onto the surface through the points around it, weighted by
 * their distance. */
Surfel
ontoSurface(const Surfel& from, const std::vector<const Surfel*>& around, float radius)
{
  Vector3f normal = Vector3f::Zero();
  float offset = 0.0f, weights = 0.0f;
  for (const Surfel* other : around) {
    const Vector3f away = from.point - other->point;
    const float weight = std::exp(-away.squaredNorm() / (radius * radius));
    normal += weight * other->normal;
    offset += weight * other->normal.dot(away);
    weights += weight;
  }
  if (!(weights > 1e-6f))
    return from;
  normal.normalize();
  return {from.point - offset / weights * normal, normal};
}

/** \brief Returns the evenness of the surface around a place: 1 in a plane, 0 at an
 * edge and in thin parts, from which discs would stick out. */
float
evennessAt(const Surfel& center, const std::vector<Surfel>& surfels, float radius)
{
  float sum = 0.0f;
  int count = 0;
  for (const Surfel& other : surfels)
    if ((other.point - center.point).squaredNorm() < radius * radius) {
      sum += center.normal.dot(other.normal);
      ++count;
    }
  const float mean = sum / static_cast<float>(std::max(count, 1));
  return std::clamp(2.5f * (mean - 0.6f), 0.0f, 1.0f);
}

/** \brief Returns the distance to the nearest of some points. */
float
nearestDistance(const Vector3f& point, const std::vector<const Surfel*>& others)
{
  float squared = std::numeric_limits<float>::infinity();
  for (const Surfel* other : others)
    squared = std::min(squared, (other->point - point).squaredNorm());
  return std::sqrt(squared);
}

} // namespace

vtkSmartPointer<vtkPolyData>
splatSurface(const TensorModel::Points& model,
             const Pose& pose,
             const std::function<bool(const Vector3f&)>& is_shown)
{
  std::vector<Surfel> surfels;
  for (const PointNormal& point : model)
    if (point.getNormalVector3fMap().allFinite()) {
      const Vector3f place = pose * point.getVector3fMap();
      surfels.push_back({place - lift * place.normalized(),
                         pose.linear() * point.getNormalVector3fMap()});
    }
  const float spacing = spacingOf(surfels);
  PolyDataBuilder builder;
  const auto add = [&](const Surfel& surfel) {
    builder.addNormal(surfel.normal);
    return builder.addPoint(surfel.point);
  };
  for (const Surfel& center : surfels) {
    const float evenness = evennessAt(center, surfels, 1.5f * spacing);
    if (evenness < 0.6f && is_shown(center.point))
      continue;
    std::vector<const Surfel*> around, others;
    for (const Surfel& other : surfels)
      if (isSameSide(center.normal, other.normal) &&
          (center.point - other.point).squaredNorm() < 9.0f * spacing * spacing) {
        around.push_back(&other);
        if (&other != &center)
          others.push_back(&other);
      }
    const float radius = (0.48f + 0.62f * evenness) * spacing;
    const Vector3f side = center.normal.unitOrthogonal();
    const Vector3f across = center.normal.cross(side);
    constexpr int corners = 10;
    vtkIdType rim[corners];
    const vtkIdType middle = add(ontoSurface(center, around, spacing));
    for (int i = 0; i < corners; ++i) {
      const float angle = 2.0f * static_cast<float>(M_PI) * i / corners;
      const Vector3f out = std::cos(angle) * side + std::sin(angle) * across;
      Surfel corner{center.point + radius * out, center.normal};
      // The border of a side has no points beyond.
      if (!others.empty() && nearestDistance(corner.point, others) > 0.95f * spacing)
        corner.point = center.point + 0.55f * radius * out;
      rim[i] = add(ontoSurface(corner, around, spacing));
    }
    for (int i = 0; i < corners; ++i)
      builder.addCell({middle, rim[i], rim[(i + 1) % corners]});
  }
  return builder.data();
}

} // namespace pcl::gpu::apps
