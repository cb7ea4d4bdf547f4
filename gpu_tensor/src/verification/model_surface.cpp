// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "verification/model_surface.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pcl::gpu {

namespace {

float
medianSpacing(const std::vector<Eigen::Vector3f>& points)
{
  if (points.size() < 2)
    return 0.0f;
  std::vector<float> nearest(points.size(), std::numeric_limits<float>::infinity());
  const auto count = static_cast<std::ptrdiff_t>(points.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < count; ++i)
    for (std::ptrdiff_t j = 0; j < count; ++j)
      if (i != j)
        nearest[i] = std::min(nearest[i], (points[i] - points[j]).squaredNorm());
  const auto middle = nearest.begin() + count / 2;
  std::nth_element(nearest.begin(), middle, nearest.end());
  return std::sqrt(*middle);
}

/** \brief Finds the place beside a point; see VisibleSurface::beside. */
Eigen::Vector3f
besideOf(const VisibleSurface& surface, std::size_t point)
{
  // In spacings: the distance of a place, of points that may not be near it, and of
  // points that may face it. With shorter steps and smaller gaps some places are beside
  // the surface only because its points happen to be far apart.
  constexpr float step = 3.0f, gap = 1.5f, edge = 2.5f;
  // Normals up to 60 degrees from a direction along the surface are 30 from the
  // point's.
  constexpr float facing_cosine = 0.5f, turned_cosine = 0.867f;
  const Eigen::Vector3f& middle = surface.points[point];
  const Eigen::Vector3f& normal = surface.normals[point];
  const float reach = (step + gap) * surface.spacing;
  const float edge_reach = edge * surface.spacing;
  std::vector<std::size_t> near, turned; // turned: points that face elsewhere
  for (std::size_t i = 0; i < surface.points.size(); ++i) {
    const float squared = (surface.points[i] - middle).squaredNorm();
    if (squared >= reach * reach)
      continue;
    near.push_back(i);
    if (squared < edge_reach * edge_reach &&
        surface.normals[i].dot(normal) < turned_cosine)
      turned.push_back(i);
  }
  if (turned.empty())
    return Eigen::Vector3f::Zero();
  // Where the surface just ends, more of it may not have been seen: it has to turn
  // away.
  const auto endsAlong = [&](const Eigen::Vector3f& direction) {
    const Eigen::Vector3f place = middle + step * surface.spacing * direction;
    const float radius = gap * surface.spacing;
    const auto faces = [&](std::size_t i) {
      return surface.normals[i].dot(direction) > facing_cosine;
    };
    const auto isNear = [&](std::size_t i) {
      return (surface.points[i] - place).squaredNorm() < radius * radius;
    };
    return std::any_of(turned.begin(), turned.end(), faces) &&
           std::none_of(near.begin(), near.end(), isNear);
  };
  constexpr int directions = 8;
  const Eigen::Vector3f first = normal.unitOrthogonal();
  const Eigen::Vector3f second = normal.cross(first);
  Eigen::Vector3f sum = Eigen::Vector3f::Zero();
  for (int i = 0; i < directions; ++i) {
    const float angle = 6.28318531f * static_cast<float>(i) / directions;
    const Eigen::Vector3f direction =
        std::cos(angle) * first + std::sin(angle) * second;
    if (endsAlong(direction))
      sum += direction;
  }
  // A surface that ends on all sides has no outer one.
  if (sum.norm() < 0.5f)
    return Eigen::Vector3f::Zero();
  const Eigen::Vector3f outward = sum.normalized();
  return endsAlong(outward) ? step * surface.spacing * outward
                            : Eigen::Vector3f(Eigen::Vector3f::Zero());
}

/** \brief Finds the points that are visible from a direction, by an image of the depth
 * of the surface's discs. */
std::vector<std::uint32_t>
visiblePoints(const VisibleSurface& surface, const Eigen::Vector3f& direction)
{
  // Cells along each side: more would show no more of a thousand points.
  constexpr float most_cells = 384.0f;
  const float radius = 1.5f * surface.spacing;
  const float reach = surface.radius + radius;
  const int cells =
      static_cast<int>(std::min(2.0f * reach / (surface.spacing / 2.0f), most_cells)) +
      1;
  const float cell_size = 2.0f * reach / static_cast<float>(cells);
  Eigen::Matrix3f axes;
  axes.row(0) = direction.unitOrthogonal().transpose();
  axes.row(2) = -direction.transpose();
  axes.row(1) = Eigen::Vector3f(axes.row(2)).cross(Eigen::Vector3f(axes.row(0)));
  std::vector<float> depth(static_cast<std::size_t>(cells) * cells,
                           std::numeric_limits<float>::infinity());
  const auto faces = [&](std::uint32_t point) {
    return axes.row(2).dot(surface.normals[point]) < -0.15f;
  };
  const auto cellOf = [&](float coordinate) {
    const int cell = static_cast<int>((coordinate + reach) / cell_size);
    return std::min(std::max(cell, 0), cells - 1);
  };
  const auto depthAt = [&](int x, int y) -> float& {
    return depth[static_cast<std::size_t>(y) * cells + x];
  };
  const auto count = static_cast<std::uint32_t>(surface.points.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!faces(i))
      continue;
    const Eigen::Vector3f at = axes * surface.points[i];
    const Eigen::Vector3f normal = axes * surface.normals[i];
    for (int y = cellOf(at.y() - radius); y <= cellOf(at.y() + radius); ++y)
      for (int x = cellOf(at.x() - radius); x <= cellOf(at.x() + radius); ++x) {
        const float dx = (static_cast<float>(x) + 0.5f) * cell_size - reach - at.x();
        const float dy = (static_cast<float>(y) + 0.5f) * cell_size - reach - at.y();
        const float dz = -(normal.x() * dx + normal.y() * dy) / normal.z();
        if (dx * dx + dy * dy + dz * dz > radius * radius)
          continue;
        float& nearest = depthAt(x, y);
        nearest = std::min(nearest, at.z() + dz);
      }
  }
  std::vector<std::uint32_t> visible;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!faces(i))
      continue;
    const Eigen::Vector3f at = axes * surface.points[i];
    if (depthAt(cellOf(at.x()), cellOf(at.y())) > at.z() - surface.spacing)
      visible.push_back(i);
  }
  return visible;
}

} // namespace

