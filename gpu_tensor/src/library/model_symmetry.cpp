// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/filters/voxel_grid.h>
#include <pcl/gpu/tensor/tensor_model.h>
#include <pcl/gpu/tensor/tensor_model_learning.h>
#include <pcl/gpu/utils/internal/device/trigonometry.hpp>
#include <pcl/kdtree/kdtree_flann.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>
#include <vector>

namespace pcl::gpu {

namespace {

using Cloud = PointCloud<PointNormal>;
using Eigen::Vector3f;

/** \brief An axis of symmetry, and the turn about it. */
struct Symmetry {
  Vector3f axis; ///< unit vector
  Vector3f at;   ///< a point of the axis, metres
  int order;     ///< number of equal turns of a whole one

  /** \brief Returns a turn about the axis, radians. */
  Pose
  turnBy(float angle) const
  {
    return Eigen::Translation3f(at) * Eigen::AngleAxisf(angle, axis) *
           Eigen::Translation3f(-at);
  }

  Pose
  turn() const
  {
    return turnBy(2.0f * device::pi / static_cast<float>(order));
  }
};

/** \brief Returns at most so many of a cloud's points, chosen at random. */
Cloud::Ptr
someOf(const Cloud& cloud, std::size_t most)
{
  const auto some = std::make_shared<Cloud>();
  std::mt19937 random(0);
  std::sample(cloud.begin(), cloud.end(), std::back_inserter(*some), most, random);
  return some;
}

/** \brief A surface that is compared with itself. */
class TurnedSurface {
public:
  /** \param[in] diameter of all points */
  TurnedSurface(const Cloud& all, float diameter) : diameter_(diameter)
  {
    constexpr float cells = 20.0f; // along the diameter
    constexpr std::size_t count = 8000, coarse_count = 48, test_count = 400,
                          moved_count = 200;
    const Cloud::Ptr points = someOf(all, count);
    const auto thin = std::make_shared<Cloud>();
    pcl::VoxelGrid<PointNormal> grid;
    grid.setInputCloud(points);
    grid.setLeafSize(Eigen::Vector4f::Constant(diameter_ / cells));
    grid.filter(*thin);
    center_.setZero();
    for (const PointNormal& point : *thin)
      center_ += point.getVector3fMap() / static_cast<float>(thin->size());
    coarse_ = someOf(*thin, coarse_count);
    tested_ = someOf(*points, test_count);
    thin_tree_.setInputCloud(thin);
    tree_.setInputCloud(points);
    // The nearest other point may be this far away in the same surface.
    std::vector<float> spacings;
    for (const PointNormal& point : *tested_) {
      Indices numbers;
      spacings.push_back(
          std::sqrt(squaredDistances(tree_, point.getVector3fMap(), 2, numbers)[1]));
    }
    const auto usual = spacings.begin() + spacings.size() * 97 / 100;
    std::nth_element(spacings.begin(), usual, spacings.end());
    tolerance_ = 0.015f * diameter_ + *usual;
    moved_ = someOf(*thin, moved_count);
    points_ = points;
  }

  const Vector3f&
  center() const
  {
    return center_;
  }

  /** \brief Returns the mean distance of a few turned points from the surface, as a
   * share of its diameter; infinity beyond what a symmetry has that is a little off. */
  float
  coarseDistance(const Pose& turn) const
  {
    constexpr float most = 0.06f;
    constexpr std::size_t early = 12;
    float sum = 0.0f;
    for (std::size_t i = 0; i < coarse_->size(); ++i) {
      if (i == early && sum > 1.5f * most * diameter_ * static_cast<float>(early))
        return std::numeric_limits<float>::infinity();
      sum += distanceFrom(thin_tree_, turn * (*coarse_)[i].getVector3fMap());
    }
    const float mean = sum / (diameter_ * static_cast<float>(coarse_->size()));
    return mean < most ? mean : std::numeric_limits<float>::infinity();
  }

  /** \brief Returns whether nearly all turned points lie on the surface. */
  bool
  staysTheSame(const Pose& turn) const
  {
    constexpr double most_off = 0.03;
    std::size_t off = 0;
    for (const PointNormal& point : *tested_)
      if (distanceFrom(tree_, turn * point.getVector3fMap()) > tolerance_)
        ++off;
    return static_cast<double>(off) <= most_off * static_cast<double>(tested_->size());
  }

