// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "skeleton_reference.h"

#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/joint_convention.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

using Positions = std::map<std::string, Vector3f>;

Positions
positionsIn(JointConvention convention,
            const Skeleton& skeleton,
            const std::vector<float>& pose)
{
  Positions positions;
  for (const NamedJoint& joint : nameJoints(convention, skeleton, pose))
    positions[joint.name] = joint.position;
  return positions;
}

Positions
atRest(JointConvention convention, const Skeleton& skeleton)
{
  return positionsIn(convention, skeleton, skeleton.restPose());
}

/** \brief A pose with other angles everywhere. */
std::vector<float>
anyPose(const Skeleton& skeleton)
{
  std::vector<float> pose = skeleton.restPose();
  std::mt19937 random(3);
  std::uniform_real_distribution<float> number(-0.5f, 0.5f);
  for (float& value : pose)
    value += number(random);
  return pose;
}

std::vector<std::string>
namesOf(JointConvention convention)
{
  const Skeleton skeleton = makeHumanSkeleton();
  std::vector<std::string> names;
  for (const NamedJoint& joint : nameJoints(convention, skeleton, skeleton.restPose()))
    names.push_back(joint.name);
  return names;
}

} // namespace

TEST(JointConvention, HasTheNamesOfItopInTheirOrder)
{
  EXPECT_EQ(namesOf(JointConvention::Itop),
            (std::vector<std::string>{"Head",
                                      "Neck",
                                      "R Shoulder",
                                      "L Shoulder",
                                      "R Elbow",
                                      "L Elbow",
                                      "R Hand",
                                      "L Hand",
                                      "Torso",
                                      "R Hip",
                                      "L Hip",
                                      "R Knee",
                                      "L Knee",
                                      "R Foot",
                                      "L Foot"}));
}

TEST(JointConvention, HasTheNamesOfCocoInTheirOrder)
{
  EXPECT_EQ(namesOf(JointConvention::Coco),
            (std::vector<std::string>{"nose",
                                      "left_eye",
                                      "right_eye",
                                      "left_ear",
                                      "right_ear",
                                      "left_shoulder",
                                      "right_shoulder",
                                      "left_elbow",
                                      "right_elbow",
                                      "left_wrist",
                                      "right_wrist",
                                      "left_hip",
                                      "right_hip",
                                      "left_knee",
                                      "right_knee",
                                      "left_ankle",
                                      "right_ankle"}));
}

TEST(JointConvention, IsWhereTheSkeletonsJointsAre)
{
  const Skeleton skeleton = makeHumanSkeleton();
  const std::vector<float> pose = anyPose(skeleton);
  const auto truth = referenceTransforms(skeleton, pose.data());
  const Positions itop = positionsIn(JointConvention::Itop, skeleton, pose);
  const Positions coco = positionsIn(JointConvention::Coco, skeleton, pose);
  const auto expectAt = [&](const std::string& name, const Vector3f& found) {
    const Eigen::Vector3d joint = truth[skeleton.findJoint(name)].translation();
    EXPECT_LT((found.cast<double>() - joint).norm(), 1e-5) << name;
  };
  for (const bool is_left : {true, false}) {
    const std::string side = is_left ? "Left" : "Right", letter = is_left ? "L" : "R";
    const std::string small = is_left ? "left" : "right";
    expectAt(side + "Arm", itop.at(letter + " Shoulder"));
    expectAt(side + "ForeArm", itop.at(letter + " Elbow"));
    expectAt(side + "UpLeg", itop.at(letter + " Hip"));
    expectAt(side + "Leg", itop.at(letter + " Knee"));
    expectAt(side + "Arm", coco.at(small + "_shoulder"));
    expectAt(side + "ForeArm", coco.at(small + "_elbow"));
    expectAt(side + "Hand", coco.at(small + "_wrist"));
    expectAt(side + "UpLeg", coco.at(small + "_hip"));
    expectAt(side + "Leg", coco.at(small + "_knee"));
    expectAt(side + "Foot", coco.at(small + "_ankle"));
  }
  const Vector3f shoulders = itop.at("R Shoulder") + itop.at("L Shoulder");
  const Vector3f trunk = shoulders + itop.at("R Hip") + itop.at("L Hip");
  EXPECT_LT((itop.at("Neck") - 0.5f * shoulders).norm(), 1e-5f);
  EXPECT_LT((itop.at("Torso") - 0.25f * trunk).norm(), 1e-5f);
}

