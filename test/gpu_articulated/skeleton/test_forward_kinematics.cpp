// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/numbers.h"
#include "skeleton_reference.h"
#include "testing/image.h"

#include <pcl/gpu/articulated/forward_kinematics.h>

#include <cmath>
#include <cstring>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

class ForwardKinematicsOfPoses : public DeviceTest {};

Eigen::Vector3d
vectorOf(const float* numbers)
{
  return Eigen::Vector3f::Map(numbers).cast<double>();
}

template <typename T>
bool
sameBits(const std::vector<T>& a, const std::vector<T>& b)
{
  return a.size() == b.size() && std::memcmp(static_cast<const void*>(a.data()),
                                             static_cast<const void*>(b.data()),
                                             a.size() * sizeof(T)) == 0;
}

/** \brief Compares joints and capsules with the definition in double precision. */
void
expectReference(const Skeleton& skeleton,
                const std::vector<float>& poses,
                double within)
{
  ForwardKinematics kinematics;
  kinematics.setSkeleton(std::make_shared<Skeleton>(skeleton));
  DeviceArray<TaperedCapsule> placed;
  DeviceArray<pcl::PointXYZ> joints;
  kinematics.computeCapsules(uploaded(poses), placed);
  kinematics.computeJoints(uploaded(poses), joints);
  const std::vector<TaperedCapsule> capsules = downloaded(placed);
  const std::vector<pcl::PointXYZ> positions = downloaded(joints);
  const std::size_t count = poses.size() / skeleton.poseSize();
  const auto& skin = skeleton.getCapsules();
  ASSERT_EQ(capsules.size(), count * skin.size());
  ASSERT_EQ(positions.size(), count * skeleton.getJoints().size());
  double worst = 0.0;
  for (std::size_t pose = 0; pose < count; ++pose) {
    const auto transforms =
        referenceTransforms(skeleton, poses.data() + pose * skeleton.poseSize());
    for (std::size_t i = 0; i < transforms.size(); ++i) {
      const pcl::PointXYZ& found = positions[pose * transforms.size() + i];
      ASSERT_EQ(found.data[3], 1.0f);
      worst =
          std::max(worst, (vectorOf(found.data) - transforms[i].translation()).norm());
    }
    for (std::size_t i = 0; i < skin.size(); ++i) {
      const TaperedCapsule& found = capsules[pose * skin.size() + i];
      const Eigen::Isometry3d& transform = transforms[skin[i].joint];
      const Eigen::Vector3d a = transform * skin[i].a.cast<double>();
      const Eigen::Vector3d b = transform * skin[i].b.cast<double>();
      worst = std::max(worst, (vectorOf(found.a) - a).norm());
      worst = std::max(worst, (vectorOf(found.b) - b).norm());
      ASSERT_EQ(found.radius_a, skin[i].radius_a);
      ASSERT_EQ(found.radius_b, skin[i].radius_b);
    }
  }
  EXPECT_LE(worst, within);
}

} // namespace

TEST_P(ForwardKinematicsOfPoses, AgreesWithDoublePrecisionOnRandomTrees)
{
  std::mt19937 random(1);
  for (const int joints : {1, 2, 5, 31, 38, 60})
    for (const int poses : {1, 7, 100}) {
      const Skeleton skeleton = randomSkeleton(joints, random, true);
      expectReference(skeleton, randomPoses(skeleton, poses, random), 1e-5);
    }
}

TEST_P(ForwardKinematicsOfPoses, AgreesOnTreesBeyondSharedMemory)
{
  std::mt19937 random(2);
  for (const int joints : {700, 1500, 3000}) {
    const Skeleton skeleton = randomSkeleton(joints, random);
    // Errors add up along chains of a thousand joints.
    expectReference(skeleton, randomPoses(skeleton, 5, random), 5e-3);
  }
  const Skeleton skeleton = randomSkeleton(1500, random);
  expectReference(skeleton, randomPoses(skeleton, 300, random), 5e-3);
}

