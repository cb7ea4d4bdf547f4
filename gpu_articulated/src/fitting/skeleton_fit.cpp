// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../kinematics/kinematic_tables.h"
#include "../likelihood/view_likelihood.h"
#include "../skeleton/skeleton_shape.h"

#include <pcl/gpu/articulated/skeleton_fit.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pcl::gpu {

namespace {

/** \brief The numbers that are searched: shape, then a turn of the root about x, y and z, then
 * the pose, whose quaternion stays as it is. */
using Numbers = std::vector<float>;

constexpr int turn_start = shape_size;
constexpr int pose_start = shape_size + 3;

/** \brief A number that may change. */
struct Direction {
  int place;
  float first_step;
  float lower;
  float upper;
  float step = 0.0f; ///< how far next
};

class Search {
public:
  Search(const Skeleton& skeleton,
         const std::vector<float>& pose,
         const SkeletonFitOptions& options)
  : shape_(skeleton)
  , options_(options)
  , best_(pose_start, 0.0f)
  {
    best_.insert(best_.end(), pose.begin(), pose.end());
    start_ = best_;
    capsule_count_ = static_cast<int>(skeleton.getCapsules().size());
    chooseDirections(skeleton);
  }

  /** \brief Sets what was seen. */
  void
  observe(const DeviceArray<PointXYZ>& points,
          const Eigen::Vector3f& viewpoint,
          const Stream& stream)
  {
    view_.observe(points, viewpoint, options_.is_whole, options_.sigma, stream);
  }

  /** \brief Searches from the best numbers so far (or from the start, if that is better),
   * with large steps at first. */
  void
  run(float truncation_distance)
  {
    view_.setTruncationDistance(truncation_distance);
    best_value_ = evaluate({best_}).front();
    accept(start_, evaluate({start_}).front());
    for (Direction& direction : directions_)
      direction.step = direction.first_step;
    last_move_.assign(best_.size(), 0.0f);
    for (int round = 0; round < options_.most_rounds && !hasEnded(); ++round)
      improve();
  }

  SkeletonFit
  result()
  {
    SkeletonFit fit;
    fit.skeleton = shape_.resized(best_.data());
    fit.pose = poseOf(best_);
    evaluate({best_});
    fit.log_likelihood = view_.computeOfPoints(capsules_, capsule_count_).front();
    return fit;
  }

private:
  void
  chooseDirections(const Skeleton& skeleton)
  {
    constexpr float no_limit = std::numeric_limits<float>::infinity();
    // Larger factors are those of another animal.
    constexpr float most = 0.7f;
    for (int i = 0; i < shape_size; ++i) {
      const bool is_radius = i > shape_groups && i != trunk_width;
      if ((is_radius ? options_.fit_radii : options_.fit_lengths) && shape_.matters(i))
        directions_.push_back({i, is_radius ? 0.1f : 0.06f, -most, most});
    }
    if (!options_.fit_pose)
      return;
    for (int i = 0; i < 3; ++i) {
      directions_.push_back({turn_start + i, 0.1f, -no_limit, no_limit});
      directions_.push_back({pose_start + i, 0.04f, -no_limit, no_limit});
    }
    int place = pose_start + Skeleton::root_size;
    for (const SkeletonJoint& joint : skeleton.getJoints())
      for (const JointAngle& angle : joint.angles) {
        if (angle.deviation > 0.0f)
          directions_.push_back({place, 0.15f, angle.lower, angle.upper});
        ++place;
      }
  }

  /** \brief The numbers with one of them moved, within its limits; a start that is beyond
   * them does not jump there. */
  static float
  moved(float from, float by, const Direction& direction)
  {
    const float to = from + by;
    return by > 0.0f ? std::max(from, std::min(to, direction.upper))
                     : std::min(from, std::max(to, direction.lower));
  }

  static std::vector<float>
  poseOf(const Numbers& numbers)
  {
    std::vector<float> pose(numbers.begin() + pose_start, numbers.end());
    const Eigen::Vector3f turn(
        numbers[turn_start], numbers[turn_start + 1], numbers[turn_start + 2]);
    const float angle = turn.norm();
    if (angle > 0.0f) {
      const Eigen::Quaternionf rotation =
          Eigen::Quaternionf(pose[3], pose[4], pose[5], pose[6]).normalized() *
          Eigen::Quaternionf(Eigen::AngleAxisf(angle, turn / angle));
      pose[3] = rotation.w();
      pose[4] = rotation.x();
      pose[5] = rotation.y();
      pose[6] = rotation.z();
    }
    return pose;
  }

  /** \brief How unusual a shape is, to be taken from its log-likelihood. */
  double
  penalty(const Numbers& numbers) const
  {
    double sum = 0.0;
    // Bodies come in all sizes: only proportions are unusual.
    for (int i = 1; i < shape_size; ++i)
      sum += numbers[i] * numbers[i];
    return sum / (2.0 * options_.shape_deviation * options_.shape_deviation);
  }

