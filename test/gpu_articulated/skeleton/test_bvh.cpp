// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "common/numbers.h"
#include "common/temporary_folder.h"
#include "skeleton_reference.h"

#include <pcl/gpu/articulated/bvh.h>

#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::AngleAxisd;
using Eigen::Vector3d;
using Eigen::Vector3f;

namespace {

const char* const small_body = R"(HIERARCHY
ROOT Hips
{
  OFFSET 9 9 9
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT Left Leg {
    OFFSET 1 -2 0.5
    CHANNELS 3 Yrotation Zrotation Xrotation
    End Site
    {
      OFFSET 0 -3 0
    }
  }
  joint Head
  {
    offset 0 +4 0
    Channels 1 zRotation
  }
}
MOTION
Frames: 2
Frame Time: .04
1 2 3 30 40 50 10 20 30 90
4 5 6 -30 -40 -50 -10 -20 -30 -9e1
)";

struct Body {
  Skeleton skeleton;
  MotionClip motion;
};

Body
load(const std::string& file, const BvhOptions& options = {})
{
  Body body;
  loadBvh(file, body.skeleton, body.motion, options);
  return body;
}

Body
loadText(const std::string& text, const BvhOptions& options = {})
{
  const TemporaryFolder folder;
  return load(folder.write("body.bvh", text), options);
}

/** \brief The small body with a part of its text replaced. */
std::string
changed(const std::string& part, const std::string& replacement)
{
  std::string text = small_body;
  const std::size_t place = text.find(part);
  EXPECT_NE(place, std::string::npos) << part;
  return text.replace(place, part.size(), replacement);
}

void
expectRefused(const std::string& text,
              std::vector<std::string> words,
              const BvhOptions& options = {})
{
  words.push_back("body.bvh");
  expectBadFile(words, [&] { loadText(text, options); });
}

/** \brief Compares places and rotations of all joints. */
void
expectSamePoses(const Body& a, const Body& b, double within)
{
  ASSERT_EQ(a.motion.poses.size(), b.motion.poses.size());
  for (std::size_t i = 0; i < a.motion.poses.size(); ++i) {
    const auto right = referenceTransforms(a.skeleton, a.motion.poses[i].data());
    const auto found = referenceTransforms(b.skeleton, b.motion.poses[i].data());
    for (std::size_t k = 0; k < right.size(); ++k) {
      const int other = b.skeleton.findJoint(a.skeleton.getJoints()[k].name);
      ASSERT_GE(other, 0) << a.skeleton.getJoints()[k].name;
      ASSERT_LT((right[k].matrix() - found[other].matrix()).cwiseAbs().maxCoeff(),
                within)
          << "pose " << i << ", joint " << k;
    }
  }
}

} // namespace

TEST(BvhFiles, JointsKeepNamesOffsetsAndOrder)
{
  const Body body = loadText(small_body);
  const auto& joints = body.skeleton.getJoints();
  ASSERT_EQ(joints.size(), 4u);
  const std::vector<std::string> names{"Hips", "Left Leg", "Left Leg_end", "Head"};
  const std::vector<int> parents{-1, 0, 1, 0};
  const std::vector<Vector3f> offsets{{0, 0, 0}, {1, -2, 0.5f}, {0, -3, 0}, {0, 4, 0}};
  const std::vector<std::size_t> angles{0, 3, 0, 1};
  for (std::size_t i = 0; i < joints.size(); ++i) {
    EXPECT_EQ(joints[i].name, names[i]);
    EXPECT_EQ(joints[i].parent, parents[i]);
    EXPECT_EQ(joints[i].offset, offsets[i]);
    EXPECT_EQ(joints[i].angles.size(), angles[i]);
  }
  EXPECT_DOUBLE_EQ(body.motion.frame_time, 0.04);
}

