// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "skeleton_reference.h"
#include "testing/image.h"

#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/skeleton_fit.h>

#include <cmath>
#include <initializer_list>
#include <optional>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;
using Eigen::Vector3f;

namespace {

class SkeletonFits : public DeviceTest {};

/** \brief A plain capsule, in double precision. */
struct Solid {
  Vector3d a, b;
  double radius;

  double
  distance(const Vector3d& point) const
  {
    const Vector3d axis = b - a;
    const double t = std::min(
        1.0, std::max(0.0, (point - a).dot(axis) / std::max(axis.dot(axis), 1e-12)));
    return (point - a - t * axis).norm() - radius;
  }
};

/** \brief Returns the points of a body that a camera sees, on a grid of rays, which are
 * followed by the distance to the skin, with noise along the ray. */
std::vector<pcl::PointXYZ>
seen(const Skeleton& skeleton,
     const std::vector<float>& pose,
     const Vector3d& viewpoint,
     double noise)
{
  const auto transforms = referenceTransforms(skeleton, pose.data());
  std::vector<Solid> skin;
  for (const SkeletonCapsule& capsule : skeleton.getCapsules())
    skin.push_back({transforms[capsule.joint] * capsule.a.cast<double>(),
                    transforms[capsule.joint] * capsule.b.cast<double>(),
                    capsule.radius_a});
  std::mt19937 random(1);
  std::normal_distribution<double> normal(0.0, noise);
  std::vector<pcl::PointXYZ> points;
  const Vector3d center = transforms[0].translation();
  const Vector3d ahead = (center - viewpoint).normalized();
  const Vector3d left = Vector3d::UnitY().cross(ahead).normalized();
  for (double y = -1.05; y < 1.05; y += 0.02)
    for (double x = -1.05; x < 1.05; x += 0.02) {
      const Vector3d ray =
          (center + x * left + y * ahead.cross(left) - viewpoint).normalized();
      double length = 0.5;
      double nearest = 1.0;
      for (int step = 0; step < 60 && nearest > 1e-4 && length < 6.0; ++step) {
        nearest = 1e9;
        for (const Solid& solid : skin)
          nearest = std::min(nearest, solid.distance(viewpoint + length * ray));
        length += nearest;
      }
      if (nearest > 1e-3)
        continue;
      const Vector3f point =
          (viewpoint + (length + normal(random)) * ray).cast<float>();
      points.emplace_back(point.x(), point.y(), point.z());
    }
  return points;
}

int
angleOf(const Skeleton& skeleton, const std::string& joint, int angle)
{
  return skeleton.angleIndex(skeleton.findJoint(joint)) + angle;
}

/** \brief A person at the origin, with its arms out and down. */
std::vector<float>
standing(const Skeleton& skeleton)
{
  std::vector<float> pose = skeleton.restPose();
  for (const std::string side : {"Left", "Right"}) {
    pose[angleOf(skeleton, side + "Arm", 0)] = -0.8f;
    pose[angleOf(skeleton, side + "ForeArm", 0)] = 0.6f;
    pose[angleOf(skeleton, side + "UpLeg", 1)] = 0.2f;
  }
  return pose;
}

double
meanJointError(const SkeletonFit& fit,
               const Skeleton& truth,
               const std::vector<float>& pose)
{
  const auto right = referenceTransforms(truth, pose.data());
  const auto found = referenceTransforms(fit.skeleton, fit.pose.data());
  double sum = 0.0;
  for (std::size_t i = 0; i < right.size(); ++i)
    sum += (right[i].translation() - found[i].translation()).norm();
  return sum / static_cast<double>(right.size());
}

double
length(const Skeleton& skeleton, const std::string& joint)
{
  return skeleton.getJoints()[skeleton.findJoint(joint)].offset.norm();
}

/** \brief Returns a body with joints farther from their parents on both sides. Its skin
 * is that of other bodies with such bones. */
Skeleton
withLongBones(const Skeleton& body,
              std::initializer_list<const char*> joints,
              float factor)
{
  Skeleton skeleton;
  for (const SkeletonJoint& joint : body.getJoints())
    skeleton.addJoint(joint);
  for (const std::string side : {"Left", "Right"})
    for (const char* const name : joints) {
      const int number = skeleton.findJoint(side + name);
      SkeletonJoint joint = skeleton.getJoints()[number];
      joint.offset *= factor;
      skeleton.setJoint(number, joint);
    }
  addBodyCapsules(skeleton);
  return skeleton;
}

/** \brief Returns the height of the lowest skin. */
double
lowestSkin(const Skeleton& skeleton, const std::vector<float>& pose)
{
  const auto transforms = referenceTransforms(skeleton, pose.data());
  double lowest = 1e9;
  for (const SkeletonCapsule& capsule : skeleton.getCapsules())
    for (const Vector3f& end : {capsule.a, capsule.b})
      lowest = std::min(lowest,
                        (transforms[capsule.joint] * end.cast<double>()).y() -
                            capsule.radius_a);
  return lowest;
}

} // namespace

