// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/argument_checks.h>

#include <cmath>
#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Checks that a pose consists of finite numbers, as many as it should have.
 * \param[in] name the pose, in words
 * \param[in] pose its numbers
 * \param[in] size Skeleton::poseSize()
 * \throws pcl::BadArgumentException naming the pose and its size or a wrong number
 */
inline void
checkPose(const std::string& name, const std::vector<float>& pose, int size)
{
  checkArgument(static_cast<int>(pose.size()) == size,
                ("number of floats in " + name).c_str(),
                pose.size(),
                "as many as the skeleton's poses have");
  for (const float number : pose)
    checkArgument(
        std::isfinite(number), ("a number of " + name).c_str(), number, "a finite one");
}

} // namespace pcl::gpu
