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

/** \brief Surroundings of a point of a surface. */
class Surroundings {
public:
  Surroundings(const VisibleSurface& surface, std::size_t point)
  : surface_(surface)
  , point_(surface.points[point])
  , normal_(surface.normals[point])
  {
    const float reach = (step + gap) * surface.spacing;
    const float edge_reach = edge * surface.spacing;
    for (std::size_t i = 0; i < surface.points.size(); ++i) {
      const float squared = (surface.points[i] - point_).squaredNorm();
      if (squared >= reach * reach)
        continue;
      near_.push_back(i);
      if (squared < edge_reach * edge_reach &&
          surface.normals[i].dot(normal_) < turned_cosine)
        turned_.push_back(i);
    }
  }

  /** \brief See VisibleSurface::beside. */
  Eigen::Vector3f
  beside() const
  {
    if (turned_.empty())
      return Eigen::Vector3f::Zero();
    constexpr int directions = 8;
    const Eigen::Vector3f first = normal_.unitOrthogonal();
    const Eigen::Vector3f second = normal_.cross(first);
    Eigen::Vector3f sum = Eigen::Vector3f::Zero();
    for (int i = 0; i < directions; ++i) {
      const float angle = 6.28318531f * static_cast<float>(i) / directions;
      const Eigen::Vector3f direction =
          std::cos(angle) * first + std::sin(angle) * second;
      if (endsAlong(direction))
        sum += direction;
    }
    // Where it ends on all sides none of them is the outer one.
    if (sum.norm() < 0.5f)
      return Eigen::Vector3f::Zero();
    const Eigen::Vector3f outward = sum.normalized();
    return endsAlong(outward) ? step * surface_.spacing * outward
                              : Eigen::Vector3f(Eigen::Vector3f::Zero());
  }

private:
  // In spacings: how far off a place is, how near to it no point may be, and how far a point
  // may be that faces it. With shorter steps and smaller gaps some places are beside the
  // surface only because its points happen to be far apart.
  static constexpr float step = 3.0f, gap = 1.5f, edge = 2.5f;
  /** \brief Normals up to 60 degrees from a direction along the surface are 30 from its own. */
  static constexpr float facing_cosine = 0.5f, turned_cosine = 0.867f;

  /** \brief Returns whether the surface turns away in a direction. Where it just ends, more of it may
   * not have been seen. */
  bool
  endsAlong(const Eigen::Vector3f& direction) const
  {
    const Eigen::Vector3f place = point_ + step * surface_.spacing * direction;
    const float radius = gap * surface_.spacing;
    const auto faces = [&](std::size_t i) {
      return surface_.normals[i].dot(direction) > facing_cosine;
    };
    const auto isThere = [&](std::size_t i) {
      return (surface_.points[i] - place).squaredNorm() < radius * radius;
    };
    return std::any_of(turned_.begin(), turned_.end(), faces) &&
           std::none_of(near_.begin(), near_.end(), isThere);
  }

  const VisibleSurface& surface_;
  const Eigen::Vector3f& point_;
  const Eigen::Vector3f& normal_;
  std::vector<std::size_t> near_;
  std::vector<std::size_t> turned_; ///< those near that face elsewhere
};

/** \brief Cells of an image along each side; more would show no more of a thousand points. */
constexpr float most_cells = 384.0f;

/** \brief An image of how far the discs of a surface lie along a direction. */
class DiscImage {
public:
  DiscImage(const VisibleSurface& surface, const Eigen::Vector3f& direction)
  : surface_(surface)
  , radius_(1.5f * surface.spacing)
  , cell_(surface.spacing / 2.0f)
  {
    axes_.row(0) = direction.unitOrthogonal().transpose();
    axes_.row(2) = -direction.transpose();
    axes_.row(1) = Eigen::Vector3f(axes_.row(2)).cross(Eigen::Vector3f(axes_.row(0)));
    const float reach = surface.radius + radius_;
    cells_ = static_cast<int>(std::min(2.0f * reach / cell_, most_cells)) + 1;
    cell_ = 2.0f * reach / static_cast<float>(cells_);
    offset_ = reach;
    depth_.assign(static_cast<std::size_t>(cells_) * cells_,
                  std::numeric_limits<float>::infinity());
  }

  std::vector<std::uint32_t>
  visiblePoints()
  {
    const auto count = static_cast<std::uint32_t>(surface_.points.size());
    for (std::uint32_t i = 0; i < count; ++i)
      if (faces(i))
        draw(i);
    std::vector<std::uint32_t> visible;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!faces(i))
        continue;
      const Eigen::Vector3f at = axes_ * surface_.points[i];
      if (depth_[place(cellOf(at.x()), cellOf(at.y()))] > at.z() - surface_.spacing)
        visible.push_back(i);
    }
    return visible;
  }

private:
  bool
  faces(std::uint32_t point) const
  {
    return axes_.row(2).dot(surface_.normals[point]) < -0.15f;
  }

  int
  cellOf(float coordinate) const
  {
    const int cell = static_cast<int>((coordinate + offset_) / cell_);
    return std::min(std::max(cell, 0), cells_ - 1);
  }

  std::size_t
  place(int x, int y) const
  {
    return static_cast<std::size_t>(y) * cells_ + x;
  }

  void
  draw(std::uint32_t point)
  {
    const Eigen::Vector3f at = axes_ * surface_.points[point];
    const Eigen::Vector3f normal = axes_ * surface_.normals[point];
    for (int y = cellOf(at.y() - radius_); y <= cellOf(at.y() + radius_); ++y)
      for (int x = cellOf(at.x() - radius_); x <= cellOf(at.x() + radius_); ++x) {
        const float dx = (static_cast<float>(x) + 0.5f) * cell_ - offset_ - at.x();
        const float dy = (static_cast<float>(y) + 0.5f) * cell_ - offset_ - at.y();
        const float dz = -(normal.x() * dx + normal.y() * dy) / normal.z();
        if (dx * dx + dy * dy + dz * dz > radius_ * radius_)
          continue;
        float& nearest = depth_[place(x, y)];
        nearest = std::min(nearest, at.z() + dz);
      }
  }

  const VisibleSurface& surface_;
  float radius_;
  float cell_;
  float offset_;
  int cells_;
  Eigen::Matrix3f axes_;
  std::vector<float> depth_;
};

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
    surface.visible[i] = DiscImage(surface, directions[i]).visiblePoints();
  return surface;
}

void
findOutline(VisibleSurface& surface)
{
  surface.beside.resize(surface.points.size());
  const auto count = static_cast<std::ptrdiff_t>(surface.points.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < count; ++i)
    surface.beside[i] = Surroundings(surface, static_cast<std::size_t>(i)).beside();
}

} // namespace pcl::gpu
