// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "common/numbers.h"
#include "common/temporary_folder.h"
#include "skeleton_reference.h"

#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/skeleton_file.h>

#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

const char* const crane = R"(# A crane.
joints:
  - name: Base
  - name: Shoulder
    parent: Base
    offset: [0, 0.3, 0]
    angles:
      - axis: [0, 2, 0]
        limits: [-90, 45]
        deviation: 40
      - axis: [1, 0, 0]
        limits: [0, .inf]
      - axis: [0, 0, 1]
  - {name: Hook, parent: Shoulder, offset: [1, 0, -1.5e-1]}
capsules:
  - name: Column
    joint: Base
    a: [0, 0, 0]
    b: [0, 0.3, 0]
    radius: 0.06
  - joint: Hook
    a: [0, 0, 0]
    b: [0, 0, 0]
    radii: [0.02, 0.01]
)";

const char* const leg_bvh = R"(HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT LeftUpLeg
  {
    OFFSET 10 0 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT LeftLeg
    {
      OFFSET 0 -40 0
      CHANNELS 3 Zrotation Yrotation Xrotation
      JOINT LeftFoot
      {
        OFFSET 0 -42 0
      }
    }
  }
}
MOTION
Frames: 0
Frame Time: 0
)";

Skeleton
loadYaml(const std::string& text)
{
  const TemporaryFolder folder;
  folder.write("leg.bvh", leg_bvh);
  return loadSkeleton(folder.write("body.yaml", text));
}

std::string
changedYaml(const std::string& part, const std::string& replacement)
{
  std::string text = crane;
  const std::size_t place = text.find(part);
  EXPECT_NE(place, std::string::npos) << part;
  return text.replace(place, part.size(), replacement);
}

void
expectYamlRefused(const std::string& text, std::vector<std::string> words)
{
  words.push_back("body.yaml");
  expectBadFile(words, [&] { loadYaml(text); });
}

void
expectSame(const Skeleton& a, const Skeleton& b)
{
  ASSERT_EQ(a.getJoints().size(), b.getJoints().size());
  for (std::size_t i = 0; i < a.getJoints().size(); ++i) {
    const SkeletonJoint& right = a.getJoints()[i];
    const SkeletonJoint& found = b.getJoints()[i];
    EXPECT_EQ(found.name, right.name);
    EXPECT_EQ(found.parent, right.parent);
    EXPECT_EQ(found.offset, right.offset);
    ASSERT_EQ(found.angles.size(), right.angles.size());
    for (std::size_t k = 0; k < right.angles.size(); ++k) {
      EXPECT_LT((found.angles[k].axis - right.angles[k].axis).norm(), 2e-7f);
      EXPECT_FLOAT_EQ(found.angles[k].lower, right.angles[k].lower);
      EXPECT_FLOAT_EQ(found.angles[k].upper, right.angles[k].upper);
      EXPECT_FLOAT_EQ(found.angles[k].deviation, right.angles[k].deviation);
    }
  }
  ASSERT_EQ(a.getCapsules().size(), b.getCapsules().size());
  for (std::size_t i = 0; i < a.getCapsules().size(); ++i) {
    const SkeletonCapsule& right = a.getCapsules()[i];
    const SkeletonCapsule& found = b.getCapsules()[i];
    EXPECT_EQ(found.name, right.name);
    EXPECT_EQ(found.joint, right.joint);
    EXPECT_EQ(found.a, right.a);
    EXPECT_EQ(found.b, right.b);
    EXPECT_EQ(found.radius_a, right.radius_a);
    EXPECT_EQ(found.radius_b, right.radius_b);
  }
}

} // namespace

TEST(SkeletonFiles, SayJointsAnglesAndCapsules)
{
  const Skeleton skeleton = loadYaml(crane);
  ASSERT_EQ(skeleton.getJoints().size(), 3u);
  const SkeletonJoint& shoulder = skeleton.getJoints()[1];
  EXPECT_EQ(shoulder.name, "Shoulder");
  EXPECT_EQ(shoulder.parent, 0);
  EXPECT_EQ(shoulder.offset, Vector3f(0.0f, 0.3f, 0.0f));
  ASSERT_EQ(shoulder.angles.size(), 3u);
  EXPECT_EQ(shoulder.angles[0].axis, Vector3f(0.0f, 1.0f, 0.0f));
  EXPECT_FLOAT_EQ(shoulder.angles[0].lower, -90 * radians);
  EXPECT_FLOAT_EQ(shoulder.angles[0].upper, 45 * radians);
  EXPECT_FLOAT_EQ(shoulder.angles[0].deviation, 40 * radians);
  EXPECT_EQ(shoulder.angles[1].upper, infinity);
  EXPECT_EQ(shoulder.angles[2].lower, -infinity);
  EXPECT_EQ(shoulder.angles[2].deviation, 1.0f);
  EXPECT_EQ(skeleton.getJoints()[2].offset, Vector3f(1.0f, 0.0f, -0.15f));
  ASSERT_EQ(skeleton.getCapsules().size(), 2u);
  EXPECT_EQ(skeleton.getCapsules()[0].name, "Column");
  EXPECT_EQ(skeleton.getCapsules()[0].radius_b, 0.06f);
  EXPECT_EQ(skeleton.getCapsules()[1].joint, 2);
  EXPECT_EQ(skeleton.getCapsules()[1].radius_a, 0.02f);
  EXPECT_EQ(skeleton.getCapsules()[1].radius_b, 0.01f);
}

