// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "likelihood/view_likelihood.h"

#include "likelihood/empty_rays.h"

#include <pcl/gpu/utils/argument_checks.h>

#include <cmath>

namespace pcl::gpu {

namespace {

/** \brief Distance from the depth of the body within which skin hides an empty ray, metres. */
constexpr float empty_distance = 0.5f;

/** \brief Cost of skin on an empty ray, in costs of a point that it misses: half, or else
 * outlines, which are never those of capsules, would make bodies too thin. */
constexpr double empty_cost = 0.5;

} // namespace

void
checkView(const Skeleton& skeleton,
          const std::vector<float>& pose,
          const DeviceArray<PointXYZ>& points,
          const Eigen::Vector3f& viewpoint)
{
  checkArgument(
      !skeleton.getCapsules().empty(), "number of capsules", 0, "a body with skin");
  checkArgument(static_cast<int>(pose.size()) == skeleton.poseSize(),
                "number of floats in the pose",
                pose.size(),
                "as many as the skeleton's poses have");
  for (const float number : pose)
    checkArgument(
        std::isfinite(number), "a number of the pose", number, "finite numbers");
  checkArgument(!points.empty(), "number of points", 0, "points of the body");
  checkArgument(
      viewpoint.allFinite(), "viewpoint", viewpoint.transpose(), "finite numbers");
}

void
ViewLikelihood::observe(const DeviceArray<PointXYZ>& points,
                        const Eigen::Vector3f& viewpoint,
                        bool is_whole,
                        float sigma,
                        const Stream& stream)
{
  points_ = points;
  viewpoint_ = viewpoint;
  stream_ = stream;
  CapsuleLikelihoodParameters parameters;
  parameters.sigma = sigma;
  likelihood_.setParameters(parameters);
  parameters.truncation_distance = empty_distance;
  empty_likelihood_.setParameters(parameters);
  stream.synchronize();
  std::vector<PointXYZ> host_points(points.size());
  points.download(host_points.data());
  const EmptyRays rays = emptyRays(host_points, viewpoint, is_whole);
  has_empty_rays_ = !rays.points.empty();
  if (!has_empty_rays_)
    return;
  DeviceArray<PointXYZ> empty;
  empty.upload(rays.points.data(), rays.points.size());
  empty_likelihood_.setPoints(empty, viewpoint, stream);
  stream.synchronize(); // the array ends here
  ray_count_ = static_cast<double>(rays.points.size());
  points_per_ray_ = rays.points_per_ray;
}

void
ViewLikelihood::setTruncationDistance(float distance)
{
  setParameter(
      likelihood_, &CapsuleLikelihoodParameters::truncation_distance, distance);
  likelihood_.setPoints(points_, viewpoint_, stream_);
}

std::vector<double>
ViewLikelihood::compute(const DeviceArray<TaperedCapsule>& capsules,
                        int capsules_per_sample)
{
  std::vector<double> values = computeOfPoints(capsules, capsules_per_sample);
  if (!has_empty_rays_)
    return values;
  const std::vector<double> empty =
      computeBy(empty_likelihood_, capsules, capsules_per_sample);
  // Rays that the skin leaves empty have the least likelihood.
  const CapsuleLikelihoodParameters& parameters = likelihood_.getParameters();
  const double variance = parameters.sigma * parameters.sigma;
  const double least = -ray_count_ * empty_distance * empty_distance / (2.0 * variance);
  const double ratio = parameters.truncation_distance / empty_distance;
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] -= empty_cost * points_per_ray_ * ratio * ratio * (empty[i] - least);
  return values;
}

std::vector<double>
ViewLikelihood::computeOfPoints(const DeviceArray<TaperedCapsule>& capsules,
                                int capsules_per_sample)
{
  return computeBy(likelihood_, capsules, capsules_per_sample);
}

std::vector<double>
ViewLikelihood::computeBy(CapsuleLikelihood& likelihood,
                          const DeviceArray<TaperedCapsule>& capsules,
                          int capsules_per_sample)
{
  likelihood.compute(capsules, capsules_per_sample, values_, stream_);
  stream_.synchronize();
  std::vector<double> values(values_.size());
  values_.download(values.data());
  return values;
}

} // namespace pcl::gpu
