// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "testing/image.h"

#include <pcl/common/transforms.h>
#include <pcl/gpu/articulated/capsule_coherence.h>
#include <pcl/gpu/articulated/capsule_ray_caster.h>
#include <pcl/gpu/articulated/depth_sensor_simulation.h>
#include <pcl/tracking/impl/particle_filter.hpp>
#include <pcl/tracking/impl/particle_filter_omp.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;
using pcl::PointXYZ;
using Cloud = pcl::PointCloud<PointXYZ>;
using Coherence = CapsuleCoherence<PointXYZ>;

namespace {

constexpr float tau = 0.1f;
constexpr float sigma = 0.05f;

TaperedCapsule
makeCapsule(const Vector3f& a, float radius_a, const Vector3f& b, float radius_b)
{
  return {{a.x(), a.y(), a.z()}, radius_a, {b.x(), b.y(), b.z()}, radius_b};
}

/** \brief A body without symmetry: about 60 cm high. */
std::vector<TaperedCapsule>
makeBody()
{
  return {makeCapsule({0, 0, 0}, 0.12f, {0, 0.4f, 0}, 0.08f),
          makeCapsule({0, 0.35f, 0}, 0.05f, {0.3f, 0.35f, 0.1f}, 0.04f),
          makeCapsule({0, 0, 0}, 0.06f, {-0.15f, -0.3f, 0}, 0.05f)};
}

/** \brief Coherence of one point, by its distance from the skin. */
double
agreement(double distance)
{
  return std::max(0.0, tau * tau - distance * distance) / (2.0 * sigma * sigma);
}

class CoherenceTest : public DeviceTest {
protected:
  CoherenceTest()
  {
    CapsuleLikelihoodParameters parameters;
    parameters.truncation_distance = tau;
    parameters.sigma = sigma;
    coherence_.getLikelihood().setParameters(parameters);
  }

  /** \brief The coherence with points, at a pose of the body. */
  float
  compute(const Cloud::ConstPtr& target, const Eigen::Affine3f& pose)
  {
    Cloud::Ptr moved(new Cloud);
    pcl::transformPointCloud(*coherence_.makeReferenceCloud(), *moved, pose);
    coherence_.setTargetCloud(target);
    float w = -1e30f;
    coherence_.compute(moved, nullptr, w);
    return w;
  }

  float
  compute(const Cloud::ConstPtr& target)
  {
    return compute(target, Eigen::Affine3f::Identity());
  }

  Coherence coherence_;
};

/** \brief Points of the body that a camera at the origin sees, with noise and
 * outliers. */
Cloud::Ptr
observe(const Eigen::Affine3f& pose)
{
  std::vector<TaperedCapsule> moved = makeBody();
  for (TaperedCapsule& capsule : moved)
    for (float* end : {capsule.a, capsule.b})
      Eigen::Map<Vector3f>{end} = pose * Vector3f(end[0], end[1], end[2]);
  const PinholeCamera camera = PinholeCamera::fromFieldOfView(0.8f, 80, 60);
  CapsuleRayCaster caster;
  caster.setParameters({camera});
  DepthSensorSimulation sensor;
  setParameter(sensor, &DepthSensorSimulationParameters::camera, camera);
  DeviceArray2D<float> depth;
  DeviceArray<PointXYZ> points;
  caster.cast(uploaded(moved), depth);
  sensor.addNoise(depth, 0, depth);
  sensor.computePoints(depth, points);
  Cloud::Ptr cloud(new Cloud(camera.width, camera.height));
  points.download(cloud->points.data());
  cloud->is_dense = false;
  return cloud;
}

} // namespace

