// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "skeleton_reference.h"

#include <pcl/gpu/articulated/human_skeleton.h>

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;
using Eigen::Vector3f;

namespace {

struct PlacedCapsule {
  std::string name;
  Vector3d a, b;
  double radius;
};

std::vector<PlacedCapsule>
placed(const Skeleton& skeleton, const std::vector<float>& pose)
{
  const auto transforms = referenceTransforms(skeleton, pose.data());
  std::vector<PlacedCapsule> result;
  for (const SkeletonCapsule& capsule : skeleton.getCapsules()) {
    const Eigen::Isometry3d& transform = transforms[capsule.joint];
    result.push_back({capsule.name,
                      transform * capsule.a.cast<double>(),
                      transform * capsule.b.cast<double>(),
                      capsule.radius_a});
  }
  return result;
}

/** \brief The skin's extent along the axes: least and most. */
std::pair<Vector3d, Vector3d>
extent(const std::vector<PlacedCapsule>& capsules)
{
  std::pair<Vector3d, Vector3d> box{Vector3d::Constant(1e9), Vector3d::Constant(-1e9)};
  for (const PlacedCapsule& capsule : capsules) {
    box.first = box.first.cwiseMin(
        (capsule.a.cwiseMin(capsule.b).array() - capsule.radius).matrix());
    box.second = box.second.cwiseMax(
        (capsule.a.cwiseMax(capsule.b).array() + capsule.radius).matrix());
  }
  return box;
}

bool
isMirrored(const PlacedCapsule& a, const PlacedCapsule& b)
{
  const auto mirror = [](Vector3d v) {
    v.x() = -v.x();
    return v;
  };
  const auto near = [](const Vector3d& v, const Vector3d& w) {
    return (v - w).norm() < 1e-5;
  };
  return a.radius == b.radius && ((near(a.a, mirror(b.a)) && near(a.b, mirror(b.b))) ||
                                  (near(a.a, mirror(b.b)) && near(a.b, mirror(b.a))));
}

int
angleOf(const Skeleton& skeleton, const std::string& joint, int angle)
{
  return skeleton.angleIndex(skeleton.findJoint(joint)) + angle;
}

SkeletonJoint
joint(const Skeleton& skeleton,
      const std::string& name,
      const std::string& parent,
      const Vector3f& offset)
{
  SkeletonJoint result;
  result.name = name;
  result.parent = skeleton.findJoint(parent);
  result.offset = offset;
  if (result.parent >= 0)
    for (const int axis : {2, 1, 0}) {
      result.angles.emplace_back();
      result.angles.back().axis = Vector3f::Unit(axis);
    }
  return result;
}

} // namespace

TEST(HumanSkeleton, HasTheSizeOfAPerson)
{
  for (const float height : {1.75f, 1.2f, 2.0f}) {
    const Skeleton skeleton = makeHumanSkeleton(height);
    EXPECT_EQ(skeleton.getCapsules().size(), 48u);
    EXPECT_TRUE(skeleton.hasPlainCapsules());
    EXPECT_EQ(skeleton.poseSize(), 53);
    const auto box = extent(placed(skeleton, skeleton.restPose()));
    const Vector3d size = (box.second - box.first) / height;
    EXPECT_NEAR(size.y(), 1.0, 0.02);
    EXPECT_NEAR(size.x(), 1.04, 0.03); // arms stretched out
    EXPECT_NEAR(size.z(), 0.15, 0.02); // feet
    // The root is between the hips.
    EXPECT_NEAR(-box.first.y() / height, 0.55, 0.02);
  }
}

