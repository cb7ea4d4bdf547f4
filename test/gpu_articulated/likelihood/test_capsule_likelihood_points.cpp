// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsule_shapes.h"
#include "likelihood_test.h"

#include <cmath>
#include <utility>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

/** \brief A ball of radius 0.5 at 3 m; points straight ahead at 2.25, 2.5 and 2 m,
 * which are 0.25, 0 and 0.5 from it. */
CapsuleScene
threePoints()
{
  CapsuleScene scene;
  scene.truncation_distance = 4.0f;
  scene.capsules = {capsuleOf({0, 0, 3}, {0, 0, 3}, 0.5f)};
  scene.points = {{0, 0, 2.25f}, {0, 0, 2.5f}, {0, 0, 2}};
  return scene;
}

const LikelihoodMode absolute = {CapsuleDistance::Absolute};

} // namespace

/** \brief Contributions of points. */
class CapsulePoints : public DeviceTest {};

TEST_P(CapsulePoints, SquaresAreSummed)
{
  EXPECT_NEAR(sumsOf(threePoints())[0], 0.3125, 1e-7);
}

TEST_P(CapsulePoints, DistancesAreSummedAsInTheListings)
{
  EXPECT_NEAR(sumsOf(threePoints(), absolute)[0], 0.75, 1e-7);
}

TEST_P(CapsulePoints, SigmaScalesTheSum)
{
  const CapsuleScene scene = threePoints();
  CapsuleLikelihood likelihood;
  prepare(likelihood, scene);
  DeviceArray<Capsule> capsules;
  capsules.upload(plainCapsules(scene));
  for (const float sigma : {0.01f, 0.05f, 1.0f, 20.0f}) {
    setParameter(likelihood, &CapsuleLikelihoodParameters::sigma, sigma);
    DeviceArray<double> log_likelihoods;
    likelihood.compute(capsules, 1, log_likelihoods);
    std::vector<double> values;
    log_likelihoods.download(values);
    ASSERT_EQ(values.size(), 1u);
    const double factor = -1.0 / (2.0 * double(sigma) * double(sigma));
    EXPECT_NEAR(values[0] / (factor * 0.3125), 1.0, 1e-6) << sigma;
  }
}

TEST_P(CapsulePoints, WeightsMultiply)
{
  CapsuleScene scene = threePoints();
  scene.weights = {4.0f, 100.0f, 0.5f};
  EXPECT_NEAR(sumsOf(scene)[0], 0.375, 1e-7);
  EXPECT_NEAR(sumsOf(scene, absolute)[0], 1.25, 1e-6);
}

TEST_P(CapsulePoints, WeightsOfOneAreNoWeights)
{
  CapsuleScene scene = bodyScene(700, 0.5f, 3, 0.1f, 1);
  const std::vector<double> without = sumsOf(scene);
  scene.weights.assign(scene.points.size(), 1.0f);
  expectSameBits(sumsOf(scene), without);
}

TEST_P(CapsulePoints, OutliersCountWithTheirWeight)
{
  CapsuleScene scene = threePoints();
  scene.points = {{1, 0, 1}, {0, 0, 60}};
  scene.weights = {2.0f, 3.0f};
  EXPECT_EQ(sumsOf(scene)[0], 80.0);
  EXPECT_EQ(sumsOf(scene, absolute)[0], 20.0);
}

TEST_P(CapsulePoints, BadPointsAreSkippedAndCounted)
{
  CapsuleScene scene = threePoints();
  const float z = 2.0f;
  for (const float bad : {not_a_number, infinity, -infinity}) {
    scene.points.push_back({bad, 0, z});
    scene.points.push_back({0, bad, z});
    scene.points.push_back({0, 0, bad});
  }
  scene.points.push_back({0, 0, 0}); // the viewpoint
  scene.points.push_back({-0.0f, 0, 0});
  CapsuleLikelihood likelihood;
  prepare(likelihood, scene);
  EXPECT_EQ(likelihood.countSkippedPoints(), 11u);
  EXPECT_NEAR(sumsOf(likelihood, scene)[0], 0.3125, 1e-7);
}