  /** \brief Moves the axis of a turn so that the turned surface fits better. */
  Symmetry
  refined(const Symmetry& symmetry) const
  {
    constexpr int rounds = 12;
    Pose turn = symmetry.turn();
    for (int round = 0; round < rounds; ++round)
      turn = stepOf(turn) * turn;
    const Eigen::AngleAxisf rotation(turn.linear());
    // The point that stays in place, by how far the centre is moved.
    const Vector3f& axis = rotation.axis();
    const Vector3f moved = turn * center_ - center_;
    const Vector3f across = moved - axis.dot(moved) * axis;
    const float angle = std::max(rotation.angle(), 0.1f);
    const Vector3f at =
        center_ + 0.5f * (across + axis.cross(across) / std::tan(0.5f * angle));
    return {axis, at, symmetry.order};
  }

private:
  /** \brief Returns the motion that brings turned points nearest to the planes through
   * the nearest points of the surface. */
  Pose
  stepOf(const Pose& turn) const
  {
    using Vector6 = Eigen::Matrix<double, 6, 1>;
    Eigen::Matrix<double, 6, 6> left = Eigen::Matrix<double, 6, 6>::Zero();
    Vector6 right = Vector6::Zero();
    for (const PointNormal& point : *moved_) {
      const Vector3f place = turn * point.getVector3fMap();
      const PointNormal& nearest = (*points_)[nearestTo(tree_, place)];
      const Vector3f normal = nearest.getNormalVector3fMap();
      Vector6 row;
      row << (place - center_).cross(normal).cast<double>() / diameter_,
          normal.cast<double>();
      left += row * row.transpose();
      right += row * normal.dot(nearest.getVector3fMap() - place);
    }
    // Of turns that change nothing, none is made.
    constexpr double damping = 1e-3;
    left.diagonal().array() += damping * left.trace();
    const Vector6 motion = left.ldlt().solve(right);
    const Vector3f turned = (motion.head<3>() / diameter_).cast<float>();
    const Eigen::AngleAxisf rotation(turned.norm(), turned.stableNormalized());
    return Eigen::Translation3f(center_ + motion.tail<3>().cast<float>()) * rotation *
           Eigen::Translation3f(-center_);
  }

  /** \brief Returns the squared distances to the nearest points, and their numbers. */
  static std::vector<float>
  squaredDistances(const KdTreeFLANN<PointNormal>& tree,
                   const Vector3f& place,
                   int count,
                   Indices& numbers)
  {
    PointNormal point;
    point.getVector3fMap() = place;
    std::vector<float> squared;
    tree.nearestKSearch(point, count, numbers, squared);
    return squared;
  }

  static int
  nearestTo(const KdTreeFLANN<PointNormal>& tree, const Vector3f& place)
  {
    Indices numbers;
    squaredDistances(tree, place, 1, numbers);
    return numbers[0];
  }

  static float
  distanceFrom(const KdTreeFLANN<PointNormal>& tree, const Vector3f& place)
  {
    Indices numbers;
    return std::sqrt(squaredDistances(tree, place, 1, numbers)[0]);
  }

