// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsule_shapes.h"
#include "likelihood_test.h"

#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;

namespace {

constexpr double tau = 0.1;

Vector3d
randomDirection(Random& random)
{
  return randomVector(random, 1.0f).cast<double>().normalized();
}

/** \brief A point metres away, and capsules before it, one a sample, whose sides the
 * ray to it passes as nearly as single precision can say, or touches. */
CapsuleScene
grazedCapsules(std::uint32_t seed)
{
  Random random(seed);
  CapsuleScene scene;
  scene.truncation_distance = static_cast<float>(tau);
  scene.viewpoint = randomVector(random, 1.0f);
  const Vector3d viewpoint = scene.viewpoint.cast<double>();
  const Vector3d direction = randomDirection(random);
  const float length = uniform(random, 2.0f, 10.0f);
  scene.points.resize(1);
  scene.points[0].getVector3fMap() = (viewpoint + length * direction).cast<float>();
  for (int sample = 0; sample < 1000; ++sample) {
    const double radius = uniform(random, 0.02f, 0.2f);
    const double bone = uniform(random, 0.05f, 0.5f);
    const Vector3d axis = randomDirection(random);
    const double error =
        logUniform(random, 1e-8f, 1e-4f) * (chance(random, 0.5f) ? 1 : -1);
    const Vector3d touched =
        viewpoint + uniform(random, 0.8f, length - 0.8f) * direction +
        radius * (1.0 + error) * direction.cross(axis).normalized();
    const Vector3d a = touched - bone * uniform(random, -0.2f, 1.2f) * axis;
    const Vector3d b = a + bone * axis;
    scene.capsules.push_back(
        capsuleOf(a.cast<float>(), b.cast<float>(), static_cast<float>(radius)));
  }
  return scene;
}

} // namespace

/** \brief Rays that nearly touch capsules far from their points. */
class GrazedCapsules : public DeviceTest {};

TEST_P(GrazedCapsules, HideWhatTheyHide)
{
  int hits = 0, certain = 0;
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const CapsuleScene scene = grazedCapsules(seed);
    std::vector<double> expected; // NaN: double precision does not decide
    for (const TaperedCapsule& capsule : scene.capsules) {
      const ReferenceHit hit =
          castAtCapsule(scene.viewpoint, scene.points[0].getVector3fMap(), capsule);
      expected.push_back(hit.uncertain ? NAN : hit.exists ? tau : 0.0);
      hits += !hit.uncertain && hit.exists;
      certain += !hit.uncertain;
    }
    for (const auto search : {CapsuleSearch::Culled, CapsuleSearch::BruteForce})
      for (const bool two_radii : {false, true}) {
        CapsuleLikelihood likelihood;
        prepare(likelihood,
                scene,
                {CapsuleDistance::Absolute, CapsuleVisibility::Occluding, search});
        setParameter(likelihood, &CapsuleLikelihoodParameters::miss_distance, 0.0f);
        const std::vector<double> sums = sumsOf(likelihood, scene, two_radii);
        for (std::size_t i = 0; i < sums.size(); ++i)
          EXPECT_TRUE(std::isnan(expected[i]) || std::abs(sums[i] - expected[i]) < 1e-6)
              << "seed " << seed << ", sample " << i;
      }
  }
  EXPECT_GT(certain, 49000);
  EXPECT_GT(hits, certain / 4);
  EXPECT_LT(hits, 3 * certain / 4);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(GrazedCapsules);
