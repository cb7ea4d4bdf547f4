// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "filter_test.h"

#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

class FilterErrors : public DeviceTest {
protected:
  void
  SetUp() override
  {
    DeviceTest::SetUp();
    skeleton_ = chainOf({JointAngle()});
    filter_.setSkeleton(skeleton_);
    filter_.setParticleCount(10);
  }

  Skeleton::ConstPtr skeleton_;
  PoseParticleFilter filter_;
};

} // namespace

TEST_P(FilterErrors, NameTheSetting)
{
  expectBadArgument("skeleton", [&] { filter_.setSkeleton(nullptr); });
  expectBadArgument("particles", [&] { filter_.setParticleCount(0); });
  expectBadArgument("particles", [&] { filter_.setParticleCount((1 << 24) + 1); });
  expectBadArgument("motion model",
                    [&] { filter_.setMotionModel(static_cast<MotionModel>(7)); });
  expectBadArgument("resampling",
                    [&] { filter_.setResampling(static_cast<Resampling>(7)); });
  expectBadArgument("layer noise",
                    [&] { filter_.setLayerNoise(static_cast<LayerNoise>(7)); });
  expectBadArgument("wide motion", [&] { filter_.setWideLimbMotion(not_a_number); });
  expectBadArgument("damping", [&] { filter_.setVelocityDamping(1.1f); });
  expectBadArgument("wide motion", [&] { filter_.setWideMotion(0.9f); });
  expectBadArgument("translation", [&] { filter_.setRootDeviation(-1, 0); });
  expectBadArgument("rotation", [&] { filter_.setRootDeviation(1, not_a_number); });
  expectBadArgument("threshold", [&] { filter_.setResampleThreshold(not_a_number); });
  expectBadArgument("layers", [&] { filter_.setLayers(0); });
  expectBadArgument("decay", [&] { filter_.setLayerDecay(0); });
  expectBadArgument("exponent", [&] { filter_.setLayerExponents({0.5f, -1}); });
  expectBadArgument("survival", [&] { filter_.setSurvivalRate(1); });
  expectBadArgument("partition", [&] { filter_.setPartitions({{-1}}); });
  expectBadArgument("number of islands", [&] { filter_.setIslands(0); });
  expectBadArgument("margin", [&] { filter_.setIslands(2, -1.0); });
  expectBadArgument("margin", [&] { filter_.setIslands(2, not_a_number); });
  expectBadArgument("patience", [&] { filter_.setIslands(2, 1.0, 0); });
}

TEST_P(FilterErrors, NameThePose)
{
  const std::vector<float> pose = skeleton_->restPose();
  const std::vector<float> deviations(7, 0.1f);
  PoseParticleFilter empty;
  expectBadArgument("skeleton", [&] { empty.initialize(pose); });
  expectBadArgument("skeleton", [&] { empty.getRequiredMemory(10); });
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
  filter_.setLayerExponents({1, 1});
  expectBadArgument("exponents", [&] { filter_.processFrame(likelihood, 1); });
  filter_.setLayerExponents({});
  filter_.setPartitions({{0}, {2}});
  expectBadArgument("partition", [&] { filter_.processFrame(likelihood, 1); });
  filter_.setPartitions({});
  filter_.processFrame(likelihood, 1);
  filter_.getEstimate(estimate);
  filter_.setParticleCount(11);
  EXPECT_FALSE(filter_.isInitialized());
  expectBadArgument("processFrame", [&] { filter_.getEstimate(estimate); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilterErrors);
