// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scene/polygon_cutting.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace pcl::gpu {

namespace {

using Triangles = std::vector<std::array<int, 3>>;

double
cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b)
{
  return a.x() * b.y() - a.y() * b.x();
}

/** \brief Cuts off one ear after another: a corner whose triangle has no other corner
 * inside. */
class EarClipping {
public:
  /** \param[in] points the corners, counterclockwise
   * \param[in] rounding error of a coordinate
   */
  EarClipping(const std::vector<Eigen::Vector2d>& points, double rounding)
  : points_(points)
  , rounding_(rounding)
  , next_(points.size())
  , previous_(points.size())
  , is_reflex_(points.size())
  {
    const int count = static_cast<int>(points.size());
    for (int i = 0; i < count; ++i) {
      next_[i] = (i + 1) % count;
      previous_[i] = (i + count - 1) % count;
    }
    for (int i = 0; i < count; ++i)
      if (turnAt(i) < 0) {
        is_reflex_[i] = true;
        reflex_.push_back(i);
      }
    std::sort(reflex_.begin(), reflex_.end(), [&](int a, int b) {
      return points_[a].x() < points_[b].x();
    });
  }

  Triangles
  clip()
  {
    int corner = 0;
    int tried = 0;
    for (int left = static_cast<int>(points_.size()); left > 3;) {
      if (tried < left && !isEar(corner)) {
        corner = next_[corner];
        ++tried;
        continue;
      }
      if (tried == left)
        corner = withoutEar(corner);
      cutOff(corner);
      // Every second ear makes for less narrow triangles than one beside the other.
      corner = next_[next_[corner]];
      tried = 0;
      --left;
    }
    triangles_.push_back({previous_[corner], corner, next_[corner]});
    return std::move(triangles_);
  }

private:
  /** \brief Number of comparisons after which ears are no longer looked for. Polygons
   * that cross themselves at random could take hours; others need far fewer. */
  static constexpr std::int64_t most_comparisons = 500'000'000;

  /** \brief Returns 1 at a convex corner, -1 at a reflex one, 0 where the border goes
   * straight on, or back, but for rounding. */
  int
  turnAt(int corner) const
  {
    const Eigen::Vector2d in = points_[corner] - points_[previous_[corner]];
    const Eigen::Vector2d out = points_[next_[corner]] - points_[corner];
    const double turn = cross(in, out);
    const double error = rounding_ * (in.norm() + out.norm());
    return (turn > error) - (turn < -error);
  }

  bool
  isEar(int corner)
  {
    if (turnAt(corner) <= 0 || comparisons_ > most_comparisons)
      return false;
    const Eigen::Vector2d& a = points_[previous_[corner]];
    const Eigen::Vector2d& b = points_[corner];
    const Eigen::Vector2d& c = points_[next_[corner]];
    const double left = std::min({a.x(), b.x(), c.x()});
    const double right = std::max({a.x(), b.x(), c.x()});
    // If any corner is inside, a reflex one is.
    const auto is_before = [&](int i, double x) { return points_[i].x() < x; };
    for (auto i = std::lower_bound(reflex_.begin(), reflex_.end(), left, is_before);
         i != reflex_.end() && points_[*i].x() <= right;
         ++i) {
      ++comparisons_;
      const Eigen::Vector2d& p = points_[*i];
      // Where the border touches itself, another corner is at the same place.
      if (is_reflex_[*i] && p != a && p != b && p != c && cross(b - a, p - a) >= 0.0 &&
          cross(c - b, p - b) >= 0.0 && cross(a - c, p - c) >= 0.0)
        return false;
    }
    return true;
  }

  /** \brief Returns the corner to cut off if none is an ear: one where the border goes
   * straight on, which costs no area, else a convex one. */
  int
  withoutEar(int start) const
  {
    int convex = start;
    int corner = start;
    do {
      const int turn = turnAt(corner);
      if (turn == 0)
        return corner;
      if (turn > 0 && turnAt(convex) <= 0)
        convex = corner;
      corner = next_[corner];
    }
    while (corner != start);
    return convex;
  }

  void
  cutOff(int corner)
  {
    const int previous = previous_[corner], next = next_[corner];
    triangles_.push_back({previous, corner, next});
    next_[previous] = next;
    previous_[next] = previous;
    is_reflex_[corner] = false;
    for (const int neighbor : {previous, next})
      is_reflex_[neighbor] = turnAt(neighbor) < 0;
  }

  const std::vector<Eigen::Vector2d>& points_;
  double rounding_;
  std::vector<int> next_, previous_;
  std::vector<bool> is_reflex_;
  std::vector<int> reflex_; ///< at the start, from left to right
  std::int64_t comparisons_ = 0;
  Triangles triangles_;
};

Triangles
fan(std::size_t corners)
{
  Triangles triangles;
  for (int i = 2; i < static_cast<int>(corners); ++i)
    triangles.push_back({0, i - 1, i});
  return triangles;
}

} // namespace

std::vector<std::array<int, 3>>
cutPolygon(const std::vector<Eigen::Vector3d>& corners)
{
  Triangles triangles = fan(corners.size());
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  double largest = 0.0;
  for (const auto& [a, b, c] : triangles)
    normal += (corners[b] - corners[a]).cross(corners[c] - corners[a]);
  for (const Eigen::Vector3d& corner : corners)
    largest = std::max(largest, corner.cwiseAbs().maxCoeff());
  const double length = normal.norm();
  // Comparisons with NaN are false.
  if (!(length > 0.0 && length < std::numeric_limits<double>::infinity()))
    return triangles;
  normal /= length;
  // Corners are single precision, rounded to half a unit in the last place. A fan whose
  // triangles all face the polygon's way covers each place once.
  const double rounding = 2.0 * std::numeric_limits<float>::epsilon() * largest;
  const auto faces_back = [&](const std::array<int, 3>& triangle) {
    const Eigen::Vector3d to_b = corners[triangle[1]] - corners[triangle[0]];
    const Eigen::Vector3d to_c = corners[triangle[2]] - corners[triangle[0]];
    return to_b.cross(to_c).dot(normal) < -rounding * (to_b.norm() + to_c.norm());
  };
  if (std::none_of(triangles.begin(), triangles.end(), faces_back))
    return triangles;
  const Eigen::Vector3d right = normal.unitOrthogonal();
  const Eigen::Vector3d up = normal.cross(right);
  std::vector<Eigen::Vector2d> points;
  points.reserve(corners.size());
  for (const Eigen::Vector3d& corner : corners) {
    const Eigen::Vector3d from_first = corner - corners[0];
    points.emplace_back(from_first.dot(right), from_first.dot(up));
  }
  return EarClipping(points, rounding).clip();
}

} // namespace pcl::gpu
