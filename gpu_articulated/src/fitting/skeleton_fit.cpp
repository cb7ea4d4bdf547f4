// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../kinematics/kinematic_tables.h"
#include "../likelihood/view_likelihood.h"
#include "fitting/skeleton_shape.h"

#include <pcl/gpu/articulated/skeleton_fit.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pcl::gpu {

namespace {

/** \brief A number that may change. */
struct Direction {
  int place;
  float first_step;
  float lower;
  float upper;
  float step = 0.0f; ///< length of the next step
};

class Search {
public:
  Search(const Skeleton& skeleton,
         const std::vector<float>& pose,
         const DeviceArray<PointXYZ>& points,
         const Eigen::Vector3f& viewpoint,
         const SkeletonFitOptions& options,
         const Stream& stream)
  : shape_(skeleton)
  , options_(options)
  , start_(numbersOf(pose))
  , best_(start_)
  {
    capsule_count_ = static_cast<int>(skeleton.getCapsules().size());
    chooseDirections(skeleton);
    view_.observe(
        points, options_.room, viewpoint, options_.is_whole, options_.sigma, stream);
  }

  /** \brief Searches from the best numbers so far, or from the start if that is better.
   * Begins with large steps. */
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
    const float most = std::log(options_.largest_factor);
    for (int i = 0; i < shape_size; ++i) {
      const bool is_fitted = isRadius(i) ? options_.fit_radii : options_.fit_lengths;
      if (is_fitted && shape_.matters(i))
        directions_.push_back({i, isRadius(i) ? 0.1f : 0.06f, -most, most});
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

  /** \brief Returns a number moved within its limits. A start beyond the limits does
   * not jump there. */
  static float
  moved(float from, float by, const Direction& direction)
  {
    const float to = from + by;
    return by > 0.0f ? std::max(from, std::min(to, direction.upper))
                     : std::min(from, std::max(to, direction.lower));
  }

  /** \brief Returns the loss of log-likelihood of skin beneath the floor. */
  double
  penaltyOfFloor(const TaperedCapsule* capsules) const
  {
    if (!options_.floor)
      return 0.0;
    constexpr float allowed = 0.03f, deviation = 0.005f; // metres
    float lowest = 0.0f;
    const auto include = [&](const float(&end)[3], float radius) {
      const float height = options_.floor->head<3>().dot(Eigen::Vector3f::Map(end)) +
                           (*options_.floor)[3];
      lowest = std::min(lowest, height - radius);
    };
    for (int i = 0; i < capsule_count_; ++i) {
      include(capsules[i].a, capsules[i].radius_a);
      include(capsules[i].b, capsules[i].radius_b);
    }
    const double beneath = std::max(-lowest - allowed, 0.0f) / deviation;
    return 0.5 * beneath * beneath;
  }

  /** \brief Returns the loss of log-likelihood of an unusual shape. */
  double
  penalty(const BodyNumbers& numbers) const
  {
    double sum = 0.0;
    // Bodies come in all sizes: only proportions are unusual.
    for (int i = 1; i < shape_size; ++i)
      sum += numbers[i] * numbers[i];
    return sum / (2.0 * options_.shape_deviation * options_.shape_deviation);
  }

  std::vector<double>
  evaluate(const std::vector<BodyNumbers>& trials)
  {
    if (options_.check_interruption)
      options_.check_interruption();
    host_capsules_.resize(trials.size() * capsule_count_);
    const KinematicTables tables_of_best(shape_.resized(best_.data()));
    const auto count = static_cast<std::ptrdiff_t>(trials.size());
#pragma omp parallel for schedule(dynamic, 4)
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const BodyNumbers& trial = trials[i];
      TaperedCapsule* const capsules = host_capsules_.data() + i * capsule_count_;
      // A trial with other sizes is another skeleton.
      if (std::equal(best_.begin(), best_.begin() + shape_size, trial.begin()))
        placeCapsules(tables_of_best, poseOf(trial), capsules);
      else
        placeCapsules(
            KinematicTables(shape_.resized(trial.data())), poseOf(trial), capsules);
    }
    capsules_.upload(host_capsules_.data(), host_capsules_.size());
    std::vector<double> values = view_.compute(capsules_, capsule_count_);
    for (std::size_t i = 0; i < trials.size(); ++i)
      values[i] -= penalty(trials[i]) +
                   penaltyOfFloor(host_capsules_.data() + i * capsule_count_);
    return values;
  }

  /** \brief Returns whether all steps have become small. */
  bool
  hasEnded() const
  {
    constexpr float least = 1.0f / 64.0f;
    return std::all_of(directions_.begin(), directions_.end(), [&](const auto& each) {
      return each.step < least * each.first_step;
    });
  }

  /** \brief Tries to change every number alone, then all helpful numbers together. */
  void
  improve()
  {
    std::vector<BodyNumbers> trials;
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

    const BodyNumbers start = best_;
    if (!helpful.empty())
      accept(trials[helpful.front()], values[helpful.front()]);
    std::vector<BodyNumbers> combined;
    for (std::size_t count = 2; count < 2 * helpful.size(); count *= 2)
      for (const float share : {1.0f, 0.5f}) {
        combined.push_back(start);
        for (std::size_t i = 0; i < std::min(count, helpful.size()); ++i) {
          const int place = directions_[helpful[i] / 2].place;
          combined.back()[place] += share * (trials[helpful[i]][place] - start[place]);
        }
      }
    // A step in the former direction follows narrow valleys.
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
  accept(const BodyNumbers& numbers, double value)
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
  const BodyNumbers start_;
  BodyNumbers best_;
  BodyNumbers last_move_; ///< of the last rounds, the latest counts most
  double best_value_ = 0.0;
  int capsule_count_ = 0;
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
  checkAtLeast("most rounds", options.most_rounds, 1);
  checkArgument(options.largest_factor >= 1.0f && std::isfinite(options.largest_factor),
                "largest factor",
                options.largest_factor,
                "1 or more");
  if (options.floor)
    checkArgument(options.floor->allFinite() &&
                      std::abs(options.floor->head<3>().norm() - 1.0f) < 1e-3f,
                  "floor",
                  options.floor->transpose(),
                  "a plane with a normal of length 1");
  checkRoom(options.room, points);
  const ScopedDevice scope(deviceOf(points));
  Search search(skeleton, pose, points, viewpoint, options, stream);
  search.run(3.0f * options.truncation_distance);
  search.run(options.truncation_distance);
  return search.result();
}

} // namespace pcl::gpu
