// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// The JSON file, written without the program.

#include "apps/program.h"
#include "apps/track/track_json.h"

#include <pcl/gpu/articulated/human_skeleton.h>

#include <gtest/gtest.h>

#include <clocale>
#include <limits>
#include <locale>

using namespace pcl::gpu;
using namespace pcl::gpu::apps;
using pcl::gpu::test::TemporaryFolder;

namespace {

TrackedFrame
tracked(int person)
{
  TrackedFrame body;
  body.person = person;
  body.confidence = 0.75f;
  body.skeleton = std::make_shared<Skeleton>(makeHumanSkeleton());
  body.estimate.mean = body.skeleton->restPose();
  body.estimate.mean[0] = 1234.5f;
  for (const SkeletonJoint& joint : body.skeleton->getJoints()) {
    body.joints.emplace_back();
    body.joints.back().name = joint.name;
    body.joints.back().position = Eigen::Vector3f(1234.5f, -0.25f, 2.0f);
  }
  body.joints[1].deviation = 0.5f;
  return body;
}

std::string
textOf(const std::string& path)
{
  TrackJson json(path, 30.0f, std::nullopt);
  json.add(1500, {tracked(0), tracked(1500)});
  json.add(1501, {});
  json.commit();
  return pcl::gpu::test::readFile(path);
}

struct CommaAndGroups : std::numpunct<char> {
  char
  do_decimal_point() const override
  {
    return ',';
  }

  std::string
  do_grouping() const override
  {
    return "\3";
  }
};

} // namespace

TEST(TrackJson, IsTheSameInEveryLocale)
{
  const TemporaryFolder folder;
  const std::string expected = textOf(folder.path("a.json"));
  const std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new CommaAndGroups));
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"})
    if (std::setlocale(LC_ALL, name))
      break;
  const std::string found = textOf(folder.path("b.json"));
  std::setlocale(LC_ALL, "C");
  std::locale::global(before);
  EXPECT_EQ(found, expected);
  EXPECT_NE(expected.find("\"frame\": 1500, \"time_s\": 50,"), std::string::npos)
      << expected;
  EXPECT_NE(expected.find("[1234.5, -0.25, 2], \"deviation_m\": 0.5}"),
            std::string::npos);
}

TEST(TrackJson, HasNullForNumbersThatAreNotKnown)
{
  const TemporaryFolder folder;
  EXPECT_EQ(textOf(folder.path("a.json")).find("nan"), std::string::npos);
  EXPECT_NE(textOf(folder.path("a.json")).find("\"deviation_m\": null"),
            std::string::npos);
}

TEST(TrackJson, HasTheNamesOfABodyThatLacksMostJointsOfAConvention)
{
  // An arm alone: one elbow and one hand.
  const Skeleton human = makeHumanSkeleton();
  Skeleton arm;
  for (const char* const name : {"LeftArm", "LeftForeArm", "LeftHand"}) {
    SkeletonJoint joint = human.getJoints()[human.findJoint(name)];
    joint.parent = static_cast<int>(arm.getJoints().size()) - 1;
    if (joint.parent < 0)
      joint = {joint.name, -1, Eigen::Vector3f::Zero(), {}};
    arm.addJoint(joint);
  }
  TrackedFrame body;
  body.skeleton = std::make_shared<Skeleton>(arm);
  body.estimate.mean = arm.restPose();
  for (const SkeletonJoint& joint : arm.getJoints()) {
    body.joints.emplace_back();
    body.joints.back().name = joint.name;
    body.joints.back().position.setOnes();
  }
  const TemporaryFolder folder;
  TrackJson json(folder.path("a.json"), 30.0f, JointConvention::Itop);
  json.add(0, {body});
  json.commit();
  const std::string text = pcl::gpu::test::readFile(folder.path("a.json"));
  EXPECT_NE(text.find("\"joint_names\": \"skeleton\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"LeftForeArm\": {"), std::string::npos) << text;
  EXPECT_EQ(text.find("Elbow"), std::string::npos) << text;
}

TEST(TrackJson, AppearsWhenItIsComplete)
{
  const TemporaryFolder folder;
  {
    TrackJson json(folder.path("a.json"), 30.0f, JointConvention::Coco);
    json.add(0, {tracked(0)});
    EXPECT_EQ(folder.files(), std::vector<std::string>());
  }
  EXPECT_EQ(folder.files(), std::vector<std::string>());
  TrackJson json(folder.path("a.json"), 30.0f, JointConvention::Coco);
  json.commit();
  EXPECT_EQ(folder.files(), std::vector<std::string>{"a.json"});
}
