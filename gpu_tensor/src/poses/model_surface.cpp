// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "poses/model_surface.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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

/** \brief Returns, as rows, the axes of a viewer in a direction: right, down, away. */
Eigen::Matrix3f
viewAxes(const Eigen::Vector3f& direction)
{
  Eigen::Matrix3f axes;
  axes.row(0) = direction.unitOrthogonal().transpose();
  axes.row(2) = -direction.transpose();
  axes.row(1) = Eigen::Vector3f(axes.row(2)).cross(Eigen::Vector3f(axes.row(0)));
  return axes;
}

/** \brief Returns whether the surface turns away from a viewer near a point.
 * \param[in] near numbers of the points there
 * \param[in] away from the viewer
 */
bool
turnsAway(const VisibleSurface& surface,
          const std::vector<std::uint32_t>& near,
          const Eigen::Vector3f& away)
{
  constexpr float turned = -0.35f; // 70 degrees
  return std::any_of(near.begin(), near.end(), [&](std::uint32_t i) {
    return away.dot(surface.normals[i]) > turned;
  });
}

/** \brief Returns for every point those within a distance, itself included. */
std::vector<std::vector<std::uint32_t>>
neighborsWithin(const std::vector<Eigen::Vector3f>& points, float distance)
{
  std::vector<std::vector<std::uint32_t>> neighbors(points.size());
  const auto count = static_cast<std::ptrdiff_t>(points.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < count; ++i)
    for (std::ptrdiff_t j = 0; j < count; ++j)
      if ((points[i] - points[j]).squaredNorm() <= distance * distance)
        neighbors[i].push_back(static_cast<std::uint32_t>(j));
  return neighbors;
}

/** \brief Returns some of the places, in an order that spreads the first few evenly
 * over those given: by the golden ratio. */
std::vector<OutsidePlace>
spreadEvenly(const std::vector<OutsidePlace>& places, std::size_t most)
{
  constexpr double golden_ratio = 0.6180339887498949;
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < std::min(places.size(), most); ++i) {
    const double turns = golden_ratio * static_cast<double>(i);
    order.emplace_back(turns - std::floor(turns), i);
  }
  // The i-th place goes where the sequence puts its i-th number.
  std::sort(order.begin(), order.end());
  std::vector<OutsidePlace> spread(order.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank)
    spread[order[rank].second] = places[rank * places.size() / order.size()];
  return spread;
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
  const Eigen::Matrix3f axes = viewAxes(direction);
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

/** \brief Finds the contour that a surface has from one direction.
 * \param[in] neighbors of every point
 */