TEST_P(ForwardKinematicsOfPoses, PlacesPlainCapsulesLikeTaperedOnes)
{
  std::mt19937 random(3);
  const auto skeleton = std::make_shared<Skeleton>(randomSkeleton(31, random));
  const DeviceArray<float> poses = uploaded(randomPoses(*skeleton, 50, random));
  ForwardKinematics kinematics;
  kinematics.setSkeleton(skeleton);
  DeviceArray<Capsule> plain;
  DeviceArray<TaperedCapsule> tapered;
  kinematics.computeCapsules(poses, plain);
  kinematics.computeCapsules(poses, tapered);
  const auto expected = downloaded(tapered);
  const auto found = downloaded(plain);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(std::memcmp(&found[i], &expected[i], sizeof(Capsule)), 0);
}

TEST_P(ForwardKinematicsOfPoses, GiveTheSameBitsAsOnTheHostAndOneByOne)
{
  std::mt19937 random(4);
  const auto skeleton = std::make_shared<Skeleton>(randomSkeleton(38, random));
  const std::vector<float> poses = randomPoses(*skeleton, 33, random);
  ForwardKinematics kinematics;
  kinematics.setSkeleton(skeleton);
  DeviceArray<Capsule> capsules;
  kinematics.computeCapsules(uploaded(poses), capsules);
  const std::vector<Capsule> together = downloaded(capsules);
  std::vector<Capsule> one_by_one;
  const auto size = skeleton->poseSize();
  for (std::size_t i = 0; i < poses.size(); i += size) {
    kinematics.computeCapsules(
        uploaded(std::vector<float>(poses.begin() + i, poses.begin() + i + size)),
        capsules);
    for (const Capsule& capsule : downloaded(capsules))
      one_by_one.push_back(capsule);
  }
  EXPECT_TRUE(sameBits(together, one_by_one));
  const auto scope = useDevice("host");
  kinematics.computeCapsules(uploaded(poses), capsules);
  EXPECT_TRUE(sameBits(together, downloaded(capsules)));
}

TEST_P(ForwardKinematicsOfPoses, TurnQuaternionsOfAnyLengthIntoUnitOnes)
{
  std::mt19937 random(5);
  const auto skeleton = std::make_shared<Skeleton>(randomSkeleton(10, random));
  const std::vector<float> pose = randomPoses(*skeleton, 1, random);
  ForwardKinematics kinematics;
  kinematics.setSkeleton(skeleton);
  DeviceArray<pcl::PointXYZ> joints;
  kinematics.computeJoints(uploaded(pose), joints);
  const auto expected = downloaded(joints);
  for (const float factor : {-1.0f, 1e-30f, 1e-20f, 1e-3f, 2.0f, 1e15f, 1e30f}) {
    std::vector<float> scaled = pose;
    for (int i = 3; i < 7; ++i)
      scaled[i] *= factor;
    kinematics.computeJoints(uploaded(scaled), joints);
    const auto found = downloaded(joints);
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_LT((found[i].getVector3fMap() - expected[i].getVector3fMap()).norm(),
                2e-6f)
          << "by " << factor;
  }
}

TEST_P(ForwardKinematicsOfPoses, NaNReachesWhatDependsOnItOnly)
{
  std::mt19937 random(6);
  const auto skeleton = std::make_shared<Skeleton>(randomSkeleton(31, random));
  const auto& joints = skeleton->getJoints();
  const std::vector<float> pose = randomPoses(*skeleton, 1, random);
  const int size = skeleton->poseSize();
  // Every number of the pose in turn, in the middle of two good poses.
  for (int bad = 0; bad < size; ++bad)
    for (const float value : {std::nanf(""), infinity, bad < 7 ? -infinity : -2e5f}) {
      std::vector<float> poses;
      for (int i = 0; i < 3; ++i)
        poses.insert(poses.end(), pose.begin(), pose.end());
      poses[size + bad] = value;
      ForwardKinematics kinematics;
      kinematics.setSkeleton(skeleton);
      DeviceArray<Capsule> placed;
      kinematics.computeCapsules(uploaded(poses), placed);
      const auto capsules = downloaded(placed);
      const std::size_t count = skeleton->getCapsules().size();
      int owner = 0;
      while (bad >= 7 && skeleton->angleIndex(owner) +
                                 static_cast<int>(joints[owner].angles.size()) <=
                             bad)
        ++owner;
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(std::memcmp(&capsules[i], &capsules[2 * count + i], sizeof(Capsule)),
                  0);
        int joint = skeleton->getCapsules()[i].joint;
        while (joint > owner)
          joint = joints[joint].parent;
        const Capsule& found = capsules[count + i];
        for (int axis = 0; axis < 3; ++axis) {
          const bool depends = joint == owner && (bad > 2 || bad == axis);
          EXPECT_EQ(std::isnan(found.a[axis]), depends);
          EXPECT_EQ(std::isnan(found.b[axis]), depends);
          if (!depends) {
            EXPECT_EQ(found.a[axis], capsules[i].a[axis]);
          }
        }
      }
    }
}