TEST(HumanSkeleton, IsSymmetric)
{
  const Skeleton skeleton = makeHumanSkeleton();
  std::vector<float> pose = skeleton.restPose();
  std::mt19937 random(1);
  // The same angles on both sides, and in the middle only those that bend forward.
  for (std::size_t i = 0; i < skeleton.getJoints().size(); ++i) {
    const SkeletonJoint& left = skeleton.getJoints()[i];
    if (left.name.compare(0, 4, "Left") != 0)
      continue;
    const int right = skeleton.findJoint("Right" + left.name.substr(4));
    ASSERT_GE(right, 0) << left.name;
    const auto& mirrored = skeleton.getJoints()[right];
    ASSERT_EQ(mirrored.angles.size(), left.angles.size());
    for (std::size_t k = 0; k < left.angles.size(); ++k) {
      EXPECT_EQ(mirrored.angles[k].lower, left.angles[k].lower);
      EXPECT_EQ(mirrored.angles[k].upper, left.angles[k].upper);
      EXPECT_EQ(mirrored.angles[k].deviation, left.angles[k].deviation);
      pose[skeleton.angleIndex(static_cast<int>(i)) + k] =
          pose[skeleton.angleIndex(right) + k] = 0.001f * (random() % 1000);
    }
  }
  pose[angleOf(skeleton, "Spine", 0)] = 0.3f;
  pose[angleOf(skeleton, "Head", 0)] = -0.2f;
  const auto capsules = placed(skeleton, pose);
  for (const PlacedCapsule& capsule : capsules)
    EXPECT_TRUE(std::any_of(capsules.begin(), capsules.end(), [&](const auto& other) {
      return isMirrored(capsule, other);
    })) << capsule.name;
}

TEST(HumanSkeleton, BendsTheRightWay)
{
  const Skeleton skeleton = makeHumanSkeleton();
  const auto tip = [&](const std::string& name,
                       std::initializer_list<std::pair<int, float>> turns) {
    std::vector<float> pose = skeleton.restPose();
    for (const auto& turn : turns)
      pose[turn.first] = turn.second;
    const auto found = referenceTransforms(skeleton, pose.data());
    const auto rest = referenceTransforms(skeleton, skeleton.restPose().data());
    const int number = skeleton.findJoint(name);
    return Vector3d(found[number].translation() - rest[number].translation());
  };
  const auto at = [&](const std::string& name, int angle) {
    return angleOf(skeleton, name, angle);
  };
  for (const std::string side : {"Left", "Right"}) {
    EXPECT_GT(tip(side + "Hand", {{at(side + "ForeArm", 0), 1.0f}}).z(), 0.1);
    EXPECT_LT(tip(side + "HandIndex1_end", {{at(side + "HandIndex1", 0), 1.0f}}).y(),
              -0.03);
    EXPECT_LT(tip(side + "Foot", {{at(side + "Leg", 0), 1.0f}}).z(), -0.2);
    EXPECT_GT(tip(side + "Foot", {{at(side + "UpLeg", 0), 1.0f}}).z(), 0.4);
    EXPECT_GT(tip(side + "ToeBase", {{at(side + "Foot", 0), 0.5f}}).y(), 0.03);
    // Arms hang at -90 degrees.
    EXPECT_LT(tip(side + "Hand", {{at(side + "Arm", 0), -1.57f}}).y(), -0.5);
  }
  EXPECT_GT(tip("Head", {{at("Spine", 0), 0.5f}}).z(), 0.1);
}

TEST(HumanSkeleton, RestsWithinItsLimits)
{
  const Skeleton human = makeHumanSkeleton();
  for (const SkeletonJoint& joint : human.getJoints())
    for (const JointAngle& angle : joint.angles) {
      EXPECT_LT(angle.lower, 0.0f) << joint.name;
      EXPECT_GT(angle.upper, 0.0f) << joint.name;
      EXPECT_GT(angle.deviation, 0.0f) << joint.name;
      EXPECT_LT(angle.upper - angle.lower, 4.0f) << joint.name;
    }
}

TEST(HumanSkeleton, RefusesHeightsThatCannotBe)
{
  for (const float height : {0.0f, -1.7f, NAN, INFINITY})
    expectBadArgument("height", [&] { makeHumanSkeleton(height); });
}