TEST(JointConvention, IsOnTheSideOfTheBodyThatItNames)
{
  // The body looks along +z, its left along +x, y up.
  const Skeleton skeleton = makeHumanSkeleton();
  for (const JointConvention convention :
       {JointConvention::Itop, JointConvention::Coco}) {
    const Positions joints = atRest(convention, skeleton);
    for (const auto& [name, position] : joints) {
      std::string other = name;
      if (name.rfind("L ", 0) == 0)
        other[0] = 'R';
      else if (name.rfind("left_", 0) == 0)
        other.replace(0, 4, "right");
      else
        continue;
      EXPECT_GT(position.x(), 0.02f) << name;
      const Vector3f mirrored(-position.x(), position.y(), position.z());
      EXPECT_LT((joints.at(other) - mirrored).norm(), 1e-5f) << name;
    }
  }
}

TEST(JointConvention, HasAFaceOfHumanProportions)
{
  for (const float height : {1.2f, 1.75f, 2.0f}) {
    const Skeleton skeleton = makeHumanSkeleton(height);
    const Positions joints = atRest(JointConvention::Coco, skeleton);
    const float unit = height / 1.75f; // of a person of 1.75 m
    const Vector3f nose = joints.at("nose"), left_eye = joints.at("left_eye"),
                   right_eye = joints.at("right_eye"), left_ear = joints.at("left_ear"),
                   right_ear = joints.at("right_ear");
    EXPECT_NEAR(nose.x(), 0.0f, 1e-5f);
    EXPECT_NEAR((left_eye - right_eye).norm() / unit, 0.063f, 0.005f);
    EXPECT_NEAR((left_ear - right_ear).norm() / unit, 0.145f, 0.015f);
    EXPECT_LT(left_eye.x(), left_ear.x());
    EXPECT_GT(right_eye.x(), right_ear.x());
    // Eyes are above the nose, and between the ears and the nose in depth.
    EXPECT_GT(left_eye.y(), nose.y() + 0.02f * unit);
    EXPECT_GT(left_eye.y(), left_ear.y());
    EXPECT_GT(nose.z(), left_eye.z() + 0.01f * unit);
    EXPECT_GT(left_eye.z(), left_ear.z() + 0.05f * unit);
    // Eyes of a standing person are at 0.936 of the height (Winter 2009); the root is
    // 0.965 m above the floor.
    EXPECT_NEAR(left_eye.y() + 0.965f * unit, 0.936f * height, 0.025f * unit);
  }
}

TEST(JointConvention, MovesTheFaceWithTheHead)
{
  const Skeleton skeleton = makeHumanSkeleton();
  std::vector<float> pose = skeleton.restPose();
  const int head = skeleton.findJoint("Head");
  pose[skeleton.angleIndex(head) + 2] = 0.8f; // to the left
  const Positions turned = positionsIn(JointConvention::Coco, skeleton, pose);
  EXPECT_GT(turned.at("nose").x(), 0.06f);
  EXPECT_LT(turned.at("left_ear").z(), turned.at("right_ear").z() - 0.08f);
}

TEST(JointConvention, HasMiddlesOfHeadHandsAndFeet)
{
  const Skeleton skeleton = makeHumanSkeleton();
  const Positions joints = atRest(JointConvention::Itop, skeleton);
  const auto rest = referenceTransforms(skeleton, skeleton.restPose().data());
  const auto at = [&](const char* name) -> Vector3f {
    return rest[skeleton.findJoint(name)].translation().cast<float>();
  };
  EXPECT_GT(joints.at("Head").y(), at("Head").y() + 0.03f);
  EXPECT_LT(joints.at("Head").y(), at("Head_end").y() - 0.08f);
  EXPECT_GT(joints.at("L Hand").x(), at("LeftHand").x() + 0.03f);
  EXPECT_LT(joints.at("L Hand").x(), at("LeftHandIndex1").x());
  EXPECT_LT(joints.at("R Foot").y(), at("RightFoot").y());
  EXPECT_GT(joints.at("R Foot").z(), at("RightFoot").z());
  EXPECT_LT(joints.at("R Foot").z(), at("RightToeBase").z());
}

TEST(JointConvention, UnderstandsOtherNamesInOtherDirections)
{
  // The same body with Mixamo's names. It lies on its back along the x axis.
  Eigen::Matrix3f turn;
  turn << 0, 1, 0, 1, 0, 0, 0, 0, -1;
  const Skeleton human = makeHumanSkeleton();
  Skeleton lying;
  for (SkeletonJoint joint : human.getJoints()) {
    joint.offset = turn * joint.offset;
    joint.angles.clear();
    joint.name = "mixamorig:" + joint.name;
    lying.addJoint(joint);
  }
  addBodyCapsules(lying);
  for (const JointConvention convention :
       {JointConvention::Itop, JointConvention::Coco}) {
    const Positions expected = atRest(convention, human);
    for (const auto& [name, position] : atRest(convention, lying))
      EXPECT_LT((position - turn * expected.at(name)).norm(), 1e-4f) << name;
  }
}

