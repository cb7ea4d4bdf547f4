// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "empty_rays.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <deque>

namespace pcl::gpu {

namespace {

using Eigen::Vector2f;
using Eigen::Vector3f;

/** \brief Cells of the grid along its longer side, at most. */
constexpr int most_cells = 96;

/** \brief Points that a cell on the body should have. */
constexpr float points_per_cell = 2.0f;

/** \brief A direction on the picture plane, and how far away a point is. */
struct Seen {
  Vector2f place;
  float distance;
};

class Grid {
public:
  Grid(const std::vector<Seen>& seen, bool around)
  {
    Vector2f least = seen.front().place;
    Vector2f most = least;
    for (const Seen& point : seen) {
      least = least.cwiseMin(point.place);
      most = most.cwiseMax(point.place);
    }
    Vector2f size = most - least;
    // As large as a body is that is seen where a third of its box is body.
    cell_ = std::sqrt(std::max(size.prod(), 1e-12f) * points_per_cell /
                      (3.0f * static_cast<float>(seen.size())));
    const float margin = around ? 0.3f * size.maxCoeff() : 0.0f;
    least.array() -= margin;
    size.array() += 2.0f * margin;
    cell_ =
        std::max({cell_, size.maxCoeff() / static_cast<float>(most_cells - 1), 1e-6f});
    start_ = least;
    columns_ = static_cast<int>(size.x() / cell_) + 1;
    rows_ = static_cast<int>(size.y() / cell_) + 1;
    distances_.assign(columns_ * rows_, 0.0f);
    for (const Seen& point : seen) {
      float& distance = distances_[cellOf(point.place)];
      distance = distance > 0.0f ? std::min(distance, point.distance) : point.distance;
    }
    is_seen_.resize(distances_.size());
    std::transform(distances_.begin(), distances_.end(), is_seen_.begin(), [](float d) {
      return d > 0.0f;
    });
  }

  int
  countSeen() const
  {
    return static_cast<int>(std::count(is_seen_.begin(), is_seen_.end(), true));
  }

  /** \brief Makes small holes seen: what is seen grows by a cell, and shrinks again. */
  void
  closeHoles()
  {
    std::vector<bool> grown = is_seen_;
    forEachNeighbor([&](int cell, int neighbor) {
      if (is_seen_[neighbor])
        grown[cell] = true;
    });
    std::vector<bool> closed = grown;
    forEachNeighbor([&](int cell, int neighbor) {
      if (!grown[neighbor])
        closed[cell] = false;
    });
    for (std::size_t i = 0; i < closed.size(); ++i)
      is_seen_[i] = is_seen_[i] || closed[i];
  }

  /** \brief Gives every cell the distance of the nearest one where something was seen. */
  void
  spreadDistances()
  {
    std::deque<int> front;
    for (std::size_t i = 0; i < distances_.size(); ++i)
      if (distances_[i] > 0.0f)
        front.push_back(static_cast<int>(i));
    for (; !front.empty(); front.pop_front()) {
      const int cell = front.front();
      const int column = cell % columns_;
      const auto reach = [&](int other) {
        if (other < 0 || other >= columns_ * rows_ || distances_[other] > 0.0f)
          return;
        distances_[other] = distances_[cell];
        front.push_back(other);
      };
      if (column > 0)
        reach(cell - 1);
      if (column + 1 < columns_)
        reach(cell + 1);
      reach(cell - columns_);
      reach(cell + columns_);
    }
  }

  /** \brief Calls a function with place and distance of every empty cell. */
  template <typename Function>
  void
  forEachEmpty(const Function& function) const
  {
    for (int cell = 0; cell < columns_ * rows_; ++cell)
      if (!is_seen_[cell])
        function(Vector2f(start_ + cell_ * Vector2f(0.5f + cell % columns_,
                                                    0.5f + cell / columns_)),
                 distances_[cell]);
  }

private:
  int
  cellOf(const Vector2f& place) const
  {
    const Vector2f cell = (place - start_) / cell_;
    return std::min(static_cast<int>(cell.y()), rows_ - 1) * columns_ +
           std::min(static_cast<int>(cell.x()), columns_ - 1);
  }

  template <typename Function>
  void
  forEachNeighbor(const Function& function) const
  {
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column)
        for (int y = std::max(row - 1, 0); y <= std::min(row + 1, rows_ - 1); ++y)
          for (int x = std::max(column - 1, 0); x <= std::min(column + 1, columns_ - 1);
               ++x)
            function(row * columns_ + column, y * columns_ + x);
  }

  Vector2f start_;
  float cell_;
  int columns_;
  int rows_;
  std::vector<float> distances_; ///< 0: not known
  std::vector<bool> is_seen_;
};

} // namespace

EmptyRays
emptyRays(const std::vector<PointXYZ>& points, const Vector3f& viewpoint, bool around)
{
  std::vector<Vector3f> offsets;
  Vector3f sum = Vector3f::Zero();
  for (const PointXYZ& point : points) {
    const Vector3f offset = point.getVector3fMap() - viewpoint;
    const float distance = offset.norm();
    if (!std::isfinite(distance) || distance <= 0.0f)
      continue;
    offsets.push_back(offset);
    sum += offset / distance;
  }
  EmptyRays rays;
  if (sum.norm() <= 0.1f * static_cast<float>(offsets.size()))
    return rays; // all around the viewpoint, or none

  const Vector3f ahead = sum.normalized();
  // Along x where that can be: the box of the points is then that of a level picture.
  const Vector3f x = Vector3f::UnitX() - ahead.x() * ahead;
  const Vector3f right = x.norm() > 0.1f ? x.normalized() : ahead.unitOrthogonal();
  const Vector3f down = ahead.cross(right);
  std::vector<Seen> seen;
  for (const Vector3f& offset : offsets) {
    const float depth = offset.dot(ahead);
    // Beyond some 75 degrees the picture plane is no good.
    if (depth > 0.25f * offset.norm())
      seen.push_back(
          {Vector2f(offset.dot(right), offset.dot(down)) / depth, offset.norm()});
  }
  if (seen.empty())
    return rays;
  Grid grid(seen, around);
  rays.points_per_ray =
      static_cast<float>(seen.size()) / static_cast<float>(grid.countSeen());
  grid.closeHoles();
  grid.spreadDistances();
  grid.forEachEmpty([&](const Vector2f& place, float distance) {
    const Vector3f ray = (ahead + place.x() * right + place.y() * down).normalized();
    const Vector3f point = viewpoint + distance * ray;
    rays.points.emplace_back(point.x(), point.y(), point.z());
  });
  return rays;
}

} // namespace pcl::gpu
