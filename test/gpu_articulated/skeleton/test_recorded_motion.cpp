// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/temporary_folder.h"
#include "skeleton_reference.h"

#include <pcl/gpu/articulated/bvh.h>
#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/joint_convention.h>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

struct Recording {
  std::string name;
  std::size_t frames;
};

class RecordedMotion : public ::testing::TestWithParam<Recording> {
protected:
  void
  SetUp() override
  {
    BvhOptions options;
    options.scale = 0.05644f;
    loadBvh(dataPath("mocap/" + GetParam().name + ".bvh"), skeleton_, motion_, options);
  }

  Skeleton skeleton_;
  MotionClip motion_;
};

std::string
recordingName(const ::testing::TestParamInfo<Recording>& info)
{
  return info.param.name;
}

} // namespace

TEST_P(RecordedMotion, IsThatOfABodyOfHumanSize)
{
  EXPECT_EQ(skeleton_.getJoints().size(), 38u);
  EXPECT_EQ(skeleton_.poseSize(), 7 + 90);
  EXPECT_EQ(motion_.poses.size(), GetParam().frames);
  EXPECT_NEAR(motion_.frame_time, 1.0 / 120.0, 1e-5);
  double least = 1e9, most = -1e9;
  for (const auto& transform :
       referenceTransforms(skeleton_, skeleton_.restPose().data())) {
    least = std::min(least, transform.translation().y());
    most = std::max(most, transform.translation().y());
  }
  EXPECT_GT(most - least, 1.3);
  EXPECT_LT(most - least, 1.6);
}

TEST_P(RecordedMotion, IsReadAsItWasWritten)
{
  const TemporaryFolder folder;
  saveBvh(folder / "saved.bvh", skeleton_, motion_);
  Skeleton skeleton;
  MotionClip motion;
  loadBvh(folder / "saved.bvh", skeleton, motion);
  ASSERT_EQ(skeleton.poseSize(), skeleton_.poseSize());
  ASSERT_EQ(motion.poses.size(), motion_.poses.size());
  for (std::size_t i = 0; i < skeleton.getJoints().size(); ++i)
    EXPECT_EQ(skeleton.getJoints()[i].name, skeleton_.getJoints()[i].name);
  for (std::size_t i = 0; i < motion.poses.size(); i += 50) {
    const auto right = referenceTransforms(skeleton_, motion_.poses[i].data());
    const auto found = referenceTransforms(skeleton, motion.poses[i].data());
    for (std::size_t k = 0; k < right.size(); ++k)
      EXPECT_LT((right[k].matrix() - found[k].matrix()).cwiseAbs().maxCoeff(), 1e-5);
  }
}

TEST_P(RecordedMotion, GetsTheSkinOfABody)
{
  addBodyCapsules(skeleton_);
  EXPECT_EQ(skeleton_.getCapsules().size(), 49u);
  double least = 1e9, most = -1e9;
  const auto transforms = referenceTransforms(skeleton_, skeleton_.restPose().data());
  for (const SkeletonCapsule& capsule : skeleton_.getCapsules())
    for (const Eigen::Vector3f& end : {capsule.a, capsule.b}) {
      const double y = (transforms[capsule.joint] * end.cast<double>()).y();
      least = std::min(least, y - capsule.radius_a);
      most = std::max(most, y + capsule.radius_a);
    }
  EXPECT_GT(most - least, 1.45);
  EXPECT_LT(most - least, 1.75);
}

TEST_P(RecordedMotion, StaysWithinTheLimitsOfABody)
{
  addBodyCapsules(skeleton_);
  setBodyLimits(skeleton_);
  for (std::size_t i = 0; i < skeleton_.getJoints().size(); ++i) {
    const SkeletonJoint& joint = skeleton_.getJoints()[i];
    // These recordings turn feet and thumbs about themselves farther than a body can.
    if (joint.name.find("Foot") != std::string::npos ||
        joint.name.find("Thumb") != std::string::npos)
      continue;
    for (std::size_t k = 0; k < joint.angles.size(); ++k)
      for (const auto& pose : motion_.poses) {
        const float angle = pose[skeleton_.angleIndex(static_cast<int>(i)) + k];
        ASSERT_GE(angle, joint.angles[k].lower) << joint.name << ' ' << k;
        ASSERT_LE(angle, joint.angles[k].upper) << joint.name << ' ' << k;
      }
  }
}

