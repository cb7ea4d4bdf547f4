// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/numbers.h"
#include "filter_test.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <cmath>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief Particles in many poses, with their weights, and the results of the test in
 * double precision. */
struct WeightedPoses {
  int size = 0;
  std::vector<float> poses;
  std::vector<double> log_weights;

  std::size_t
  count() const
  {
    return log_weights.size();
  }

  double
  weight(std::size_t i) const
  {
    return std::exp(log_weights[i]);
  }

  Eigen::Vector4d
  quaternion(std::size_t i) const
  {
    return Eigen::Vector4f::Map(poses.data() + i * size + 3).cast<double>();
  }

  /** \brief Largest eigenvector of the weighted products. */
  Eigen::Vector4d
  meanQuaternion() const
  {
    Eigen::Matrix4d sum = Eigen::Matrix4d::Zero();
    for (std::size_t i = 0; i < count(); ++i)
      sum += weight(i) * quaternion(i) * quaternion(i).transpose();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(sum);
    return solver.eigenvectors().col(3);
  }

  double
  meanNumber(int number) const
  {
    double sum = 0, total = 0;
    for (std::size_t i = 0; i < count(); ++i) {
      sum += weight(i) * poses[i * size + number];
      total += weight(i);
    }
    return sum / total;
  }

  double
  meanAngle(int number) const
  {
    double x = 0, y = 0;
    for (std::size_t i = 0; i < count(); ++i) {
      x += weight(i) * std::cos(double(poses[i * size + number]));
      y += weight(i) * std::sin(double(poses[i * size + number]));
    }
    return std::atan2(y, x);
  }
};

double
wrapped(double angle)
{
  return std::remainder(angle, 2 * M_PI);
}

WeightedPoses
randomPoses(const Skeleton& skeleton, int count, float spread, unsigned int seed)
{
  std::mt19937 generator(seed);
  std::normal_distribution<float> random;
  WeightedPoses particles;
  particles.size = skeleton.poseSize();
  const Eigen::Quaternionf middle =
      Eigen::Quaternionf(0.2f, 0.7f, -0.3f, 0.5f).normalized();
  for (int i = 0; i < count; ++i) {
    std::vector<float> pose(particles.size);
    for (float& number : pose)
      number = spread * random(generator);
    const Eigen::Vector3f turn = 0.3f * Eigen::Vector3f::Map(pose.data());
    Eigen::Quaternionf q = middle * Eigen::AngleAxisf(turn.norm(), turn.normalized());
    if (i % 2)
      q.coeffs() = -q.coeffs();
    pose[3] = q.w();
    pose[4] = q.x();
    pose[5] = q.y();
    pose[6] = q.z();
    // On both sides of the angle that wraps.
    for (int number = 7; number < particles.size; ++number)
      pose[number] = static_cast<float>(wrapped(pose[number] + 3.1));
    particles.poses.insert(particles.poses.end(), pose.begin(), pose.end());
    particles.log_weights.push_back(2 * random(generator));
  }
  return particles;
}

class FilterEstimate : public DeviceTest {
protected:
  static PoseParticleFilter
  filterOf(const Skeleton::ConstPtr& skeleton, const WeightedPoses& particles)
  {
    PoseParticleFilter filter = restingFilter(skeleton, particles.poses);
    filter.processFrame(fixedLikelihoods(particles.log_weights), 1);
    return filter;
  }
};

} // namespace

TEST_P(FilterEstimate, IsTheMeanOnTheCircleAndOfRotations)
{
  const Skeleton::ConstPtr skeleton =
      chainOf({limitedAngle(-infinity, infinity, 0), limitedAngle(-9, 9, 0)});
  for (const int count : {1, 63, 64, 65, 4096, 5000}) {
    const WeightedPoses particles = randomPoses(*skeleton, count, 0.5f, count);
    const PoseEstimate estimate = estimateOf(filterOf(skeleton, particles));
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(estimate.mean[axis], particles.meanNumber(axis), 1e-6);
    const Eigen::Vector4f q = Eigen::Vector4f::Map(estimate.mean.data() + 3);
    EXPECT_NEAR(std::abs(q.cast<double>().dot(particles.meanQuaternion())), 1, 1e-7);
    EXPECT_NEAR(q.norm(), 1, 1e-6);
    for (const int number : {7, 8})
      EXPECT_NEAR(
          wrapped(estimate.mean[number] - particles.meanAngle(number)), 0, 2e-6);
  }
}