TEST(SkeletonFiles, MayBeJson)
{
  const TemporaryFolder folder;
  const Skeleton skeleton = loadSkeleton(
      folder.write("body.JSON",
                   R"({"joints": [{"name": "Base"}, {"name": "Tip", "parent": "Base",
          "offset": [0, 1, 0], "angles": [{"axis": [1, 0, 0]}]}],
          "capsules": [
            {"joint": "Tip", "a": [0, 0, 0], "b": [1, 0, 0], "radius": 1}]})"));
  EXPECT_EQ(skeleton.poseSize(), 8);
  EXPECT_EQ(skeleton.getCapsules().size(), 1u);
}

TEST(SkeletonFiles, MayTakeTheirJointsFromABvhFile)
{
  const Skeleton whole = loadYaml("skeleton: leg.bvh\nscale: 0.01\n");
  EXPECT_EQ(whole.poseSize(), 13);
  EXPECT_FLOAT_EQ(whole.getJoints()[2].offset.y(), -0.4f);
  EXPECT_GT(whole.getCapsules().size(), 5u);
  const JointAngle& knee = whole.getJoints()[2].angles[2];
  EXPECT_GT(knee.upper, 120 * radians);
  EXPECT_LT(knee.upper, 170 * radians);

  const Skeleton changed_body = loadYaml(R"(skeleton: leg.bvh
scale: 0.01
joints:
  - name: LeftLeg
    angles: [{limits: [0, 0]}, {}, {limits: [0, 150], deviation: 60}]
capsules:
  - {joint: LeftLeg, a: [0, 0, 0], b: [0, -0.4, 0], radius: 0.05}
)");
  const SkeletonJoint& leg = changed_body.getJoints()[2];
  EXPECT_EQ(leg.angles[0].upper, 0.0f);
  EXPECT_EQ(leg.angles[1].upper, whole.getJoints()[2].angles[1].upper);
  EXPECT_FLOAT_EQ(leg.angles[2].upper, 150 * radians);
  EXPECT_FLOAT_EQ(leg.angles[2].deviation, 60 * radians);
  EXPECT_EQ(changed_body.getCapsules().size(), 1u);
}

TEST(SkeletonFiles, MayBeABvhFile)
{
  const TemporaryFolder folder;
  BvhOptions options;
  options.scale = 0.01f;
  expectSame(loadYaml("{skeleton: leg.bvh, scale: 0.01}"),
             loadSkeleton(folder.write("leg.BVH", leg_bvh), options));
}

TEST(SkeletonFiles, AreReadAsTheyWereWritten)
{
  std::mt19937 random(1);
  const TemporaryFolder folder;
  Skeleton odd;
  SkeletonJoint joint;
  joint.name = "- odd: {name} #1\n\"'";
  odd.addJoint(joint);
  for (const Skeleton& skeleton :
       {loadYaml(crane), makeHumanSkeleton(), randomSkeleton(30, random, true), odd}) {
    saveSkeleton(folder / "saved.yaml", skeleton);
    expectSame(skeleton, loadSkeleton(folder / "saved.yaml"));
    EXPECT_EQ(folder.count(), 1);
  }
}

