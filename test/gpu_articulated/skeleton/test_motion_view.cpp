// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"

#include <pcl/gpu/articulated/motion_view.h>

#include <Eigen/Geometry>

#include <gtest/gtest.h>

#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

using Poses = std::vector<std::vector<float>>;

/** \brief A body that walks about, and turns. */
Poses
randomMotion(std::mt19937& generator)
{
  std::normal_distribution<float> normal;
  Poses poses;
  Vector3f position = Vector3f::Zero();
  float turn = 3.0f * normal(generator);
  for (int frame = 0; frame < 30; ++frame) {
    for (int axis = 0; axis < 3; ++axis)
      position[axis] += 0.2f * normal(generator);
    turn += 0.1f * normal(generator);
    const Eigen::Quaternionf q(Eigen::AngleAxisf(turn, Vector3f::UnitY()));
    poses.push_back(
        {position.x(), position.y(), position.z(), q.w(), q.x(), q.y(), q.z(), 0.5f});
  }
  return poses;
}

PinholeCamera
randomCamera(std::mt19937& generator)
{
  std::uniform_real_distribution<float> uniform(0.0f, 1.0f);
  PinholeCamera camera;
  camera.width = 100 + generator() % 600;
  camera.height = 100 + generator() % 400;
  camera.fx = camera.fy = (0.5f + uniform(generator)) * camera.width;
  camera.cx = (0.3f + 0.4f * uniform(generator)) * camera.width;
  camera.cy = (0.3f + 0.4f * uniform(generator)) * camera.height;
  return camera;
}

/** \brief Returns whether all of a metre around every root is in the image, point by
 * point. */
bool
seesAll(const PinholeCamera& camera, const Pose& view, const Poses& poses)
{
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  for (const std::vector<float>& pose : poses)
    for (int i = 0; i < 200; ++i) {
      Vector3f direction;
      for (int axis = 0; axis < 3; ++axis)
        direction[axis] = normal(generator);
      const Vector3f point =
          Vector3f(pose[0], pose[1], pose[2]) + direction.normalized();
      const Vector3f p = view.inverse() * point;
      const float column = camera.cx + camera.fx * p.x() / p.z();
      const float row = camera.cy + camera.fy * p.y() / p.z();
      if (p.z() <= 0.0f || column < 0.0f || row < 0.0f || column > camera.width - 1 ||
          row > camera.height - 1)
        return false;
    }
  return true;
}

} // namespace

TEST(MotionView, SeesTheWholeMotionFromBefore)
{
  std::mt19937 generator(1);
  int nearest = 0;
  for (int i = 0; i < 50; ++i) {
    const Poses poses = randomMotion(generator);
    const PinholeCamera camera = randomCamera(generator);
    const Vector3f target = centerOfMotion(poses);
    const Pose view = viewOfMotion(camera, poses, target);
    EXPECT_TRUE(seesAll(camera, view, poses));
    // The target is in the middle, and a good deal nearer something would be cut off.
    const Vector3f away = view.translation() - target;
    EXPECT_LT((view.linear().col(2).cross(away.normalized())).norm(), 1e-4f);
    const bool is_least = away.norm() < 2.01f;
    const Pose nearer = lookAt(target + 0.7f * away, target);
    EXPECT_TRUE(is_least || !seesAll(camera, nearer, poses));
    nearest += is_least;

    Vector3f facing = Vector3f::Zero();
    for (const std::vector<float>& pose : poses)
      facing +=
          Eigen::Quaternionf(pose[3], pose[4], pose[5], pose[6]) * Vector3f::UnitZ();
    EXPECT_GT(facing.dot(away), 0.0f);
    EXPECT_GT(away.y(), 0.0f);
  }
  EXPECT_LT(nearest, 25);
}

TEST(MotionView, IsNearerToASmallBody)
{
  const Poses poses = {{0, 1, 0, 1, 0, 0, 0}, {0.1f, 1, 0, 1, 0, 0, 0}};
  const PinholeCamera camera = PinholeCamera::fromFieldOfView(1.0f, 320, 240);
  const Vector3f target = centerOfMotion(poses);
  const Pose near = viewOfMotion(camera, poses, target, 0.2f);
  EXPECT_GT((near.translation() - target).norm(), 0.36f);
  EXPECT_LT((near.translation() - target).norm(), 1.0f);
  // All of a hand is seen.
  for (const float side : {-0.2f, 0.2f}) {
    const Vector3f p = near.inverse() * Vector3f(side + 0.05f, 1.0f, 0.0f);
    EXPECT_LT(std::abs(p.x()) / p.z() * camera.fx, 160.0f);
  }
}

TEST(MotionView, HasSomewhereToLookFromForABodyThatTurnsAround)
{
  const Poses poses = {{0, 1, 0, 1, 0, 0, 0}, {0, 1, 0, 0, 0, 1, 0}};
  const PinholeCamera camera = PinholeCamera::fromFieldOfView(1.0f, 320, 240);
  EXPECT_TRUE(seesAll(camera, viewOfMotion(camera, poses, {0, 1, 0}), poses));
}

TEST(MotionView, RefusesWhatIsNoMotionOrCamera)
{
  const PinholeCamera camera = PinholeCamera::fromFieldOfView(1.0f, 320, 240);
  const Poses poses = {{0, 1, 0, 1, 0, 0, 0}};
  expectBadArgument("number of poses", [] { centerOfMotion({}); });
  expectBadArgument("number of poses", [&] { viewOfMotion(camera, {}, {0, 0, 0}); });
  expectBadArgument("size of a pose", [] { centerOfMotion({{0, 1, 0}}); });
  PinholeCamera other = camera;
  other.width = 0;
  expectBadArgument("width", [&] { viewOfMotion(other, poses, {0, 0, 0}); });
  other = camera;
  other.fx = -1.0f;
  expectBadArgument("fx", [&] { viewOfMotion(other, poses, {0, 0, 0}); });
  expectBadArgument("reach", [&] { viewOfMotion(camera, poses, {0, 0, 0}, 0.0f); });
}