TEST_P(FilterEstimate, OfAnglesAcrossTheWrapIsThere)
{
  const Skeleton::ConstPtr skeleton = chainOf({limitedAngle(-infinity, infinity, 0)});
  std::vector<float> poses = restPoses(*skeleton, 2);
  poses[7] = 3.0f;
  poses[15] = -3.1f;
  PoseParticleFilter filter = restingFilter(skeleton, poses);
  filter.processFrame(fixedLikelihoods({0, 0}), 1);
  const PoseEstimate estimate = estimateOf(filter);
  EXPECT_NEAR(wrapped(estimate.mean[7] - 0.5 * (3.0 + 2 * M_PI - 3.1)), 0, 1e-6);
  EXPECT_NEAR(estimate.deviations[6], 0.5 * (2 * M_PI - 6.1), 1e-6);
}

TEST_P(FilterEstimate, StaysWithinLimits)
{
  // Within limits less than a turn apart, angles are numbers.
  const Skeleton::ConstPtr skeleton =
      chainOf({limitedAngle(-2.5f, 2.5f, 0), limitedAngle(0.0f, 8.0f, 0)});
  std::vector<float> poses = restPoses(*skeleton, 2);
  poses[7] = 2.4f;
  poses[9 + 7] = -2.2f;
  poses[8] = 5.0f;
  poses[9 + 8] = 5.5f;
  PoseParticleFilter filter = restingFilter(skeleton, poses);
  filter.processFrame(fixedLikelihoods({0, 0}), 1);
  const PoseEstimate estimate = estimateOf(filter);
  EXPECT_NEAR(estimate.mean[7], 0.1, 1e-6);
  EXPECT_NEAR(estimate.deviations[6], 2.3, 1e-6);
  EXPECT_NEAR(estimate.mean[8], 5.25, 2e-6);
}

TEST_P(FilterEstimate, HasTheDeviationsAndTheCovarianceAboutTheMean)
{
  const Skeleton::ConstPtr skeleton = chainOf(
      {limitedAngle(-infinity, infinity, 0), limitedAngle(-infinity, infinity, 0)});
  const int freedoms = skeleton->poseSize() - 1;
  const WeightedPoses particles = randomPoses(*skeleton, 3000, 0.4f, 7);
  PoseParticleFilter filter = filterOf(skeleton, particles);
  const PoseEstimate estimate = estimateOf(filter);
  Eigen::MatrixXf covariance;
  filter.getCovariance(covariance);

  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(freedoms, freedoms);
  const Eigen::Map<const Eigen::Vector4f> mean(estimate.mean.data() + 3);
  const Eigen::Quaterniond middle(mean[0], mean[1], mean[2], mean[3]);
  double total = 0;
  for (std::size_t i = 0; i < particles.count(); ++i) {
    const float* const pose = particles.poses.data() + i * particles.size;
    Eigen::VectorXd difference(freedoms);
    for (int axis = 0; axis < 3; ++axis)
      difference[axis] = pose[axis] - estimate.mean[axis];
    Eigen::Quaterniond turn =
        middle.conjugate() * Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]);
    turn.normalize();
    const Eigen::AngleAxisd turned(turn);
    difference.segment<3>(3) = turned.angle() * turned.axis();
    for (int freedom = 6; freedom < freedoms; ++freedom)
      difference[freedom] = wrapped(pose[freedom + 1] - estimate.mean[freedom + 1]);
    expected += particles.weight(i) * difference * difference.transpose();
    total += particles.weight(i);
  }
  expected /= total;
  EXPECT_LT((covariance.cast<double>() - expected).cwiseAbs().maxCoeff(), 1e-6);
  for (int freedom = 0; freedom < freedoms; ++freedom)
    EXPECT_NEAR(
        estimate.deviations[freedom], std::sqrt(expected(freedom, freedom)), 1e-6);
}

TEST_P(FilterEstimate, HasTheBestParticleTheFirstOfSeveral)
{
  const Skeleton::ConstPtr skeleton = chainOf({});
  WeightedPoses particles = randomPoses(*skeleton, 2000, 0.5f, 3);
  for (double& log_weight : particles.log_weights)
    log_weight -= 100;
  particles.log_weights[1234] = particles.log_weights[777] = 5;
  const PoseEstimate estimate = estimateOf(filterOf(skeleton, particles));
  for (int number = 0; number < 7; ++number)
    EXPECT_NEAR(estimate.best[number], particles.poses[7 * 777 + number], 1e-6);
  EXPECT_EQ(estimate.best_log_likelihood, 5);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilterEstimate);
