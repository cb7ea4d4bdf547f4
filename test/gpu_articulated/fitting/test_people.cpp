// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Depth maps of people with a coarse position each.

#include "capsule_reference.h"
#include "common/depth_images.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "testing/image.h"

#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/pose_search.h>
#include <pcl/gpu/articulated/skeleton_fit.h>

#include <algorithm>
#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

class People : public DeviceTest {};

/** \brief Every eighth row and column of a depth map by Kinect. */
std::vector<pcl::PointXYZ>
readPerson(const std::string& name)
{
  const auto depth = readDepthImage(dataPath("people/skeltrack_kinect/" + name));
  std::vector<pcl::PointXYZ> points;
  for (int row = 0; row < depth.rows; row += 8)
    for (int column = 0; column < depth.columns; column += 8) {
      const float z = 0.001f * static_cast<float>(depth.at(row, column));
      if (z > 0.0f)
        points.emplace_back(
            (column - 320.0f) / 585.0f * z, (row - 240.0f) / 585.0f * z, z);
    }
  return points;
}

float
medianOf(std::vector<float> values)
{
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/** \brief Upright, its trunk at the middle of the points, facing the camera. */
std::vector<float>
coarsePose(const Skeleton& body, const std::vector<pcl::PointXYZ>& points)
{
  std::vector<float> pose = body.restPose();
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<float> values;
    for (const auto& point : points)
      values.push_back(point.data[axis]);
    pose[axis] = medianOf(values);
  }
  pose[1] += 0.3f; // the hips
  pose[3] = 0.0f;
  pose[4] = 1.0f;
  return pose;
}

/** \brief Part of the points whose ray meets the skin within 5 cm of them. */
double
shareOnSkin(const SkeletonFit& fit, const std::vector<pcl::PointXYZ>& points)
{
  ForwardKinematics kinematics;
  kinematics.setSkeleton(std::make_shared<Skeleton>(fit.skeleton));
  pcl::gpu::DeviceArray<TaperedCapsule> device_skin;
  kinematics.computeCapsules(uploaded(fit.pose), device_skin);
  std::vector<TaperedCapsule> skin;
  device_skin.download(skin);
  const auto close = [&](const pcl::PointXYZ& point) {
    return std::any_of(skin.begin(), skin.end(), [&](const TaperedCapsule& capsule) {
      const ReferenceHit hit =
          castAtCapsule(Vector3f::Zero(), point.getVector3fMap(), capsule);
      return hit.exists && std::abs(hit.offset) <= 0.05;
    });
  };
  return static_cast<double>(std::count_if(points.begin(), points.end(), close)) /
         static_cast<double>(points.size());
}

PoseSearchOptions
fastSearch()
{
  PoseSearchOptions options;
  options.particles = 400;
  options.is_whole = false;
  return options;
}

} // namespace

TEST_P(People, AreFoundInSinglePictures)
{
  const Skeleton body = withoutLegs(makeHumanSkeleton());
  // One arm up and one down; both arms up.
  for (const char* name : {"depth-data-1038901490.png", "depth-data-1051883281.png"}) {
    const std::vector<pcl::PointXYZ> points = readPerson(name);
    const auto device_points = uploaded(points);
    SkeletonFitOptions options;
    options.is_whole = false;
    PoseSearchOptions search = fastSearch();
    SkeletonFit fit;
    fit.skeleton = body;
    fit.pose = coarsePose(body, points);
    for (int round = 0; round < 2; ++round) {
      fit.pose =
          searchPose(fit.skeleton, fit.pose, device_points, Vector3f::Zero(), search)
              .pose;
      options.most_rounds = 20 + 10 * round;
      fit =
          fitSkeleton(fit.skeleton, fit.pose, device_points, Vector3f::Zero(), options);
      search.root_deviation = 0.05f;
      search.turn_deviation = 0.1f;
    }
    EXPECT_GE(shareOnSkin(fit, points), 0.9) << name;
  }
}

TEST_P(People, AreFoundAgainWithTheSameBits)
{
  const Skeleton body = withoutLegs(makeHumanSkeleton());
  const std::vector<pcl::PointXYZ> points = readPerson("depth-data-1038901490.png");
  const auto device_points = uploaded(points);
  PoseSearchOptions options = fastSearch();
  options.particles = 50;
  const auto search = [&] {
    return searchPose(
        body, coarsePose(body, points), device_points, Vector3f::Zero(), options);
  };
  const PoseSearchResult first = search();
  EXPECT_EQ(search().pose, first.pose);
  options.seed = 1;
  EXPECT_NE(search().pose, first.pose);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(People);