TEST_P(RecordedMotion, HasItsJointsUnderTheNamesOfConventions)
{
  addBodyCapsules(skeleton_);
  for (std::size_t i = 0; i < motion_.poses.size(); i += 100) {
    const std::vector<float>& pose = motion_.poses[i];
    const auto truth = referenceTransforms(skeleton_, pose.data());
    const auto expectAt = [&](const NamedJoint& joint, const std::string& name) {
      const Eigen::Vector3d position =
          truth.at(skeleton_.findJoint(name)).translation();
      EXPECT_LT((joint.position.cast<double>() - position).norm(), 1e-5)
          << joint.name << ", frame " << i;
    };
    const auto itop = nameJoints(JointConvention::Itop, skeleton_, pose);
    const auto coco = nameJoints(JointConvention::Coco, skeleton_, pose);
    for (const auto& joints : {itop, coco})
      for (const NamedJoint& joint : joints)
        EXPECT_TRUE(joint.position.allFinite()) << joint.name;
    // Recording 131 has other names.
    const bool is_other = skeleton_.findJoint("LeftWrist") >= 0;
    expectAt(itop[2], is_other ? "RightShoulder" : "RightArm");
    expectAt(itop[5], is_other ? "LeftElbow" : "LeftForeArm");
    expectAt(itop[10], is_other ? "LeftHip" : "LeftUpLeg");
    expectAt(itop[11], is_other ? "RightKnee" : "RightLeg");
    expectAt(coco[5], is_other ? "LeftShoulder" : "LeftArm");
    expectAt(coco[10], is_other ? "RightWrist" : "RightHand");
    expectAt(coco[11], is_other ? "LeftHip" : "LeftUpLeg");
    expectAt(coco[16], is_other ? "RightAnkle" : "RightFoot");
    // Heads, hands and feet are this near to their joints.
    const Eigen::Vector3f head =
        truth[skeleton_.findJoint("Head")].translation().cast<float>();
    for (std::size_t k = 0; k < 5; ++k)
      EXPECT_LT((coco[k].position - head).norm(), 0.16f) << coco[k].name;
    EXPECT_LT((itop[0].position - head).norm(), 0.1f);
    EXPECT_LT((itop[6].position - coco[10].position).norm(), 0.1f);
    EXPECT_LT((itop[14].position - coco[15].position).norm(), 0.1f);
  }
}

INSTANTIATE_TEST_SUITE_P(Cmu,
                         RecordedMotion,
                         ::testing::Values(Recording{"cmu_02_01", 343},
                                           Recording{"cmu_05_06", 885},
                                           Recording{"cmu_131_01", 994}),
                         recordingName);

TEST(RecordedWalk, LooksAhead)
{
  Skeleton skeleton;
  MotionClip motion;
  BvhOptions options;
  options.scale = 0.05644f;
  loadBvh(dataPath("mocap/cmu_02_01.bvh"), skeleton, motion, options);
  addBodyCapsules(skeleton);
  const std::vector<float>& first = motion.poses.front();
  const std::vector<float>& last = motion.poses.back();
  const Eigen::Vector3f ahead =
      Eigen::Vector3f(last[0] - first[0], 0.0f, last[2] - first[2]).normalized();
  const Eigen::Vector3f left = Eigen::Vector3f::UnitY().cross(ahead);
  for (std::size_t i = 0; i < motion.poses.size(); i += 50) {
    const auto coco = nameJoints(JointConvention::Coco, skeleton, motion.poses[i]);
    const auto from = [&](int a, int b) -> Eigen::Vector3f {
      return coco[b].position - coco[a].position;
    };
    EXPECT_GT(from(3, 0).dot(ahead), 0.05f) << "nose before the left ear, " << i;
    EXPECT_GT(from(4, 0).dot(ahead), 0.05f) << "nose before the right ear, " << i;
    EXPECT_GT(from(2, 1).dot(left), 0.05f) << "eyes, " << i;
    EXPECT_GT(from(6, 5).dot(left), 0.2f) << "shoulders, " << i;
    EXPECT_GT(from(12, 11).dot(left), 0.1f) << "hips, " << i;
  }
}

TEST(RecordedWalk, GoesAsFarAsItDid)
{
  Skeleton skeleton;
  MotionClip motion;
  BvhOptions options;
  options.scale = 0.05644f;
  loadBvh(dataPath("mocap/cmu_02_01.bvh"), skeleton, motion, options);
  const auto& first = motion.poses.front();
  const auto& last = motion.poses.back();
  EXPECT_NEAR(std::hypot(last[0] - first[0], last[2] - first[2]), 3.55, 0.05);
}
