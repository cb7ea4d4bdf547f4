// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "common/numbers.h"

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

PinholeCamera
goodCamera()
{
  PinholeCamera camera;
  camera.fx = 525.0f;
  camera.fy = 524.0f;
  camera.cx = 319.5f;
  camera.cy = 239.5f;
  camera.width = 640;
  camera.height = 480;
  return camera;
}

TEST(Camera, WithSensibleIntrinsicsIsAccepted)
{
  EXPECT_NO_THROW(goodCamera().validate());
}

TEST(Camera, MayLeaveItsSizeOpenAndItsAxisOutside)
{
  PinholeCamera camera = goodCamera();
  camera.width = camera.height = 0;
  camera.cx = -1000.0f;
  camera.cy = 1e6f;
  EXPECT_NO_THROW(camera.validate());
}

TEST(Camera, AsConstructedIsNoneYet)
{
  expectBadArgument("focal length", [] { PinholeCamera().validate(); });
}

TEST(Camera, WithABadFocalLengthIsRefusedByName)
{
  for (float bad : {0.0f, -1.0f, not_a_number, infinity}) {
    SCOPED_TRACE(bad);
    PinholeCamera camera = goodCamera();
    camera.fx = bad;
    expectBadArgument("fx", [&] { camera.validate(); });
    camera = goodCamera();
    camera.fy = bad;
    expectBadArgument("fy", [&] { camera.validate(); });
  }
}

TEST(Camera, WithABadPrincipalPointIsRefusedByName)
{
  for (float bad : {not_a_number, infinity, -infinity}) {
    SCOPED_TRACE(bad);
    PinholeCamera camera = goodCamera();
    camera.cx = bad;
    expectBadArgument("cx", [&] { camera.validate(); });
    camera = goodCamera();
    camera.cy = bad;
    expectBadArgument("cy", [&] { camera.validate(); });
  }
}

TEST(Camera, WithANegativeSizeIsRefusedByName)
{
  PinholeCamera camera = goodCamera();
  camera.width = -1;
  expectBadArgument("width", [&] { camera.validate(); });
  camera = goodCamera();
  camera.height = -480;
  expectBadArgument("height", [&] { camera.validate(); });
}

TEST(Poses, ThatAreRigidAreAccepted)
{
  Pose pose = Pose::Identity();
  EXPECT_NO_THROW(validatePose(pose, "pose"));
  pose.linear() =
      Eigen::AngleAxisf(2.5f, Eigen::Vector3f(0.6f, -0.8f, 0.0f)).toRotationMatrix();
  pose.translation() = Eigen::Vector3f(1e4f, -3.0f, 0.5f);
  EXPECT_NO_THROW(validatePose(pose, "pose"));
}

TEST(Poses, WithARotationRoundedToFourDigitsAreAccepted)
{
  Pose pose = Pose::Identity();
  pose.linear() << 0.8660f, -0.5000f, 0.0f, 0.5000f, 0.8660f, 0.0f, 0.0f, 0.0f, 1.0f;
  EXPECT_NO_THROW(validatePose(pose, "pose"));
}

TEST(Poses, ThatScaleOrShearOrMirrorAreRefusedByName)
{
  Pose pose = Pose::Identity();
  pose.linear() *= 1.01f;
  expectBadArgument("camera pose", [&] { validatePose(pose, "camera pose"); });
  pose = Pose::Identity();
  pose(0, 1) = 0.01f;
  expectBadArgument("camera pose", [&] { validatePose(pose, "camera pose"); });
  pose = Pose::Identity();
  pose(2, 2) = -1.0f;
  expectBadArgument("camera pose", [&] { validatePose(pose, "camera pose"); });
  pose = Pose::Identity();
  pose.linear().setZero();
  expectBadArgument("camera pose", [&] { validatePose(pose, "camera pose"); });
}

TEST(Poses, WithEntriesThatAreNotFiniteAreRefusedByName)
{
  for (float bad : {not_a_number, infinity})
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 4; ++column) {
        Pose pose = Pose::Identity();
        pose(row, column) = bad;
        expectBadArgument("camera pose", [&] { validatePose(pose, "camera pose"); });
      }
}

TEST(Camera, OfAFieldOfViewSeesItsEdgesAtTheImagesBorder)
{
  const float angle = 0.9f;
  const PinholeCamera camera = PinholeCamera::fromFieldOfView(angle, 640, 480);
  EXPECT_NO_THROW(camera.validate());
  EXPECT_NEAR(camera.fy * std::tan(angle / 2) + camera.cy, 479.5f, 1e-3f);
  EXPECT_NEAR(-camera.fy * std::tan(angle / 2) + camera.cy, -0.5f, 1e-3f);
  EXPECT_EQ(camera.fx, camera.fy);
  EXPECT_EQ(camera.cx, 319.5f);
  EXPECT_EQ(camera.width, 640);
  EXPECT_EQ(camera.height, 480);
}

TEST(Camera, OfAnImpossibleFieldOfViewIsRefusedByName)
{
  for (float bad : {0.0f, -1.0f, 3.15f, not_a_number})
    expectBadArgument("field of view",
                      [&] { PinholeCamera::fromFieldOfView(bad, 4, 4); });
  expectBadArgument("width", [] { PinholeCamera::fromFieldOfView(1.0f, 0, 4); });
  expectBadArgument("height", [] { PinholeCamera::fromFieldOfView(1.0f, 4, 0); });
}