TEST_P(CapsulePoints, BadWeightsAreSkippedAndCounted)
{
  CapsuleScene scene = threePoints();
  scene.weights = {1.0f, 1.0f, 1.0f};
  for (const float bad : {not_a_number, infinity, -infinity, 0.0f, -0.0f, -1.0f}) {
    scene.points.push_back({0, 0, 2});
    scene.weights.push_back(bad);
  }
  scene.points.push_back({not_a_number, 0, 2});
  scene.weights.push_back(-1.0f);
  CapsuleLikelihood likelihood;
  prepare(likelihood, scene);
  EXPECT_EQ(likelihood.countSkippedPoints(), 7u);
  EXPECT_NEAR(sumsOf(likelihood, scene)[0], 0.3125, 1e-7);
}

TEST_P(CapsulePoints, AllSkipped)
{
  CapsuleScene scene = threePoints();
  scene.points.assign(300, {not_a_number, 1, 2});
  CapsuleLikelihood likelihood;
  prepare(likelihood, scene);
  EXPECT_EQ(likelihood.countSkippedPoints(), 300u);
  EXPECT_EQ(sumsOf(likelihood, scene)[0], 0.0);
}

TEST_P(CapsulePoints, NoneAtAll)
{
  CapsuleScene scene = bodyScene(10, 0.5f, 3, 0.1f, 1);
  scene.points.clear();
  CapsuleLikelihood likelihood;
  prepare(likelihood, scene);
  EXPECT_EQ(likelihood.countSkippedPoints(), 0u);
  EXPECT_EQ(sumsOf(likelihood, scene), std::vector<double>(3, 0.0));
}

TEST_P(CapsulePoints, EqualPointsCountEach)
{
  CapsuleScene scene = threePoints();
  scene.points.assign(5000, {0, 0, 2.25f});
  EXPECT_NEAR(sumsOf(scene)[0] / (5000 * 0.0625), 1.0, 1e-6);
}

TEST_P(CapsulePoints, AtTheEndsOfSegments)
{
  CapsuleScene scene = randomScene(SceneKind::Room, 3);
  scene.weights.clear();
  scene.points.clear();
  for (TaperedCapsule& capsule : scene.capsules) {
    capsule.radius_a = capsule.radius_b = 0.0f;
    const Vector3f a = endOf(capsule, false);
    scene.points.push_back({a.x(), a.y(), a.z()});
  }
  scene.capsules_per_sample = static_cast<int>(scene.capsules.size());
  EXPECT_NEAR(sumsOf(scene, absolute)[0], 0.0, 1e-6 * double(scene.points.size()));
}

TEST_P(CapsulePoints, TauTakesEffectWithTheNextPoints)
{
  CapsuleScene scene = threePoints();
  CapsuleLikelihood likelihood;
  prepare(likelihood, scene);
  scene.truncation_distance = 0.25f;
  prepare(likelihood, scene);
  EXPECT_NEAR(sumsOf(likelihood, scene)[0], 0.125, 1e-7);
}

TEST_P(CapsulePoints, NewPointsReplaceOldOnes)
{
  CapsuleLikelihood likelihood;
  for (const std::uint32_t seed : {1, 2, 3, 4}) {
    const CapsuleScene scene = randomScene(SceneKind::Room, seed);
    prepare(likelihood, scene);
    EXPECT_EQ(likelihood.countSkippedPoints(), scene.countSkipped());
    expectSameBits(sumsOf(likelihood, scene), sumsOf(scene));
  }
}

TEST_P(CapsulePoints, ArraysAreNotNeededAfterwards)
{
  const CapsuleScene scene = threePoints();
  CapsuleLikelihood likelihood;
  prepare(likelihood, scene);
  DeviceArray<pcl::PointXYZ> others;
  others.upload(std::vector<pcl::PointXYZ>(3, {9, 9, 9}));
  EXPECT_NEAR(sumsOf(likelihood, scene)[0], 0.3125, 1e-7);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(CapsulePoints);