TEST(BodyCapsules, AreOnBonesOfOtherNamesByTheirLength)
{
  Skeleton skeleton;
  skeleton.addJoint(joint(skeleton, "a", "", {0, 0, 0}));
  skeleton.addJoint(joint(skeleton, "b", "a", {0, 0.6f, 0}));
  skeleton.addJoint(joint(skeleton, "c", "b", {0.003f, 0, 0}));
  skeleton.addJoint(joint(skeleton, "d", "c", {0, 0, 0.3f}));
  const auto before = skeleton.getJoints()[1].angles[0];
  addBodyCapsules(skeleton);
  setBodyLimits(skeleton);
  ASSERT_EQ(skeleton.getCapsules().size(), 2u);
  EXPECT_EQ(skeleton.getCapsules()[0].joint, 0);
  EXPECT_FLOAT_EQ(skeleton.getCapsules()[0].radius_a, 0.1f);
  EXPECT_EQ(skeleton.getCapsules()[1].joint, 2);
  EXPECT_EQ(skeleton.getCapsules()[1].b, Vector3f(0, 0, 0.3f));
  EXPECT_EQ(skeleton.getJoints()[1].angles[0].upper, before.upper);
  EXPECT_EQ(skeleton.getJoints()[1].angles[0].deviation, before.deviation);
}

TEST(BodyCapsules, StandWhereverUpIs)
{
  // The same body, lying on its back along the x axis, in centimetres.
  Eigen::Matrix3f turn;
  turn << 0, 1, 0, 1, 0, 0, 0, 0, -1;
  const Skeleton human = makeHumanSkeleton();
  Skeleton lying;
  for (SkeletonJoint bone : human.getJoints()) {
    bone.offset = 100.0f * (turn * bone.offset);
    bone.angles.clear();
    lying.addJoint(bone);
  }
  addBodyCapsules(lying);
  ASSERT_EQ(lying.getCapsules().size(), human.getCapsules().size());
  for (std::size_t i = 0; i < human.getCapsules().size(); ++i) {
    const SkeletonCapsule& standing = human.getCapsules()[i];
    const SkeletonCapsule& found = lying.getCapsules()[i];
    EXPECT_EQ(found.joint, standing.joint) << standing.name;
    EXPECT_LT((found.a - 100.0f * (turn * standing.a)).norm(), 1e-3f) << standing.name;
    EXPECT_LT((found.b - 100.0f * (turn * standing.b)).norm(), 1e-3f) << standing.name;
    EXPECT_NEAR(found.radius_a, 100.0f * standing.radius_a, 1e-3f);
  }
}

/** \brief Returns the words between separators. */
std::vector<std::string>
split(const std::string& text, char separator)
{
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, separator);)
    words.push_back(word);
  return words;
}

/** \brief Returns a body whose joints have these names: hips, spine, neck, head; of the
 * left, then of the right, collarbone, upper arm, forearm, hand; of the left, then of
 * the right, thigh, calf, foot. */
Skeleton
bodyNamed(const std::vector<std::string>& names)
{
  const std::vector<int> parents{
      -1, 0, 1, 2, 1, 4, 5, 6, 1, 8, 9, 10, 0, 12, 13, 0, 15, 16};
  const std::vector<Vector3f> offsets{{0, 0, 0},
                                      {0, 0.1f, 0},
                                      {0, 0.4f, 0},
                                      {0, 0.1f, 0},
                                      {0.02f, 0.35f, 0},
                                      {0.15f, 0, 0},
                                      {0.28f, 0, 0},
                                      {0.27f, 0, 0},
                                      {-0.02f, 0.35f, 0},
                                      {-0.15f, 0, 0},
                                      {-0.28f, 0, 0},
                                      {-0.27f, 0, 0},
                                      {0.085f, -0.04f, 0},
                                      {0, -0.42f, 0},
                                      {0, -0.43f, 0},
                                      {-0.085f, -0.04f, 0},
                                      {0, -0.42f, 0},
                                      {0, -0.43f, 0}};
  Skeleton skeleton;
  for (std::size_t i = 0; i < names.size(); ++i)
    skeleton.addJoint(
        joint(skeleton, names[i], parents[i] < 0 ? "" : names[parents[i]], offsets[i]));
  return skeleton;
}

