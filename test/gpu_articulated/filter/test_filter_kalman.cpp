// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter_test.h"

#include <Eigen/Core>

#include <cmath>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

// The root's position, seen with Gaussian noise: the Kalman filter knows the answer.

namespace {

constexpr float start_deviation = 0.4f;
constexpr float motion_deviation = 0.6f; // over one second
constexpr float noise = 0.25f;           // of the observation
constexpr float dt = 0.1f;

/** \brief Kalman filter of one coordinate with its velocity, in double precision. */
struct Kalman {
  double damping; // 0: a random walk
  Eigen::Vector2d mean = Eigen::Vector2d::Zero();
  Eigen::Matrix2d covariance =
      Eigen::Vector2d(start_deviation * start_deviation, 0).asDiagonal();
  double log_evidence = 0;

  void
  step(double seen)
  {
    Eigen::Matrix2d motion;
    motion << 1, damping * dt, 0, damping;
    const Eigen::Vector2d direction(1, 1 / dt);
    mean = motion * mean;
    covariance =
        motion * covariance * motion.transpose() +
        motion_deviation * motion_deviation * dt * direction * direction.transpose();
    const double expected = covariance(0, 0) + noise * noise;
    const double difference = seen - mean(0);
    log_evidence = -0.5 * difference * difference / expected -
                   0.5 * std::log(expected / (noise * noise));
    const Eigen::Vector2d gain = covariance.col(0) / expected;
    mean += gain * difference;
    covariance -= (gain * covariance.row(0)).eval();
  }
};

/** \brief Distance of a filter from the Kalman filter, root mean square over frames. */
struct Errors {
  double mean = 0, deviation = 0, log_evidence = 0;
};

Errors
followPoint(PoseParticleFilter& filter, double damping, int frames, unsigned int seed)
{
  std::mt19937 generator(1000 + seed);
  std::normal_distribution<float> random;
  set(filter, &FilterParameters::seed, seed);
  setRootDeviation(filter, motion_deviation, 0);
  filter.initialize(filter.getSkeleton()->restPose(),
                    {start_deviation, start_deviation, start_deviation, 0, 0, 0});
  Kalman axes[3] = {{damping}, {damping}, {damping}};
  Errors errors;
  Eigen::Vector3f truth = Eigen::Vector3f::Zero();
  for (int frame = 0; frame < frames; ++frame) {
    float seen[3];
    for (int axis = 0; axis < 3; ++axis) {
      truth[axis] += motion_deviation * std::sqrt(dt) * random(generator);
      seen[axis] = truth[axis] + noise * random(generator);
      axes[axis].step(seen[axis]);
    }
    filter.processFrame(onHost(7,
                               [seen](const float* pose) {
                                 double sum = 0;
                                 for (int axis = 0; axis < 3; ++axis)
                                   sum += std::pow(double(pose[axis]) - seen[axis], 2);
                                 return -0.5 * sum / (noise * noise);
                               }),
                        dt);
    const PoseEstimate estimate = estimateOf(filter);
    double log_evidence = 0;
    for (int axis = 0; axis < 3; ++axis) {
      errors.mean += std::pow(estimate.mean[axis] - axes[axis].mean(0), 2);
      errors.deviation += std::pow(
          estimate.deviations[axis] - std::sqrt(axes[axis].covariance(0, 0)), 2);
      log_evidence += axes[axis].log_evidence;
    }
    errors.log_evidence += std::pow(estimate.log_evidence - log_evidence, 2);
  }
  errors.mean = std::sqrt(errors.mean / (3 * frames));
  errors.deviation = std::sqrt(errors.deviation / (3 * frames));
  errors.log_evidence = std::sqrt(errors.log_evidence / frames);
  return errors;
}

Errors
meanErrors(PoseParticleFilter& filter, double damping, int frames, int seeds)
{
  Errors all;
  for (int seed = 0; seed < seeds; ++seed) {
    const Errors errors = followPoint(filter, damping, frames, seed);
    all.mean += errors.mean / seeds;
    all.deviation += errors.deviation / seeds;
    all.log_evidence += errors.log_evidence / seeds;
  }
  return all;
}

class FilterAgainstKalman : public DeviceTest {
protected:
  void
  SetUp() override
  {
    DeviceTest::SetUp();
    filter_.setSkeleton(chainOf({}));
  }

  PoseParticleFilter filter_;
};

} // namespace

TEST_P(FilterAgainstKalman, ConvergesWithTheRootOfTheNumberOfParticles)
{
  Errors former;
  for (const int count : {500, 8000, 128000}) {
    set(filter_, &FilterParameters::particle_count, count);
    const Errors errors = meanErrors(filter_, 0, 6, 8);
    // The error of a mean of `count` numbers, times the factor of resampling.
    const double unit = 0.2 / std::sqrt(count);
    EXPECT_LT(errors.mean, 4 * unit);
    EXPECT_LT(errors.deviation, 4 * unit);
    EXPECT_LT(errors.log_evidence, 40 * unit);
    if (count > 500) {
      // Sixteen times the particles: a quarter of the error.
      EXPECT_NEAR(former.mean / errors.mean, 4, 1.3);
      EXPECT_NEAR(former.deviation / errors.deviation, 4, 1.3);
      EXPECT_NEAR(former.log_evidence / errors.log_evidence, 4, 2);
    }
    former = errors;
  }
}

TEST_P(FilterAgainstKalman, AgreesHoweverParticlesAreDrawn)
{
  set(filter_, &FilterParameters::particle_count, 20000);
  for (const Resampling resampling :
       {Resampling::Systematic, Resampling::Stratified, Resampling::Residual})
    for (const float threshold : {0.0f, 0.5f, 1.0f}) {
      set(filter_, &FilterParameters::resampling, resampling);
      set(filter_, &FilterParameters::resample_threshold, threshold);
      const Errors errors = meanErrors(filter_, 0, 4, 2);
      // Weights that are only ever carried on count fewer and fewer particles.
      const double bound = threshold > 0 ? 0.01 : 0.025;
      EXPECT_LT(errors.mean, bound) << threshold;
      EXPECT_LT(errors.deviation, bound) << threshold;
      EXPECT_LT(errors.log_evidence, 0.1) << threshold;
    }
}

TEST_P(FilterAgainstKalman, AgreesWithConstantVelocity)
{
  set(filter_, &FilterParameters::motion_model, MotionModel::ConstantVelocity);
  set(filter_, &FilterParameters::velocity_damping, 0.7f);
  set(filter_, &FilterParameters::particle_count, 50000);
  const Errors errors = meanErrors(filter_, 0.7f, 8, 2);
  EXPECT_LT(errors.mean, 0.006);
  EXPECT_LT(errors.deviation, 0.006);
  EXPECT_LT(errors.log_evidence, 0.05);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilterAgainstKalman);
