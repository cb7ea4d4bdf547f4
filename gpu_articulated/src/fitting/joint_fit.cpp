// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "fitting/joint_fit.h"

#include "../kinematics/kinematic_tables.h"
#include "../skeleton/body_parts.h"
#include "../skeleton/joint_places.h"
#include "fitting/pose_set.h"
#include "fitting/skeleton_shape.h"

#include <Eigen/Geometry>
#include <unsupported/Eigen/NonLinearOptimization>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>

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
  , shape_(*carrierOf(places, skeleton))
  , numbers_(start)
  {
    for (const std::vector<FixedPoint>& points : places)
      points_.resize(points_.size() + points.size());
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
    int place = pose_start + Skeleton::root_size;
    for (const SkeletonJoint& joint : skeleton.getJoints())
      for (const JointAngle& angle : joint.angles) {
        constexpr float share = 0.6f, most = 2.0f; // radians
        const float half = std::min(most, 0.5f * (angle.upper - angle.lower));
        if (angle.deviation > 0.0f)
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
    return static_cast<int>(3 * places_.size() + 2 * unknowns_.size());
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
    tables_ = std::make_unique<KinematicTables>(shape_.resized(numbers_.data()));
    compare(residuals);
    return 0;
  }

  /** \brief Computes derivatives by differences. */
  int
  df(const VectorXf& x, MatrixXf& jacobian)
  {
    constexpr float step = 1e-3f;
    VectorXf middle(values()), moved(values());
    (*this)(x, middle);
    for (int i = shape_count_; i < inputs(); ++i) {
      VectorXf beside = x;
      beside[i] += step;
      setNumbers(beside);
      compare(moved);
      jacobian.col(i) = (moved - middle) / step;
    }
    for (int i = 0; i < shape_count_; ++i) {
      VectorXf beside = x;
      beside[i] += step;
      (*this)(beside, moved);
      jacobian.col(i) = (moved - middle) / step;
    }
    return 0;
  }

  const BodyNumbers&
  numbersAt(const VectorXf& x)
  {
    setNumbers(x);
    return numbers_;
  }

private:
  void
  setNumbers(const VectorXf& x)
  {
    for (int i = 0; i < inputs(); ++i)
      numbers_[unknowns_[i].place] = x[i];
  }

  void
  compare(VectorXf& residuals)
  {
    placeCapsules(*tables_, poseOf(numbers_), points_.data());
    std::size_t next = 0;
    int row = 0;
    for (std::size_t i = 0; i < places_.size(); ++i, row += 3) {
      // Joints that hardly are where they were found are left to the usual angles.
      constexpr float least_error = 0.02f, most_error = 0.2f; // metres
      const float error = std::max(least_error, joints_[i].error);
      const std::size_t count = places_[i].size();
      Vector3f mean = Vector3f::Zero();
      for (std::size_t k = 0; k < count; ++k)
        mean += Vector3f::Map(points_[next++].a) / static_cast<float>(count);
      residuals.segment<3>(row).setZero();
      if (count > 0 && error < most_error)
        residuals.segment<3>(row) = (mean - joints_[i].position) / error;
    }
    for (const Unknown& unknown : unknowns_) {
      constexpr float beyond_limit = 0.03f; // radians
      const float value = numbers_[unknown.place];
      residuals[row++] = (value - unknown.usual) / unknown.deviation;
      residuals[row++] =
          (value - std::clamp(value, unknown.lower, unknown.upper)) / beyond_limit;
    }
  }

  const std::vector<std::vector<FixedPoint>>& places_;
  const std::vector<RegressedJoint>& joints_;
  const SkeletonShape shape_; ///< of the points
  BodyNumbers numbers_;
  std::vector<Unknown> unknowns_; ///< those of the shape first
  int shape_count_ = 0;
  std::unique_ptr<KinematicTables> tables_; ///< of the last shape
  std::vector<Capsule> points_;             ///< that the body carries
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
  Eigen::LevenbergMarquardt<JointResiduals, float> solver(residuals);
  constexpr int most_trials = 80;
  solver.parameters.maxfev = most_trials;
  solver.parameters.xtol = solver.parameters.ftol = 1e-3f;
  VectorXf x = residuals.start();
  solver.minimize(x);
  const BodyNumbers& numbers = residuals.numbersAt(x);
  return {SkeletonShape(skeleton).resized(numbers.data()), poseOf(numbers)};
}

} // namespace pcl::gpu
