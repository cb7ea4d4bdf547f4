// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "likelihood_test.h"

#include "common/captured_graph.h"
#include "testing/image.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief Tests of a CUDA device alone: graphs, and a comparison with the host. */
class CapsulesOnCuda : public DeviceTest {
protected:
  static std::size_t
  freeMemory()
  {
    std::size_t free = 0;
    std::size_t total = 0;
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    return free;
  }

  /** \brief Returns the bound of differences of a sum between devices: 1e-6, or the
   * error of single precision for distances of capsules of some decimetres, 1e-8 m. */
  static double
  allowance(double sum, const CapsuleScene& scene, CapsuleDistance distance)
  {
    double total = 0.0, heaviest = 0.0;
    for (std::size_t i = 0; i < scene.points.size(); ++i) {
      total += scene.weightOf(i);
      heaviest = std::max<double>(heaviest, scene.weightOf(i));
    }
    // The root of the sum of the squares of the points' errors.
    const double of_points =
        distance == CapsuleDistance::Squared
            ? 1e-8 * std::sqrt(2.0 * sum * heaviest) + 1e-16 * total
            : 1e-8 * std::sqrt(total * heaviest);
    return std::max(1e-6 * sum, of_points);
  }
};

} // namespace

TEST_P(CapsulesOnCuda, AreCaptured)
{
  const CapsuleScene scene = bodyScene(20'000, 0.5f, 20, 0.1f, 1);
  const Stream stream = Stream::create();
  for (const CapsuleSearch search : {CapsuleSearch::Culled, CapsuleSearch::BruteForce})
    for (const LikelihoodMode& mode : allModes(search)) {
      CapsuleLikelihood likelihood;
      prepare(likelihood, scene, mode);
      const DeviceArray<Capsule> capsules = uploaded(plainCapsules(scene));
      DeviceArray<pcl::PointXYZ> points;
      points.upload(scene.points);
      DeviceArray<double> log_likelihoods;
      captureAndLaunch(stream, [&] {
        likelihood.setPoints(points, scene.viewpoint, stream);
        likelihood.compute(
            capsules, scene.capsules_per_sample, log_likelihoods, stream);
      });
      std::vector<double> sums = downloaded(log_likelihoods);
      for (double& sum : sums)
        sum *= -0.5;
      expectSameBits(sums, sumsOf(scene, mode));
    }
}

TEST_P(CapsulesOnCuda, AreCapturedInRoundsOfSamples)
{
  const CapsuleScene scene = bodyScene(5000, 0.5f, 60, 0.1f, 1);
  const Stream stream = Stream::create();
  CapsuleLikelihood likelihood;
  setParameter(likelihood, &CapsuleLikelihoodParameters::scratch_limit, 1 << 16);
  prepare(likelihood, scene);
  const DeviceArray<Capsule> capsules = uploaded(plainCapsules(scene));
  DeviceArray<double> log_likelihoods;
  captureAndLaunch(stream, [&] {
    likelihood.compute(capsules, scene.capsules_per_sample, log_likelihoods, stream);
  });
  std::vector<double> sums = downloaded(log_likelihoods);
  for (double& sum : sums)
    sum *= -0.5;
  expectSameBits(sums, sumsOf(scene));
}

TEST_P(CapsulesOnCuda, AgreeWithTheHost)
{
  for (int kind = 0; kind < scene_kinds; ++kind)
    for (std::uint32_t seed = 100; seed < 105; ++seed) {
      SCOPED_TRACE(nameOf(SceneKind(kind)) + std::string(", seed ") +
                   std::to_string(seed));
      const CapsuleScene scene = randomScene(SceneKind(kind), seed);
      for (const LikelihoodMode& mode : allModes()) {
        const std::vector<double> sums = sumsOf(scene, mode);
        const auto scope = useDevice("host");
        const std::vector<double> host_sums = sumsOf(scene, mode);
        ASSERT_EQ(sums.size(), host_sums.size());
        for (std::size_t j = 0; j < sums.size(); ++j)
          EXPECT_NEAR(
              sums[j], host_sums[j], allowance(host_sums[j], scene, mode.distance))
              << mode.name() << ", sample " << j;
      }
    }
}

TEST_P(CapsulesOnCuda, TakeTheMemoryTheySay)
{
  constexpr std::size_t point_count = 8'000'000;
  CapsuleScene scene = bodyScene(1000, 0.5f, 400, 0.1f, 1);
  std::vector<pcl::PointXYZ> host_points(point_count);
  for (std::size_t i = 0; i < point_count; ++i)
    host_points[i] = scene.points[i % scene.points.size()];
  DeviceArray<pcl::PointXYZ> points;
  points.upload(host_points);
  const DeviceArray<Capsule> capsules = uploaded(plainCapsules(scene));
  DeviceArray<double> log_likelihoods(scene.sampleCount());
  // The first time the runtime takes memory for itself, not for the likelihood.
  sumsOf(scene);
  const std::size_t before = freeMemory();
  CapsuleLikelihood likelihood;
  likelihood.setPoints(points, scene.viewpoint);
  likelihood.compute(capsules, scene.capsules_per_sample, log_likelihoods);
  const std::size_t taken = before - freeMemory();
  const std::size_t said = likelihood.estimateMemory(
      point_count, scene.sampleCount(), scene.capsules_per_sample);
  // The device gives memory in pieces of 2 MiB.
  EXPECT_LE(taken, said + (32u << 20));
  EXPECT_GE(taken + (32u << 20), said);
}

INSTANTIATE_TEST_SUITE_P(Devices,
                         CapsulesOnCuda,
                         ::testing::Values("cuda"),
                         deviceTestName);
