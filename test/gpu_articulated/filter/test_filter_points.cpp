// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "filter_test.h"

#include <pcl/gpu/articulated/forward_kinematics.h>

#include <cmath>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

/** \brief An arm: spheres along two bones, with an elbow, and a sphere at its side. */
Skeleton::ConstPtr
armOfSpheres(bool tapered)
{
  const auto skeleton = std::make_shared<Skeleton>(
      *chainOf({limitedAngle(-2.5f, 0.5f, 2.0f), limitedAngle(-2.5f, 0.5f, 2.0f)}));
  const auto addSphere = [&](int joint, const Vector3f& middle, float radius) {
    SkeletonCapsule sphere;
    sphere.name = "sphere";
    sphere.joint = joint;
    sphere.a = sphere.b = middle;
    sphere.radius_a = radius;
    // The greater sphere contains the other.
    sphere.radius_b = tapered ? 0.9f * radius : radius;
    skeleton->addCapsule(sphere);
  };
  for (int joint = 0; joint < 3; ++joint)
    for (const float along : {0.05f, 0.15f, 0.25f})
      addSphere(joint, {0, along, 0}, 0.06f);
  addSphere(0, {0.25f, 0, 0}, 0.1f);
  return skeleton;
}

constexpr float wall = 3; // its distance

constexpr float no_time = 1e-12f; // in which arms do not move

/** \brief Points of spheres that a camera at the origin sees along z, with noise. */
std::vector<pcl::PointXYZ>
pointsOn(const std::vector<TaperedCapsule>& spheres,
         std::mt19937& generator,
         float step = 0.03f)
{
  std::normal_distribution<float> noise(0, 0.01f);
  std::vector<pcl::PointXYZ> points;
  for (float y = -0.5f; y < 0.5f; y += step)
    for (float x = -0.5f; x < 0.5f; x += step) {
      const Vector3f ray = Vector3f(x, y, 1).normalized();
      float nearest = wall;
      for (const TaperedCapsule& sphere : spheres) {
        const Vector3f middle = Vector3f::Map(sphere.a);
        const float along = middle.dot(ray);
        const float height = (middle - along * ray).squaredNorm();
        const float depth = sphere.radius_a * sphere.radius_a - height;
        if (depth >= 0)
          nearest = std::min(nearest, along - std::sqrt(depth));
      }
      const Vector3f point = (nearest + noise(generator)) * ray;
      points.emplace_back(point.x(), point.y(), point.z());
    }
  return points;
}

/** \brief Poses of an arm, the first of which is seen, and the points of it. */
struct SeenArm {
  explicit SeenArm(float step)
  {
    const std::vector<float> seen = {0, -0.2f, 1.3f, 1, 0, 0, 0, -0.4f, -0.6f};
    for (const std::vector<float>& change :
         {std::vector<float>{0, 0, 0, 0, 0, 0, 0, 0, 0},
          {0.03f, 0, 0, 0, 0, 0, 0, 0, 0},
          {0, 0, 0.04f, 0, 0, 0, 0, 0, 0},
          {0, 0, 0, 0, 0, 0, 0, 0.3f, 0},
          {0, 0, 0, 0, 0, 0, 0, 0, -0.5f}})
      for (std::size_t i = 0; i < seen.size(); ++i)
        poses.push_back(seen[i] + change[i]);
    kinematics.setSkeleton(skeleton);
    DeviceArray<float> pose;
    pose.upload(seen);
    DeviceArray<TaperedCapsule> spheres;
    kinematics.computeCapsules(pose, spheres);
    std::mt19937 generator(1);
    const std::vector<pcl::PointXYZ> all =
        pointsOn(downloaded(spheres), generator, step);
    points.upload(all);
    backgrounds.upload(std::vector<float>(all.size(), wall));
  }

  PoseParticleFilter
  filter(std::size_t max_points) const
  {
    PoseParticleFilter filter = restingFilter(skeleton, poses);
    CapsuleLikelihoodParameters likelihood;
    likelihood.visibility = CapsuleVisibility::Occluding;
    set(filter, &FilterParameters::likelihood, likelihood);
    set(filter, &FilterParameters::max_points, max_points);
    return filter;
  }

  /** \brief Returns the log-likelihoods of the poses, compared with the first. */
  static std::vector<double>
  comparisons(const std::vector<double>& values)
  {
    std::vector<double> differences;
    for (std::size_t i = 1; i < values.size(); ++i)
      differences.push_back(values[i] - values[0]);
    return differences;
  }

  Skeleton::ConstPtr skeleton = armOfSpheres(false);
  std::vector<float> poses;
  ForwardKinematics kinematics;
  DeviceArray<pcl::PointXYZ> points;
  DeviceArray<float> backgrounds;
};

class FilterOfPoints : public DeviceTest {};

} // namespace