void
expectWholeBody(Skeleton skeleton)
{
  const std::string name = skeleton.getJoints()[4].name;
  EXPECT_EQ(findUnknownJoints(skeleton), std::vector<std::string>()) << name;
  addBodyCapsules(skeleton);
  setBodyLimits(skeleton);
  // Trunk 9, head 2, neck 1; each side: 1 + 2 + 2 + 5, 3 + 2 + 3.
  EXPECT_EQ(skeleton.getCapsules().size(), 48u) << name;
  const auto box = extent(placed(skeleton, skeleton.restPose()));
  EXPECT_NEAR(box.second.y() - box.first.y(), 1.7, 0.1) << name;
  for (const int knee : {13, 16})
    EXPECT_GT(skeleton.getJoints()[knee].angles[2].upper, 2.0f) << name;
  // An arm's limits are those of the other one in the mirror.
  const auto& left = skeleton.getJoints()[6].angles;
  const auto& right = skeleton.getJoints()[10].angles;
  EXPECT_EQ(left[0].upper, -right[0].lower);
  EXPECT_EQ(left[1].lower, -right[1].upper);
  EXPECT_EQ(left[2].lower, right[2].lower);
}

TEST(BodyCapsules, UnderstandOtherNames)
{
  for (const char* names :
       {"Bip01 Pelvis,Bip01 Spine,Bip01 Neck,Bip01 Head,Bip01 L Clavicle,"
        "Bip01 L UpperArm,Bip01 L Forearm,Bip01 L Hand,Bip01 R Clavicle,"
        "Bip01 R UpperArm,Bip01 R Forearm,Bip01 R Hand,Bip01 L Thigh,Bip01 L Calf,"
        "Bip01 L Foot,Bip01 R Thigh,Bip01 R Calf,Bip01 R Foot",
        "mixamorig:Hips,mixamorig:Spine,mixamorig:Neck,mixamorig:Head,"
        "mixamorig:LeftShoulder,mixamorig:LeftArm,mixamorig:LeftForeArm,"
        "mixamorig:LeftHand,mixamorig:RightShoulder,mixamorig:RightArm,"
        "mixamorig:RightForeArm,mixamorig:RightHand,mixamorig:LeftUpLeg,"
        "mixamorig:LeftLeg,mixamorig:LeftFoot,mixamorig:RightUpLeg,mixamorig:RightLeg,"
        "mixamorig:RightFoot",
        // Xsens, and CMU's in 3ds Max
        "hips,chest,neck,head,LeftCollar,LeftShoulder,LeftElbow,LeftWrist,RightCollar,"
        "RightShoulder,RightElbow,RightWrist,LeftHip,LeftKnee,LeftAnkle,RightHip,"
        "RightKnee,RightAnkle",
        // Unreal
        "pelvis,spine_01,neck_01,head,clavicle_l,upperarm_l,lowerarm_l,hand_l,"
        "clavicle_r,upperarm_r,lowerarm_r,hand_r,thigh_l,calf_l,foot_l,thigh_r,calf_r,"
        "foot_r",
        // Unity, with blanks
        "Hips,Spine,Neck,Head,Left Shoulder,Left Upper Arm,Left Lower Arm,Left Hand,"
        "Right Shoulder,Right Upper Arm,Right Lower Arm,Right Hand,Left Upper Leg,"
        "Left Lower Leg,Left Foot,Right Upper Leg,Right Lower Leg,Right Foot",
        // Rigify
        "DEF-hips,DEF-spine.001,DEF-neck,DEF-head,DEF-shoulder.L,DEF-upper_arm.L,"
        "DEF-forearm.L,DEF-hand.L,DEF-shoulder.R,DEF-upper_arm.R,DEF-forearm.R,"
        "DEF-hand.R,DEF-thigh.L,DEF-shin.L,DEF-foot.L,DEF-thigh.R,DEF-shin.R,"
        "DEF-foot.R",
        // Daz
        "hip,abdomenLower,neck,head,lCollar,lShldr,lForeArm,lHand,rCollar,rShldr,"
        "rForeArm,rHand,lThighBend,lShin,lFoot,rThighBend,rShin,rFoot",
        // Acclaim
        "root hip,lowerback,lowerneck,head,lclavicle,lhumerus,lradius,lhand,rclavicle,"
        "rhumerus,rradius,rhand,lfemur,ltibia,lfoot,rfemur,rtibia,rfoot",
        // Azure Kinect
        "PELVIS,SPINE_NAVEL,NECK,HEAD,CLAVICLE_LEFT,SHOULDER_LEFT,ELBOW_LEFT,"
        "WRIST_LEFT,CLAVICLE_RIGHT,SHOULDER_RIGHT,ELBOW_RIGHT,WRIST_RIGHT,HIP_LEFT,"
        "KNEE_LEFT,ANKLE_LEFT,HIP_RIGHT,KNEE_RIGHT,ANKLE_RIGHT",
        // OptiTrack
        "Hip,Ab,Neck,Head,LShoulder,LUArm,LFArm,LHand,RShoulder,RUArm,RFArm,RHand,"
        "LThigh,LShin,LFoot,RThigh,RShin,RFoot",
        // VRM
        "J_Bip_C_Hips,J_Bip_C_Spine,J_Bip_C_Neck,J_Bip_C_Head,J_Bip_L_Shoulder,"
        "J_Bip_L_UpperArm,J_Bip_L_LowerArm,J_Bip_L_Hand,J_Bip_R_Shoulder,"
        "J_Bip_R_UpperArm,J_Bip_R_LowerArm,J_Bip_R_Hand,J_Bip_L_UpperLeg,"
        "J_Bip_L_LowerLeg,J_Bip_L_Foot,J_Bip_R_UpperLeg,J_Bip_R_LowerLeg,J_Bip_R_Foot",
        // A leg that begins with "Leg"
        "Hips,Spine,Neck,Head,ShoulderL,ArmL,ElbowL,HandL,ShoulderR,ArmR,ElbowR,HandR,"
        "LegL,KneeL,FootL,LegR,KneeR,FootR"})
    expectWholeBody(bodyNamed(split(names, ',')));
}

