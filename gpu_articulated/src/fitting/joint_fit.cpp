// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "fitting/joint_fit.h"

#include "../skeleton/body_parts.h"
#include "../skeleton/joint_places.h"
#include "fitting/pose_set.h"
#include "fitting/skeleton_shape.h"

#include <Eigen/Geometry>
#include <unsupported/Eigen/NonLinearOptimization>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace pcl::gpu {

namespace {

using Eigen::MatrixXf;
using Eigen::Vector3f;
using Eigen::VectorXf;

/** \brief A number that may change, with its usual value. */
struct Unknown {
  int place;
  float usual;
  float deviation; ///< infinite: any value is as good
  float lower, upper;

  bool
  hasUsual() const
  {
    return std::isfinite(deviation);
  }

  bool
  hasLimits() const
  {
    return std::isfinite(lower) || std::isfinite(upper);
  }

  bool
  isWithin(float value) const
  {
    return value >= lower && value <= upper;
  }
};

/** \brief Residuals of a body's joints, as Eigen's LevenbergMarquardt wants them. */
class JointResiduals {
public:
  using Scalar = float;
  using InputType = VectorXf;
  using ValueType = VectorXf;
  using JacobianType = MatrixXf;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

  JointResiduals(const Skeleton& skeleton,
                 const std::vector<std::vector<FixedPoint>>& places,
                 const BodyNumbers& start,
                 const std::vector<RegressedJoint>& joints,
                 bool fit_lengths)
  : places_(places)
  , joints_(joints)
  , carrier_(*carrierOf(places, skeleton))
  , shape_(carrier_)
  , numbers_(start)
  {
    constexpr float any = std::numeric_limits<float>::infinity();
    constexpr float whole_deviation = 0.3f, part_deviation = 0.1f;
    if (fit_lengths)
      for (int i = 0; i < shape_size; ++i)
        if (!isRadius(i))
          unknowns_.push_back(
              {i, 0.0f, i == 0 ? whole_deviation : part_deviation, -any, any});
    shape_count_ = static_cast<int>(unknowns_.size());
    for (int i = 0; i < 3; ++i) {
      unknowns_.push_back({turn_start + i, 0.0f, any, -any, any});
      unknowns_.push_back({pose_start + i, 0.0f, any, -any, any});
    }
    first_angle_ = static_cast<int>(unknowns_.size());
    const std::vector<bool> matters = jointsThatMatter();
    int place = pose_start + Skeleton::root_size;
    for (std::size_t i = 0; i < matters.size(); ++i)
      for (const JointAngle& angle : skeleton.getJoints()[i].angles) {
        constexpr float share = 0.6f, most = 2.0f; // radians
        const float half = std::min(most, 0.5f * (angle.upper - angle.lower));
        const bool changes = matters[i] && angle.deviation > 0.0f;
        angle_columns_.push_back(changes ? inputs() : -1);
        if (changes)
          unknowns_.push_back(
              {place, start[place], share * half, angle.lower, angle.upper});
        ++place;
      }
  }

  int
  inputs() const
  {
    return static_cast<int>(unknowns_.size());
  }

  int
  values() const
  {
    int count = firstPriorRow();
    for (const Unknown& unknown : unknowns_)
      count += int(unknown.hasUsual()) + int(unknown.hasLimits());
    return count;
  }

  VectorXf
  start() const
  {
    VectorXf x(inputs());
    for (int i = 0; i < inputs(); ++i)
      x[i] = numbers_[unknowns_[i].place];
    return x;
  }

  int
  operator()(const VectorXf& x, VectorXf& residuals)
  {
    setNumbers(x);
    std::size_t next = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const std::size_t count = places_[i].size();
      Vector3f mean = Vector3f::Zero();
      for (std::size_t k = 0; k < count; ++k)
        mean += positionOf(next++) / static_cast<float>(count);
      const float weight = weightOf(i);
      residuals.segment<3>(static_cast<int>(3 * i)).setZero();
      if (weight > 0.0f)
        residuals.segment<3>(static_cast<int>(3 * i)) =
            weight * (mean - joints_[i].position);
    }
    int row = firstPriorRow();
    for (const Unknown& unknown : unknowns_) {
      const float value = numbers_[unknown.place];
      if (unknown.hasUsual())
        residuals[row++] = (value - unknown.usual) / unknown.deviation;
      if (unknown.hasLimits())
        residuals[row++] =
            (value - std::clamp(value, unknown.lower, unknown.upper)) / beyond_limit;
    }
    return 0;
  }