TEST_P(ForwardKinematicsOfPoses, NoPosesOrNoSkinMakeNoCapsules)
{
  Skeleton skeleton;
  SkeletonJoint root;
  root.name = "root";
  skeleton.addJoint(root);
  ForwardKinematics kinematics;
  kinematics.setSkeleton(std::make_shared<Skeleton>(skeleton));
  DeviceArray<Capsule> capsules(3);
  DeviceArray<pcl::PointXYZ> joints(3);
  kinematics.computeCapsules(uploaded(skeleton.restPose()), capsules);
  EXPECT_EQ(capsules.size(), 0u);
  kinematics.computeJoints(DeviceArray<float>(), joints);
  EXPECT_EQ(joints.size(), 0u);
  kinematics.computeJoints(uploaded(skeleton.restPose()), joints);
  EXPECT_EQ(joints.size(), 1u);
}

TEST_P(ForwardKinematicsOfPoses, TheSkeletonIsThatOfSetSkeleton)
{
  std::mt19937 random(7);
  const auto skeleton = std::make_shared<Skeleton>(randomSkeleton(5, random));
  const auto poses = randomPoses(*skeleton, 3, random);
  ForwardKinematics kinematics;
  kinematics.setSkeleton(skeleton);
  DeviceArray<Capsule> capsules;
  kinematics.computeCapsules(uploaded(poses), capsules);
  const auto before = downloaded(capsules);
  SkeletonCapsule moved = skeleton->getCapsules()[0];
  moved.a.x() += 1.0f;
  skeleton->setCapsule(0, moved);
  kinematics.computeCapsules(uploaded(poses), capsules);
  EXPECT_TRUE(sameBits(before, downloaded(capsules)));
  ForwardKinematics copy = kinematics;
  copy.computeCapsules(uploaded(poses), capsules);
  EXPECT_TRUE(sameBits(before, downloaded(capsules)));
  kinematics.setSkeleton(skeleton);
  kinematics.computeCapsules(uploaded(poses), capsules);
  EXPECT_FALSE(sameBits(before, downloaded(capsules)));
  EXPECT_EQ(kinematics.getSkeleton(), skeleton);
}

TEST_P(ForwardKinematicsOfPoses, RefuseWhatCannotBe)
{
  ForwardKinematics kinematics;
  DeviceArray<Capsule> capsules;
  const auto compute = [&](std::size_t floats) {
    kinematics.computeCapsules(uploaded(std::vector<float>(floats)), capsules);
  };
  expectBadArgument("skeleton is not set", [&] { compute(7); });
  expectBadArgument("skeleton is null", [&] { kinematics.setSkeleton(nullptr); });
  expectBadArgument("skeleton is empty",
                    [&] { kinematics.setSkeleton(std::make_shared<Skeleton>()); });
  std::mt19937 random(8);
  kinematics.setSkeleton(std::make_shared<Skeleton>(randomSkeleton(5, random, true)));
  expectBadArgument("tapered", [&] { compute(0); });
  const auto skeleton = std::make_shared<Skeleton>(randomSkeleton(5, random));
  kinematics.setSkeleton(skeleton);
  compute(skeleton->poseSize());
  expectBadArgument("multiple of " + std::to_string(skeleton->poseSize()),
                    [&] { compute(skeleton->poseSize() + 1); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(ForwardKinematicsOfPoses);