TEST(BodyCapsules, UnderstandWordsWhateverSeparatesThem)
{
  const std::vector<std::string> names =
      split("hips,spine,neck,head,left shoulder,left arm,left fore arm,left hand,"
            "right shoulder,right arm,right fore arm,right hand,left up leg,left leg,"
            "left foot,right up leg,right leg,right foot",
            ',');
  for (const std::string separator : {" ", "_", "-", ".", "", "  ", "|", "1"})
    for (const std::string before : {"", "Armature:", "Hand:Rig:", "rig_", "Bone001."})
      for (const bool has_capitals : {false, true}) {
        std::vector<std::string> dialect;
        for (const std::string& name : names) {
          std::string joined;
          for (std::string word : split(name, ' ')) {
            if (has_capitals)
              word[0] = static_cast<char>(word[0] - 'a' + 'A');
            joined += (joined.empty() ? before : separator) + word;
          }
          dialect.push_back(joined);
        }
        expectWholeBody(bodyNamed(dialect));
      }
}

TEST(BodyCapsules, UnderstandPartsByTheirPlace)
{
  // A root on the floor, hips beside the pelvis, twists along a thigh, an ankle before
  // the foot, a forehead, a shoulder in the middle.
  const auto capsulesOf = [](const Skeleton& skeleton) {
    Skeleton skinned = skeleton;
    addBodyCapsules(skinned);
    return skinned.getCapsules().size();
  };
  Skeleton skeleton;
  const auto add = [&](const char* name, const char* parent, const Vector3f& offset) {
    skeleton.addJoint(joint(skeleton, name, parent, offset));
  };
  add("Reference", "", {0, 0, 0});
  add("Hips", "Reference", {0, 0.95f, 0});
  EXPECT_EQ(capsulesOf(skeleton), 0u);
  add("LeftHip", "Hips", {0.05f, 0, 0});
  add("LeftThighBend", "LeftHip", {0.04f, -0.04f, 0});
  EXPECT_EQ(capsulesOf(skeleton), 0u);
  add("LeftThighTwist", "LeftThighBend", {0, -0.2f, 0});
  add("LeftShin", "LeftThighTwist", {0, -0.2f, 0});
  EXPECT_EQ(capsulesOf(skeleton), 4u); // a piece, and three
  add("LeftAnkle", "LeftShin", {0, -0.43f, 0});
  add("LeftFoot", "LeftAnkle", {0, -0.05f, 0.1f});
  add("LeftFootIndex1", "LeftFoot", {0, 0, 0.05f});
  EXPECT_EQ(capsulesOf(skeleton), 4u + 2u + 3u);
  add("Head", "Hips", {0, 0.6f, 0});
  add("Head_Top", "Head", {0, 0.2f, 0});
  add("forehead", "Head", {0, 0.1f, 0.1f});
  EXPECT_EQ(capsulesOf(skeleton), 9u + 2u);
  add("RHipJoint", "Hips", {-0.05f, 0, 0});
  add("RightHip", "RHipJoint", {-0.04f, -0.04f, 0});
  add("RightKnee", "RightHip", {0, -0.4f, 0});
  EXPECT_EQ(capsulesOf(skeleton), 11u + 3u);
  add("ShoulderCenter", "Hips", {0, 0.5f, 0});
  add("ShoulderLeft", "ShoulderCenter", {0.15f, 0, 0});
  add("ElbowLeft", "ShoulderLeft", {0.28f, 0, 0});
  EXPECT_EQ(findUnknownJoints(skeleton), std::vector<std::string>());
}