TEST_P(SkeletonFits, FindTheSizeOfABodyAndItsPose)
{
  const Skeleton usual = makeHumanSkeleton(1.75f);
  for (const float height : {1.55f, 1.95f}) {
    const Skeleton truth = makeHumanSkeleton(height);
    const std::vector<float> pose = standing(truth);
    const Vector3d viewpoint(0.5, 0.3, 3.0);
    const auto points = uploaded(seen(truth, pose, viewpoint, 0.005));
    std::vector<float> coarse = pose;
    std::mt19937 random(2);
    for (std::size_t i = 0; i < coarse.size(); ++i)
      if (i < 3 || i >= 7)
        coarse[i] += 0.0002f * (static_cast<float>(random() % 1000) - 500.0f);
    const SkeletonFit fit = fitSkeleton(usual, coarse, points, viewpoint.cast<float>());
    EXPECT_LT(meanJointError(fit, truth, pose), 0.04);
    EXPECT_NEAR(length(fit.skeleton, "LeftLeg") / length(truth, "LeftLeg"), 1.0, 0.05);
    EXPECT_NEAR(
        length(fit.skeleton, "LeftForeArm") / length(truth, "LeftForeArm"), 1.0, 0.08);
  }
}

TEST_P(SkeletonFits, FindHowThickABodyIs)
{
  const Skeleton usual = makeHumanSkeleton(1.75f);
  Skeleton stout = usual;
  for (std::size_t i = 0; i < stout.getCapsules().size(); ++i) {
    SkeletonCapsule capsule = stout.getCapsules()[i];
    capsule.radius_a *= 1.25f;
    capsule.radius_b *= 1.25f;
    stout.setCapsule(static_cast<int>(i), capsule);
  }
  const std::vector<float> pose = standing(usual);
  const Vector3d viewpoint(0.0, 0.2, 2.5);
  const auto points = uploaded(seen(stout, pose, viewpoint, 0.003));
  const SkeletonFit fit = fitSkeleton(usual, pose, points, viewpoint.cast<float>());
  for (std::size_t i = 0; i < usual.getCapsules().size(); ++i) {
    const SkeletonCapsule& found = fit.skeleton.getCapsules()[i];
    if (found.name.find("UpLeg") != std::string::npos ||
        found.name.find("Trunk") != std::string::npos) {
      EXPECT_NEAR(found.radius_a / usual.getCapsules()[i].radius_a, 1.25, 0.1)
          << found.name;
    }
  }
  EXPECT_LT(meanJointError(fit, stout, pose), 0.04);
}

TEST_P(SkeletonFits, FindUpperArmsOfOtherProportions)
{
  const Skeleton usual = makeHumanSkeleton(1.75f);
  const Skeleton truth = withLongBones(usual, {"ForeArm"}, 1.2f);
  const std::vector<float> pose = standing(truth);
  const Vector3d viewpoint(0.0, 0.2, 2.5);
  const auto points = uploaded(seen(truth, pose, viewpoint, 0.003));
  const SkeletonFit fit = fitSkeleton(usual, pose, points, viewpoint.cast<float>());
  const auto ratio = [&](const std::string& joint) {
    return length(fit.skeleton, joint) / length(usual, joint);
  };
  EXPECT_NEAR(ratio("LeftForeArm"), 1.2, 0.05);
  EXPECT_NEAR(ratio("LeftHand"), 1.0, 0.05);
  EXPECT_LT(meanJointError(fit, truth, pose), 0.02);
}

TEST_P(SkeletonFits, ChangeWhatTheyMayOnly)
{
  const Skeleton usual = makeHumanSkeleton(1.75f);
  const std::vector<float> pose = standing(usual);
  const Vector3d viewpoint(0.0, 0.2, 2.5);
  const auto points = uploaded(seen(makeHumanSkeleton(1.9f), pose, viewpoint, 0.003));
  SkeletonFitOptions options;
  options.most_rounds = 5;
  options.fit_pose = false;
  const SkeletonFit shape =
      fitSkeleton(usual, pose, points, viewpoint.cast<float>(), options);
  EXPECT_EQ(shape.pose, pose);
  EXPECT_GT(length(shape.skeleton, "LeftLeg"), length(usual, "LeftLeg"));
  options.fit_pose = true;
  options.fit_lengths = options.fit_radii = false;
  const SkeletonFit posed =
      fitSkeleton(usual, pose, points, viewpoint.cast<float>(), options);
  EXPECT_NE(posed.pose, pose);
  EXPECT_EQ(length(posed.skeleton, "LeftLeg"), length(usual, "LeftLeg"));
  options.fit_pose = false;
  const SkeletonFit nothing =
      fitSkeleton(usual, pose, points, viewpoint.cast<float>(), options);
  EXPECT_GT(shape.log_likelihood, nothing.log_likelihood);
  EXPECT_GT(posed.log_likelihood, nothing.log_likelihood);
  // Angles stay within their limits.
  int place = 7;
  for (const SkeletonJoint& joint : usual.getJoints())
    for (const JointAngle& angle : joint.angles) {
      EXPECT_GE(posed.pose[place], angle.lower);
      EXPECT_LE(posed.pose[place++], angle.upper);
    }
}

