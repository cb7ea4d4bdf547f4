// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "likelihood_test.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace pcl::gpu::test {

std::string
LikelihoodMode::name() const
{
  return std::string(distance == CapsuleDistance::Squared ? "Squared" : "Absolute") +
         (visibility == CapsuleVisibility::EachCapsule ? " EachCapsule"
                                                       : " Occluding") +
         (search == CapsuleSearch::Culled ? " Culled" : " BruteForce");
}

std::vector<LikelihoodMode>
allModes(CapsuleSearch search)
{
  std::vector<LikelihoodMode> modes;
  for (const auto distance : {CapsuleDistance::Squared, CapsuleDistance::Absolute})
    for (const auto visibility :
         {CapsuleVisibility::EachCapsule, CapsuleVisibility::Occluding})
      modes.push_back({distance, visibility, search});
  return modes;
}

void
prepare(CapsuleLikelihood& likelihood,
        const CapsuleScene& scene,
        const LikelihoodMode& mode)
{
  setParameter(likelihood, &CapsuleLikelihoodParameters::sigma, test_sigma);
  setParameter(likelihood,
               &CapsuleLikelihoodParameters::truncation_distance,
               scene.truncation_distance);
  setParameter(likelihood, &CapsuleLikelihoodParameters::distance, mode.distance);
  setParameter(likelihood, &CapsuleLikelihoodParameters::visibility, mode.visibility);
  setParameter(likelihood, &CapsuleLikelihoodParameters::search, mode.search);
  DeviceArray<PointXYZ> points;
  points.upload(scene.points);
  DeviceArray<float> weights, backgrounds;
  if (!scene.weights.empty())
    weights.upload(scene.weights);
  if (!scene.backgrounds.empty()) {
    backgrounds.upload(scene.backgrounds);
    likelihood.setPoints(points, weights, backgrounds, scene.viewpoint);
  }
  else if (!scene.weights.empty())
    likelihood.setPoints(points, weights, scene.viewpoint);
  else
    likelihood.setPoints(points, scene.viewpoint);
}

std::vector<double>
sumsOf(CapsuleLikelihood& likelihood, const CapsuleScene& scene, bool two_radii)
{
  std::vector<double> sums(scene.sampleCount(),
                           std::numeric_limits<double>::quiet_NaN());
  DeviceArray<double> log_likelihoods;
  log_likelihoods.upload(sums);
  if (two_radii) {
    DeviceArray<TaperedCapsule> capsules;
    capsules.upload(scene.capsules);
    likelihood.compute(capsules, scene.capsules_per_sample, log_likelihoods);
  }
  else {
    DeviceArray<Capsule> capsules;
    capsules.upload(plainCapsules(scene));
    likelihood.compute(capsules, scene.capsules_per_sample, log_likelihoods);
  }
  EXPECT_EQ(log_likelihoods.size(), sums.size());
  log_likelihoods.download(sums);
  for (double& sum : sums)
    sum *= -0.5; // the exact factor of test_sigma
  return sums;
}

std::vector<double>
sumsOf(const CapsuleScene& scene, const LikelihoodMode& mode, bool two_radii)
{
  CapsuleLikelihood likelihood;
  prepare(likelihood, scene, mode);
  return sumsOf(likelihood, scene, two_radii);
}