  /** \brief Computes derivatives. Those by the shape and the root are differences. */
  int
  df(const VectorXf& x, MatrixXf& jacobian)
  {
    constexpr float step = 1e-3f;
    VectorXf middle(values()), moved(values());
    (*this)(x, middle);
    for (int i = 0; i < first_angle_; ++i) {
      VectorXf beside = x;
      beside[i] += step;
      (*this)(beside, moved);
      jacobian.col(i) = (moved - middle) / step;
    }
    setNumbers(x);
    jacobian.rightCols(inputs() - first_angle_).setZero();
    deriveJoints(jacobian);
    int row = firstPriorRow();
    for (int i = 0; i < inputs(); ++i) {
      const Unknown& unknown = unknowns_[i];
      if (unknown.hasUsual())
        jacobian(row++, i) = 1.0f / unknown.deviation;
      if (unknown.hasLimits())
        jacobian(row++, i) = unknown.isWithin(x[i]) ? 0.0f : 1.0f / beyond_limit;
    }
    return 0;
  }

  /** \brief Returns the greatest distance of a joint from its place, in expected
   * errors. */
  float
  greatestDistance(const VectorXf& x)
  {
    VectorXf residuals(values());
    (*this)(x, residuals);
    float greatest = 0.0f;
    for (std::size_t i = 0; i < places_.size(); ++i)
      greatest =
          std::max(greatest, residuals.segment<3>(static_cast<int>(3 * i)).norm());
    return greatest;
  }

  /** \brief Returns values with all angles in the middle of their limits. */
  VectorXf
  withMiddleAngles(const VectorXf& x) const
  {
    VectorXf middle = x;
    for (int i = first_angle_; i < inputs(); ++i) {
      const float angle = 0.5f * (unknowns_[i].lower + unknowns_[i].upper);
      middle[i] = std::isfinite(angle) ? angle : unknowns_[i].usual;
    }
    return middle;
  }

  const BodyNumbers&
  numbersAt(const VectorXf& x)
  {
    setNumbers(x);
    return numbers_;
  }

private:
  /** \brief Takes values of the unknowns, and turns the joints. The kinematics of other
   * files do not give the axes that the derivatives need. */
  void
  setNumbers(const VectorXf& x)
  {
    bool is_resized = false;
    for (int i = 0; i < inputs(); ++i) {
      float& number = numbers_[unknowns_[i].place];
      is_resized = is_resized || (i < shape_count_ && number != x[i]);
      number = x[i];
    }
    if (is_resized)
      carrier_ = shape_.resized(numbers_.data());
    const std::vector<float> pose = poseOf(numbers_);
    const std::vector<SkeletonJoint>& joints = carrier_.getJoints();
    axes_.clear();
    frames_.resize(joints.size());
    frames_[0] = Eigen::Translation3f(Vector3f::Map(pose.data())) *
                 orientationOf(pose.data()).normalized();
    for (std::size_t j = 1; j < joints.size(); ++j) {
      frames_[j] = frames_[joints[j].parent] * Eigen::Translation3f(joints[j].offset);
      for (const JointAngle& angle : joints[j].angles) {
        const float value = pose[Skeleton::root_size + axes_.size()];
        axes_.push_back(frames_[j].linear() * angle.axis);
        frames_[j].rotate(Eigen::AngleAxisf(value, angle.axis));
      }
    }
  }

  /** \brief Returns the position of a point that the body carries. */
  Vector3f
  positionOf(std::size_t point) const
  {
    const SkeletonCapsule& carried = carrier_.getCapsules()[point];
    return frames_[carried.joint] * carried.a;
  }

  int
  firstPriorRow() const
  {
    return 3 * static_cast<int>(places_.size());
  }

  /** \brief Marks the joints of the body that move a joint with a weight. */
  std::vector<bool>
  jointsThatMatter() const
  {
    const std::vector<SkeletonJoint>& joints = carrier_.getJoints();
    std::vector<bool> matters(joints.size(), false);
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (weightOf(i) > 0.0f)
        for (const FixedPoint& point : places_[i])
          for (int j = point.joint; j >= 0; j = joints[j].parent)
            matters[j] = true;
    return matters;
  }

  /** \brief Returns the weight of a joint. Joints that hardly are where they were found
   * have none: they are left to the usual angles. */
  float
  weightOf(std::size_t joint) const
  {
    constexpr float least_error = 0.02f, most_error = 0.2f; // metres
    const float error = std::max(least_error, joints_[joint].error);
    return error < most_error && !places_[joint].empty() ? 1.0f / error : 0.0f;
  }

