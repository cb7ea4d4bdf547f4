// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter_test.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <cmath>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

constexpr int ball_place = 8; ///< behind the root and one hinge

/** \brief The rotation of the ball joint in a pose, in double precision. */
Eigen::Quaterniond
rotationIn(const Skeleton& skeleton, const float* pose)
{
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  for (int i = 0; i < 3; ++i)
    rotation = rotation *
               Eigen::AngleAxisd(pose[ball_place + i],
                                 skeleton.getJoints()[2].angles[i].axis.cast<double>());
  return rotation;
}

/** \brief A rotation vector along the axes of the ball joint. */
Eigen::Vector3d
alongAxes(const Skeleton& skeleton, const Eigen::Quaterniond& rotation)
{
  const Eigen::AngleAxisd turn(
      rotation.w() < 0.0 ? Eigen::Quaterniond(-rotation.coeffs()) : rotation);
  Eigen::Vector3d vector;
  for (int i = 0; i < 3; ++i)
    vector[i] = turn.angle() *
                turn.axis().dot(skeleton.getJoints()[2].angles[i].axis.cast<double>());
  return vector;
}

/** \brief A hinge and a ball joint. */
Skeleton::ConstPtr
hingeAndBall(float deviation, bool left_handed)
{
  return withBallJoint(chainOf({limitedAngle(-1, 1, 0)}), deviation, left_handed);
}

/** \brief Poses of the ball joint, also those of quarter turns of the second angle, at
 * which single angles have no meaning. */
std::vector<std::vector<float>>
startingPoses(const Skeleton& skeleton)
{
  const float quarter = static_cast<float>(0.5 * M_PI);
  std::vector<std::vector<float>> poses;
  for (const Eigen::Vector3f& angles : {Eigen::Vector3f(0, 0, 0),
                                        Eigen::Vector3f(0.4f, quarter, -1.0f),
                                        Eigen::Vector3f(-2.0f, -quarter, 3.0f),
                                        Eigen::Vector3f(3.1f, 1.5f, -3.1f)}) {
    poses.push_back(skeleton.restPose());
    Eigen::Vector3f::Map(poses.back().data() + ball_place) = angles;
  }
  return poses;
}

class FilterBallJoints : public DeviceTest {};

} // namespace

