// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../kinematics/kinematic_tables.h"
#include "../likelihood/view_likelihood.h"
#include "../skeleton/body_parts.h"

#include <pcl/gpu/articulated/skeleton_fit.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pcl::gpu {

namespace {

/** \brief Logarithms of the factors that a body's sizes are multiplied by.
 *
 * The first is that of the whole body. Lengths of trunk, head, arms and legs follow,
 * then their radii. The last one is the trunk's width, a factor on top of its length.
 */
constexpr int shape_groups = 4;
constexpr int trunk_width = 1 + 2 * shape_groups;
constexpr int shape_size = trunk_width + 1;
constexpr int trunk_group = 0;

/** \brief Returns the group of a part; -1: the factor of the whole body only. */
int
groupOf(BodyPart part)
{
  if (part == BodyPart::Unknown || part == BodyPart::End)
    return -1;
  if (part == BodyPart::Neck || part == BodyPart::Head)
    return 1;
  if (part >= BodyPart::UpperArm)
    return 2;
  return part >= BodyPart::Thigh && part <= BodyPart::Toe ? 3 : trunk_group;
}

/** \brief A skeleton in other sizes. */
class SkeletonShape {
public:
  explicit SkeletonShape(const Skeleton& skeleton) : skeleton_(skeleton)
  {
    const Body body(skeleton);
    for (const BodyPart part : body.parts)
      groups_.push_back(groupOf(part));
    left_ = body.left;
  }

  /** \brief Returns the skeleton in another size.
   * \param[in] logarithms shape_size numbers
   */
  Skeleton
  resized(const float* logarithms) const
  {
    const auto factor = [&](const float* of_groups, int joint) {
      const int group = groups_[joint];
      return std::exp(logarithms[0] + (group < 0 ? 0.0f : of_groups[group]));
    };
    const float widening = std::exp(logarithms[trunk_width]) - 1.0f;
    const auto resize = [&](const Eigen::Vector3f& vector, int joint) {
      const Eigen::Vector3f longer = factor(logarithms + 1, joint) * vector;
      if (groups_[joint] != trunk_group)
        return longer;
      return Eigen::Vector3f(longer + widening * longer.dot(left_) * left_);
    };
    Skeleton resized = skeleton_;
    for (std::size_t i = 1; i < groups_.size(); ++i) {
      SkeletonJoint joint = skeleton_.getJoints()[i];
      joint.offset = resize(joint.offset, joint.parent);
      resized.setJoint(static_cast<int>(i), joint);
    }
    for (std::size_t i = 0; i < skeleton_.getCapsules().size(); ++i) {
      SkeletonCapsule capsule = skeleton_.getCapsules()[i];
      capsule.a = resize(capsule.a, capsule.joint);
      capsule.b = resize(capsule.b, capsule.joint);
      const float thickening = factor(logarithms + 1 + shape_groups, capsule.joint);
      capsule.radius_a *= thickening;
      capsule.radius_b *= thickening;
      resized.setCapsule(static_cast<int>(i), capsule);
    }
    return resized;
  }

  /** \brief Returns whether any capsule depends on a factor. */
  bool
  matters(int factor) const
  {
    if (factor == 0)
      return true;
    const int group = factor == trunk_width ? trunk_group : (factor - 1) % shape_groups;
    const auto& capsules = skeleton_.getCapsules();
    return std::any_of(capsules.begin(), capsules.end(), [&](const auto& capsule) {
      return groups_[capsule.joint] == group;
    });
  }

private:
  Skeleton skeleton_;
  std::vector<int> groups_; ///< of every joint
  Eigen::Vector3f left_;    ///< of the body, in the frame of every joint
};

/** \brief The unknowns: shape, then a turn of the root about x, y and z, then the pose,
 * whose quaternion does not change. */
using Numbers = std::vector<float>;

constexpr int turn_start = shape_size;
constexpr int pose_start = shape_size + 3;

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
  , best_(pose_start, 0.0f)
  {
    best_.insert(best_.end(), pose.begin(), pose.end());
    start_ = best_;
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

  /** \brief Returns a number moved within its limits. A start beyond the limits does
   * not jump there. */
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
      Eigen::Map<Eigen::Vector4f>(pose.data() + 3) << rotation.w(), rotation.vec();
    }
    return pose;
  }

  /** \brief Returns the loss of log-likelihood of an unusual shape. */
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
    if (options_.check_interruption)
      options_.check_interruption();
    host_capsules_.resize(trials.size() * capsule_count_);
    const auto count = static_cast<std::ptrdiff_t>(trials.size());
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      // Every trial is another skeleton, which the host turns.
      KinematicTables tables(shape_.resized(trials[i].data()));
      const std::vector<float> pose = poseOf(trials[i]);
      device::KinematicsTask<device::PlaceCapsules<TaperedCapsule>> task{};
      task.tree = tables.tree;
      task.poses = pose.data();
      task.count = 1;
      std::vector<device::JointTransform> transforms(
          device::host::scratchTransforms(task.tree));
      task.scratch = transforms.data();
      task.outputs = host_capsules_.data() + i * capsule_count_;
      device::host::turnPoses(task);
    }
    capsules_.upload(host_capsules_.data(), host_capsules_.size());
    std::vector<double> values = view_.compute(capsules_, capsule_count_);
    for (std::size_t i = 0; i < trials.size(); ++i)
      values[i] -= penalty(trials[i]);
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
  checkRoom(options.room, points);
  const ScopedDevice scope(deviceOf(points));
  Search search(skeleton, pose, points, viewpoint, options, stream);
  search.run(3.0f * options.truncation_distance);
  search.run(options.truncation_distance);
  return search.result();
}

} // namespace pcl::gpu