TEST(BvhFiles, ChannelsTurnInTheirOrder)
{
  const Body body = loadText(small_body);
  ASSERT_EQ(body.motion.poses.size(), 2u);
  for (const double sign : {1.0, -1.0}) {
    const auto about = [&](double angle, const Vector3d& axis) {
      return AngleAxisd(sign * angle * radians, axis);
    };
    const Vector3d x = Vector3d::UnitX();
    const Vector3d y = Vector3d::UnitY();
    const Vector3d z = Vector3d::UnitZ();
    const Vector3d hips = sign > 0.0 ? Vector3d(1, 2, 3) : Vector3d(4, 5, 6);
    const Eigen::Matrix3d root = (about(30, z) * about(40, y) * about(50, x)).matrix();
    const Eigen::Matrix3d leg =
        root * (about(10, y) * about(20, z) * about(30, x)).matrix();
    const auto& pose = body.motion.poses[sign > 0.0 ? 0 : 1];
    const auto found = referenceTransforms(body.skeleton, pose.data());
    EXPECT_LT((found[0].linear() - root).norm(), 1e-6);
    EXPECT_LT((found[0].translation() - hips).norm(), 1e-6);
    EXPECT_LT((found[1].linear() - leg).norm(), 1e-6);
    const Vector3d knee = hips + root * Vector3d(1, -2, 0.5);
    EXPECT_LT((found[1].translation() - knee).norm(), 1e-5);
    const Vector3d foot = knee + leg * Vector3d(0, -3, 0);
    EXPECT_LT((found[2].translation() - foot).norm(), 1e-5);
    EXPECT_NEAR(pose.back(), sign * M_PI / 2, 1e-6);
  }
}

TEST(BvhFiles, ScaleTurnsUnitsIntoMetres)
{
  BvhOptions options;
  options.scale = 0.01f;
  const Body body = loadText(small_body, options);
  EXPECT_FLOAT_EQ(body.skeleton.getJoints()[3].offset.y(), 0.04f);
  EXPECT_FLOAT_EQ(body.motion.poses[1][2], 0.06f);
  for (const float scale : {0.0f, -1.0f, NAN}) {
    options.scale = scale;
    expectBadArgument("scale", [&] { loadText(small_body, options); });
  }
}

TEST(BvhFiles, PositionsOfJointsReplaceTheirOffset)
{
  const std::string text = R"(HIERARCHY
ROOT Hips
{
  OFFSET 1 2 3
  JOINT Leg
  {
    OFFSET 7 8 9
    CHANNELS 3 Zrotation Yposition Xposition
  }
}
MOTION
Frames: 2
Frame Time: 1
90 5.5 4
80 5.5 4.004
)";
  const Body body = loadText(text);
  // The root has no channels: it stays.
  EXPECT_EQ(body.motion.poses[0][1], 2.0f);
  EXPECT_EQ(body.motion.poses[0][3], 1.0f);
  const Vector3f offset = body.skeleton.getJoints()[1].offset;
  EXPECT_LT((offset - Vector3f(4.002f, 5.5f, 9.0f)).norm(), 1e-6f);
  BvhOptions options;
  options.most_stretch = 0.003f;
  expectRefused(text, {"line 5", "joint Leg moves 0.004"}, options);
  options.scale = 0.5f;
  EXPECT_FLOAT_EQ(loadText(text, options).skeleton.getJoints()[1].offset.z(), 4.5f);
}

TEST(BvhFiles, RootQuaternionsDoNotJump)
{
  std::string text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\n}\n"
                     "MOTION\nFrames: 100\nFrame Time: 1\n";
  for (int i = 0; i < 100; ++i)
    text += std::to_string((i * 20 + 180) % 360 - 180) + "\n";
  const auto poses = loadText(text).motion.poses;
  ASSERT_EQ(poses.size(), 100u);
  for (std::size_t i = 1; i < poses.size(); ++i) {
    float cosine = 0.0f;
    for (int k = 3; k < 7; ++k)
      cosine += poses[i - 1][k] * poses[i][k];
    EXPECT_NEAR(cosine, std::cos(10 * radians), 1e-6);
  }
}

TEST(BvhFiles, SeveralEndSitesGetNamesOfTheirOwn)
{
  const std::string site = "End Site\n{\nOFFSET 0 1 0\n}\n";
  const Body body = loadText("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n" + site + site +
                             "JOINT a_end\n{\nOFFSET 1 0 0\n" + site + "}\n" + site +
                             "}\nMOTION\nFrames: 0\nFrame Time: 0\n");
  std::vector<std::string> names;
  for (const SkeletonJoint& joint : body.skeleton.getJoints())
    names.push_back(joint.name);
  const std::vector<std::string> expected{
      "a", "a_end1", "a_end2", "a_end", "a_end_end", "a_end3"};
  EXPECT_EQ(names, expected);
}

