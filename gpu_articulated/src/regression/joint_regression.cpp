// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "regression/joint_regression.h"

#include "regression/convolution.h"
#include "regression/joint_network.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace pcl::gpu {

namespace {

using Eigen::Matrix2f;
using Eigen::Matrix3f;
using Eigen::Vector2f;
using Eigen::Vector3f;

/** \brief Sine of the angle between view and vertical, below which a view is steep. */
constexpr float steep = 0.35f;

/** \brief Rolls in which a steep view is looked at, evenly apart. The network learned
 * from steep views of any roll. */
constexpr int steep_rolls = 4;

/** \brief Returns directions of a view in rows: to the right, upward and forward. */
Matrix3f
viewAxes(const Vector3f& forward, const Vector3f& up)
{
  Vector3f right = forward.cross(up);
  if (right.norm() < steep)
    right = forward.cross(Vector3f::UnitX());
  if (right.norm() < steep)
    right = forward.cross(Vector3f::UnitY());
  right.normalize();
  Matrix3f axes;
  axes << right.transpose(), right.cross(forward).transpose(), forward.transpose();
  return axes;
}

/** \brief The picture of a body that the network sees: 80x80 cells of 3.2 cm at the
 * mean depth, with its middle at the middle of the points. */
class BodyPicture {
public:
  /** \brief Draws points, which must stay as long as the picture. In a steep view, in
   * which nothing is upright, they extend most to the right and left. */
  BodyPicture(const std::vector<PointXYZ>& points,
              const Vector3f& viewpoint,
              const Vector3f& up,
              const std::optional<float>& floor)
  : points_(points)
  , viewpoint_(viewpoint)
  , up_(up)
  , floor_(floor)
  , numbers_(device::FeatureMap::floats(picture_size, picture_channels))
  , map_{numbers_.data(), picture_size, picture_channels}
  {
    turnToward();
    roll(isSteep() ? -longestDirection() : 0.0f);
  }

  /** \brief Draws the points in a view that is rolled on by an angle, radians. */
  void
  roll(float angle)
  {
    axes_ = Eigen::AngleAxisf(angle, Vector3f::UnitZ()).toRotationMatrix() * axes_;
    draw();
  }

  bool
  isSteep() const
  {
    return axes_.row(2).transpose().cross(up_).norm() < steep;
  }

  /** \brief Returns the numbers of a feature map. */
  const std::vector<float>&
  numbers() const
  {
    return numbers_;
  }

  int
  cellCount() const
  {
    return cell_count_;
  }

  /** \brief Returns the position of a place of NetworkAnswer. */
  Vector3f
  positionOf(const Vector3f& place) const
  {
    const float depth = place.z() + mean_depth_ + distance_;
    const float share = depth / distance_;
    return viewpoint_ +
           axes_.transpose() * Vector3f(share * place.x(), share * place.y(), depth);
  }

private:
  /** \brief Which of the cell's numbers. */
  enum Channel {
    Seen,       ///< 1 if there are points
    Depth,      ///< less the mean of all cells
    Height,     ///< less the mean of all cells
    AboveGround ///< the mean height above the floor; 0 if that is not known
  };

  /** \brief Finds a view whose middle is that of the points. */
  void
  turnToward()
  {
    const auto count = static_cast<float>(points_.size());
    Vector3f center = Vector3f::Zero();
    for (const PointXYZ& point : points_)
      center += point.getVector3fMap() / count;
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round) {
      axes_ = viewAxes((center - viewpoint_).normalized(), up_);
      Vector3f mean = Vector3f::Zero();
      for (const PointXYZ& point : points_) {
        const Vector3f seen = axes_ * (point.getVector3fMap() - viewpoint_);
        mean += Vector3f(seen.x() / seen.z(), seen.y() / seen.z(), seen.z()) / count;
      }
      center = viewpoint_ +
               mean.z() * axes_.transpose() * Vector3f(mean.x(), mean.y(), 1.0f);
    }
    axes_ = viewAxes((center - viewpoint_).normalized(), up_);
    distance_ = (center - viewpoint_).norm();
  }

