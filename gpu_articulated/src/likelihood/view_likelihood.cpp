// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "likelihood/view_likelihood.h"

#include "skeleton/pose_check.h"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <deque>

namespace pcl::gpu {

namespace {

using Eigen::Vector2f;
using Eigen::Vector3f;

/** \brief Distance from the depth of the body within which skin hides an empty ray,
 * metres. */
constexpr float empty_distance = 0.5f;

/** \brief Cost of skin on a ray past the body, in costs of a point that it misses:
 * half, or else outlines, which are never those of capsules, would make bodies too
 * thin. */
constexpr double past_cost = 0.5;

/** \brief Most cells of the grid along its longer side. */
constexpr int most_cells = 96;

/** \brief Wanted points in a cell on the body. */
constexpr float points_per_cell = 2.0f;

/** \brief A point's direction on the picture plane, and its distance. */
struct Seen {
  Vector2f place;
  float distance;
};

class Grid {
public:
  Grid(const std::vector<Seen>& seen, bool around)
  {
    Eigen::AlignedBox2f box;
    for (const Seen& point : seen)
      box.extend(point.place);
    Vector2f size = box.sizes();
    // A third of the box of a usual body is body.
    cell_ = std::sqrt(std::max(size.prod(), 1e-12f) * points_per_cell /
                      (3.0f * static_cast<float>(seen.size())));
    const float margin = around ? 0.3f * size.maxCoeff() : 0.0f;
    start_ = box.min().array() - margin;
    size.array() += 2.0f * margin;
    cell_ =
        std::max({cell_, size.maxCoeff() / static_cast<float>(most_cells - 1), 1e-6f});
    columns_ = static_cast<int>(size.x() / cell_) + 1;
    rows_ = static_cast<int>(size.y() / cell_) + 1;
    distances_.assign(columns_ * rows_, 0.0f);
    for (const Seen& point : seen) {
      float& distance = distances_[cellOf(point.place)];
      distance = distance > 0.0f ? std::min(distance, point.distance) : point.distance;
    }
    for (const float distance : distances_)
      is_seen_.push_back(distance > 0.0f);
  }

  int
  countSeen() const
  {
    return static_cast<int>(std::count(is_seen_.begin(), is_seen_.end(), true));
  }

  /** \brief Closes small holes: the seen cells grow by one, and shrink again. */
  void
  closeHoles()
  {
    std::vector<bool> grown = is_seen_;
    forEachNeighbor([&](int cell, int neighbor) {
      if (is_seen_[neighbor])
        grown[cell] = true;
    });
    is_seen_ = grown;
    forEachNeighbor([&](int cell, int neighbor) {
      if (!grown[neighbor])
        is_seen_[cell] = false;
    });
  }