TEST_P(SkeletonFits, KnowNothingOfWhatThePictureCutsOff)
{
  const Skeleton usual = makeHumanSkeleton(1.75f);
  const std::vector<float> pose = standing(usual);
  const Vector3d viewpoint(0.0, 0.2, 2.5);
  std::vector<pcl::PointXYZ> points = seen(usual, pose, viewpoint, 0.003);
  points.erase(std::remove_if(points.begin(),
                              points.end(),
                              [](const auto& point) { return point.y < -0.2f; }),
               points.end());
  points.emplace_back(NAN, 0.0f, 0.0f);
  SkeletonFitOptions options;
  options.fit_pose = false;
  const auto fitted = [&](bool is_whole) {
    options.is_whole = is_whole;
    return fitSkeleton(usual, pose, uploaded(points), viewpoint.cast<float>(), options)
        .skeleton;
  };
  EXPECT_NEAR(length(fitted(false), "LeftFoot") / length(usual, "LeftFoot"), 1.0, 0.05);
  EXPECT_LT(length(fitted(true), "LeftFoot") / length(usual, "LeftFoot"), 0.8);
}

TEST_P(SkeletonFits, KeepHiddenLegsAboveTheFloor)
{
  const Skeleton truth = makeHumanSkeleton(1.75f);
  const std::vector<float> pose = standing(truth);
  const Vector3d viewpoint(0.0, 0.2, 2.5);
  std::vector<pcl::PointXYZ> points = seen(truth, pose, viewpoint, 0.003);
  const auto isLow = [](const auto& point) { return point.y < -0.2f; };
  points.erase(std::remove_if(points.begin(), points.end(), isLow), points.end());
  const double floor = lowestSkin(truth, pose);
  const auto heightOfFit = [&](const std::optional<Eigen::Vector4f>& plane) {
    SkeletonFitOptions options;
    options.is_whole = false;
    options.most_rounds = 20;
    options.floor = plane;
    const SkeletonFit fit = fitSkeleton(withLongBones(truth, {"Leg", "Foot"}, 1.2f),
                                        pose,
                                        uploaded(points),
                                        viewpoint.cast<float>(),
                                        options);
    return lowestSkin(fit.skeleton, fit.pose) - floor;
  };
  EXPECT_LT(heightOfFit(std::nullopt), -0.08);
  // 3 cm are allowed.
  EXPECT_GT(heightOfFit(Eigen::Vector4f(0.0f, 1.0f, 0.0f, static_cast<float>(-floor))),
            -0.045);
}

TEST_P(SkeletonFits, RefuseWhatCannotBe)
{
  const Skeleton human = makeHumanSkeleton();
  const std::vector<float> pose = human.restPose();
  const auto points = uploaded(std::vector<pcl::PointXYZ>(10));
  const Vector3f viewpoint(0, 0, 3);
  const auto expectBad = [&](const std::string& word, auto change) {
    SkeletonFitOptions options;
    change(options);
    expectBadArgument(word,
                      [&] { fitSkeleton(human, pose, points, viewpoint, options); });
  };
  expectBad("sigma", [](auto& options) { options.sigma = 0.0f; });
  expectBad("truncation", [](auto& options) { options.truncation_distance = NAN; });
  expectBad("shape", [](auto& options) { options.shape_deviation = -1.0f; });
  expectBad("rounds", [](auto& options) { options.most_rounds = 0; });
  expectBad("floor", [](auto& options) { options.floor = {0.0f, 2.0f, 0.0f, 1.0f}; });
  expectBadArgument("capsules", [&] { fitSkeleton({}, pose, points, viewpoint); });
  expectBadArgument("pose", [&] { fitSkeleton(human, {}, points, viewpoint); });
  std::vector<float> bad = pose;
  bad[9] = NAN;
  expectBadArgument("pose is nan", [&] { fitSkeleton(human, bad, points, viewpoint); });
  expectBadArgument("points", [&] { fitSkeleton(human, pose, {}, viewpoint); });
  expectBadArgument("viewpoint", [&] {
    fitSkeleton(human, pose, points, {0, NAN, 0});
  });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(SkeletonFits);