TEST_P(CoherenceTest, ReferenceCloudHoldsAxesAndABoxAroundTheSkin)
{
  coherence_.setCapsules({makeCapsule({0, 0, 3}, 0.5f, {1, 0, 3}, 0.25f)});
  const Cloud::Ptr cloud = coherence_.makeReferenceCloud();
  ASSERT_EQ(cloud->size(), 10u);
  EXPECT_EQ((*cloud)[0].getVector3fMap(), Vector3f(0, 0, 3));
  EXPECT_EQ((*cloud)[1].getVector3fMap(), Vector3f(1, 0, 3));
  Eigen::AlignedBox3f box;
  for (std::size_t i = 2; i < 10; ++i)
    box.extend(Vector3f((*cloud)[i].getVector3fMap()));
  EXPECT_LT((box.min() - Vector3f(-0.6f, -0.6f, 2.4f)).norm(), 1e-6f);
  EXPECT_LT((box.max() - Vector3f(1.35f, 0.6f, 3.6f)).norm(), 1e-6f);
}

TEST_P(CoherenceTest, IsMinusTheSumOfWhatAgrees)
{
  coherence_.setCapsules({makeCapsule({0, 0, 3}, 0.5f, {0, 0, 3}, 0.5f)});
  Cloud::Ptr target(new Cloud);
  double expected = 0.0;
  for (const float z : {2.35f, 2.45f, 2.5f, 2.58f, 2.9f}) {
    target->emplace_back(0, 0, z);
    expected -= agreement(z - 2.5);
  }
  EXPECT_NEAR(compute(target), expected, 1e-4);
}

TEST_P(CoherenceTest, IsZeroWhereNothingAgrees)
{
  coherence_.setCapsules(makeBody());
  Cloud::Ptr target(new Cloud);
  target->emplace_back(0, 3, 2);
  EXPECT_EQ(compute(target), 0.0f);
  EXPECT_EQ(compute(Cloud::Ptr(new Cloud)), 0.0f);
}

TEST_P(CoherenceTest, SkipsPointsThatAreNotFinite)
{
  coherence_.setCapsules({makeCapsule({0, 0, 3}, 0.5f, {0, 0, 3}, 0.5f)});
  const float not_a_number = std::numeric_limits<float>::quiet_NaN();
  Cloud::Ptr target(new Cloud);
  target->emplace_back(not_a_number, 0, 1);
  target->emplace_back(0, 0, 2.5f);
  EXPECT_NEAR(compute(target), -agreement(0.0), 1e-5);
}

TEST_P(CoherenceTest, AMovedCloudIsTheMovedBody)
{
  const Eigen::Affine3f pose(Eigen::Translation3f(0.1f, -0.2f, 2.0f) *
                             Eigen::AngleAxisf(0.7f, Vector3f(1, 2, 3).normalized()));
  const Cloud::Ptr target = observe(pose);
  coherence_.setCapsules(makeBody());
  const float moved = compute(target, pose);
  std::vector<TaperedCapsule> capsules = makeBody();
  for (TaperedCapsule& capsule : capsules)
    for (float* end : {capsule.a, capsule.b})
      Eigen::Map<Vector3f>{end} = pose * Vector3f(end[0], end[1], end[2]);
  coherence_.setCapsules(capsules);
  EXPECT_NEAR(moved / compute(target), 1.0f, 1e-4f);
  EXPECT_LT(moved, -100.0f);
}

TEST_P(CoherenceTest, IsLeastAtTheTruePose)
{
  const Eigen::Affine3f pose(Eigen::Translation3f(0, 0, 2));
  const Cloud::Ptr target = observe(pose);
  coherence_.setCapsules(makeBody());
  const float best = compute(target, pose);
  for (int axis = 0; axis < 3; ++axis)
    for (const float step : {-0.03f, 0.03f})
      EXPECT_GT(
          compute(target, Eigen::Translation3f(step * Vector3f::Unit(axis)) * pose),
          best)
          << axis << " " << step;
}

TEST_P(CoherenceTest, SeesTheTargetFromItsSensorOrigin)
{
  coherence_.setCapsules({makeCapsule({0, 0, 3}, 0.5f, {0, 0, 3}, 0.5f)});
  Cloud::Ptr target(new Cloud);
  target->emplace_back(0, 0, 3.5f);
  EXPECT_EQ(compute(target), 0.0f); // hidden by the front of the sphere
  target->sensor_origin_ = Eigen::Vector4f(0, 0, 6, 0);
  EXPECT_NEAR(compute(target), -agreement(0.0), 1e-5);
  coherence_.setViewPoint({0, 0, 0});
  EXPECT_EQ(compute(target), 0.0f);
  coherence_.useSensorOriginAsViewPoint();
  EXPECT_NEAR(compute(target), -agreement(0.0), 1e-5);
}

