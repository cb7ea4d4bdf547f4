// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsule_shapes.h"
#include "likelihood_test.h"

#include "testing/image.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief Sums of a scene with many copies of its points. */
void
expectRepeatedPoints(std::size_t different, std::size_t repeats, int samples)
{
  CapsuleScene scene = bodyScene(different, 0.6f, samples, 0.1f, 3);
  std::vector<ReferenceSums> references = referenceSums(scene);
  for (ReferenceSums& each : references)
    each.sums[0][0] *= repeats;
  std::vector<pcl::PointXYZ> all;
  all.reserve(different * repeats);
  for (std::size_t i = 0; i < repeats; ++i)
    all.insert(all.end(), scene.points.begin(), scene.points.end());
  std::mt19937 random(1);
  std::shuffle(all.begin(), all.end(), random);
  scene.points = std::move(all);
  SumErrors errors;
  errors.expect(sumsOf(scene), scene, references, {}, 1e-6);
}

/** \brief Balls before the viewpoint, one a sample, farther and farther away. */
void
expectManySamples(std::size_t samples, int capsules_per_sample)
{
  CapsuleScene scene;
  scene.truncation_distance = 0.5f;
  for (int i = 0; i < 40; ++i)
    scene.points.push_back({0, 0, 2.0f + 0.01f * static_cast<float>(i)});
  std::vector<Capsule> capsules;
  capsules.reserve(samples * capsules_per_sample);
  const auto place = [&](std::size_t j) {
    return 2.5f + 0.5f * static_cast<float>(j) / static_cast<float>(samples);
  };
  for (std::size_t j = 0; j < samples; ++j)
    for (int k = 0; k < capsules_per_sample; ++k) {
      const Eigen::Vector3f center(k == 0 ? 0.0f : 2.0f, 0, place(j));
      capsules.push_back(makeCapsule(center, center, 0.5f));
    }
  CapsuleLikelihood likelihood;
  prepare(likelihood, scene, {CapsuleDistance::Absolute});
  DeviceArray<double> log_likelihoods;
  likelihood.compute(uploaded(capsules), capsules_per_sample, log_likelihoods);
  const std::vector<double> values = downloaded(log_likelihoods);
  ASSERT_EQ(values.size(), samples);
  double worst = 0.0;
  for (std::size_t j = 0; j < samples; ++j) {
    double sum = 0.0;
    for (const pcl::PointXYZ& point : scene.points)
      sum += std::min(std::abs(double(place(j)) - 0.5 - point.z), 0.5);
    const double error = std::abs(-0.5 * values[j] / sum - 1.0);
    worst = error <= worst ? worst : error;
  }
  EXPECT_LE(worst, 1e-5);
}

} // namespace

/** \brief The paper's limits, and beyond. */
class LargeCapsuleProblems : public DeviceTest {};

TEST_P(LargeCapsuleProblems, PointsOfThePaper)
{
  expectRepeatedPoints(960, 4'194'240 / 960, 3);
}

TEST_P(LargeCapsuleProblems, PointsBeyondThePaper)
{
  expectRepeatedPoints(1024, 16'384, 1);
}

TEST_P(LargeCapsuleProblems, SamplesOfThePaper) { expectManySamples(65'535, 8); }

TEST_P(LargeCapsuleProblems, SamplesBeyondThePaper)
{
  expectManySamples(std::size_t(1) << 20, 2);
}

TEST_P(LargeCapsuleProblems, CapsulesBeyondThePaper)
{
  CapsuleScene scene = bodyScene(2000, 0.6f, 64, 0.1f, 9);
  scene.capsules_per_sample = 1024;
  const std::vector<ReferenceSums> references = referenceSums(scene);
  SumErrors errors;
  for (const LikelihoodMode& mode : allModes())
    errors.expect(sumsOf(scene, mode), scene, references, mode, 1e-5);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(LargeCapsuleProblems);
