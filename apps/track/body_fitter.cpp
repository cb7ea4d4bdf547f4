// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "body_fitter.h"

#include "../common/command_line/errors.h"

#include <pcl/gpu/articulated/pose_search.h>
#include <pcl/gpu/articulated/skeleton_fit.h>

#include <algorithm>
#include <chrono>

namespace pcl::gpu::apps {

namespace {

constexpr std::size_t enough_points = 4000; // to find a body's pose

DeviceArray<PointXYZ>
sampled(const PointCloud<PointXYZ>& points)
{
  const std::size_t step = points.size() / enough_points + 1;
  std::vector<PointXYZ> chosen;
  for (std::size_t i = 0; i < points.size(); i += step)
    chosen.push_back(points[i]);
  DeviceArray<PointXYZ> array;
  array.upload(chosen.data(), chosen.size());
  return array;
}

} // namespace

TrackedFrame
fitBody(const TrackOptions& options,
        const Skeleton& body,
        const std::vector<float>& start,
        const TrackFrame& frame)
{
  TrackedFrame result;
  result.number = frame.number;
  if (frame.points->empty())
    throw UnitError(frame.name +
                    ": no points: expected some in --depth-range and --box");
  const auto begin = std::chrono::steady_clock::now();
  const DeviceArray<PointXYZ> points = sampled(*frame.points);
  const Eigen::Vector3f viewpoint = frame.points->sensor_origin_.head<3>();
  PoseSearchOptions search;
  // A search takes as long as several frames of as many particles.
  search.particles = std::max(1, options.particles / 2);
  search.sigma = options.filter.likelihood.sigma;
  search.seed = options.filter.seed;
  search.is_whole = options.whole;
  SkeletonFitOptions fine;
  fine.is_whole = search.is_whole;
  SkeletonFit fit;
  fit.skeleton = body;
  fit.pose = start;
  // Limbs are found more surely once the trunk has its size and place.
  for (int round = 0; round < 2; ++round) {
    fit.pose = searchPose(fit.skeleton, fit.pose, points, viewpoint, search).pose;
    fit = fitSkeleton(fit.skeleton, fit.pose, points, viewpoint, fine);
    search.root_deviation = 0.05f;
    search.turn_deviation = 0.1f;
  }
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - begin;
  result.milliseconds = elapsed.count();
  result.estimate.mean = result.estimate.best = fit.pose;
  result.estimate.best_log_likelihood = fit.log_likelihood;

  ForwardKinematics kinematics;
  kinematics.setSkeleton(std::make_shared<Skeleton>(fit.skeleton));
  setBody(kinematics, fit.pose, result);
  return result;
}

} // namespace pcl::gpu::apps