TEST(Camera, OfAnotherSizeSeesTheSameAtTheSamePartOfTheImage)
{
  PinholeCamera camera = PinholeCamera::fromFieldOfView(0.9f, 640, 480);
  camera.cx = 301.0f;
  const PinholeCamera resized = camera.resized(160, 360);
  EXPECT_EQ(resized.width, 160);
  EXPECT_EQ(resized.height, 360);
  const double x = 0.3, y = -0.2; // a direction
  const double column = camera.fx * x + camera.cx, row = camera.fy * y + camera.cy;
  // Images begin half a pixel before the first one's centre.
  EXPECT_NEAR((resized.fx * x + resized.cx + 0.5) / 160, (column + 0.5) / 640, 1e-6);
  EXPECT_NEAR((resized.fy * y + resized.cy + 0.5) / 360, (row + 0.5) / 480, 1e-6);
}

TEST(Camera, OfAnImpossibleOtherSizeIsRefusedByName)
{
  const PinholeCamera camera = PinholeCamera::fromFieldOfView(0.9f, 640, 480);
  expectBadArgument("width", [&] { camera.resized(0, 4); });
  expectBadArgument("height", [&] { camera.resized(4, -1); });
  expectBadArgument("image width", [] { PinholeCamera().resized(4, 4); });
}

TEST(Poses, ThatLookAtAPointHaveItAheadAndUpwardsUp)
{
  const Eigen::Vector3f eye(1.0f, -2.0f, 3.0f), target(-4.0f, 0.5f, 2.0f);
  const Eigen::Vector3f up(0.1f, 0.2f, 0.9f);
  const Pose pose = lookAt(eye, target, up);
  EXPECT_NO_THROW(validatePose(pose, "camera pose"));
  const Eigen::Vector3f seen = pose.inverse() * target;
  EXPECT_NEAR((seen - Eigen::Vector3f(0, 0, (target - eye).norm())).norm(), 0, 1e-5f);
  const Eigen::Vector3f up_in_camera = pose.linear().transpose() * up;
  EXPECT_NEAR(up_in_camera.x(), 0.0f, 1e-6f);
  EXPECT_LT(up_in_camera.y(), 0.0f) << "y points down";
}

TEST(Poses, ThatLookAlongUpAreStillPoses)
{
  for (const Eigen::Vector3f& up : {Eigen::Vector3f(0, 1, 0),
                                    Eigen::Vector3f(0, -2, 0),
                                    Eigen::Vector3f(0, 0, 0)}) {
    const Pose pose = lookAt({0, 0, 0}, {0, 5, 0}, up);
    EXPECT_NO_THROW(validatePose(pose, "camera pose"));
    EXPECT_NEAR((pose.linear().col(2) - Eigen::Vector3f::UnitY()).norm(), 0, 1e-6f);
  }
}

TEST(Poses, ThatLookNowhereAreRefusedByName)
{
  expectBadArgument("eye", [] { lookAt({1, 2, 3}, {1, 2, 3}); });
  expectBadArgument("target", [] { lookAt({1, 2, 3}, {1, 2, infinity}); });
  expectBadArgument("up", [] { lookAt({1, 2, 3}, {0, 0, 0}, {not_a_number, 0, 1}); });
}

TEST(ArgumentChecks, SayNameValueAndWhatWasExpected)
{
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    }
    catch (const pcl::BadArgumentException& exception) {
      return exception.what();
    }
    return "nothing was thrown";
  };
  EXPECT_NE(message([] {
              checkArgument(false, "the colour", 7, "a taste");
            }).find("the colour is 7: expected a taste"),
            std::string::npos);
  EXPECT_NE(message([] { checkPositive("sigma", -1.5f); }).find("sigma is -1.5"),
            std::string::npos);
}

TEST(ArgumentChecks, LetGoodArgumentsPass)
{
  EXPECT_NO_THROW(checkArgument(true, "the colour", 7, "a taste"));
  EXPECT_NO_THROW(checkPositive("sigma", 1e-30f));
  EXPECT_NO_THROW(checkPositive("sigma", std::numeric_limits<float>::max()));
}

TEST(ArgumentChecks, HoldANumberToARange)
{
  for (int good : {1, 2, 3})
    EXPECT_NO_THROW(checkBetween("steps", good, 1, 3, "1 to 3"));
  for (int bad : {0, 4})
    expectBadArgument("steps", [&] { checkBetween("steps", bad, 1, 3, "1 to 3"); });
  for (float bad : {-1e-30f, 1.0001f, not_a_number, infinity})
    expectBadArgument("share",
                      [&] { checkBetween("share", bad, 0.0f, 1.0f, "0 to 1"); });
}

TEST(ArgumentChecks, RefuseNumbersBelowTheLeast)
{
  EXPECT_NO_THROW(checkAtLeast("steps", 2, 2));
  EXPECT_NO_THROW(checkAtLeast("points", std::size_t(3), 2));
  expectBadArgument("steps", [] { checkAtLeast("steps", -3, -2); });
  expectBadArgument("1 or more", [] { checkAtLeast("points", std::size_t(0), 1); });
}

TEST(ArgumentChecks, RefuseWhatIsNotFiniteAndPositive)
{
  for (float bad : {0.0f, -0.0f, -1.0f, not_a_number, infinity, -infinity})
    expectBadArgument("sigma", [&] { checkPositive("sigma", bad); });
}

} // namespace