  /** \brief Gives every cell the distance of the nearest seen cell. */
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

std::vector<float>
lengthsOfRays(const DeviceArray<PointXYZ>& points, const Vector3f& viewpoint)
{
  std::vector<PointXYZ> host_points(points.size());
  points.download(host_points.data());
  std::vector<float> lengths;
  for (const PointXYZ& point : host_points)
    lengths.push_back((point.getVector3fMap() - viewpoint).norm());
  return lengths;
}

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
  // Along x if possible: the box of the points is then that of a level picture.
  const Vector3f x = Vector3f::UnitX() - ahead.x() * ahead;
  const Vector3f right = x.norm() > 0.1f ? x.normalized() : ahead.unitOrthogonal();
  const Vector3f down = ahead.cross(right);
  std::vector<Seen> seen;
  for (const Vector3f& offset : offsets) {
    const float depth = offset.dot(ahead);
    // Directions beyond some 75 degrees do not fit on the picture plane.
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

void
checkView(const Skeleton& skeleton,
          const std::vector<float>& pose,
          const DeviceArray<PointXYZ>& points,
          const Vector3f& viewpoint)
{
  checkArgument(
      !skeleton.getCapsules().empty(), "number of capsules", 0, "a body with skin");
  checkPoseAndPoints(skeleton, pose, points, viewpoint);
}

void
checkPoseAndPoints(const Skeleton& skeleton,
                   const std::vector<float>& pose,
                   const DeviceArray<PointXYZ>& points,
                   const Vector3f& viewpoint)
{
  checkPose("the pose", pose, skeleton.poseSize());
  checkArgument(!points.empty(), "number of points", 0, "points of the body");
  checkArgument(
      viewpoint.allFinite(), "viewpoint", viewpoint.transpose(), "finite numbers");
}

void
checkRoom(const DeviceArray<PointXYZ>& room, const DeviceArray<PointXYZ>& points)
{
  if (!room.empty())
    checkDevice("room", room, "points", deviceOf(points));
}

void
ViewLikelihood::observe(const DeviceArray<PointXYZ>& points,
                        const DeviceArray<PointXYZ>& room,
                        const Vector3f& viewpoint,
                        bool is_whole,
                        float sigma,
                        const Stream& stream)
{
  points_ = points;
  room_ = room;
  viewpoint_ = viewpoint;
  stream_ = stream;
  CapsuleLikelihoodParameters parameters;
  parameters.sigma = sigma;
  likelihood_.setParameters(parameters);
  if (room.empty()) {
    parameters.truncation_distance = empty_distance;
    past_likelihood_.setParameters(parameters);
    observeEmptyRays(is_whole);
    return;
  }
  parameters.visibility = CapsuleVisibility::Occluding;
  past_likelihood_.setParameters(parameters);
}

void
ViewLikelihood::observeEmptyRays(bool is_whole)
{
  stream_.synchronize();
  std::vector<PointXYZ> host_points(points_.size());
  points_.download(host_points.data());
  const EmptyRays rays = emptyRays(host_points, viewpoint_, is_whole);
  ray_count_ = static_cast<double>(rays.points.size());
  if (rays.points.empty())
    return;
  DeviceArray<PointXYZ> empty;
  empty.upload(rays.points.data(), rays.points.size());
  past_likelihood_.setPoints(empty, viewpoint_, stream_);
  stream_.synchronize(); // the array ends here
  points_per_ray_ = rays.points_per_ray;
}

void
ViewLikelihood::setTruncationDistance(float distance)
{
  setParameter(
      likelihood_, &CapsuleLikelihoodParameters::truncation_distance, distance);
  likelihood_.setPoints(points_, viewpoint_, stream_);
  if (room_.empty())
    return;
  setParameter(
      past_likelihood_, &CapsuleLikelihoodParameters::truncation_distance, distance);
  // The room is where it is seen.
  DeviceArray<float> backgrounds;
  backgrounds.upload(lengthsOfRays(room_, viewpoint_));
  past_likelihood_.setPoints(room_, {}, backgrounds, viewpoint_, stream_);
  stream_.synchronize(); // the array ends here
}

std::vector<double>
ViewLikelihood::compute(const DeviceArray<TaperedCapsule>& capsules,
                        int capsules_per_sample)
{
  std::vector<double> values = computeOfPoints(capsules, capsules_per_sample);
  if (room_.empty() && ray_count_ == 0.0)
    return values;
  const std::vector<double> past =
      computeBy(past_likelihood_, capsules, capsules_per_sample);
  if (!room_.empty()) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] += past_cost * past[i];
    return values;
  }
  // Rays that the skin leaves empty have the least likelihood.
  const CapsuleLikelihoodParameters& parameters = likelihood_.getParameters();
  const double variance = parameters.sigma * parameters.sigma;
  const double least = -ray_count_ * empty_distance * empty_distance / (2.0 * variance);
  const double ratio = parameters.truncation_distance / empty_distance;
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] -= past_cost * points_per_ray_ * ratio * ratio * (past[i] - least);
  return values;
}

std::vector<double>
ViewLikelihood::computeOfPoints(const DeviceArray<TaperedCapsule>& capsules,
                                int capsules_per_sample)
{
  return computeBy(likelihood_, capsules, capsules_per_sample);
}

std::vector<double>
ViewLikelihood::computeBy(CapsuleLikelihood& likelihood,
                          const DeviceArray<TaperedCapsule>& capsules,
                          int capsules_per_sample)
{
  likelihood.compute(capsules, capsules_per_sample, values_, stream_);
  stream_.synchronize();
  std::vector<double> values;
  values_.download(values);
  return values;
}

} // namespace pcl::gpu