  std::vector<double>
  evaluate(const std::vector<Numbers>& trials)
  {
    host_capsules_.resize(trials.size() * capsule_count_);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      // Every trial is another skeleton: bodies of so few joints are turned by the host.
      KinematicTables tables(shape_.resized(trials[i].data()));
      const std::vector<float> pose = poseOf(trials[i]);
      device::KinematicsTask<device::PlaceCapsules<TaperedCapsule>> task{};
      task.tree = tables.view(tables.bytes().data());
      task.poses = pose.data();
      task.count = 1;
      transforms_.resize(device::host::scratchTransforms(task.tree));
      task.scratch = transforms_.data();
      task.outputs = host_capsules_.data() + i * capsule_count_;
      device::host::turnPoses(task);
    }
    capsules_.upload(host_capsules_.data(), host_capsules_.size());
    std::vector<double> values = view_.compute(capsules_, capsule_count_);
    for (std::size_t i = 0; i < trials.size(); ++i)
      values[i] -= penalty(trials[i]);
    return values;
  }

  /** \brief Whether no steps are left that matter. */
  bool
  hasEnded() const
  {
    constexpr float least = 1.0f / 64.0f;
    return std::all_of(directions_.begin(), directions_.end(), [&](const auto& each) {
      return each.step < least * each.first_step;
    });
  }

  /** \brief One round: every number alone, then together those whose change helps. */
  void
  improve()
  {
    std::vector<Numbers> trials;
    for (const Direction& direction : directions_)
      for (const float sign : {1.0f, -1.0f}) {
        trials.push_back(best_);
        float& number = trials.back()[direction.place];
        number = moved(number, sign * direction.step, direction);
      }
    const std::vector<double> values = evaluate(trials);
    std::vector<std::size_t> helpful;
    for (std::size_t i = 0; i < values.size(); i += 2) {
      const std::size_t better = values[i] >= values[i + 1] ? i : i + 1;
      float& step = directions_[i / 2].step;
      if (values[better] > best_value_) {
        helpful.push_back(better);
        step = std::min(1.5f * step, directions_[i / 2].first_step);
      }
      else {
        step *= 0.5f;
      }
    }
    std::stable_sort(helpful.begin(), helpful.end(), [&](std::size_t a, std::size_t b) {
      return values[a] > values[b];
    });

    const Numbers start = best_;
    if (!helpful.empty())
      accept(trials[helpful.front()], values[helpful.front()]);
    std::vector<Numbers> combined;
    for (std::size_t count = 2; count < 2 * helpful.size(); count *= 2)
      for (const float share : {1.0f, 0.5f}) {
        combined.push_back(start);
        for (std::size_t i = 0; i < std::min(count, helpful.size()); ++i) {
          const int place = directions_[helpful[i] / 2].place;
          combined.back()[place] += share * (trials[helpful[i]][place] - start[place]);
        }
      }
    // Narrow valleys are followed by going on as before.
    for (const float share : {0.5f, 1.0f, 2.0f, 4.0f}) {
      combined.push_back(start);
      for (const Direction& direction : directions_) {
        float& number = combined.back()[direction.place];
        number = moved(number, share * last_move_[direction.place], direction);
      }
    }
    const std::vector<double> combined_values = evaluate(combined);
    for (std::size_t i = 0; i < combined.size(); ++i)
      accept(combined[i], combined_values[i]);
    for (std::size_t i = 0; i < best_.size(); ++i)
      last_move_[i] = 0.5f * last_move_[i] + (best_[i] - start[i]);
  }

  void
  accept(const Numbers& numbers, double value)
  {
    if (!(value > best_value_))
      return;
    best_ = numbers;
    best_value_ = value;
  }

  const SkeletonShape shape_;
  const SkeletonFitOptions options_;
  std::vector<Direction> directions_;
  ViewLikelihood view_;
  Numbers start_;
  Numbers best_;
  Numbers last_move_; ///< of the last rounds, the latest counts most
  double best_value_ = 0.0;
  int capsule_count_ = 0;
  std::vector<device::JointTransform> transforms_;
  std::vector<TaperedCapsule> host_capsules_;
  DeviceArray<TaperedCapsule> capsules_;
};

} // namespace

SkeletonFit
fitSkeleton(const Skeleton& skeleton,
            const std::vector<float>& pose,
            const DeviceArray<PointXYZ>& points,
            const Eigen::Vector3f& viewpoint,
            const SkeletonFitOptions& options,
            const Stream& stream)
{
  checkView(skeleton, pose, points, viewpoint);
  checkPositive("sigma", options.sigma);
  checkPositive("truncation distance", options.truncation_distance);
  checkPositive("shape deviation", options.shape_deviation);
  checkArgument(
      options.most_rounds > 0, "most rounds", options.most_rounds, "1 or more");
  const ScopedDevice scope(deviceOf(points));
  Search search(skeleton, pose, options);
  search.observe(points, viewpoint, stream);
  search.run(3.0f * options.truncation_distance);
  search.run(options.truncation_distance);
  return search.result();
}

} // namespace pcl::gpu