TEST_P(FilterOfPoints, FollowsAnArm)
{
  for (const bool tapered : {false, true}) {
    const Skeleton::ConstPtr skeleton = armOfSpheres(tapered);
    ForwardKinematics kinematics;
    kinematics.setSkeleton(skeleton);
    PoseParticleFilter filter;
    filter.setSkeleton(skeleton);
    set(filter, &FilterParameters::particle_count, 300);
    set(filter, &FilterParameters::survival_rate, 0.2f);
    set(filter, &FilterParameters::layers, 4);
    set(filter, &FilterParameters::layer_noise, LayerNoise::Spread);
    setRootDeviation(filter, 0.4f, 0.6f);
    CapsuleLikelihoodParameters likelihood;
    likelihood.sigma = 0.03f;
    set(filter, &FilterParameters::likelihood, likelihood);
    std::mt19937 generator(1);
    const auto truthAt = [](int frame) {
      const float t = frame / 30.0f;
      return std::vector<float>{0.2f * std::sin(2 * t),
                                -0.2f,
                                1.3f + 0.1f * t,
                                std::cos(0.2f * t),
                                0,
                                std::sin(0.2f * t),
                                0,
                                -0.4f - 0.4f * std::sin(3 * t),
                                -0.6f - 0.4f * std::sin(2 * t)};
    };
    filter.initialize(truthAt(0), std::vector<float>(8, 0.03f));
    const int frames = 12;
    double worst = 0, mean = 0;
    for (int frame = 1; frame <= frames; ++frame) {
      DeviceArray<float> pose;
      pose.upload(truthAt(frame));
      DeviceArray<TaperedCapsule> spheres;
      kinematics.computeCapsules(pose, spheres);
      DeviceArray<pcl::PointXYZ> points;
      points.upload(pointsOn(downloaded(spheres), generator));
      filter.processFrame(points, {0, 0, 0}, 1 / 30.0f);
      const PoseEstimate estimate = estimateOf(filter);
      EXPECT_TRUE(estimate.possible);
      DeviceArray<pcl::PointXYZ> expected, found;
      kinematics.computeJoints(pose, expected);
      pose.upload(estimate.mean);
      kinematics.computeJoints(pose, found);
      const std::vector<pcl::PointXYZ> a = downloaded(expected), b = downloaded(found);
      for (std::size_t i = 0; i < a.size(); ++i) {
        const double error = (a[i].getVector3fMap() - b[i].getVector3fMap()).norm();
        worst = std::max(worst, error);
        mean += error / (frames * a.size());
      }
    }
    // The arm is 12 cm wide, and nothing keeps parts of it from hiding behind others.
    EXPECT_LT(mean, 0.03) << (tapered ? "tapered" : "plain");
    EXPECT_LT(worst, 0.1) << (tapered ? "tapered" : "plain");
  }
}

TEST_P(FilterOfPoints, ComparesPosesByFewOfThem)
{
  const SeenArm arm(0.004f);
  std::vector<std::vector<double>> found;
  for (const std::size_t max_points : {0u, 1000u}) {
    PoseParticleFilter filter = arm.filter(max_points);
    filter.processFrame(arm.points, {0, 0, 0}, no_time);
    found.push_back(SeenArm::comparisons(downloaded(filter.getLogWeights())));
  }
  for (std::size_t i = 0; i < found[0].size(); ++i) {
    EXPECT_LT(found[0][i], -100.0) << "pose " << i + 1;
    // Means of joined points lie a little behind curved skin.
    EXPECT_NEAR(found[1][i], found[0][i], -0.2 * found[0][i]) << "pose " << i + 1;
  }
}

TEST_P(FilterOfPoints, KnowsTheirBackground)
{
  const SeenArm arm(0.02f);
  PoseParticleFilter filter = arm.filter(0);
  filter.processFrame(arm.points, arm.backgrounds, {0, 0, 0}, no_time);
  CapsuleLikelihood likelihood;
  likelihood.setParameters(filter.getParameters().likelihood);
  likelihood.setPoints(arm.points, {}, arm.backgrounds, {0, 0, 0});
  ForwardKinematics kinematics = arm.kinematics;
  DeviceArray<float> poses;
  poses.upload(arm.poses);
  DeviceArray<TaperedCapsule> spheres;
  kinematics.computeCapsules(poses, spheres);
  DeviceArray<double> values;
  likelihood.compute(
      spheres, static_cast<int>(arm.skeleton->getCapsules().size()), values);
  const std::vector<double> expected = SeenArm::comparisons(downloaded(values));
  const std::vector<double> found =
      SeenArm::comparisons(downloaded(filter.getLogWeights()));
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], -1e-5 * expected[i]) << "pose " << i + 1;
  DeviceArray<float> other;
  other.upload(std::vector<float>(3, 1.0f));
  expectBadArgument("backgrounds", [&] {
    filter.processFrame(arm.points, other, {0, 0, 0}, no_time);
  });
}

TEST_P(FilterOfPoints, NeedsTheMemoryThatItSays)
{
  PoseParticleFilter filter;
  filter.setSkeleton(armOfSpheres(false));
  const std::size_t some = filter.estimateMemory(1000);
  set(filter, &FilterParameters::particle_count, 20000);
  const std::size_t more = filter.estimateMemory(1000);
  // Two rows of nine floats, weights, ten capsules of seven floats a particle at least.
  EXPECT_GE(more - some, 18000u * (2 * 9 * 4 + 20 + 10 * 28));
  set(filter, &FilterParameters::motion_model, MotionModel::ConstantVelocity);
  EXPECT_EQ(filter.estimateMemory(1000) - more, 20000u * 2 * 8 * 4);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilterOfPoints);
