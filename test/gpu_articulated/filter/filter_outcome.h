// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "filter_test.h"

#include <pcl/gpu/articulated/human_skeleton.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <vector>

namespace pcl::gpu::test {

/** \brief Results of a filter after some frames. */
struct Outcome {
  std::vector<float> poses;
  std::vector<double> log_weights;
  std::vector<std::uint32_t> ancestors;
  PoseEstimate estimate;
};

inline Outcome
outcomeOf(const PoseParticleFilter& filter)
{
  const PoseEstimate estimate = estimateOf(filter);
  return {downloaded(filter.getParticles()),
          downloaded(filter.getLogWeights()),
          downloaded(filter.getAncestors()),
          estimate};
}

inline void
expectSame(const Outcome& a, const Outcome& b)
{
  EXPECT_EQ(a.poses, b.poses);
  EXPECT_EQ(a.log_weights, b.log_weights);
  EXPECT_EQ(a.ancestors, b.ancestors);
  EXPECT_EQ(a.estimate.mean, b.estimate.mean);
  EXPECT_EQ(a.estimate.best, b.estimate.best);
  EXPECT_EQ(a.estimate.deviations, b.estimate.deviations);
  EXPECT_EQ(a.estimate.effective_sample_size, b.estimate.effective_sample_size);
  EXPECT_EQ(a.estimate.exponent, b.estimate.exponent);
  EXPECT_EQ(a.estimate.best_log_likelihood, b.estimate.best_log_likelihood);
  EXPECT_EQ(a.estimate.frame, b.estimate.frame);
}

inline PoseParticleFilter
variedFilter(int variant)
{
  const float infinity = std::numeric_limits<float>::infinity();
  PoseParticleFilter filter;
  const Skeleton::ConstPtr chain = chainOf({limitedAngle(-0.2f, 0.3f),
                                            limitedAngle(-infinity, infinity),
                                            limitedAngle(-1, 9),
                                            limitedAngle(-2, 1),
                                            limitedAngle(-2, 1)});
  filter.setSkeleton(withBallJoint(withBallJoint(chain, 1.0f, true), 0.5f, false));
  set(filter, &FilterParameters::particle_count, variant == 0 ? 1 : 1777);
  if (variant % 2)
    set(filter, &FilterParameters::motion_model, MotionModel::ConstantVelocity);
  set(filter, &FilterParameters::resampling, static_cast<Resampling>(variant % 3));
  if (variant >= 2) {
    set(filter, &FilterParameters::layers, 3);
    set(filter, &FilterParameters::survival_rate, variant == 2 ? 0.0f : 0.4f);
    set(filter,
        &FilterParameters::layer_noise,
        variant == 4 ? LayerNoise::Spread : LayerNoise::Motion);
  }
  if (variant >= 4)
    set(filter, &FilterParameters::partitions, {{0, 1}, {3, 6}, {2, 4, 6, 7}});
  return filter;
}

constexpr int variants = 6;

inline Outcome
run(PoseParticleFilter& filter, std::uint64_t seed)
{
  set(filter, &FilterParameters::seed, seed);
  filter.initialize(filter.getSkeleton()->restPose());
  const int size = filter.getSkeleton()->poseSize();
  // Only operations that are rounded alike everywhere; it runs on the host anyway.
  const auto likelihood = onHost(size, [size](const float* pose) {
    double sum = 0;
    for (int i = 0; i < size; ++i)
      sum -= 20.0 * (pose[i] - 0.1 * i) * (pose[i] - 0.1 * i);
    return sum;
  });
  for (int frame = 0; frame < 4; ++frame)
    filter.processFrame(likelihood, 0.1f);
  return outcomeOf(filter);
}

/** \brief Points about a body 3 m away, some of them not finite. */
inline std::vector<PointXYZ>
pointsAboutBody()
{
  std::mt19937 random(2);
  std::normal_distribution<float> way(0.0f, 0.3f);
  std::vector<PointXYZ> points;
  for (int i = 0; i < 700; ++i)
    points.emplace_back(way(random), way(random), 3.0f + way(random));
  points[5].x = std::numeric_limits<float>::quiet_NaN();
  return points;
}

/** \brief A filter of the default person's pose. */
inline PoseParticleFilter
bodyFilter(std::size_t particles)
{
  PoseParticleFilter filter;
  filter.setSkeleton(std::make_shared<Skeleton>(makeHumanSkeleton()));
  set(filter, &FilterParameters::particle_count, particles);
  set(filter, &FilterParameters::survival_rate, 0.3f);
  set(filter, &FilterParameters::motion_model, MotionModel::ConstantVelocity);
  CapsuleLikelihoodParameters likelihood;
  likelihood.sigma = 0.2f;
  likelihood.truncation_distance = 0.3f;
  set(filter, &FilterParameters::likelihood, likelihood);
  return filter;
}

/** \brief Follows a body through two frames of points. */
inline Outcome
followBody(PoseParticleFilter& filter)
{
  std::vector<float> pose = filter.getSkeleton()->restPose();
  pose[2] = 3.0f;
  filter.initialize(pose);
  DeviceArray<PointXYZ> points;
  points.upload(pointsAboutBody());
  for (int frame = 0; frame < 2; ++frame)
    filter.processFrame(points, {0.1f, 0, 0}, 0.1f);
  return outcomeOf(filter);
}

} // namespace pcl::gpu::test