TEST(SkeletonFiles, BrokenOnesAreRefusedWithLineAndKey)
{
  expectYamlRefused("", {"line 1", "the file has no keys"});
  expectYamlRefused("12", {"line 1", "the file has no keys"});
  expectYamlRefused("joints: [", {"line", "YAML or JSON"});
  expectYamlRefused("joints: []", {"line 1", "there are no joints"});
  expectYamlRefused("joints: 3", {"line 1", "joints is no list"});
  expectYamlRefused("joints: [3]", {"line 1", "a joint has no keys"});
  expectYamlRefused("capsules: []", {"there are no joints"});
  expectYamlRefused("scale: 1\njoints: [{name: a}]", {"line 1", "scale is without"});
  expectYamlRefused(changedYaml("name: Base", "nome: Base"),
                    {"line 3", "'nome'", "parent"});
  expectYamlRefused(changedYaml("name: Base", "name: []"),
                    {"line 3", "name is no text"});
  expectYamlRefused(changedYaml("name: Shoulder", "name: Base"), {"line 4", "Base"});
  expectYamlRefused(changedYaml("parent: Base", "parent: Bose"), {"line 5", "'Bose'"});
  expectYamlRefused(changedYaml("    parent: Base\n", ""),
                    {"line 4", "parent is missing"});
  expectYamlRefused(changedYaml("[0, 0.3, 0]", "[0, 0.3]"), {"line 6", "[3 numbers]"});
  expectYamlRefused(changedYaml("[0, 0.3, 0]", "[0, x, 0]"),
                    {"line 6", "offset", "number"});
  expectYamlRefused(changedYaml("[0, 0.3, 0]", "[0, .nan, 0]"),
                    {"line 4", "offset of joint"});
  expectYamlRefused(changedYaml("[0, 2, 0]", "[0, 0, 0]"),
                    {"line 4", "axis of joint Shoulder"});
  expectYamlRefused(changedYaml("axis: [0, 2, 0]", "axes: 1"), {"line 8", "'axes'"});
  expectYamlRefused(changedYaml("- axis: [1, 0, 0]\n        ", "- "),
                    {"line 11", "axis"});
  expectYamlRefused(changedYaml("[-90, 45]", "[45, -90]"), {"line 4", "lower limit"});
  expectYamlRefused(changedYaml("[-90, 45]", "45"),
                    {"line 9", "limits", "[2 numbers]"});
  expectYamlRefused(changedYaml("deviation: 40", "deviation: -4"),
                    {"line 4", "deviation"});
  expectYamlRefused(changedYaml("deviation: 40", "deviation: much"),
                    {"line 10", "deviation"});
  expectYamlRefused(changedYaml("joint: Base", "joint: Mast"), {"line 17", "'Mast'"});
  expectYamlRefused(changedYaml("radius: 0.06", "radius: 0"),
                    {"line 16", "radius at a"});
  expectYamlRefused(changedYaml("    radius: 0.06\n", ""),
                    {"line 16", "radius is missing"});
  expectYamlRefused(changedYaml("radii:", "radius: 1\n    radii:"),
                    {"line 24", "one of them"});
  expectBadFile({"none.bvh", "No such file"}, [] { loadYaml("skeleton: none.bvh"); });
  expectYamlRefused("skeleton: leg.bvh\nscale: 0", {"line 2", "scale"});
  const std::string on_bvh = "skeleton: leg.bvh\njoints:\n";
  expectYamlRefused(on_bvh + "- name: Arm", {"line 3", "'Arm'"});
  expectYamlRefused(on_bvh + "- {name: LeftLeg, offset: [0, 0, 0]}",
                    {"line 3", "'offset'"});
  expectYamlRefused(on_bvh + "- {name: LeftLeg, angles: [{}]}", {"line 3", "3, as in"});
  const TemporaryFolder folder;
  expectBadFile({"nowhere.yaml"}, [&] { loadSkeleton(folder / "nowhere.yaml"); });
  std::string many = "HIERARCHY ROOT a\n{\n";
  for (int i = 0; i < 5000; ++i)
    many += "End Site { OFFSET 0 0 1 }\n";
  many += "}\nMOTION\nFrames: 0\nFrame Time: 0\n";
  expectBadFile({"many.bvh", "5001 joints", "5000"},
                [&] { loadSkeleton(folder.write("many.bvh", many)); });
  expectBadFile({".txt", ".yaml"}, [&] { loadSkeleton(folder / "body.txt"); });
}

TEST(SkeletonFiles, GarbageIsRefusedOrRead)
{
  std::mt19937 random(2);
  const std::string pieces[] = {
      "{", "}", "[", "]", ": ", "- ", "&a ", "*a", "\n", "\""};
  const TemporaryFolder folder;
  int refused = 0;
  for (int run = 0; run < 2000; ++run) {
    std::string text = crane;
    for (unsigned int change = random() % 3 + 1; change > 0; --change) {
      const std::size_t place = random() % text.size();
      switch (random() % 3) {
      case 0:
        text[place] = static_cast<char>(random());
        break;
      case 1:
        text.erase(place, random() % 20);
        break;
      default:
        text.insert(place, pieces[random() % 10]);
      }
    }
    try {
      loadSkeleton(folder.write("body.yaml", text));
    }
    catch (const pcl::IOException&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 500);
  expectYamlRefused(std::string(100000, '['), {"line 1"});
}

TEST(SkeletonFiles, WhatCannotBeWrittenIsRefused)
{
  const TemporaryFolder folder;
  expectBadArgument("body.bvh",
                    [&] { saveSkeleton(folder / "body.bvh", makeHumanSkeleton()); });
  expectBadArgument("skeleton", [&] { saveSkeleton(folder / "body.yaml", {}); });
  expectBadFile({"nowhere/body.yaml"}, [&] {
    saveSkeleton(folder / "nowhere/body.yaml", makeHumanSkeleton());
  });
  EXPECT_EQ(folder.count(), 0);
}
