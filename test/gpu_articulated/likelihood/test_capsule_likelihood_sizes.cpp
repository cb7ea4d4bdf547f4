// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "likelihood_test.h"

#include "testing/image.h"

#include <algorithm>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief A body of which each sample has the first capsules; more of them than a body
 * has are those of more bodies. */
CapsuleScene
sceneOfSize(std::size_t points, int capsules_per_sample, std::size_t samples)
{
  const std::size_t bodies = capsules_per_sample * samples / 48 + 2;
  CapsuleScene scene = bodyScene(points, 0.6f, bodies, 0.1f, 7);
  scene.capsules_per_sample = capsules_per_sample;
  scene.capsules.resize(capsules_per_sample * samples);
  return scene;
}

/** \brief Compares with the reference, and with brute force. */
void
expectReference(const CapsuleScene& scene)
{
  SumErrors errors;
  CapsuleLikelihood likelihood;
  prepare(likelihood, scene);
  const std::vector<double> sums = sumsOf(likelihood, scene);
  errors.expect(sums, scene, referenceSums(scene), {}, 1e-5);
  setParameter(
      likelihood, &CapsuleLikelihoodParameters::search, CapsuleSearch::BruteForce);
  expectSameBits(sumsOf(likelihood, scene), sums);
}

} // namespace

/** \brief Edges of groups, warps and blocks. */
class CapsuleSizes : public DeviceTest {};

TEST_P(CapsuleSizes, AnyNumberOfPoints)
{
  for (const std::size_t points :
       {0,   1,   2,    31,   32,   33,   63,   64,   65,   127,  128,  129,  255,
        256, 257, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 6143, 6145}) {
    SCOPED_TRACE(points);
    expectReference(sceneOfSize(points, 6, 2));
  }
}

TEST_P(CapsuleSizes, AnyNumberOfCapsules)
{
  for (const int capsules :
       {1, 2, 7, 8, 31, 32, 33, 48, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1024}) {
    SCOPED_TRACE(capsules);
    expectReference(sceneOfSize(150, capsules, 2));
  }
}

TEST_P(CapsuleSizes, AnyNumberOfSamples)
{
  for (const std::size_t samples :
       {1, 2, 7, 8, 9, 31, 32, 33, 64, 65, 127, 128, 129, 255, 257, 1000}) {
    SCOPED_TRACE(samples);
    expectReference(sceneOfSize(70, 5, samples));
  }
}

TEST_P(CapsuleSizes, NoSamples)
{
  CapsuleScene scene = sceneOfSize(100, 4, 1);
  CapsuleLikelihood likelihood;
  prepare(likelihood, scene);
  DeviceArray<double> log_likelihoods = uploaded(std::vector<double>(5, 7.0));
  likelihood.compute(DeviceArray<Capsule>(), 4, log_likelihoods);
  EXPECT_EQ(log_likelihoods.size(), 0u);
}

/** \brief Invariance of sums. */
class CapsuleInvariance : public DeviceTest {};

TEST_P(CapsuleInvariance, SameBitsTwice)
{
  const CapsuleScene scene = sceneOfSize(5000, 48, 9);
  for (const LikelihoodMode& mode : allModes()) {
    const std::vector<double> first = sumsOf(scene, mode);
    expectSameBits(sumsOf(scene, mode), first);
    CapsuleLikelihood likelihood;
    prepare(likelihood, scene, mode);
    sumsOf(likelihood, sceneOfSize(10, 3, 70));
    expectSameBits(sumsOf(likelihood, scene), first);
  }
}

TEST_P(CapsuleInvariance, OrderOfPoints)
{
  CapsuleScene scene = sceneOfSize(5000, 48, 3);
  const std::vector<double> sums = sumsOf(scene);
  std::mt19937 random(5);
  for (int order = 0; order < 3; ++order) {
    std::shuffle(scene.points.begin(), scene.points.end(), random);
    const std::vector<double> shuffled = sumsOf(scene);
    for (std::size_t j = 0; j < sums.size(); ++j)
      EXPECT_NEAR(shuffled[j] / sums[j], 1.0, 1e-6);
  }
}

