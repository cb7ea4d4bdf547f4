// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "fitting/joint_fit.h"

#include "../skeleton/body_parts.h"
#include "../skeleton/joint_places.h"
#include "fitting/pose_set.h"
#include "fitting/skeleton_shape.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace pcl::gpu {

namespace {

using Eigen::MatrixXf;
using Eigen::Vector3f;
using Eigen::VectorXf;

/** \brief Deviation of an angle beyond its limits, radians. */
constexpr float beyond_limit = 0.03f;

/** \brief A number that may change, with its usual value. */
struct Unknown {
  int place;
  float usual;
  float deviation; ///< infinite: any value is as good
  float lower, upper;

  /** \brief Returns how far a value is beyond the limits, in deviations. */
  float
  beyond(float value) const
  {
    return (value - std::clamp(value, lower, upper)) / beyond_limit;
  }
};

/** \brief The least squares of a body's joints.
 *
 * Solves the normal equations, whose priors only add to the diagonal. Eigen's
 * LevenbergMarquardt decomposes the rows of all priors, and takes several times as
 * long.
 */
class JointSquares {
public:
  JointSquares(const Skeleton& skeleton,
               const Body& body,
               const std::vector<std::vector<FixedPoint>>& places,
               const std::vector<float>& pose,
               const std::vector<RegressedJoint>& joints,
               bool fit_lengths)
  : places_(places)
  , joints_(joints)
  , carrier_(*carrierOf(places, skeleton))
  , shape_(carrier_, body)
  , numbers_(numbersOf(pose))
  {
    constexpr float any = std::numeric_limits<float>::infinity();
    constexpr float whole_deviation = 0.3f, part_deviation = 0.1f;
    if (fit_lengths)
      for (int i = 0; i < shape_size; ++i)
        if (!isRadius(i))
          unknowns_.push_back(
              {i, 0.0f, i == 0 ? whole_deviation : part_deviation, -any, any});
    shape_count_ = unknownCount();
    for (int i = 0; i < 3; ++i)
      unknowns_.push_back({turn_start + i, 0.0f, any, -any, any});
    for (int i = 0; i < 3; ++i)
      unknowns_.push_back({pose_start + i, 0.0f, any, -any, any});
    first_angle_ = unknownCount();
    const std::vector<bool> matters = jointsThatMatter();
    int place = pose_start + Skeleton::root_size;
    for (std::size_t i = 0; i < matters.size(); ++i)
      for (const JointAngle& angle : skeleton.getJoints()[i].angles) {
        constexpr float share = 0.6f, most = 2.0f; // radians
        const float half = std::min(most, 0.5f * (angle.upper - angle.lower));
        const bool changes = matters[i] && angle.deviation > 0.0f;
        angle_columns_.push_back(changes ? unknownCount() : -1);
        if (changes)
          unknowns_.push_back(
              {place, numbers_[place], share * half, angle.lower, angle.upper});
        ++place;
      }
  }

  /** \brief Moves the body to a minimum, by the method of Levenberg and Marquardt with
   * the damping of Nielsen (1999).
   * \return half the sum of squares there
   */
  float
  minimize()
  {
    constexpr int most_trials = 80;
    constexpr float enough = 4e-3f; // share of the sum
    float damping = 1e-3f, growth = 2.0f;
    setBody();
    float sum = halfSum();
    setEquations();
    for (int trial = 0; trial < most_trials; ++trial) {
      const VectorXf damped = damping * matrix_.diagonal();
      MatrixXf matrix = matrix_;
      matrix.diagonal() += damped;
      const VectorXf step = matrix.llt().solve(-gradient_);
      const float expected = 0.5f * step.dot(damped.cwiseProduct(step) - gradient_);
      if (expected < enough * sum)
        break;
      const BodyNumbers before = numbers_;
      for (int i = 0; i < unknownCount(); ++i)
        numbers_[unknowns_[i].place] += step[i];
      setBody();
      const float next = halfSum();
      if (!(next < sum)) {
        numbers_ = before;
        damping *= growth;
        growth *= 2.0f;
        continue;
      }
      const float success = 2.0f * (sum - next) / expected - 1.0f;
      damping *= std::max(1.0f / 3.0f, 1.0f - success * success * success);
      growth = 2.0f;
      sum = next;
      setEquations();
    }
    return sum;
  }

