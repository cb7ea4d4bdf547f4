// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "common/numbers.h"
#include "filter_test.h"

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class FilterErrors : public DeviceTest {
protected:
  void
  SetUp() override
  {
    DeviceTest::SetUp();
    skeleton_ = chainOf({JointAngle()});
    filter_.setSkeleton(skeleton_);
    set(filter_, &FilterParameters::particle_count, 10);
  }

  Skeleton::ConstPtr skeleton_;
  PoseParticleFilter filter_;
};

} // namespace

TEST_P(FilterErrors, NameTheSetting)
{
  expectBadArgument("skeleton", [&] { filter_.setSkeleton(nullptr); });
  expectBadArgument("particles",
                    [&] { set(filter_, &FilterParameters::particle_count, 0); });
  expectBadArgument("particles", [&] {
    set(filter_, &FilterParameters::particle_count, (1 << 24) + 1);
  });
  expectBadArgument("motion model", [&] {
    set(filter_, &FilterParameters::motion_model, static_cast<MotionModel>(7));
  });
  expectBadArgument("resampling", [&] {
    set(filter_, &FilterParameters::resampling, static_cast<Resampling>(7));
  });
  expectBadArgument("layer noise", [&] {
    set(filter_, &FilterParameters::layer_noise, static_cast<LayerNoise>(7));
  });
  expectBadArgument("wide motion", [&] {
    set(filter_, &FilterParameters::wide_limb_motion, not_a_number);
  });
  expectBadArgument("damping",
                    [&] { set(filter_, &FilterParameters::velocity_damping, 1.1f); });
  expectBadArgument("wide motion", [&] { setWideMotion(filter_, 0.9f); });
  expectBadArgument("translation", [&] { setRootDeviation(filter_, -1, 0); });
  expectBadArgument("rotation", [&] { setRootDeviation(filter_, 1, not_a_number); });
  expectBadArgument("threshold", [&] {
    set(filter_, &FilterParameters::resample_threshold, not_a_number);
  });
  expectBadArgument("layers", [&] { set(filter_, &FilterParameters::layers, 0); });
  expectBadArgument("decay", [&] { set(filter_, &FilterParameters::layer_decay, 0); });
  expectBadArgument("exponent", [&] {
    set(filter_, &FilterParameters::layer_exponents, {0.5f, -1});
  });
  expectBadArgument("survival",
                    [&] { set(filter_, &FilterParameters::survival_rate, 1); });
  expectBadArgument("partition",
                    [&] { set(filter_, &FilterParameters::partitions, {{-1}}); });
  expectBadArgument("number of islands", [&] { setIslands(filter_, 0); });
  expectBadArgument("margin", [&] { setIslands(filter_, 2, -1.0); });
  expectBadArgument("margin", [&] { setIslands(filter_, 2, not_a_number); });
  expectBadArgument("patience", [&] { setIslands(filter_, 2, 1.0, 0); });
}

TEST_P(FilterErrors, NameThePose)
{
  const std::vector<float> pose = skeleton_->restPose();
  const std::vector<float> deviations(7, 0.1f);
  PoseParticleFilter empty;
  expectBadArgument("skeleton", [&] { empty.initialize(pose); });
  expectBadArgument("skeleton", [&] { empty.estimateMemory(10); });
  expectBadArgument("pose", [&] { filter_.initialize(std::vector<float>(7, 1.0f)); });
  std::vector<float> wrong = pose;
  wrong[7] = not_a_number;
  expectBadArgument("pose", [&] { filter_.initialize(wrong); });
  wrong = pose;
  wrong[3] = 0;
  expectBadArgument("quaternion", [&] { filter_.initialize(wrong); });
  expectBadArgument("deviations",
                    [&] { filter_.initialize(pose, std::vector<float>(8, 0.1f)); });
  expectBadArgument("deviation",
                    [&] { filter_.initialize(pose, std::vector<float>(7, -0.1f)); });
  DeviceArray<float> poses(8 * 9);
  expectBadArgument("poses", [&] { filter_.initialize(poses); });
}

TEST_P(FilterErrors, NameTheFrame)
{
  PoseEstimate estimate;
  Eigen::MatrixXf covariance;
  const auto likelihood = fixedLikelihoods(std::vector<double>(10, 0.0));
  const DeviceArray<pcl::PointXYZ> points(5);
  expectBadArgument("initialize", [&] { filter_.processFrame(likelihood, 1); });
  expectBadArgument("initialize", [&] { filter_.processFrame(points, {0, 0, 0}, 1); });
  filter_.initialize(skeleton_->restPose());
  expectBadArgument("processFrame", [&] { filter_.getEstimate(estimate); });
  expectBadArgument("processFrame", [&] { filter_.getCovariance(covariance); });
  expectBadArgument("time", [&] { filter_.processFrame(likelihood, 0); });
  expectBadArgument("time", [&] { filter_.processFrame(likelihood, not_a_number); });
  expectBadArgument("likelihood", [&] {
    filter_.processFrame(PoseParticleFilter::LikelihoodFunction(), 1);
  });
  expectBadArgument("capsules", [&] { filter_.processFrame(points, {0, 0, 0}, 1); });
  expectBadArgument("log-likelihoods", [&] {
    filter_.processFrame(fixedLikelihoods(std::vector<double>(9, 0.0)), 1);
  });
  set(filter_, &FilterParameters::layer_exponents, {1, 1});
  expectBadArgument("exponents", [&] { filter_.processFrame(likelihood, 1); });
  set(filter_, &FilterParameters::layer_exponents, {});
  set(filter_, &FilterParameters::partitions, {{0}, {2}});
  expectBadArgument("partition", [&] { filter_.processFrame(likelihood, 1); });
  set(filter_, &FilterParameters::partitions, {});
  filter_.processFrame(likelihood, 1);
  filter_.getEstimate(estimate);
  set(filter_, &FilterParameters::particle_count, 11);
  EXPECT_FALSE(filter_.isInitialized());
  expectBadArgument("processFrame", [&] { filter_.getEstimate(estimate); });
}

TEST_P(FilterErrors, NameTheResultsWithoutFrame)
{
  const auto expectNone = [this] {
    expectBadArgument("particles", [this] { filter_.getParticles(); });
    expectBadArgument("weights", [this] { filter_.getLogWeights(); });
    expectBadArgument("ancestors", [this] { filter_.getAncestors(); });
  };
  expectNone();
  filter_.initialize(skeleton_->restPose());
  expectNone();
  const auto likelihood = fixedLikelihoods(std::vector<double>(10, 0.0));
  filter_.processFrame(likelihood, 1);
  EXPECT_EQ(filter_.getParticles().size(), 10 * skeleton_->poseSize());
  EXPECT_EQ(filter_.getLogWeights().size(), 10u);
  EXPECT_EQ(filter_.getAncestors().size(), 10u);
  filter_.reset();
  expectNone();
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilterErrors);
