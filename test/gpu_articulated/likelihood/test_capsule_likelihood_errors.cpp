// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsule_shapes.h"
#include "likelihood_test.h"

#include "common/expect_throws.h"
#include "testing/image.h"

#include <utility>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

DeviceArray<pcl::PointXYZ>
somePoints(int count)
{
  DeviceArray<pcl::PointXYZ> points;
  points.upload(std::vector<pcl::PointXYZ>(count, {0, 0, 2}));
  return points;
}

DeviceArray<Capsule>
someCapsules(int count)
{
  return uploaded(std::vector<Capsule>(count, makeCapsule({0, 0, 3}, {0, 0, 3}, 0.5f)));
}

} // namespace

class CapsuleErrors : public DeviceTest {};

TEST_P(CapsuleErrors, SettingsOutOfRange)
{
  CapsuleLikelihood likelihood;
  for (const float bad : {0.0f, -0.0f, -1.0f, not_a_number, infinity}) {
    expectBadArgument("sigma", [&] {
      setParameter(likelihood, &CapsuleLikelihoodParameters::sigma, bad);
    });
    expectBadArgument("truncation", [&] {
      setParameter(likelihood, &CapsuleLikelihoodParameters::truncation_distance, bad);
    });
  }
  expectBadArgument("distance", [&] {
    setParameter(likelihood,
                 &CapsuleLikelihoodParameters::distance,
                 static_cast<CapsuleDistance>(2));
  });
  expectBadArgument("visibility", [&] {
    setParameter(likelihood,
                 &CapsuleLikelihoodParameters::visibility,
                 static_cast<CapsuleVisibility>(-1));
  });
  expectBadArgument("search", [&] {
    setParameter(likelihood,
                 &CapsuleLikelihoodParameters::search,
                 static_cast<CapsuleSearch>(7));
  });
  EXPECT_EQ(likelihood.getParameters().sigma, 0.05f);
  EXPECT_EQ(likelihood.getParameters().truncation_distance, 0.1f);
  EXPECT_EQ(likelihood.getParameters().distance, CapsuleDistance::Squared);
  EXPECT_EQ(likelihood.getParameters().visibility, CapsuleVisibility::EachCapsule);
  EXPECT_EQ(likelihood.getParameters().search, CapsuleSearch::Culled);
  EXPECT_EQ(likelihood.getParameters().scratch_limit, std::size_t(256) << 20);
}

TEST_P(CapsuleErrors, SettingsAreKept)
{
  CapsuleLikelihood likelihood;
  setParameter(likelihood, &CapsuleLikelihoodParameters::sigma, 0.25f);
  setParameter(likelihood, &CapsuleLikelihoodParameters::truncation_distance, 0.75f);
  setParameter(
      likelihood, &CapsuleLikelihoodParameters::distance, CapsuleDistance::Absolute);
  setParameter(likelihood,
               &CapsuleLikelihoodParameters::visibility,
               CapsuleVisibility::Occluding);
  setParameter(
      likelihood, &CapsuleLikelihoodParameters::search, CapsuleSearch::BruteForce);
  setParameter(likelihood, &CapsuleLikelihoodParameters::scratch_limit, 12345);
  CapsuleLikelihood copy(likelihood);
  for (const CapsuleLikelihood* each : {&copy, &likelihood}) {
    EXPECT_EQ(each->getParameters().sigma, 0.25f);
    EXPECT_EQ(each->getParameters().truncation_distance, 0.75f);
    EXPECT_EQ(each->getParameters().distance, CapsuleDistance::Absolute);
    EXPECT_EQ(each->getParameters().visibility, CapsuleVisibility::Occluding);
    EXPECT_EQ(each->getParameters().search, CapsuleSearch::BruteForce);
    EXPECT_EQ(each->getParameters().scratch_limit, 12345u);
  }
}

TEST_P(CapsuleErrors, ViewpointThatIsNotFinite)
{
  CapsuleLikelihood likelihood;
  for (const float bad : {not_a_number, infinity, -infinity})
    for (int i = 0; i < 3; ++i) {
      Vector3f viewpoint(1, 2, 3);
      viewpoint[i] = bad;
      expectBadArgument("viewpoint",
                        [&] { likelihood.setPoints(somePoints(3), viewpoint); });
    }
}

TEST_P(CapsuleErrors, WeightsThatAreNotOnePerPoint)
{
  CapsuleLikelihood likelihood;
  for (const int count : {0, 2, 4})
    expectBadArgument("weights", [&] {
      likelihood.setPoints(
          somePoints(3), uploaded(std::vector<float>(count, 1.0f)), Vector3f(0, 0, 0));
    });
}

