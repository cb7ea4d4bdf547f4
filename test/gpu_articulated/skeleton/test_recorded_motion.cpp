// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/temporary_folder.h"
#include "skeleton_reference.h"

#include <pcl/gpu/articulated/bvh.h>
#include <pcl/gpu/articulated/human_skeleton.h>

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

INSTANTIATE_TEST_SUITE_P(Cmu,
                         RecordedMotion,
                         ::testing::Values(Recording{"cmu_02_01", 343},
                                           Recording{"cmu_05_06", 885},
                                           Recording{"cmu_131_01", 994}),
                         recordingName);

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