TEST_P(CapsuleInvariance, OrderOfCapsules)
{
  CapsuleScene scene = sceneOfSize(3000, 48, 3);
  for (const LikelihoodMode& mode : allModes()) {
    const std::vector<double> sums = sumsOf(scene, mode);
    CapsuleScene turned = scene;
    for (std::size_t j = 0; j < turned.sampleCount(); ++j)
      std::reverse(turned.capsules.begin() + 48 * j,
                   turned.capsules.begin() + 48 * (j + 1));
    const std::vector<double> turned_sums = sumsOf(turned, mode);
    for (std::size_t j = 0; j < sums.size(); ++j)
      EXPECT_NEAR(turned_sums[j] / sums[j], 1.0, 1e-12);
  }
}

TEST_P(CapsuleInvariance, WhichSamplesAreComputedTogether)
{
  const CapsuleScene scene = sceneOfSize(3000, 48, 21);
  CapsuleLikelihood likelihood;
  prepare(likelihood, scene);
  const std::vector<double> together = sumsOf(likelihood, scene);
  for (const std::size_t sample : {0, 1, 7, 8, 20}) {
    CapsuleScene single = scene;
    single.capsules.assign(scene.capsules.begin() + 48 * sample,
                           scene.capsules.begin() + 48 * (sample + 1));
    expectSameBits(sumsOf(likelihood, single), {together[sample]});
  }
}

TEST_P(CapsuleInvariance, ScratchLimit)
{
  const CapsuleScene scene = sceneOfSize(3000, 48, 50);
  CapsuleLikelihood likelihood;
  prepare(likelihood, scene);
  const std::vector<double> sums = sumsOf(likelihood, scene);
  for (const std::size_t limit : {0ul, 1ul, 10'000ul, 100'000ul, 1'000'000'000'000ul}) {
    SCOPED_TRACE(limit);
    setParameter(likelihood, &CapsuleLikelihoodParameters::scratch_limit, limit);
    EXPECT_EQ(likelihood.getParameters().scratch_limit, limit);
    expectSameBits(sumsOf(likelihood, scene), sums);
    CapsuleLikelihood from_the_start;
    setParameter(from_the_start, &CapsuleLikelihoodParameters::scratch_limit, limit);
    prepare(from_the_start, scene);
    expectSameBits(sumsOf(from_the_start, scene), sums);
  }
}

TEST_P(CapsuleInvariance, Streams)
{
  const CapsuleScene scene = sceneOfSize(3000, 48, 9);
  const std::vector<double> sums = sumsOf(scene);
  const Stream stream = Stream::create();
  CapsuleLikelihood likelihood;
  setParameter(likelihood, &CapsuleLikelihoodParameters::sigma, test_sigma);
  const DeviceArray<Capsule> capsules = uploaded(plainCapsules(scene));
  DeviceArray<pcl::PointXYZ> points;
  points.upload(scene.points);
  likelihood.setPoints(points, scene.viewpoint, stream);
  DeviceArray<double> log_likelihoods;
  likelihood.compute(capsules, 48, log_likelihoods, stream);
  stream.synchronize();
  std::vector<double> values = downloaded(log_likelihoods);
  for (double& value : values)
    value *= -0.5;
  expectSameBits(values, sums);
  EXPECT_EQ(likelihood.countSkippedPoints(stream), 0u);
}

TEST_P(CapsuleInvariance, ModesChangeBetweenCalls)
{
  const CapsuleScene scene = sceneOfSize(900, 48, 3);
  CapsuleLikelihood likelihood;
  prepare(likelihood, scene);
  for (const LikelihoodMode& mode : allModes()) {
    setParameter(likelihood, &CapsuleLikelihoodParameters::distance, mode.distance);
    setParameter(likelihood, &CapsuleLikelihoodParameters::visibility, mode.visibility);
    const std::vector<double> sums = sumsOf(likelihood, scene);
    const std::vector<double> expected = sumsOf(scene, mode);
    // With another visibility the points are in another order.
    if (mode.visibility == LikelihoodMode().visibility)
      expectSameBits(sums, expected);
    for (std::size_t i = 0; i < sums.size(); ++i)
      EXPECT_NEAR(sums[i] / expected[i], 1.0, 1e-6);
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(CapsuleSizes);
PCL_GPU_INSTANTIATE_DEVICE_TESTS(CapsuleInvariance);