  /** \brief Returns the greatest distance of a joint from its place, in expected
   * errors. */
  float
  greatestDistance()
  {
    setBody();
    float greatest = 0.0f;
    for (std::size_t i = 0; i < places_.size(); ++i)
      greatest = std::max(greatest, residualOf(i).norm());
    return greatest;
  }

  /** \brief Sets all angles to the middle of their limits. */
  void
  setMiddleAngles()
  {
    for (int i = first_angle_; i < unknownCount(); ++i) {
      const Unknown& unknown = unknowns_[i];
      const float angle = 0.5f * (unknown.lower + unknown.upper);
      numbers_[unknown.place] = std::isfinite(angle) ? angle : unknown.usual;
    }
  }

  const BodyNumbers&
  numbers() const
  {
    return numbers_;
  }

  void
  setNumbers(const BodyNumbers& numbers)
  {
    numbers_ = numbers;
  }

private:
  int
  unknownCount() const
  {
    return static_cast<int>(unknowns_.size());
  }

  /** \brief Takes the turn into the pose, and places the points. The kinematics of
   * other files do not give the axes that the derivatives need. */
  void
  setBody()
  {
    const std::vector<float> pose = poseOf(numbers_);
    std::copy(pose.begin(), pose.end(), numbers_.begin() + pose_start);
    std::fill_n(numbers_.begin() + turn_start, 3, 0.0f);
    const std::vector<SkeletonJoint>& joints = carrier_.getJoints();
    axes_.clear();
    offsets_.resize(joints.size(), Vector3f::Zero());
    frames_.resize(joints.size());
    frames_[0] = Eigen::Translation3f(Vector3f::Map(pose.data())) *
                 orientationOf(pose.data()).normalized();
    for (std::size_t j = 1; j < joints.size(); ++j) {
      const int parent = joints[j].parent;
      offsets_[j] = shape_.resized(joints[j].offset, parent, numbers_.data());
      frames_[j] = frames_[parent] * Eigen::Translation3f(offsets_[j]);
      for (const JointAngle& angle : joints[j].angles) {
        const float value = pose[Skeleton::root_size + axes_.size()];
        axes_.push_back(frames_[j].linear() * angle.axis);
        frames_[j].rotate(Eigen::AngleAxisf(value, angle.axis));
      }
    }
    points_.clear();
    for (const SkeletonCapsule& carried : carrier_.getCapsules())
      points_.push_back(shape_.resized(carried.a, carried.joint, numbers_.data()));
  }