TEST(BvhFiles, BrokenOnesAreRefusedWithTheLine)
{
  expectRefused("", {"line 1", "the file ends", "HIERARCHY"});
  expectRefused("solid cube", {"line 1", "'solid'", "HIERARCHY"});
  expectRefused(changed("ROOT Hips", "ROOT"), {"line 2", "a name"});
  expectRefused(changed("ROOT Hips", "ROOT " + std::string(1001, 'h')),
                {"line 2", "a name of 1001 characters", "1000"});
  expectRefused(changed("9 9 9", "9 9"), {"line 5", "'CHANNELS'", "three numbers"});
  expectRefused(changed("9 9 9", "9 nan 9"), {"line 4", "'nan'", "three numbers"});
  expectRefused(changed("9 9 9", "9 1e999 9"), {"line 4", "'1e999'"});
  expectRefused(changed("-2 0.5", "-1e300 0.5"), {"line 6", "beyond all bodies"});
  expectRefused(changed("-2 0.5", "-1e36 0.5"), {"line 6", "beyond all bodies"});
  expectRefused(changed("CHANNELS 6", "CHANNELS 7"), {"line 5", "'7'", "0 to 6"});
  expectRefused(changed("CHANNELS 6", "CHANNELS -1"), {"line 5", "'-1'", "0 to 6"});
  expectRefused(changed("Zposition", "Wposition"), {"line 5", "'Wposition'"});
  expectRefused(changed("Zposition", "Xposition"), {"line 5", "position again"});
  expectRefused(changed("Zposition", "Xrotation"), {"line 5", "fourth rotation"});
  expectRefused(changed("JOINT Left", "JOINTS Left"), {"line 6", "'JOINTS'"});
  expectRefused(changed("joint Head", "joint Hips"), {"line 14", "second joint Hips"});
  expectRefused(changed("    End Site\n    {\n", "    End Site\n"), {"line 10", "{"});
  expectRefused(changed("MOTION", "ROOT b"), {"second ROOT"});
  expectRefused(changed("MOTION", "MOVES"), {"line 20", "'MOVES'", "MOTION"});
  expectRefused(changed("Frames: 2", "Frames: -2"), {"line 21", "'-2'"});
  expectRefused(changed("Frames: 2", "Frames: 99999999999"), {"line 21"});
  expectRefused(changed("Frames: 2", "Frames: 2147483647"), {"the file ends"});
  expectRefused(changed("Frames: 2", "Frames: 1"), {"line 24", "'4'", "1 frames"});
  expectRefused(changed(".04", "-1"), {"line 22", "below 0"});
  expectRefused(changed("10 20 30 90", "10 20 zz 90"), {"line 23", "'zz'"});
  expectRefused(changed("10 20 30 90", "10 20 1e60 90"), {"line 23", "beyond"});
  expectRefused("HIERARCHY ROOT a\n{ } MOTION Frames: 5 Frame Time: 1",
                {"line 2", "no joint has channels"});
  const TemporaryFolder folder;
  expectBadFile({"nowhere.bvh", "No such file"}, [&] { load(folder / "nowhere.bvh"); });
  expectBadFile({"is a folder"}, [&] { load(folder / ""); });
}

TEST(BvhFiles, EveryTruncationIsRefused)
{
  const std::string text = small_body;
  // Without the last digit the last number is another one, but still a number.
  for (std::size_t length = 0; length + 4 < text.size(); ++length)
    expectRefused(text.substr(0, length), {"line"});
}