TEST_P(CapsuleErrors, BackgroundsThatAreNotOnePerPoint)
{
  CapsuleLikelihood likelihood;
  for (const int count : {0, 2, 4})
    expectBadArgument("backgrounds", [&] {
      likelihood.setPoints(somePoints(3),
                           {},
                           uploaded(std::vector<float>(count, 1.0f)),
                           Vector3f(0, 0, 0));
    });
}

TEST_P(CapsuleErrors, NoPointsSet)
{
  CapsuleLikelihood likelihood;
  DeviceArray<double> log_likelihoods;
  expectBadArgument("observation",
                    [&] { likelihood.compute(someCapsules(2), 1, log_likelihoods); });
}

TEST_P(CapsuleErrors, CapsulesThatAreNoMultiple)
{
  CapsuleLikelihood likelihood;
  likelihood.setPoints(somePoints(3), Vector3f(0, 0, 0));
  DeviceArray<double> log_likelihoods;
  for (const int per_sample : {2, 4, 0, -1, -3})
    expectBadArgument("capsules", [&] {
      likelihood.compute(someCapsules(3), per_sample, log_likelihoods);
    });
  likelihood.compute(someCapsules(3), 3, log_likelihoods);
  EXPECT_EQ(log_likelihoods.size(), 1u);
}

TEST_P(CapsuleErrors, CopiesHaveNoPoints)
{
  const CapsuleScene scene = bodyScene(500, 0.5f, 2, 0.1f, 1);
  CapsuleLikelihood likelihood;
  prepare(likelihood, scene);
  const std::vector<double> sums = sumsOf(likelihood, scene);
  CapsuleLikelihood copy(likelihood);
  DeviceArray<double> log_likelihoods;
  expectBadArgument("observation",
                    [&] { copy.compute(someCapsules(2), 1, log_likelihoods); });
  expectSameBits(sumsOf(likelihood, scene), sums);
  prepare(copy, scene);
  CapsuleLikelihood moved(std::move(copy));
  expectSameBits(sumsOf(moved, scene), sums);
  CapsuleLikelihood assigned;
  assigned = std::move(moved);
  expectSameBits(sumsOf(assigned, scene), sums);
  assigned = likelihood;
  expectBadArgument("observation",
                    [&] { assigned.compute(someCapsules(2), 1, log_likelihoods); });
}

TEST_P(CapsuleErrors, FailedCallsLeaveTheObservation)
{
  const CapsuleScene scene = bodyScene(500, 0.5f, 2, 0.1f, 1);
  CapsuleLikelihood likelihood;
  prepare(likelihood, scene);
  const std::vector<double> sums = sumsOf(likelihood, scene);
  expectBadArgument("viewpoint", [&] {
    likelihood.setPoints(somePoints(3), Vector3f(0, not_a_number, 0));
  });
  expectSameBits(sumsOf(likelihood, scene), sums);
}

TEST_P(CapsuleErrors, ArraysOfTwoDevices)
{
  const std::string other = GetParam() == "cuda" ? "host" : "cuda";
  CapsuleLikelihood likelihood;
  likelihood.setPoints(somePoints(3), Vector3f(0, 0, 0));
  DeviceArray<Capsule> capsules;
  DeviceArray<float> weights;
  {
    const auto scope = useDevice(other);
    capsules = someCapsules(2);
    weights = uploaded(std::vector<float>(3, 1.0f));
  }
  DeviceArray<double> log_likelihoods;
  expectBadArgument("capsules",
                    [&] { likelihood.compute(capsules, 1, log_likelihoods); });
  expectBadArgument("weights", [&] {
    likelihood.setPoints(somePoints(3), weights, Vector3f(0, 0, 0));
  });
  expectBadArgument("backgrounds", [&] {
    likelihood.setPoints(somePoints(3), {}, weights, Vector3f(0, 0, 0));
  });
}

TEST_P(CapsuleErrors, RequiredMemoryGrows)
{
  CapsuleLikelihood likelihood;
  const std::size_t some = likelihood.estimateMemory(50'000, 2000, 48);
  // Points are kept, and the capsules read at least once.
  EXPECT_GE(some, 50'000u * 12u);
  EXPECT_LE(some, std::size_t(1) << 30);
  EXPECT_GT(likelihood.estimateMemory(500'000, 2000, 48), some);
  EXPECT_GE(likelihood.estimateMemory(50'000, 20'000, 48), some);
  setParameter(likelihood, &CapsuleLikelihoodParameters::scratch_limit, 1 << 20);
  const std::size_t limited = likelihood.estimateMemory(50'000, 2'000'000, 48);
  setParameter(
      likelihood, &CapsuleLikelihoodParameters::scratch_limit, std::size_t(1) << 34);
  EXPECT_LT(limited, likelihood.estimateMemory(50'000, 2'000'000, 48));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(CapsuleErrors);
