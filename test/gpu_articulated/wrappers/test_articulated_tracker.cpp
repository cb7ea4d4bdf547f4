// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "testing/image.h"

#include <pcl/common/io.h>
#include <pcl/gpu/articulated/articulated_tracker.h>
#include <pcl/gpu/articulated/capsule_ray_caster.h>
#include <pcl/gpu/articulated/depth_sensor_simulation.h>
#include <pcl/gpu/articulated/forward_kinematics.h>

#include <cmath>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;
using pcl::PointXYZ;
using Cloud = pcl::PointCloud<PointXYZ>;
using Tracker = ArticulatedTracker<PointXYZ>;

namespace {

/** \brief A trunk with an arm of two parts. */
Skeleton::Ptr
makeArm()
{
  const auto skeleton = std::make_shared<Skeleton>();
  SkeletonJoint root, shoulder, elbow;
  root.name = "trunk";
  shoulder.name = "shoulder";
  shoulder.parent = 0;
  shoulder.offset = {0.15f, -0.2f, 0};
  JointAngle angle;
  angle.axis = Vector3f::UnitZ();
  angle.deviation = 2.0f;
  shoulder.angles = {angle};
  elbow.name = "elbow";
  elbow.parent = 1;
  elbow.offset = {0.3f, 0, 0};
  elbow.angles = {angle};
  skeleton->addJoint(root);
  skeleton->addJoint(shoulder);
  skeleton->addJoint(elbow);
  const auto addCapsule = [&](int joint, const Vector3f& b, float radius) {
    SkeletonCapsule capsule;
    capsule.name = skeleton->getJoints()[joint].name;
    capsule.joint = joint;
    capsule.b = b;
    capsule.radius_a = capsule.radius_b = radius;
    skeleton->addCapsule(capsule);
  };
  addCapsule(0, {0, -0.3f, 0}, 0.12f);
  addCapsule(0, {0, 0.3f, 0}, 0.1f);
  addCapsule(1, {0.3f, 0, 0}, 0.06f);
  addCapsule(2, {0.25f, 0, 0}, 0.05f);
  return skeleton;
}

/** \brief The arm waves while the trunk moves. */
std::vector<float>
poseAt(int frame)
{
  const float t = frame / 30.0f;
  return {0.2f * t,
          0.05f * std::sin(3.0f * t),
          2.0f,
          1,
          0,
          0,
          0,
          0.5f * std::sin(2.0f * t),
          -0.4f + 0.6f * std::sin(3.0f * t)};
}

/** \brief Points that a camera at the origin sees, with noise and outliers. */
Cloud::Ptr
observe(const Skeleton::ConstPtr& skeleton, int frame)
{
  const PinholeCamera camera = PinholeCamera::fromFieldOfView(0.8f, 96, 72);
  ForwardKinematics kinematics;
  CapsuleRayCaster caster;
  DepthSensorSimulation sensor;
  kinematics.setSkeleton(skeleton);
  caster.setParameters({camera});
  setParameter(sensor, &DepthSensorSimulationParameters::camera, camera);
  DeviceArray<TaperedCapsule> capsules;
  DeviceArray2D<float> depth;
  DeviceArray<PointXYZ> points;
  kinematics.computeCapsules(uploaded(poseAt(frame)), capsules);
  caster.cast(capsules, depth);
  sensor.addNoise(depth, frame, depth);
  sensor.computePoints(depth, points);
  Cloud::Ptr cloud(new Cloud(camera.width, camera.height));
  points.download(cloud->points.data());
  cloud->is_dense = false;
  return cloud;
}

std::vector<PointXYZ>
jointsOf(const Skeleton::ConstPtr& skeleton, const std::vector<float>& pose)
{
  ForwardKinematics kinematics;
  kinematics.setSkeleton(skeleton);
  DeviceArray<PointXYZ> joints;
  kinematics.computeJoints(uploaded(pose), joints);
  return downloaded(joints);
}

class TrackerTest : public DeviceTest {
protected:
  TrackerTest() { prepare(tracker_); }

  static PoseParticleFilterParameters
  parameters()
  {
    PoseParticleFilterParameters result;
    result.particle_count = 300;
    result.seed = 3;
    result.root_translation_deviation = 0.3f;
    result.root_rotation_deviation = 0.3f;
    result.likelihood.sigma = 0.3f; // neighbouring points err together
    return result;
  }

  template <typename AnyTracker>
  void
  prepare(AnyTracker& tracker)
  {
    tracker.setSkeleton(skeleton_);
    tracker.getFilter().setParameters(parameters());
    tracker.setInitialPose(poseAt(0));
  }