TEST(BodyCapsules, NameTheJointsThatTheyDoNotUnderstand)
{
  Skeleton skeleton;
  skeleton.addJoint(joint(skeleton, "Hips", "", {0, 0, 0}));
  skeleton.addJoint(joint(skeleton, "tail", "Hips", {0, 0, -0.1f}));
  skeleton.addJoint(joint(skeleton, "tail2", "tail", {0, 0, -0.1f}));
  skeleton.addJoint(joint(skeleton, "Thigh", "Hips", {0.1f, 0, 0}));
  skeleton.addJoint(joint(skeleton, "Calf", "Thigh", {0, -0.4f, 0}));
  EXPECT_EQ(findUnknownJoints(skeleton), (std::vector<std::string>{"tail", "Thigh"}));
}

TEST(BodyCapsules, AreRefusedWhereThereAreSome)
{
  Skeleton skeleton = makeHumanSkeleton();
  expectBadArgument("capsules", [&] { addBodyCapsules(skeleton); });
  Skeleton empty;
  expectBadArgument("skeleton", [&] { addBodyCapsules(empty); });
  expectBadArgument("skeleton", [&] { setBodyLimits(empty); });
}

TEST(BodyLimits, AnglesThatMoveNoSkinDoNotSpread)
{
  Skeleton skeleton;
  skeleton.addJoint(joint(skeleton, "Hips", "", {0, 0, 0}));
  skeleton.addJoint(joint(skeleton, "LeftUpLeg", "Hips", {0.1f, 0, 0}));
  skeleton.addJoint(joint(skeleton, "LeftLeg", "LeftUpLeg", {0, -0.4f, 0}));
  skeleton.addJoint(joint(skeleton, "LeftFoot", "LeftLeg", {0, -0.4f, 0}));
  SkeletonCapsule capsule;
  capsule.joint = 2;
  skeleton.addCapsule(capsule);
  setBodyLimits(skeleton);
  EXPECT_GT(skeleton.getJoints()[1].angles[0].deviation, 0.0f);
  EXPECT_GT(skeleton.getJoints()[2].angles[0].deviation, 0.0f);
  EXPECT_EQ(skeleton.getJoints()[3].angles[0].deviation, 0.0f);
}