TEST_P(FilterBallJoints, TurnAlikeInAllDirections)
{
  constexpr int count = 20000;
  constexpr float deviation = 0.3f, time = 0.25f;
  const double expected = deviation * deviation * time;
  for (const bool left_handed : {false, true}) {
    const Skeleton::ConstPtr skeleton = hingeAndBall(deviation, left_handed);
    const int size = skeleton->poseSize();
    for (const std::vector<float>& start : startingPoses(*skeleton)) {
      PoseParticleFilter filter;
      filter.setSkeleton(skeleton);
      set(filter, &FilterParameters::particle_count, count);
      filter.initialize(start, std::vector<float>(size - 1, 0.0f));
      filter.processFrame(&knowNothing, time);
      const std::vector<float> poses = downloaded(filter.getParticles());
      const Eigen::Quaterniond from = rotationIn(*skeleton, start.data()).conjugate();
      Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
      Eigen::Vector3d mean = Eigen::Vector3d::Zero();
      for (int i = 0; i < count; ++i) {
        const Eigen::Vector3d turn =
            alongAxes(*skeleton, from * rotationIn(*skeleton, poses.data() + i * size));
        mean += turn / count;
        covariance += turn * turn.transpose() / count;
      }
      // Five deviations of the mean of so many samples.
      EXPECT_LT(mean.norm(), 5 * std::sqrt(3 * expected / count));
      EXPECT_LT(
          (covariance - expected * Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff(),
          5 * expected * std::sqrt(2.0 / count));
    }
  }
}

TEST_P(FilterBallJoints, HaveTheMeanAndDeviationsOfTheirRotations)
{
  constexpr int count = 3000;
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  for (const bool left_handed : {false, true}) {
    const Skeleton::ConstPtr skeleton = hingeAndBall(0.0f, left_handed);
    const int size = skeleton->poseSize();
    for (const std::vector<float>& start : startingPoses(*skeleton)) {
      // Single angles, which near quarter turns bring rotations of all kinds.
      std::vector<float> poses;
      std::vector<double> log_weights;
      for (int i = 0; i < count; ++i) {
        std::vector<float> pose = start;
        for (int k = 0; k < 3; ++k)
          pose[ball_place + k] += 0.2f * normal(generator);
        poses.insert(poses.end(), pose.begin(), pose.end());
        log_weights.push_back(-0.001 * i);
      }
      PoseParticleFilter filter = restingFilter(skeleton, poses);
      filter.processFrame(fixedLikelihoods(log_weights), 1.0f);
      const PoseEstimate estimate = estimateOf(filter);

      Eigen::Matrix4d products = Eigen::Matrix4d::Zero();
      for (int i = 0; i < count; ++i) {
        const Eigen::Vector4d q =
            rotationIn(*skeleton, poses.data() + i * size).coeffs();
        products += std::exp(log_weights[i]) * q * q.transpose();
      }
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(products);
      const Eigen::Quaterniond mean(Eigen::Vector4d(solver.eigenvectors().col(3)));
      EXPECT_LT(rotationIn(*skeleton, estimate.mean.data()).angularDistance(mean),
                1e-5);

      Eigen::Vector3d squares = Eigen::Vector3d::Zero();
      double total = 0;
      for (int i = 0; i < count; ++i) {
        const double weight = std::exp(log_weights[i]);
        squares +=
            weight *
            alongAxes(*skeleton,
                      mean.conjugate() * rotationIn(*skeleton, poses.data() + i * size))
                .cwiseAbs2();
        total += weight;
      }
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(estimate.deviations[ball_place - 1 + k],
                    std::sqrt(squares[k] / total),
                    1e-5);
    }
  }
}

TEST_P(FilterBallJoints, AreThoseWithoutLimitsAndOfOneDeviation)
{
  // With a limit, or another deviation, an angle is a number by itself.
  const auto othersMove = [&](const auto& change) {
    const auto skeleton = std::make_shared<Skeleton>(*hingeAndBall(0.0f, false));
    SkeletonJoint joint = skeleton->getJoints()[2];
    change(joint.angles);
    skeleton->setJoint(2, joint);
    PoseParticleFilter filter;
    filter.setSkeleton(skeleton);
    set(filter, &FilterParameters::particle_count, 100);
    filter.initialize(startingPoses(*skeleton)[3],
                      std::vector<float>(skeleton->poseSize() - 1, 0.0f));
    filter.processFrame(&knowNothing, 1.0f);
    const std::vector<float> poses = downloaded(filter.getParticles());
    return poses[ball_place] != 3.1f;
  };
  using Angles = std::vector<JointAngle>;
  EXPECT_TRUE(othersMove([](Angles& angles) {
    for (JointAngle& angle : angles)
      angle.deviation = 0.1f;
  }));
  EXPECT_FALSE(othersMove([](Angles& angles) { angles[2].deviation = 0.1f; }));
  EXPECT_FALSE(othersMove([](Angles& angles) {
    angles[1].deviation = 0.1f;
    angles[1].lower = -3.0f;
  }));
}

TEST_P(FilterBallJoints, GoOnWithTheirVelocity)
{
  // A joint that turns by a rotation in one frame does so again in the next, with any
  // angles.
  const Skeleton::ConstPtr skeleton = hingeAndBall(0.2f, true);
  const int size = skeleton->poseSize();
  constexpr int count = 500;
  PoseParticleFilter filter;
  filter.setSkeleton(skeleton);
  set(filter, &FilterParameters::particle_count, count);
  set(filter, &FilterParameters::motion_model, MotionModel::ConstantVelocity);
  set(filter, &FilterParameters::velocity_damping, 1.0f);
  set(filter, &FilterParameters::resample_threshold, 0.0f);
  const std::vector<float> start = startingPoses(*skeleton)[1];
  filter.initialize(start, std::vector<float>(size - 1, 0.0f));
  filter.processFrame(&knowNothing, 1.0f);
  const std::vector<float> once = downloaded(filter.getParticles());
  filter.processFrame(&knowNothing, 1.0f);
  const std::vector<float> twice = downloaded(filter.getParticles());
  // Noise has a deviation of 0.2 in each frame; without velocity both are independent.
  double product = 0, square = 0;
  const Eigen::Quaterniond from = rotationIn(*skeleton, start.data());
  for (int i = 0; i < count; ++i) {
    const Eigen::Quaterniond first = rotationIn(*skeleton, once.data() + i * size);
    const Eigen::Quaterniond second = rotationIn(*skeleton, twice.data() + i * size);
    const Eigen::Vector3d way = alongAxes(*skeleton, from.conjugate() * first);
    const Eigen::Vector3d next = alongAxes(*skeleton, first.conjugate() * second);
    product += way.dot(next);
    square += way.squaredNorm();
  }
  EXPECT_NEAR(product / square, 1.0, 0.15);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(FilterBallJoints);