  /** \brief The result after a few frames. */
  template <typename AnyTracker>
  std::vector<float>
  track(AnyTracker& tracker, int frames = 3)
  {
    for (int frame = 0; frame < frames; ++frame) {
      tracker.setInputCloud(observe(skeleton_, frame));
      tracker.compute();
    }
    return tracker.getResult().toPose();
  }

  Skeleton::Ptr skeleton_ = makeArm();
  Tracker tracker_;
};

} // namespace

TEST_P(TrackerTest, FollowsAnArm)
{
  double sum = 0.0;
  for (int frame = 0; frame < 40; ++frame) {
    tracker_.setInputCloud(observe(skeleton_, frame));
    tracker_.compute();
    const auto joints = jointsOf(skeleton_, tracker_.getResult().toPose());
    const auto truth = jointsOf(skeleton_, poseAt(frame));
    for (std::size_t i = 0; i < joints.size(); ++i)
      sum += (joints[i].getVector3fMap() - truth[i].getVector3fMap()).norm();
  }
  EXPECT_LT(sum / (40 * 3), 0.03);
}

TEST_P(TrackerTest, GivesTheEstimateOfTheFilter)
{
  PoseParticleFilter filter;
  filter.setSkeleton(skeleton_);
  filter.setParameters(parameters());
  filter.initialize(poseAt(0));
  PoseEstimate estimate;
  for (int frame = 0; frame < 3; ++frame) {
    const Cloud::Ptr cloud = observe(skeleton_, frame);
    const std::vector<PointXYZ> points(cloud->begin(), cloud->end());
    filter.processFrame(uploaded(points), Vector3f::Zero(), 1.0f / 30.0f);
    filter.getEstimate(estimate);
  }
  const std::vector<float> result = track(tracker_);
  EXPECT_EQ(tracker_.getEstimate().mean, estimate.mean);
  EXPECT_EQ(tracker_.getEstimate().deviations, estimate.deviations);
  for (std::size_t i = 0; i < result.size(); ++i)
    EXPECT_NEAR(result[i], estimate.mean[i], 1e-6f);
}

TEST_P(TrackerTest, GivesTheEstimateOfTheFilterWithABackground)
{
  // A wall behind the arm, which is seen where the arm is not; unknown in one row.
  const PinholeCamera camera = PinholeCamera::fromFieldOfView(0.8f, 96, 72);
  Cloud::Ptr wall(new Cloud(camera.width, camera.height));
  for (int i = 0; i < camera.width * camera.height; ++i) {
    constexpr float z = 2.6f;
    const float column = i % camera.width, row = i / camera.width;
    (*wall)[i] = PointXYZ(
        (column - camera.cx) / camera.fx * z, (row - camera.cy) / camera.fy * z, z);
    if (row == 30)
      (*wall)[i].z = std::numeric_limits<float>::quiet_NaN();
  }
  const auto seen = [&](int frame) {
    Cloud::Ptr cloud = observe(skeleton_, frame);
    for (std::size_t i = 0; i < cloud->size(); ++i)
      if (!std::isfinite((*cloud)[i].z))
        (*cloud)[i] = (*wall)[i];
    cloud->sensor_origin_ = Eigen::Vector4f(0.1f, 0, 0, 0);
    return cloud;
  };
  PoseParticleFilterParameters occluding = parameters();
  occluding.likelihood.visibility = CapsuleVisibility::Occluding;
  const pcl::IndicesPtr indices(new pcl::Indices);
  for (pcl::index_t i = 0; i < camera.width * camera.height; i += 2)
    indices->push_back(i);

  PoseParticleFilter filter;
  filter.setSkeleton(skeleton_);
  filter.setParameters(occluding);
  filter.initialize(poseAt(0));
  tracker_.getFilter().setParameters(occluding);
  tracker_.setBackground(wall);
  EXPECT_EQ(tracker_.getBackground(), wall);
  for (int frame = 0; frame < 4; ++frame) {
    const Cloud::Ptr cloud = seen(frame);
    const bool is_chosen = frame == 3;
    const Vector3f viewpoint(0.1f, 0, 0);
    std::vector<PointXYZ> points;
    std::vector<float> backgrounds;
    for (std::size_t i = 0; i < cloud->size(); i += is_chosen ? 2 : 1) {
      points.push_back((*cloud)[i]);
      backgrounds.push_back(((*wall)[i].getVector3fMap() - viewpoint).norm());
    }
    PoseEstimate estimate;
    filter.processFrame(
        uploaded(points), uploaded(backgrounds), viewpoint, 1.0f / 30.0f);
    filter.getEstimate(estimate);
    tracker_.setInputCloud(cloud);
    if (is_chosen)
      tracker_.setIndices(indices);
    tracker_.compute();
    EXPECT_EQ(tracker_.getEstimate().mean, estimate.mean) << frame;
    EXPECT_EQ(tracker_.getEstimate().log_evidence, estimate.log_evidence) << frame;
  }
  const auto evidenceWith = [&](const Cloud::Ptr& background) {
    tracker_.resetTracking();
    tracker_.setBackground(background);
    tracker_.compute();
    return tracker_.getEstimate().log_evidence;
  };
  EXPECT_NE(evidenceWith(wall), evidenceWith(nullptr));
}