TEST_P(CoherenceTest, ACopyComputesTheSame)
{
  coherence_.setCapsules({makeCapsule({0, 0, 3}, 0.5f, {0, 0, 3}, 0.5f)});
  Cloud::Ptr target(new Cloud);
  target->emplace_back(0, 0, 2.5f);
  const float expected = compute(target);
  Coherence copy = coherence_;
  float w = 0.0f;
  copy.compute(copy.makeReferenceCloud(), nullptr, w);
  EXPECT_EQ(w, expected);
}

TEST_P(CoherenceTest, RefusesWhatCannotBe)
{
  expectBadArgument("capsules", [&] { coherence_.setCapsules({}); });
  expectBadArgument("capsules", [&] { coherence_.makeReferenceCloud(); });
  expectBadArgument("radius", [&] {
    coherence_.setCapsules({makeCapsule({0, 0, 0}, -1, {0, 0, 0}, 1)});
  });
  expectBadArgument("coordinate", [&] {
    coherence_.setCapsules({makeCapsule({0, INFINITY, 0}, 1, {0, 0, 0}, 1)});
  });
  expectBadArgument("viewpoint", [&] { coherence_.setViewPoint({0, NAN, 0}); });
  EXPECT_THROW(coherence_.initCompute(), pcl::InitFailedException);
  coherence_.setCapsules(makeBody());
  EXPECT_THROW(coherence_.initCompute(), pcl::InitFailedException);
  coherence_.setTargetCloud(Cloud::Ptr(new Cloud));
  float w = 0.0f;
  expectBadArgument("reference cloud", [&] {
    coherence_.compute(Cloud::Ptr(new Cloud(3, 1)), nullptr, w);
  });
}

TEST_P(CoherenceTest, KeepsWhatIsThrownInAParallelRegion)
{
  coherence_.setCapsules(makeBody());
  Cloud::Ptr target(new Cloud);
  target->emplace_back(0, 0, 2.5f);
  for (const int threads : {1, 2}) {
    coherence_.setTargetCloud(target);
    coherence_.initCompute();
    std::vector<float> results(8, 1.0f);
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < 8; ++i)
      coherence_.compute(Cloud::Ptr(new Cloud(3, 1)), nullptr, results[i]);
    EXPECT_EQ(results, std::vector<float>(8, 0.0f));
    expectBadArgument("reference cloud", [&] { coherence_.initCompute(); });
    EXPECT_TRUE(coherence_.initCompute());
  }
}

TEST_P(CoherenceTest, LetsPclsParticleFilterFindABody)
{
  using State = pcl::tracking::ParticleXYZRPY;
  using Tracker = pcl::tracking::ParticleFilterOMPTracker<PointXYZ, State>;
  const auto coherence = pcl::make_shared<Coherence>();
  coherence->setCapsules(makeBody());
  Tracker tracker(2);
  tracker.setParticleNum(100);
  tracker.setIterationNum(8);
  tracker.setUseNormal(false);
  tracker.setCloudCoherence(coherence);
  tracker.setReferenceCloud(coherence->makeReferenceCloud());
  tracker.setTrans(Eigen::Affine3f(Eigen::Translation3f(0, 0, 2)));
  tracker.setStepNoiseCovariance({1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4});
  tracker.setInitialNoiseCovariance({1e-3, 1e-3, 1e-3, 1e-4, 1e-4, 1e-4});
  tracker.setInitialNoiseMean(std::vector<double>(6, 0.0));
  tracker.setInputCloud(
      observe(Eigen::Affine3f(Eigen::Translation3f(0.05f, -0.04f, 2.03f))));
  tracker.compute();
  const State result = tracker.getResult();
  EXPECT_NEAR(result.x, 0.05f, 0.03f);
  EXPECT_NEAR(result.y, -0.04f, 0.03f);
  EXPECT_NEAR(result.z, 2.03f, 0.03f);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(CoherenceTest);
