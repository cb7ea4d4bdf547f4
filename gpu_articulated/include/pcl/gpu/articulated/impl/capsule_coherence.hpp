// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/articulated/capsule_coherence.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/parallel_region.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pcl::gpu {

template <typename PointT>
void
CapsuleCoherence<PointT>::setCapsules(const std::vector<TaperedCapsule>& capsules)
{
  checkArgument(!capsules.empty(), "number of capsules", 0, "1 or more");
  for (const TaperedCapsule& capsule : capsules) {
    checkNotNegative("radius at a", capsule.radius_a);
    checkNotNegative("radius at b", capsule.radius_b);
    for (int axis = 0; axis < 3; ++axis)
      for (const float number : {capsule.a[axis], capsule.b[axis]})
        checkArgument(std::isfinite(number),
                      "coordinate of a capsule",
                      number,
                      "a finite number");
  }
  capsules_ = capsules;
}

template <typename PointT>
auto
CapsuleCoherence<PointT>::makeReferenceCloud() const -> PointCloudInPtr
{
  checkArgument(
      !capsules_.empty(), "capsules", "not set", "setCapsules() before their cloud");
  PointCloudInPtr cloud(new PointCloudIn);
  Eigen::AlignedBox3f box;
  const auto add = [&cloud](const Eigen::Vector3f& position) {
    PointT point;
    point.getVector3fMap() = position;
    cloud->push_back(point);
  };
  const auto addEnd = [&](const float* center, float radius) {
    const Eigen::Vector3f position(center[0], center[1], center[2]);
    const Eigen::Vector3f reach = Eigen::Vector3f::Constant(
        radius + likelihood_.getParameters().truncation_distance);
    add(position);
    box.extend(Eigen::Vector3f(position - reach));
    box.extend(Eigen::Vector3f(position + reach));
  };
  for (const TaperedCapsule& capsule : capsules_) {
    addEnd(capsule.a, capsule.radius_a);
    addEnd(capsule.b, capsule.radius_b);
  }
  for (int corner = 0; corner < 8; ++corner)
    add(box.corner(static_cast<Eigen::AlignedBox3f::CornerType>(corner)));
  return cloud;
}

template <typename PointT>
void
CapsuleCoherence<PointT>::setViewPoint(const Eigen::Vector3f& viewpoint)
{
  checkArgument(
      viewpoint.allFinite(), "viewpoint", viewpoint.transpose(), "finite numbers");
  viewpoint_ = viewpoint;
  target_is_set_.value = false;
}

template <typename PointT>
template <typename Function>
bool
CapsuleCoherence<PointT>::attempt(const Function& function)
{
  try {
    function();
    return true;
  }
  catch (...) {
    if (!isInParallelRegion())
      throw;
    const std::lock_guard<std::mutex> lock(mutex_.value);
    kept_.value = std::current_exception();
    return false;
  }
}

template <typename PointT>
bool
CapsuleCoherence<PointT>::initCompute()
{
  if (!isInParallelRegion()) {
    const std::lock_guard<std::mutex> lock(mutex_.value);
    if (kept_.value)
      std::rethrow_exception(std::exchange(kept_.value, nullptr));
  }
  return attempt([this] { prepareTarget(); });
}

template <typename PointT>
void
CapsuleCoherence<PointT>::prepareTarget()
{
  const std::lock_guard<std::mutex> lock(mutex_.value);
  if (!target_input_)
    PCL_THROW_EXCEPTION(InitFailedException,
                        coherence_name_
                            << ": no target cloud was given, see setTargetCloud()");
  if (capsules_.empty())
    PCL_THROW_EXCEPTION(InitFailedException,
                        coherence_name_
                            << ": no capsules were given, see setCapsules()");
  if (target_is_set_.value)
    return;
  device_.value.reset();
  // PCL crops away all points when the particles are elsewhere: that is no error.
  if (!target_input_->empty()) {
    const Eigen::Vector3f viewpoint = viewpoint_.value_or(
        Eigen::Vector3f(target_input_->sensor_origin_.template head<3>()));
    DeviceSide& side = scratch_.onCurrentDevice();
    likelihood_.setPoints(side.upload.upload(*target_input_, nullptr, {}), viewpoint);
    device_.value = currentDevice();
    // A capsule without a radius does not exist.
    const float none = std::numeric_limits<float>::quiet_NaN();
    nothing_ = computeLogLikelihood({TaperedCapsule{{0, 0, 0}, none, {0, 0, 0}, none}});
  }
  target_is_set_.value = true;
}

template <typename PointT>
double
CapsuleCoherence<PointT>::computeLogLikelihood(
    const std::vector<TaperedCapsule>& capsules)
{
  DeviceSide& side = scratch_.onCurrentDevice();
  side.capsules.upload(capsules.data(), capsules.size());
  likelihood_.compute(
      side.capsules, static_cast<int>(capsules.size()), side.log_likelihoods);
  double result = 0.0;
  side.log_likelihoods.download(&result);
  return result;
}

template <typename PointT>
void
CapsuleCoherence<PointT>::computeCoherence(const PointCloudInConstPtr& cloud,
                                           const IndicesConstPtr&,
                                           float& w)
{
  w = 0.0f;
  attempt([&] {
    checkArgument(cloud->size() == 2 * capsules_.size() + 8,
                  "number of points",
                  cloud->size(),
                  "that of the reference cloud, see makeReferenceCloud()");
    std::vector<TaperedCapsule> moved = capsules_;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      const auto a = (*cloud)[2 * i].getVector3fMap();
      const auto b = (*cloud)[2 * i + 1].getVector3fMap();
      std::copy(a.data(), a.data() + 3, moved[i].a);
      std::copy(b.data(), b.data() + 3, moved[i].b);
    }
    const std::lock_guard<std::mutex> lock(mutex_.value);
    if (!device_.value)
      return;
    const ScopedDevice scope(*device_.value);
    w = static_cast<float>(nothing_ - computeLogLikelihood(moved));
  });
}

} // namespace pcl::gpu

#define PCL_INSTANTIATE_GpuCapsuleCoherence(T)                                         \
  template class PCL_EXPORTS pcl::gpu::CapsuleCoherence<T>;