VisibleSurface
findVisiblePoints(const TensorModel::Points& points,
                  const std::vector<Eigen::Vector3f>& directions)
{
  VisibleSurface surface;
  Eigen::AlignedBox3f box;
  for (const PointNormal& point : points) {
    const Eigen::Vector3f normal = point.getNormalVector3fMap();
    if (!normal.allFinite())
      continue;
    surface.points.emplace_back(point.getVector3fMap());
    surface.normals.push_back(normal.normalized());
    box.extend(surface.points.back());
  }
  surface.visible.resize(directions.size());
  if (surface.points.empty())
    return surface;
  surface.center = box.center();
  for (Eigen::Vector3f& point : surface.points) {
    point -= surface.center;
    surface.radius = std::max(surface.radius, point.norm());
  }
  surface.spacing = medianSpacing(surface.points);
  // Points that all lie in one place hide nothing.
  if (!(surface.spacing > 0.0f))
    surface.spacing = std::max(surface.radius, 1e-6f);
  const auto count = static_cast<std::ptrdiff_t>(directions.size());
#pragma omp parallel for schedule(dynamic)
  for (std::ptrdiff_t i = 0; i < count; ++i)
    surface.visible[i] = visiblePoints(surface, directions[i]);
  return surface;
}

void
findOutline(VisibleSurface& surface)
{
  surface.beside.resize(surface.points.size());
  const auto count = static_cast<std::ptrdiff_t>(surface.points.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < count; ++i)
    surface.beside[i] = besideOf(surface, static_cast<std::size_t>(i));
}

} // namespace pcl::gpu