std::vector<OutsidePlace>
findContour(const VisibleSurface& surface,
            const std::vector<std::vector<std::uint32_t>>& neighbors,
            const Eigen::Vector3f& direction,
            std::size_t most)
{
  // In spacings: radius of discs, distance of places from them, and of points inside.
  constexpr float radius = 1.3f, outside = 2.5f, inside = 4.0f;
  constexpr float cells_per_spacing = 2.0f;
  // A normal that points away by less than this still belongs to a visible rim.
  constexpr float most_away = 0.2f;
  constexpr int ring = static_cast<int>(outside * cells_per_spacing);
  const float cell_size = surface.spacing / cells_per_spacing;
  const float reach = surface.radius + (outside + 2.0f) * surface.spacing;
  constexpr float most_cells = 2048.0f;
  if (surface.points.empty() || 2.0f * reach / cell_size > most_cells)
    return {};
  const int cells = static_cast<int>(2.0f * reach / cell_size) + 1;
  const Eigen::Matrix3f axes = viewAxes(direction);
  std::vector<float> depth(static_cast<std::size_t>(cells) * cells,
                           std::numeric_limits<float>::infinity());
  std::vector<int> points(depth.size(), -1); // nearest to the viewer
  const auto cell = [&](int x, int y) {
    return static_cast<std::size_t>(y) * cells + x;
  };
  const auto isCovered = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < cells && y < cells && points[cell(x, y)] >= 0;
  };
  for (std::size_t i = 0; i < surface.points.size(); ++i) {
    if (axes.row(2).dot(surface.normals[i]) > most_away)
      continue;
    const Eigen::Vector3f at = axes * surface.points[i];
    const int left = static_cast<int>((at.x() + reach) / cell_size);
    const int top = static_cast<int>((at.y() + reach) / cell_size);
    const int wide = static_cast<int>(radius * cells_per_spacing) + 1;
    for (int y = top - wide; y <= top + wide; ++y)
      for (int x = left - wide; x <= left + wide; ++x) {
        const float dx = (static_cast<float>(x) + 0.5f) * cell_size - reach - at.x();
        const float dy = (static_cast<float>(y) + 0.5f) * cell_size - reach - at.y();
        const float r = radius * surface.spacing;
        if (x < 0 || y < 0 || x >= cells || y >= cells || dx * dx + dy * dy > r * r ||
            !(at.z() < depth[cell(x, y)]))
          continue;
        depth[cell(x, y)] = at.z();
        points[cell(x, y)] = static_cast<int>(i);
      }
  }
  // Of each cell that is not covered, the nearest one that is.
  struct Nearest {
    int squared = std::numeric_limits<int>::max();
    int x = 0, y = 0;
  };
  std::vector<Nearest> nearest(depth.size());
  for (int y = 0; y < cells; ++y)
    for (int x = 0; x < cells; ++x) {
      if (!isCovered(x, y) || (isCovered(x - 1, y) && isCovered(x + 1, y) &&
                               isCovered(x, y - 1) && isCovered(x, y + 1)))
        continue;
      for (int v = std::max(0, y - ring); v <= std::min(cells - 1, y + ring); ++v)
        for (int u = std::max(0, x - ring); u <= std::min(cells - 1, x + ring); ++u) {
          const int squared = (u - x) * (u - x) + (v - y) * (v - y);
          if (squared < nearest[cell(u, v)].squared)
            nearest[cell(u, v)] = {squared, x, y};
        }
    }
  std::vector<OutsidePlace> places;
  constexpr float least = (ring - 0.5f) * (ring - 0.5f);
  for (int y = 0; y < cells; ++y)
    for (int x = 0; x < cells; ++x) {
      const Nearest& from = nearest[cell(x, y)];
      if (isCovered(x, y) || static_cast<float>(from.squared) < least ||
          from.squared > ring * ring)
        continue;
      const float length = std::sqrt(static_cast<float>(from.squared));
      const Eigen::Vector2f step(static_cast<float>(from.x - x) / length,
                                 static_cast<float>(from.y - y) / length);
      const int edge = points[cell(from.x, from.y)];
      if (!turnsAway(surface, neighbors[edge], axes.row(2)))
        continue;
      int inner = edge;
      for (int k = 1; k <= static_cast<int>(inside * cells_per_spacing); ++k) {
        const int u =
            from.x + static_cast<int>(std::lround(step.x() * static_cast<float>(k)));
        const int v =
            from.y + static_cast<int>(std::lround(step.y() * static_cast<float>(k)));
        if (!isCovered(u, v))
          break;
        inner = points[cell(u, v)];
      }
      const Eigen::Vector3f place((static_cast<float>(x) + 0.5f) * cell_size - reach,
                                  (static_cast<float>(y) + 0.5f) * cell_size - reach,
                                  axes.row(2).dot(surface.points[edge]));
      places.push_back(
          {axes.transpose() * place, surface.points[inner], surface.normals[inner]});
    }
  return spreadEvenly(places, most);
}

} // namespace

VisibleSurface
findVisiblePoints(const TensorModel::Points& points,
                  const std::vector<Eigen::Vector3f>& directions,
                  const TensorModel::Poses& symmetries)
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
  for (const Pose& symmetry : symmetries)
    surface.center += symmetry * box.center();
  surface.center /= static_cast<float>(symmetries.size() + 1);
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

std::vector<std::vector<OutsidePlace>>
findContours(const VisibleSurface& surface,
             const std::vector<Eigen::Vector3f>& directions,
             std::size_t most)
{
  const auto neighbors = neighborsWithin(surface.points, 2.5f * surface.spacing);
  std::vector<std::vector<OutsidePlace>> contours(directions.size());
  const auto count = static_cast<std::ptrdiff_t>(directions.size());
#pragma omp parallel for schedule(dynamic)
  for (std::ptrdiff_t i = 0; i < count; ++i)
    contours[i] = findContour(surface, neighbors, directions[i], most);
  return contours;
}

} // namespace pcl::gpu
