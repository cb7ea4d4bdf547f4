// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/algorithm.h"
#include "common/array.h"
#include "common/parameters.h"

#include <pcl/gpu/articulated/capsule.h>
#include <pcl/gpu/articulated/forward_kinematics.h>
#include <pcl/gpu/articulated/pose_particle_filter.h>
#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/containers/device_array.h>

#include <Eigen/Core>

#include <cstdint>
#include <memory>
#include <vector>

namespace pcl_gpu_python {

template <>
struct Element<pcl::gpu::TaperedCapsule> {
  using Number = float;
  static constexpr std::int64_t count = 8;
};

template <>
struct Element<pcl::gpu::Capsule> {
  using Number = float;
  static constexpr std::int64_t count = 7;
};

/** \brief Kinematics, and the arrays that they fill. */
using BoundKinematics = WithOutputs<pcl::gpu::ForwardKinematics,
                                    pcl::gpu::DeviceArray<pcl::gpu::TaperedCapsule>,
                                    pcl::gpu::DeviceArray<pcl::gpu::Capsule>,
                                    pcl::gpu::DeviceArray<pcl::PointXYZ>>;

/** \brief A pose, of lists, too. */
using PoseArgument = MatrixArgument<Eigen::VectorXf>;

/** \brief Returns the numbers of a pose. */
inline std::vector<float>
numbersOf(const Eigen::VectorXf& pose)
{
  return {pose.data(), pose.data() + pose.size()};
}

/** \brief Returns the numbers of a pose to Python. */
inline ArrayResult<float>
numbersToPython(std::vector<float> numbers)
{
  const auto size = static_cast<std::int64_t>(numbers.size());
  return toPython(std::move(numbers), {size});
}

/** \brief Documentation of the setters of skeletons, after that of C++. */
constexpr const char* skeleton_doc =
    "\n\nTakes a copy: set a skeleton again after a change of it.";

/** \brief Returns a copy of a skeleton, or null: an algorithm reads it once, when it is
 * set, and Python may change its own one. */
inline std::shared_ptr<pcl::gpu::Skeleton>
copyOfSkeleton(const pcl::gpu::Skeleton::ConstPtr& skeleton)
{
  return skeleton ? std::make_shared<pcl::gpu::Skeleton>(*skeleton) : nullptr;
}

/** \brief Takes rows of poses on any device: shape (n, length of a pose), float32.
 * \param[in] skeleton may be null: then rows have any length
 */
Input<pcl::gpu::DeviceArray<float>>
posesFrom(const ArrayArgument& argument,
          const char* name,
          const pcl::gpu::Skeleton* skeleton);

/** \brief Copies rows of poses from the host: shape (n, 7 or more), float32. */
std::vector<std::vector<float>>
hostPosesFrom(const ArrayArgument& argument, const char* name);

/** \brief Returns a list to Python as a row of some elements for each sample. */
template <typename T>
ArrayResult<typename Element<T>::Number>
samplesToPython(const std::shared_ptr<pcl::gpu::DeviceArray<T>>& array,
                std::size_t elements_per_sample)
{
  constexpr std::int64_t count = Element<T>::count;
  const auto elements = static_cast<std::int64_t>(elements_per_sample);
  const auto samples =
      elements == 0 ? 0 : static_cast<std::int64_t>(array->size()) / elements;
  return denseToPython<typename Element<T>::Number>(
      pcl::gpu::deviceOf(*array), array->ptr(), {samples, elements, count}, array);
}

/** \brief A filter, and the function of Python's that moves its particles. */
struct BoundFilter : pcl::gpu::PoseParticleFilter {
  nb::object motion_function;

  /** \brief Returns the length of a pose; 0 without a skeleton. */
  int
  poseSize() const
  {
    return getSkeleton() ? getSkeleton()->poseSize() : 0;
  }
};

/** \brief Makes a function of the library that calls one of Python's with rows of
 * poses, and copies the log-likelihoods that it returns.
 * \param[in] function must exist as long as the result, and so must \a filter
 */
pcl::gpu::PoseParticleFilter::LikelihoodFunction
likelihoodFunctionOf(const nb::object& function, const BoundFilter& filter);

/** \brief Makes a function of the library that calls the motion function of a filter
 * with rows of poses, and copies those that it returns.
 * \param[in] filter must exist as long as the result
 */
pcl::gpu::PoseParticleFilter::MotionFunction
motionFunctionOf(const BoundFilter& filter);

void
bindSkeletons(nb::module_& module);

void
bindMotions(nb::module_& module);

void
bindKinematics(nb::module_& module);

void
bindLikelihood(nb::module_& module);

void
bindFilterParameters(nb::module_& module);

void
bindFilter(nb::module_& module);

void
bindFitting(nb::module_& module);

void
bindJoints(nb::module_& module);

void
bindPeople(nb::module_& module);

} // namespace pcl_gpu_python
