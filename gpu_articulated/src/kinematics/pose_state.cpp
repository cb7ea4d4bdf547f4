// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/articulated/pose_state.h>
#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/tracking/tracking.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace pcl::gpu {

using Eigen::Quaternionf;
using Eigen::Vector3f;

namespace {

/** \brief Returns the same angle from -pi to pi. */
float
wrapped(float angle)
{
  return std::remainder(angle, static_cast<float>(2.0 * M_PI));
}

Quaternionf
rotationOf(const PoseState& state)
{
  const float* q = state.orientation;
  return Quaternionf(q[0], q[1], q[2], q[3]);
}

void
setRotation(PoseState& state, const Quaternionf& orientation)
{
  const Quaternionf q = orientation.normalized();
  Eigen::Map<Eigen::Vector4f>(state.orientation) << q.w(), q.vec();
}

/** \brief Returns the rotation about a vector by its length. */
Quaternionf
fromRotationVector(const Vector3f& vector)
{
  const float angle = vector.norm();
  if (angle == 0.0f)
    return Quaternionf::Identity();
  return Quaternionf(Eigen::AngleAxisf(angle, vector / angle));
}

Vector3f
toRotationVector(const Quaternionf& rotation)
{
  const Vector3f vector = rotation.vec();
  const float length = vector.norm();
  if (length == 0.0f)
    return Vector3f::Zero();
  // By the shorter way around.
  const float w = rotation.w();
  return 2.0f * std::atan2(w < 0.0f ? -length : length, std::abs(w)) / length * vector;
}

/** \brief Returns the weighted mean of two shares: a state between them. */
PoseState
meanOf(const PoseState& a, const PoseState& b)
{
  PoseState mean = a;
  mean.share = a.share + b.share;
  const float part = b.share / mean.share;
  mean.getVector3fMap() += part * (b.getVector3fMap() - a.getVector3fMap());
  setRotation(mean, rotationOf(a).slerp(part, rotationOf(b)));
  mean.angle_count = std::max(a.angle_count, b.angle_count);
  for (int i = 0; i < mean.angle_count; ++i)
    mean.angles[i] = wrapped(a.angles[i] + part * wrapped(b.angles[i] - a.angles[i]));
  return mean;
}

} // namespace

PoseState::PoseState() : weight(0.0f) { zero(); }

PoseState
PoseState::fromPose(const std::vector<float>& pose)
{
  constexpr int root_size = Skeleton::root_size;
  checkArgument(pose.size() >= root_size && pose.size() <= root_size + max_angles,
                "size of the pose",
                pose.size(),
                "7 numbers and at most 120 angles");
  PoseState state;
  std::copy_n(pose.begin(), 3, state.data);
  setRotation(state, Quaternionf(pose[3], pose[4], pose[5], pose[6]));
  state.angle_count = static_cast<int>(pose.size()) - root_size;
  std::copy(pose.begin() + root_size, pose.end(), state.angles);
  return state;
}

std::vector<float>
PoseState::toPose() const
{
  std::vector<float> pose{x, y, z};
  pose.insert(pose.end(), orientation, orientation + 4);
  pose.insert(pose.end(), angles, angles + angle_count);
  return pose;
}

void
PoseState::sample(const std::vector<double>& mean,
                  const std::vector<double>& covariance)
{
  const std::size_t dimensions =
      std::min<std::size_t>(std::max(mean.size(), covariance.size()), stateDimension());
  const auto noise = [&](std::size_t dimension) {
    const double center = dimension < mean.size() ? mean[dimension] : 0.0;
    const double variance = dimension < covariance.size() ? covariance[dimension] : 0.0;
    return static_cast<float>(variance > 0.0 ? tracking::sampleNormal(center, variance)
                                             : center);
  };
  for (int axis = 0; axis < 3; ++axis)
    data[axis] += noise(axis);
  const float turn_x = noise(3), turn_y = noise(4), turn_z = noise(5);
  setRotation(*this, fromRotationVector({turn_x, turn_y, turn_z}) * rotationOf(*this));
  if (dimensions > 6)
    angle_count = std::max(angle_count, static_cast<int>(dimensions) - 6);
  for (int i = 0; i < angle_count; ++i)
    angles[i] = wrapped(angles[i] + noise(6 + i));
}