TEST(JointConvention, LeavesOutWhatABodyLacks)
{
  const Skeleton whole = makeHumanSkeleton();
  const Skeleton upper = withoutLegs(whole);
  int missing = 0;
  for (const JointConvention convention :
       {JointConvention::Itop, JointConvention::Coco}) {
    const Positions expected = atRest(convention, whole);
    for (const auto& [name, position] : atRest(convention, upper)) {
      const bool is_of_leg = name.find("Hip") != std::string::npos ||
                             name.find("Knee") != std::string::npos ||
                             name.find("Foot") != std::string::npos ||
                             name.find("hip") != std::string::npos ||
                             name.find("knee") != std::string::npos ||
                             name.find("ankle") != std::string::npos;
      EXPECT_EQ(position.array().isNaN().all(), is_of_leg) << name;
      missing += is_of_leg;
      // The torso is above the root instead, which lies a little above the hips; and
      // without hips, heads are measured upright instead of along the trunk.
      const float tolerance = name == "Torso" ? 0.03f : 0.008f;
      if (!is_of_leg) {
        EXPECT_LT((position - expected.at(name)).norm(), tolerance) << name;
      }
    }
  }
  EXPECT_EQ(missing, 12);

  Skeleton arm;
  SkeletonJoint joint;
  joint.name = "base";
  arm.addJoint(joint);
  joint.name = "gripper";
  joint.parent = 0;
  arm.addJoint(joint);
  for (const NamedJoint& none :
       nameJoints(JointConvention::Itop, arm, arm.restPose())) {
    EXPECT_TRUE(none.position.array().isNaN().all()) << none.name;
    EXPECT_TRUE(std::isnan(none.deviation)) << none.name;
  }
}

TEST(JointConvention, HasNoFaceWithoutSkin)
{
  const Skeleton human = makeHumanSkeleton();
  Skeleton bare;
  for (const SkeletonJoint& joint : human.getJoints())
    bare.addJoint(joint);
  const Positions coco = atRest(JointConvention::Coco, bare);
  EXPECT_TRUE(std::isnan(coco.at("nose").x()));
  EXPECT_GT(coco.at("left_wrist").x(), 0.6f);
  const Positions itop = atRest(JointConvention::Itop, bare);
  EXPECT_EQ(itop.at("L Hand"), coco.at("left_wrist"));
}

TEST(JointConvention, HasTheDeviationsOfItsJoints)
{
  const Skeleton skeleton = makeHumanSkeleton();
  std::vector<JointEstimate> estimates;
  for (std::size_t i = 0; i < skeleton.getJoints().size(); ++i)
    estimates.push_back({Vector3f::Zero(), 0.01f * static_cast<float>(i)});
  const auto deviationOf = [&](JointConvention convention, const std::string& name) {
    for (const NamedJoint& joint :
         nameJoints(convention, skeleton, skeleton.restPose(), estimates))
      if (joint.name == name)
        return joint.deviation;
    return NAN;
  };
  const auto of = [&](const char* name) {
    return 0.01f * static_cast<float>(skeleton.findJoint(name));
  };
  EXPECT_FLOAT_EQ(deviationOf(JointConvention::Itop, "R Knee"), of("RightLeg"));
  EXPECT_FLOAT_EQ(deviationOf(JointConvention::Coco, "nose"), of("Head"));
  EXPECT_FLOAT_EQ(
      deviationOf(JointConvention::Itop, "Torso"),
      0.25f * (of("LeftArm") + of("RightArm") + of("LeftUpLeg") + of("RightUpLeg")));
}

TEST(JointConvention, RefusesWhatCannotBe)
{
  const Skeleton skeleton = makeHumanSkeleton();
  std::vector<float> pose = skeleton.restPose();
  const auto name = [&](const Skeleton& body, std::size_t estimates) {
    nameJoints(JointConvention::Coco,
               body,
               pose,
               std::vector<JointEstimate>(estimates, {Vector3f::Zero(), 0.0f}));
  };
  expectBadArgument("convention", [&] {
    nameJoints(static_cast<JointConvention>(2), skeleton, pose);
  });
  expectBadArgument("skeleton", [&] { name(Skeleton(), 0); });
  expectBadArgument("estimates", [&] { name(skeleton, 3); });
  pose[9] = NAN;
  expectBadArgument("pose", [&] { name(skeleton, 0); });
  pose.pop_back();
  expectBadArgument("pose", [&] { name(skeleton, 0); });
}