  /** \brief Adds the derivatives of the joints' residuals by the angles. */
  void
  deriveJoints(MatrixXf& jacobian) const
  {
    const std::vector<SkeletonJoint>& joints = carrier_.getJoints();
    std::size_t next = 0;
    for (std::size_t i = 0; i < places_.size(); ++i)
      for (const FixedPoint& point : places_[i]) {
        const Vector3f position = positionOf(next++);
        const float weight = weightOf(i) / static_cast<float>(places_[i].size());
        for (int j = point.joint; j > 0; j = joints[j].parent)
          for (std::size_t k = 0; k < joints[j].angles.size(); ++k) {
            const std::size_t angle = carrier_.angleIndex(j) - Skeleton::root_size + k;
            if (const int column = angle_columns_[angle]; column >= 0)
              jacobian.block<3, 1>(static_cast<int>(3 * i), column) +=
                  weight * axes_[angle].cross(position - frames_[j].translation());
          }
      }
  }

  static constexpr float beyond_limit = 0.03f; ///< deviation, radians

  const std::vector<std::vector<FixedPoint>>& places_;
  const std::vector<RegressedJoint>& joints_;
  Skeleton carrier_;          ///< of the points, in the last shape
  const SkeletonShape shape_; ///< of the points
  BodyNumbers numbers_;
  std::vector<Unknown> unknowns_; ///< those of the shape, then of the root, then angles
  int shape_count_ = 0;
  int first_angle_ = 0;
  std::vector<int> angle_columns_; ///< unknown of each angle; -1: it does not change
  std::vector<Eigen::Isometry3f> frames_; ///< of the joints, in the world
  std::vector<Vector3f> axes_;            ///< of all angles, in the world
};

/** \brief Places the trunk between its joints. */
void
placeTrunk(const Body& body,
           const std::vector<RegressedJoint>& joints,
           std::vector<float>& pose)
{
  enum { right_shoulder = 2, left_shoulder, right_hip = 9, left_hip };
  const auto at = [&](int joint) { return joints[joint].position; };
  const Vector3f shoulders = 0.5f * (at(left_shoulder) + at(right_shoulder));
  const Vector3f hips = 0.5f * (at(left_hip) + at(right_hip));
  const Vector3f up = (shoulders - hips).normalized();
  const Vector3f across =
      at(left_shoulder) - at(right_shoulder) + at(left_hip) - at(right_hip);
  const Vector3f left = (across - across.dot(up) * up).normalized();
  Eigen::Matrix3f of_body, of_world;
  of_body << body.left, body.up, body.forward;
  of_world << left, up, left.cross(up);
  const Eigen::Matrix3f turn = of_world * of_body.transpose();
  setOrientation(Eigen::Quaternionf(turn), pose.data());
  Vector3f::Map(pose.data()) =
      shoulders - turn * (body.middle(body.shoulders) - body.positions.front());
}

} // namespace

PosedBody
fitToJoints(const Skeleton& skeleton,
            const std::vector<float>& pose,
            const std::vector<RegressedJoint>& joints,
            bool fit_lengths)
{
  const Body body(skeleton);
  std::vector<float> placed = pose;
  placeTrunk(body, joints, placed);
  const std::vector<std::vector<FixedPoint>> places =
      placesOfJoints(JointConvention::Itop, skeleton);
  JointResiduals residuals(skeleton, places, numbersOf(placed), joints, fit_lengths);
  const auto solve = [&](VectorXf& x) {
    Eigen::LevenbergMarquardt<JointResiduals, float> solver(residuals);
    constexpr int most_trials = 80;
    solver.parameters.maxfev = most_trials;
    solver.parameters.xtol = solver.parameters.ftol = 1e-3f;
    solver.minimize(x);
    return solver.fnorm;
  };
  VectorXf x = residuals.start();
  const float norm = solve(x);
  // A knee or an elbow that is turned to the wrong side stays there.
  constexpr float most_errors = 3.0f;
  if (residuals.greatestDistance(x) > most_errors) {
    VectorXf other = residuals.withMiddleAngles(x);
    if (solve(other) < norm)
      x = other;
  }
  const BodyNumbers& numbers = residuals.numbersAt(x);
  return {SkeletonShape(skeleton).resized(numbers.data()), poseOf(numbers)};
}

} // namespace pcl::gpu