  Vector3f
  positionOf(std::size_t point) const
  {
    return frames_[carrier_.getCapsules()[point].joint] * points_[point];
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

  /** \brief Returns how far a joint is from its place, in expected errors. */
  Vector3f
  residualOf(std::size_t joint) const
  {
    const float weight = weightOf(joint);
    if (weight == 0.0f)
      return Vector3f::Zero();
    std::size_t next = 0;
    for (std::size_t i = 0; i < joint; ++i)
      next += places_[i].size();
    const std::size_t count = places_[joint].size();
    Vector3f mean = Vector3f::Zero();
    for (std::size_t k = 0; k < count; ++k)
      mean += positionOf(next + k) / static_cast<float>(count);
    return weight * (mean - joints_[joint].position);
  }

  float
  halfSum() const
  {
    float sum = 0.0f;
    for (std::size_t i = 0; i < places_.size(); ++i)
      sum += residualOf(i).squaredNorm();
    for (const Unknown& unknown : unknowns_) {
      const float value = numbers_[unknown.place];
      const float away = (value - unknown.usual) / unknown.deviation;
      sum += away * away + unknown.beyond(value) * unknown.beyond(value);
    }
    return 0.5f * sum;
  }

  /** \brief Sets matrix and gradient of the normal equations. */
  void
  setEquations()
  {
    const int count = unknownCount(), rows = 3 * static_cast<int>(places_.size());
    VectorXf residuals(rows);
    for (std::size_t i = 0; i < places_.size(); ++i)
      residuals.segment<3>(static_cast<int>(3 * i)) = residualOf(i);
    const MatrixXf jacobian = derivatives();
    matrix_.setZero(count, count);
    matrix_.selfadjointView<Eigen::Lower>().rankUpdate(jacobian.transpose());
    gradient_ = jacobian.transpose() * residuals;
    for (int i = 0; i < count; ++i) {
      const Unknown& unknown = unknowns_[i];
      const float value = numbers_[unknown.place];
      const float information = 1.0f / (unknown.deviation * unknown.deviation);
      const float beyond = unknown.beyond(value);
      matrix_(i, i) += information;
      gradient_[i] += information * (value - unknown.usual);
      if (beyond != 0.0f)
        matrix_(i, i) += 1.0f / (beyond_limit * beyond_limit);
      gradient_[i] += beyond / beyond_limit;
    }
  }

  /** \brief Returns the derivatives of the joints' residuals by the unknowns. */
  MatrixXf
  derivatives() const
  {
    const std::vector<SkeletonJoint>& joints = carrier_.getJoints();
    MatrixXf all = MatrixXf::Zero(3 * static_cast<int>(places_.size()), unknownCount());
    std::size_t next = 0;
    for (std::size_t i = 0; i < places_.size(); ++i)
      for (const FixedPoint& point : places_[i]) {
        const Vector3f position = positionOf(next);
        const float weight = weightOf(i) / static_cast<float>(places_[i].size());
        auto own = all.middleRows<3>(static_cast<int>(3 * i));
        const auto addLengths = [&](const Vector3f& vector, int joint) {
          for (int k = 0; k < shape_count_; ++k)
            own.col(k) +=
                weight * (frames_[joint].linear() *
                          shape_.derivative(vector, joint, unknowns_[k].place));
        };
        addLengths(points_[next++], point.joint);
        for (int j = point.joint; j > 0; j = joints[j].parent) {
          addLengths(offsets_[j], joints[j].parent);
          const Vector3f arm = weight * (position - frames_[j].translation());
          const int first = carrier_.angleIndex(j) - Skeleton::root_size;
          for (std::size_t k = first; k < first + joints[j].angles.size(); ++k)
            if (const int column = angle_columns_[k]; column >= 0)
              own.col(column) += axes_[k].cross(arm);
        }
        const Vector3f arm = weight * (position - frames_[0].translation());
        for (int k = 0; k < 3; ++k) {
          own.col(shape_count_ + k) += frames_[0].linear().col(k).cross(arm);
          own(k, shape_count_ + 3 + k) += weight;
        }
      }
    return all;
  }

  const std::vector<std::vector<FixedPoint>>& places_;
  const std::vector<RegressedJoint>& joints_;
  const Skeleton carrier_;    ///< of the points
  const SkeletonShape shape_; ///< of the carrier
  BodyNumbers numbers_;
  std::vector<Unknown> unknowns_; ///< of shape, root's turn, its place, then angles
  int shape_count_ = 0;
  int first_angle_ = 0;
  std::vector<int> angle_columns_; ///< unknown of each angle; -1: it does not change
  std::vector<Eigen::Isometry3f> frames_; ///< of the joints, in the world
  std::vector<Vector3f> axes_;            ///< of all angles, in the world
  std::vector<Vector3f> offsets_;         ///< of the joints in these sizes
  std::vector<Vector3f> points_;          ///< in the frames of their joints
  MatrixXf matrix_; ///< of the normal equations; the lower triangle
  VectorXf gradient_;
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
  JointSquares squares(skeleton, body, places, placed, joints, fit_lengths);
  const float sum = squares.minimize();
  // A knee or an elbow that is turned to the wrong side stays there.
  constexpr float most_errors = 3.0f;
  if (squares.greatestDistance() > most_errors) {
    const BodyNumbers first = squares.numbers();
    squares.setMiddleAngles();
    if (!(squares.minimize() < sum))
      squares.setNumbers(first);
  }
  const BodyNumbers& numbers = squares.numbers();
  const std::vector<float> fitted = poseOf(numbers);
  if (!fit_lengths)
    return {skeleton, fitted};
  return {SkeletonShape(skeleton, body).resized(numbers.data()), fitted};
}

} // namespace pcl::gpu