double
distanceOf(const std::vector<Capsule>& capsules,
           const Eigen::Vector3f& point,
           const Eigen::Vector3f& viewpoint,
           float truncation_distance,
           CapsuleVisibility visibility)
{
  CapsuleScene scene;
  scene.viewpoint = viewpoint;
  for (const Capsule& capsule : capsules)
    scene.capsules.push_back(tapered(capsule));
  scene.capsules_per_sample = static_cast<int>(capsules.size());
  scene.truncation_distance = truncation_distance;
  LikelihoodMode mode{CapsuleDistance::Absolute, visibility};
  // Alone, and with its like, which may take other paths.
  scene.points.assign(1, {point.x(), point.y(), point.z()});
  const double alone = sumsOf(scene, mode)[0];
  constexpr int count = 64;
  scene.points.assign(count, scene.points[0]);
  const std::vector<double> sums = sumsOf(scene, mode);
  EXPECT_NEAR(sums[0] / count, alone, 1e-6);
  mode.search = CapsuleSearch::BruteForce;
  expectSameBits(sumsOf(scene, mode), sums);
  // For tau below the ray length single precision suffices for most.
  for (const float less : {0.5f, 0.03125f}) {
    scene.truncation_distance = less;
    for (const auto search : {CapsuleSearch::Culled, CapsuleSearch::BruteForce}) {
      mode.search = search;
      EXPECT_NEAR(
          sumsOf(scene, mode)[0] / count, std::min<double>(sums[0] / count, less), 1e-6)
          << mode.name() << ", tau " << less;
    }
  }
  return sums[0] / count;
}

Capsule
makeCapsule(const Eigen::Vector3f& a, const Eigen::Vector3f& b, float radius)
{
  Capsule capsule;
  Eigen::Vector3f::Map(capsule.a) = a;
  Eigen::Vector3f::Map(capsule.b) = b;
  capsule.radius = radius;
  return capsule;
}

void
SumErrors::expect(const std::vector<double>& sums,
                  const CapsuleScene& scene,
                  const std::vector<ReferenceSums>& references,
                  const LikelihoodMode& mode,
                  double tolerance)
{
  ASSERT_EQ(sums.size(), references.size());
  // Before a known background most distances may be 0.
  const double least_share = scene.backgrounds.empty() ? 0.03 : 0.3;
  const double least_distance = least_share * std::min(scene.truncation_distance, 1.0f);
  const double least =
      static_cast<double>(scene.totalWeight()) *
      (mode.distance == CapsuleDistance::Squared ? least_distance * least_distance
                                                 : least_distance);
  for (std::size_t j = 0; j < sums.size(); ++j) {
    const auto expected =
        static_cast<double>(references[j].sum(mode.distance, mode.visibility));
    const auto doubt = static_cast<double>(
        references[j]
            .doubt[static_cast<int>(mode.distance)][static_cast<int>(mode.visibility)]);
    const double error = std::max(std::abs(sums[j] - expected) - doubt, 0.0);
    const double relative =
        error == 0.0 ? 0.0 : error / std::max(std::abs(expected), least);
    EXPECT_LE(relative, tolerance)
        << mode.name() << ", sample " << j << ": " << sums[j] << " instead of "
        << expected << ", " << scene.points.size() << " points, "
        << scene.capsules_per_sample << " capsules, tau " << scene.truncation_distance;
    // NaN is the worst of all.
    worst_ = relative <= worst_ ? worst_ : relative;
  }
}

void
expectSameBits(const std::vector<double>& actual, const std::vector<double>& expected)
{
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t j = 0; j < expected.size(); ++j)
    EXPECT_EQ(std::memcmp(&actual[j], &expected[j], sizeof(double)), 0)
        << "sample " << j << ": " << actual[j] << " and " << expected[j]
        << " differ by " << actual[j] - expected[j];
}

void
expectReferenceSums(const CapsuleScene& scene, bool two_radii, SumErrors& errors)
{
  constexpr double tolerance = 1e-5;
  const std::vector<ReferenceSums> references = referenceSums(scene);
  for (const LikelihoodMode& mode : allModes()) {
    CapsuleLikelihood likelihood;
    prepare(likelihood, scene, mode);
    EXPECT_EQ(likelihood.countSkippedPoints(), scene.countSkipped());
    const std::vector<double> sums = sumsOf(likelihood, scene, two_radii);
    errors.expect(sums, scene, references, mode, tolerance);
    setParameter(
        likelihood, &CapsuleLikelihoodParameters::search, CapsuleSearch::BruteForce);
    expectSameBits(sumsOf(likelihood, scene, two_radii), sums);
  }
}

} // namespace pcl::gpu::test