  Cloud::Ptr points_, coarse_, tested_, moved_;
  KdTreeFLANN<PointNormal> thin_tree_, tree_;
  Vector3f center_;
  float diameter_;
  float tolerance_; ///< of the distance of points from the same surface
};

/** \brief Returns the largest order that an axis has, 1 for none. */
int
orderOf(const TurnedSurface& surface, const Symmetry& symmetry)
{
  constexpr int any = 36; // as if a turn by any angle had this many steps
  // A small turn moves a part that stands out too little to be seen.
  const auto holds = [&](int order) {
    bool all = true;
    for (int turns = 1; all && 2 * turns <= order; ++turns)
      all = surface.staysTheSame(symmetry.turnBy(
          2.0f * device::pi * static_cast<float>(turns) / static_cast<float>(order)));
    return all;
  };
  bool is_round = true;
  for (const float angle : {0.6f, 1.0f, 1.7f, 2.3f, 2.9f})
    is_round = is_round && surface.staysTheSame(symmetry.turnBy(angle));
  if (is_round)
    return any;
  for (const int order : {12, 10, 8, 6, 5, 4, 3, 2})
    if (order % symmetry.order == 0 && holds(order))
      return order;
  return 1;
}

/** \brief Adds an axis, or what is known of it. */
void
addAxis(const Symmetry& symmetry, std::vector<Symmetry>& axes)
{
  constexpr float same = 0.985f; // ten degrees
  for (Symmetry& other : axes)
    if (std::abs(other.axis.dot(symmetry.axis)) > same) {
      if (symmetry.order > other.order)
        other = symmetry;
      return;
    }
  axes.push_back(symmetry);
}

/** \brief Returns whether a turn is one of some turns, or nearly.
 * \param[in] cosine of half of the angle by which they may differ
 */
bool
isAmong(const TensorModel::Poses& turns, const Pose& turn, float cosine)
{
  const Eigen::Quaternionf rotation(turn.linear());
  return std::any_of(turns.begin(), turns.end(), [&](const Pose& other) {
    return std::abs(Eigen::Quaternionf(other.linear()).dot(rotation)) > cosine;
  });
}

/** \brief Returns all turns that follow from those about axes, without the identity.
 * \param[in] axes the more accurate and those of larger orders first
 */
TensorModel::Poses
allTurns(const std::vector<Symmetry>& axes)
{
  constexpr std::size_t most = 120; // a ball has any number
  // Half of seven and of five degrees: about a round axis turns are ten apart.
  constexpr float known = 0.99813f, same = 0.99905f;
  TensorModel::Poses turns{Pose::Identity()}, generators;
  for (const Symmetry& axis : axes) {
    if (isAmong(turns, axis.turn(), known))
      continue;
    generators.push_back(axis.turn());
    turns.resize(1, Pose::Identity());
    for (std::size_t i = 0; i < turns.size(); ++i)
      for (const Pose& generator : generators) {
        const Pose turn = generator * turns[i];
        if (turns.size() < most && !isAmong(turns, turn, same))
          turns.push_back(turn);
      }
  }
  turns.erase(turns.begin());
  return turns;
}

} // namespace

TensorModel::Poses
findSymmetries(const TensorModel::Points& points)
{
  constexpr std::size_t least_points = 50;
  constexpr int directions = 1200, most_tried = 6;
  constexpr float same = 0.97f; // 14 degrees
  Cloud cloud;
  for (const PointNormal& point : points)
    if (point.getVector3fMap().allFinite() && point.getNormalVector3fMap().allFinite())
      cloud.push_back(point);
  Eigen::AlignedBox3f box;
  for (const PointNormal& point : cloud)
    box.extend(Vector3f(point.getVector3fMap()));
  const float diameter = box.isEmpty() ? 0.0f : box.diagonal().norm();
  if (cloud.size() < least_points || !(diameter > 0.0f))
    return {};
  TurnedSurface surface(cloud, diameter);
  std::vector<Vector3f> half;
  for (const Vector3f& direction : evenDirections(directions))
    if (direction.z() > 0.0f)
      half.push_back(direction);
  std::vector<Symmetry> axes;
  // Other orders are multiples of these, or a person would not see them either.
  for (const int order : {2, 3, 5}) {
    std::vector<float> distances(half.size());
    const auto count = static_cast<std::ptrdiff_t>(half.size());
#pragma omp parallel for schedule(dynamic, 16)
    for (std::ptrdiff_t i = 0; i < count; ++i)
      distances[i] =
          surface.coarseDistance(Symmetry{half[i], surface.center(), order}.turn());
    std::vector<std::size_t> tried;
    for (int i = 0; i < most_tried; ++i) {
      const std::size_t best =
          std::min_element(distances.begin(), distances.end()) - distances.begin();
      if (distances[best] == std::numeric_limits<float>::infinity())
        break;
      Symmetry symmetry = surface.refined({half[best], surface.center(), order});
      symmetry.order = orderOf(surface, symmetry);
      if (symmetry.order > 1)
        addAxis(symmetry, axes);
      for (std::size_t j = 0; j < half.size(); ++j)
        if (std::abs(half[j].dot(half[best])) > same)
          distances[j] = std::numeric_limits<float>::infinity();
    }
  }
  std::stable_sort(axes.begin(), axes.end(), [](const Symmetry& a, const Symmetry& b) {
    return a.order > b.order;
  });
  return allTurns(axes);
}

} // namespace pcl::gpu