TEST_P(TrackerTest, ParticlesWithTheirWeightsHaveTheResultAsMean)
{
  EXPECT_EQ(tracker_.getParticles(), nullptr);
  track(tracker_);
  const auto particles = tracker_.getParticles();
  ASSERT_EQ(particles->size(), 300u);
  float sum = 0.0f;
  for (const PoseState& particle : *particles)
    sum += particle.weight;
  EXPECT_NEAR(sum, 1.0f, 1e-4f);
  const PoseState mean =
      PoseState::weightedAverage(particles->begin(), particles->end());
  const PoseState result = tracker_.getResult();
  for (unsigned int i = 0; i < 8; ++i)
    EXPECT_NEAR(mean[i], result[i], 1e-4f) << i;
}

TEST_P(TrackerTest, CovarianceHasTheSquaredDeviations)
{
  EXPECT_EQ(tracker_.getCovariance().size(), 0);
  track(tracker_);
  const Eigen::MatrixXf covariance = tracker_.getCovariance();
  ASSERT_EQ(covariance.rows(), 8);
  for (int i = 0; i < 8; ++i)
    EXPECT_NEAR(std::sqrt(covariance(i, i)),
                tracker_.getEstimate().deviations[i],
                1e-3f * tracker_.getEstimate().deviations[i]);
}

TEST_P(TrackerTest, StartsAnewAfterAReset)
{
  const std::vector<float> first = track(tracker_);
  EXPECT_NE(track(tracker_), first);
  tracker_.resetTracking();
  EXPECT_EQ(track(tracker_), first);
}

TEST_P(TrackerTest, DependsOnTheSeed)
{
  const std::vector<float> first = track(tracker_);
  tracker_.resetTracking();
  setParameter(tracker_.getFilter(), &PoseParticleFilterParameters::seed, 4);
  EXPECT_NE(track(tracker_), first);
}

TEST_P(TrackerTest, ReadsPositionsOfAnyPointType)
{
  ArticulatedTracker<pcl::PointXYZRGB> colored;
  prepare(colored);
  pcl::PointCloud<pcl::PointXYZRGB>::Ptr cloud(new pcl::PointCloud<pcl::PointXYZRGB>);
  pcl::copyPointCloud(*observe(skeleton_, 0), *cloud);
  colored.setInputCloud(cloud);
  colored.compute();
  EXPECT_EQ(colored.getResult().toPose(), track(tracker_, 1));
}

TEST_P(TrackerTest, UsesTheChosenPointsOnly)
{
  const Cloud::Ptr cloud = observe(skeleton_, 0);
  const pcl::IndicesPtr indices(new pcl::Indices);
  Cloud::Ptr chosen(new Cloud);
  for (std::size_t i = 0; i < cloud->size(); i += 2) {
    indices->push_back(static_cast<pcl::index_t>(i));
    chosen->push_back((*cloud)[i]);
  }
  tracker_.setInputCloud(chosen);
  tracker_.compute();
  const std::vector<float> expected = tracker_.getResult().toPose();
  tracker_.resetTracking();
  tracker_.setInputCloud(cloud);
  tracker_.setIndices(indices);
  tracker_.compute();
  EXPECT_EQ(tracker_.getResult().toPose(), expected);
  indices->push_back(static_cast<pcl::index_t>(cloud->size()));
  expectBadArgument("index", [&] { tracker_.compute(); });
}