  /** \brief Returns the direction in which the points extend most, radians from the
   * right of the picture. */
  float
  longestDirection() const
  {
    Vector2f mean = Vector2f::Zero();
    Matrix2f squares = Matrix2f::Zero();
    const auto count = static_cast<float>(points_.size());
    for (const PointXYZ& point : points_) {
      const Vector3f seen = axes_ * (point.getVector3fMap() - viewpoint_);
      const Vector2f place = seen.head<2>() / seen.z();
      mean += place / count;
      squares += place * place.transpose() / count;
    }
    squares -= mean * mean.transpose();
    return 0.5f * std::atan2(2.0f * squares(0, 1), squares(0, 0) - squares(1, 1));
  }

  void
  draw()
  {
    constexpr float cell = picture_span / picture_size, half = 0.5f * picture_size;
    std::fill(numbers_.begin(), numbers_.end(), 0.0f);
    cell_count_ = 0;
    for (const PointXYZ& point : points_) {
      const Vector3f ray = point.getVector3fMap() - viewpoint_;
      const Vector3f seen = axes_ * ray;
      const float scale = distance_ / seen.z() / cell;
      const float column = std::floor(scale * seen.x() + half);
      const float row = std::floor(half - scale * seen.y());
      if (!(seen.z() > 0.0f && column >= 0.0f && column < picture_size && row >= 0.0f &&
            row < picture_size))
        continue;
      float* const numbers = map_.at(static_cast<int>(row), static_cast<int>(column));
      numbers[Seen] += 1.0f;
      numbers[Depth] += seen.z() - distance_;
      numbers[Height] += ray.dot(up_);
    }
    float depths = 0.0f, heights = 0.0f;
    forEachCell([&](float* numbers) {
      numbers[Depth] /= numbers[Seen];
      numbers[Height] /= numbers[Seen];
      numbers[Seen] = 1.0f;
      depths += numbers[Depth];
      heights += numbers[Height];
      ++cell_count_;
    });
    if (cell_count_ == 0)
      return;
    mean_depth_ = depths / static_cast<float>(cell_count_);
    const float height = heights / static_cast<float>(cell_count_);
    forEachCell([&](float* numbers) {
      numbers[Depth] -= mean_depth_;
      numbers[Height] -= height;
      if (floor_)
        numbers[AboveGround] = height + viewpoint_.dot(up_) - *floor_;
    });
  }

  /** \brief Calls a function of the numbers of each cell that has points. */
  template <typename Change>
  void
  forEachCell(const Change& change)
  {
    for (int row = 0; row < map_.size; ++row)
      for (int column = 0; column < map_.size; ++column)
        if (float* const numbers = map_.at(row, column); numbers[Seen] > 0.0f)
          change(numbers);
  }

  const std::vector<PointXYZ>& points_;
  const Vector3f viewpoint_, up_;
  const std::optional<float> floor_;
  Matrix3f axes_;           ///< of the view, in rows
  float distance_ = 0.0f;   ///< of the picture's middle
  float mean_depth_ = 0.0f; ///< of the cells, behind the middle
  int cell_count_ = 0;      ///< with points
  std::vector<float> numbers_;
  const device::FeatureMap map_; ///< of the numbers
};

} // namespace

std::vector<RegressedJoint>
regressJoints(const std::vector<PointXYZ>& points,
              const Vector3f& viewpoint,
              const Vector3f& up,
              const std::optional<float>& floor,
              const Stream& stream)
{
  constexpr int fewest_cells = 40;
  if (points.empty())
    return {};
  std::vector<RegressedJoint> joints(regressed_joints, {Vector3f::Zero(), 0.0f});
  std::array<float, regressed_joints> weights = {};
  BodyPicture picture(points, viewpoint, up, floor);
  const int rolls = picture.isSteep() ? steep_rolls : 1;
  for (int roll = 0; roll < rolls; ++roll) {
    constexpr float step = 2.0f * static_cast<float>(M_PI) / steep_rolls;
    if (roll > 0)
      picture.roll(step);
    if (picture.cellCount() < fewest_cells)
      return {};
    const NetworkAnswer answer = findJoints(picture.numbers(), stream);
    for (int i = 0; i < regressed_joints; ++i) {
      // Of answers that differ much, the surest ones count.
      const float weight = std::pow(answer.errors[i], -4.0f);
      joints[i].position += weight * picture.positionOf(answer.places[i]);
      joints[i].error += weight * answer.errors[i];
      weights[i] += weight;
    }
  }
  for (int i = 0; i < regressed_joints; ++i) {
    joints[i].position /= weights[i];
    joints[i].error /= weights[i];
  }
  return joints;
}

} // namespace pcl::gpu