void
PoseState::zero()
{
  x = y = z = 0.0f;
  data[3] = 1.0f;
  setRotation(*this, Quaternionf::Identity());
  std::fill(angles, angles + max_angles, 0.0f);
  angle_count = 0;
  share = 0.0f;
}

Eigen::Affine3f
PoseState::toEigenMatrix() const
{
  Eigen::Affine3f transform = Eigen::Affine3f::Identity();
  transform.translation() = getVector3fMap();
  transform.linear() = rotationOf(*this).toRotationMatrix();
  return transform;
}

PoseState
PoseState::toState(const Eigen::Affine3f& transform)
{
  PoseState state;
  state.getVector3fMap() = transform.translation();
  setRotation(state, Quaternionf(transform.rotation()));
  return state;
}

float
PoseState::operator[](unsigned int dimension) const
{
  if (dimension < 3)
    return data[dimension];
  if (dimension < 6)
    return toRotationVector(rotationOf(*this))[dimension - 3];
  return dimension < 6u + angle_count ? angles[dimension - 6] : 0.0f;
}

PoseState
operator+(const PoseState& a, const PoseState& b)
{
  if (a.share > 0.0f && b.share > 0.0f)
    return meanOf(a, b);
  PoseState sum = a;
  sum.share = std::max(a.share, b.share);
  sum.getVector3fMap() += b.getVector3fMap();
  setRotation(sum, rotationOf(b) * rotationOf(a));
  sum.angle_count = std::max(a.angle_count, b.angle_count);
  for (int i = 0; i < sum.angle_count; ++i)
    sum.angles[i] = wrapped(a.angles[i] + b.angles[i]);
  return sum;
}

PoseState
operator-(const PoseState& a, const PoseState& b)
{
  PoseState difference = a;
  difference.share = 0.0f;
  difference.getVector3fMap() -= b.getVector3fMap();
  setRotation(difference, rotationOf(a) * rotationOf(b).conjugate());
  difference.angle_count = std::max(a.angle_count, b.angle_count);
  for (int i = 0; i < difference.angle_count; ++i)
    difference.angles[i] = wrapped(a.angles[i] - b.angles[i]);
  return difference;
}

PoseState
operator*(const PoseState& state, double weight)
{
  PoseState part = weight > 0.0 ? state : PoseState();
  part.weight = state.weight;
  part.share = weight > 0.0 ? static_cast<float>(weight) : 0.0f;
  return part;
}

std::ostream&
operator<<(std::ostream& out, const PoseState& state)
{
  const char* separator = "(";
  for (const float number : state.toPose()) {
    out << separator << number;
    separator = ",";
  }
  return out << ")";
}

void
PoseState::Sums::add(const PoseState& state, double state_weight)
{
  weight += state_weight;
  position += state_weight * state.getVector3fMap().cast<double>();
  const Eigen::Vector4d q =
      Eigen::Map<const Eigen::Vector4f>(state.orientation).cast<double>();
  orientation += state_weight * q * q.transpose();
  if (angles.size() < static_cast<std::size_t>(state.angle_count))
    angles.resize(state.angle_count, Eigen::Vector2d::Zero());
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const double angle = state.angles[i];
    angles[i] += state_weight * Eigen::Vector2d(std::cos(angle), std::sin(angle));
  }
}

PoseState
PoseState::Sums::mean() const
{
  PoseState result;
  if (!(weight > 0.0))
    return result;
  result.getVector3fMap() = (position / weight).cast<float>();
  const Eigen::Vector4f q = Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(orientation)
                                .eigenvectors()
                                .col(3)
                                .cast<float>();
  const float sign = q[0] < 0.0f ? -1.0f : 1.0f;
  setRotation(result, Quaternionf(sign * q[0], sign * q[1], sign * q[2], sign * q[3]));
  result.angle_count = static_cast<int>(angles.size());
  for (std::size_t i = 0; i < angles.size(); ++i)
    result.angles[i] = static_cast<float>(std::atan2(angles[i].y(), angles[i].x()));
  return result;
}

} // namespace pcl::gpu
