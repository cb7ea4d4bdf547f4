// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scene/polygon_cutting.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace pcl::gpu {

namespace {

using Triangles = std::vector<std::array<int, 3>>;

double
cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b)
{
  return a.x() * b.y() - a.y() * b.x();
}

/** \brief Points of the plane, sorted into the cells of a grid. */
class PointGrid {
public:
  /** \param[in] points all points
   * \param[in] chosen numbers of those that the grid holds
   */
  PointGrid(const std::vector<Eigen::Vector2d>& points, std::vector<int> chosen)
  : points_(points)
  , chosen_(std::move(chosen))
  {
    for (const int i : chosen_)
      box_.extend(points_[i]);
    side_ = std::max(1, static_cast<int>(std::sqrt(chosen_.size())));
    starts_.assign(side_ * side_ + 1, 0);
    std::sort(chosen_.begin(), chosen_.end(), [&](int a, int b) {
      return cellOf(points_[a]) < cellOf(points_[b]);
    });
    for (const int i : chosen_)
      ++starts_[cellOf(points_[i]) + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  }

  /** \brief Returns whether a condition holds for any point in a box.
   * \param[in] holds also gets points near the box
   */
  template <typename Condition>
  bool
  any(const Eigen::AlignedBox2d& box, const Condition& holds) const
  {
    if (!box.intersects(box_))
      return false;
    const Eigen::Vector2i first = placeOf(box.min()), last = placeOf(box.max());
    for (int row = first.y(); row <= last.y(); ++row)
      for (int i = starts_[row * side_ + first.x()];
           i < starts_[row * side_ + last.x() + 1];
           ++i)
        if (holds(chosen_[i]))
          return true;
    return false;
  }

private:
  /** \brief Returns the column and row of a point, those at the border for points
   * outside. */
  Eigen::Vector2i
  placeOf(const Eigen::Vector2d& point) const
  {
    Eigen::Vector2i place;
    for (int i = 0; i < 2; ++i) {
      const double length = box_.sizes()[i];
      const double part = length > 0.0 ? (point[i] - box_.min()[i]) / length : 0.0;
      place[i] =
          std::min(static_cast<int>(std::clamp(part, 0.0, 1.0) * side_), side_ - 1);
    }
    return place;
  }

  int
  cellOf(const Eigen::Vector2d& point) const
  {
    const Eigen::Vector2i place = placeOf(point);
    return place.y() * side_ + place.x();
  }

  const std::vector<Eigen::Vector2d>& points_;
  std::vector<int> chosen_; ///< sorted by cells
  std::vector<int> starts_; ///< of each cell among them
  Eigen::AlignedBox2d box_;
  int side_; ///< cells a row
};

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
  , turns_(points.size())
  , reflex_(points, findTurns())
  , left_(static_cast<int>(points.size()))
  {}

  Triangles
  clip()
  {
    // A spike has no area. Other corners must not become ears across it.
    cutOffAll([&](int corner) { return isSpike(corner); });
    cutOffAll([&](int corner) { return isEar(corner); });
    while (left_ > 3) {
      cutOff(withoutEar());
      cutOffAll([&](int corner) { return isEar(corner); });
    }
    triangles_.push_back({previous_[corner_], corner_, next_[corner_]});
    return std::move(triangles_);
  }

private:
  /** \brief Number of comparisons after which ears are no longer looked for. Polygons
   * that cross themselves at random could take hours; others need far fewer. */
  static constexpr std::int64_t most_steps = 200'000'000;

  /** \brief Cuts off corners of which a condition holds until it holds of none. */
  template <typename Condition>
  void
  cutOffAll(const Condition& holds)
  {
    for (int tried = 0; left_ > 3 && tried < left_; ++tried)
      if (holds(corner_)) {
        cutOff(corner_);
        tried = -1;
      }
      else
        corner_ = next_[corner_];
  }

  /** \brief Finds the neighbours and turns of all corners.
   * \return the reflex corners
   */
  std::vector<int>
  findTurns()
  {
    const int count = static_cast<int>(points_.size());
    for (int i = 0; i < count; ++i) {
      next_[i] = (i + 1) % count;
      previous_[i] = (i + count - 1) % count;
    }
    std::vector<int> reflex;
    for (int i = 0; i < count; ++i) {
      turns_[i] = turnAt(i);
      if (turns_[i] < 0)
        reflex.push_back(i);
    }
    return reflex;
  }

  /** \brief Returns 1 at a convex corner, -1 at a reflex one, 0 where the border goes
   * straight on, or back, but for rounding. */
  std::int8_t
  turnAt(int corner) const
  {
    const Eigen::Vector2d in = points_[corner] - points_[previous_[corner]];
    const Eigen::Vector2d out = points_[next_[corner]] - points_[corner];
    const double turn = cross(in, out);
    const double error = rounding_ * (in.norm() + out.norm());
    return static_cast<std::int8_t>((turn > error) - (turn < -error));
  }

  /** \brief Returns whether the border goes back at a corner, or stays there. */
  bool
  isSpike(int corner) const
  {
    const Eigen::Vector2d in = points_[corner] - points_[previous_[corner]];
    const Eigen::Vector2d out = points_[next_[corner]] - points_[corner];
    return turns_[corner] == 0 && in.dot(out) <= 0.0;
  }

  bool
  isEar(int corner)
  {
    if (++steps_ > most_steps)
      return true;
    if (turns_[corner] <= 0)
      return false;
    const Eigen::Vector2d& a = points_[previous_[corner]];
    const Eigen::Vector2d& b = points_[corner];
    const Eigen::Vector2d& c = points_[next_[corner]];
    Eigen::AlignedBox2d box(a);
    box.extend(b).extend(c);
    // If any corner is inside, a reflex one is.
    return !reflex_.any(box, [&](int i) {
      ++steps_;
      const Eigen::Vector2d& p = points_[i];
      // Where the border touches itself, another corner is at the same place.
      return turns_[i] < 0 && cross(b - a, p - a) >= 0.0 &&
             cross(c - b, p - b) >= 0.0 && cross(a - c, p - c) >= 0.0 && p != a &&
             p != b && p != c;
    });
  }

  /** \brief Returns the corner to cut off if none is an ear: one where the border goes
   * straight on, which costs no area, else a convex one. */
  int
  withoutEar()
  {
    int convex = corner_;
    for (int i = 0; i < left_; ++i, ++steps_, corner_ = next_[corner_]) {
      if (turns_[corner_] == 0)
        return corner_;
      if (turns_[corner_] > 0)
        convex = corner_;
    }
    return convex;
  }

  /** \brief Cuts off a corner and goes back to the one before, which may be an ear now:
   * long narrow polygons are cut across. */
  void
  cutOff(int corner)
  {
    const int previous = previous_[corner], next = next_[corner];
    triangles_.push_back({previous, corner, next});
    next_[previous] = next;
    previous_[next] = previous;
    turns_[corner] = 0;
    turns_[previous] = turnAt(previous);
    turns_[next] = turnAt(next);
    corner_ = previous;
    --left_;
  }

  const std::vector<Eigen::Vector2d>& points_;
  double rounding_;
  std::vector<int> next_, previous_;
  std::vector<std::int8_t> turns_;
  PointGrid reflex_; ///< the corners that were reflex at the start
  int left_;         ///< corners
  int corner_ = 0;   ///< the current one
  std::int64_t steps_ = 0;
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