TEST(BvhFiles, GarbageIsRefusedOrRead)
{
  std::mt19937 random(1);
  const TemporaryFolder folder;
  const std::string pieces[] = {"{", "}", "JOINT", "End Site", "\n", "1e9", "\0x", "-"};
  int refused = 0;
  for (int run = 0; run < 3000; ++run) {
    std::string text = small_body;
    for (unsigned int change = random() % 4 + 1; change > 0; --change) {
      const std::size_t place = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[place] = static_cast<char>(random());
        break;
      case 1:
        text.erase(place, random() % 30);
        break;
      case 2:
        text.insert(place, pieces[random() % 8]);
        break;
      default:
        text.insert(place, text.substr(random() % text.size(), 40));
      }
    }
    try {
      const Body body = load(folder.write("body.bvh", text));
      for (const auto& pose : body.motion.poses)
        ASSERT_EQ(static_cast<int>(pose.size()), body.skeleton.poseSize());
    }
    catch (const pcl::IOException&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(BvhFiles, LargeAndDeepOnesAreRead)
{
  std::string text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n";
  constexpr int depth = 50000;
  for (int i = 0; i < depth; ++i)
    text += "JOINT j" + std::to_string(i) + " {OFFSET 1 0 0\n";
  text += std::string(depth + 1, '}') + "\nMOTION\nFrames: 0\nFrame Time: 0\n";
  const Body body = loadText(text);
  EXPECT_EQ(body.skeleton.getJoints().size(), depth + 1u);
  const TemporaryFolder folder;
  saveBvh(folder / "deep.bvh", body.skeleton, body.motion);
  // The last joint gets an End Site.
  EXPECT_EQ(load(folder / "deep.bvh").skeleton.getJoints().size(), depth + 2u);
}

TEST(BvhFiles, AreReadAsTheyWereWritten)
{
  const TemporaryFolder folder;
  const Body body = loadText(small_body);
  saveBvh(folder / "saved.bvh", body.skeleton, body.motion);
  EXPECT_EQ(folder.count(), 1);
  const Body again = load(folder / "saved.bvh");
  expectSamePoses(body, again, 1e-5);
  EXPECT_DOUBLE_EQ(again.motion.frame_time, 0.04);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t k = 7; k < 11; ++k)
      EXPECT_FLOAT_EQ(again.motion.poses[i][k], body.motion.poses[i][k]);
}

TEST(BvhFiles, AnyTreeAndAnyAxesAreWritten)
{
  std::mt19937 random(2);
  const TemporaryFolder folder;
  for (int run = 0; run < 20; ++run) {
    Body body;
    body.skeleton = randomSkeleton(20, random);
    SkeletonJoint flipped;
    flipped.name = "flipped";
    flipped.parent = 3;
    flipped.angles.resize(2);
    flipped.angles[0].axis = -Vector3f::UnitY();
    body.skeleton.addJoint(flipped);
    for (int i = 0; i < 5; ++i)
      body.motion.poses.push_back(randomPoses(body.skeleton, 1, random));
    saveBvh(folder / "saved.bvh", body.skeleton, body.motion);
    expectSamePoses(body, load(folder / "saved.bvh"), 1e-5);
  }
}

TEST(BvhFiles, RootsThatLookStraightUpAreWritten)
{
  Body body;
  SkeletonJoint root;
  root.name = "root";
  body.skeleton.addJoint(root);
  for (const double y : {90.0, -90.0, 89.9999, -89.99999})
    for (const double z : {0.0, 30.0, 180.0})
      for (const double x : {0.0, -50.0}) {
        const Eigen::Quaternionf q = (AngleAxisd(z * radians, Vector3d::UnitZ()) *
                                      AngleAxisd(y * radians, Vector3d::UnitY()) *
                                      AngleAxisd(x * radians, Vector3d::UnitX()))
                                         .cast<float>();
        body.motion.poses.push_back({0, 0, 0, q.w(), q.x(), q.y(), q.z()});
      }
  const TemporaryFolder folder;
  saveBvh(folder / "saved.bvh", body.skeleton, body.motion);
  expectSamePoses(body, load(folder / "saved.bvh"), 1e-6);
}

TEST(BvhFiles, WhatCannotBeWrittenIsRefused)
{
  const TemporaryFolder folder;
  const std::string file = folder / "saved.bvh";
  Body body = loadText(small_body);
  const auto save = [&] { saveBvh(file, body.skeleton, body.motion); };
  expectBadArgument("skeleton", [&] { saveBvh(file, {}, {}); });
  body.motion.poses[1][8] = NAN;
  expectBadArgument("number of pose 1 is nan", save);
  body.motion.poses[1].pop_back();
  expectBadArgument("number of floats in pose 1 is 10", save);
  body.motion.poses[1].assign(11, 0.0f);
  expectBadArgument("quaternion of pose 1", save);
  body.motion.poses.clear();
  body.motion.frame_time = -1.0;
  expectBadArgument("frame time is -1", save);
  body.motion.frame_time = 0.0;
  EXPECT_EQ(folder.count(), 0);
  expectBadFile({"nowhere/saved.bvh", "cannot be written"}, [&] {
    saveBvh(folder / "nowhere/saved.bvh", body.skeleton, body.motion);
  });
  SkeletonJoint odd;
  odd.name = "a{b";
  odd.parent = 0;
  body.skeleton.addJoint(odd);
  expectBadArgument("a{b", save);
}