TEST_P(TrackerTest, SeesCloudsFromTheirSensorOrigin)
{
  const Cloud::Ptr cloud = observe(skeleton_, 0);
  cloud->sensor_origin_ = Eigen::Vector4f(0.5f, 0, 0, 0);
  tracker_.setInputCloud(cloud);
  tracker_.compute();
  const std::vector<float> from_side = tracker_.getResult().toPose();
  tracker_.resetTracking();
  tracker_.setViewPoint({0, 0, 0});
  tracker_.compute();
  EXPECT_NE(tracker_.getResult().toPose(), from_side);
  tracker_.resetTracking();
  tracker_.useSensorOriginAsViewPoint();
  tracker_.compute();
  EXPECT_EQ(tracker_.getResult().toPose(), from_side);
}

TEST_P(TrackerTest, StartsAtTheTransformWithoutAnInitialPose)
{
  tracker_.setInitialPose(std::vector<float>());
  const Eigen::Affine3f root(Eigen::Translation3f(1, 2, 3) *
                             Eigen::AngleAxisf(0.5f, Vector3f::UnitX()));
  tracker_.setTrans(root);
  tracker_.setInitialNoiseCovariance(std::vector<double>(8, 0.0));
  PoseParticleFilterParameters resting = parameters();
  resting.root_translation_deviation = resting.root_rotation_deviation = 0.0f;
  tracker_.getFilter().setParameters(resting);
  tracker_.setInputCloud(Cloud::Ptr(new Cloud));
  tracker_.compute();
  EXPECT_TRUE(tracker_.toEigenMatrix(tracker_.getResult()).isApprox(root, 1e-5f));
}

TEST_P(TrackerTest, SpreadsWhenItSeesNothing)
{
  track(tracker_);
  const float before = tracker_.getEstimate().deviations[0];
  const float not_a_number = std::numeric_limits<float>::quiet_NaN();
  Cloud::Ptr nothing(new Cloud(10, 10, PointXYZ(not_a_number, 0, 1)));
  for (const Cloud::Ptr& cloud : {nothing, Cloud::Ptr(new Cloud)}) {
    tracker_.setInputCloud(cloud);
    for (int frame = 0; frame < 10; ++frame)
      tracker_.compute();
  }
  // 20 frames of a 30th of a second with 0.3 m over a second.
  EXPECT_NEAR(tracker_.getEstimate().deviations[0],
              std::hypot(before, 0.3f * std::sqrt(20.0f / 30.0f)),
              0.05f);
}

TEST_P(TrackerTest, RefusesWhatCannotBe)
{
  Tracker tracker;
  EXPECT_THROW(tracker.compute(), pcl::InitFailedException);
  tracker.setInputCloud(Cloud::Ptr(new Cloud));
  EXPECT_THROW(tracker.compute(), pcl::InitFailedException);
  expectBadArgument("skeleton", [&] { tracker.setSkeleton(nullptr); });
  expectBadArgument("capsules", [&] {
    const auto bare = std::make_shared<Skeleton>();
    SkeletonJoint root;
    root.name = "root";
    bare->addJoint(root);
    tracker.setSkeleton(bare);
  });
  expectBadArgument("particles", [&] { tracker.setParticleNum(0); });
  expectBadArgument("background", [&] {
    tracker.setSkeleton(skeleton_);
    tracker.setBackground(Cloud::Ptr(new Cloud(3, 1)));
    tracker.setInputCloud(Cloud::Ptr(new Cloud(2, 1)));
    tracker.compute();
  });
  tracker.setInputCloud(Cloud::Ptr(new Cloud(3, 1)));
  tracker.compute();
  tracker.setInputCloud(Cloud::Ptr(new Cloud));
  tracker.compute(); // sees nothing
  tracker.resetTracking();
  tracker.setBackground(nullptr);
  expectBadArgument("frame rate", [&] { tracker.setFrameRate(0.0f); });
  expectBadArgument("viewpoint", [&] { tracker.setViewPoint({NAN, 0, 0}); });
  tracker.setSkeleton(skeleton_);
  tracker.setInitialPose(std::vector<float>(8, 1.0f));
  EXPECT_THROW(tracker.compute(), pcl::BadArgumentException);
}

TEST_P(TrackerTest, RefusesMoreAnglesThanAStateHolds)
{
  const auto chain = std::make_shared<Skeleton>();
  for (int i = 0; i <= 41; ++i) {
    SkeletonJoint joint;
    joint.name = "joint" + std::to_string(i);
    joint.parent = i - 1;
    if (i > 0)
      joint.angles.resize(3);
    chain->addJoint(joint);
  }
  chain->addCapsule(SkeletonCapsule());
  expectBadArgument("123", [&] { tracker_.setSkeleton(chain); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(TrackerTest);
