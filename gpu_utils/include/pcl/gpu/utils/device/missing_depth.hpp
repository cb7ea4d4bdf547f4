// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/types.hpp>

// The rule of what counts as measured, for all modules and programs: see
// pcl/gpu/utils/missing_depth.h. This header is for device code, too.

namespace pcl::gpu {

/** \brief Depth from here on counts as missing, metres. Its square is a finite float.
 */
constexpr float missing_depth = 1e18f;

/** \brief Returns whether a depth was measured: it is positive and below missing_depth.
 * 0, negative numbers, NaN and infinity are missing.
 * \param[in] depth metres
 * \return false if it is missing
 * \ingroup gpu_utils
 */
PCL_GPU_HOST_DEVICE bool
isMeasuredDepth(float depth)
{
  // & rather than &&: no branch in loops over pixels.
  return (depth > 0.0f) & (depth < missing_depth);
}

/** \brief Returns whether a point of a cloud was measured: its coordinates are finite,
 * and not all 0, as drivers of many sensors write them for missing points.
 *
 * It may lie in any direction from the sensor. PCL's own classes know NaN only; the
 * wrappers that replace them follow PCL.
 * \param[in] point has float members x, y and z
 * \return false if it is missing
 * \ingroup gpu_utils
 */
template <typename Point>
PCL_GPU_HOST_DEVICE bool
isMeasuredPoint(const Point& point)
{
  // The sum of finite numbers times 0 is 0.
  const bool is_finite = 0.0f * point.x + 0.0f * point.y + 0.0f * point.z == 0.0f;
  return is_finite && (point.x != 0.0f || point.y != 0.0f || point.z != 0.0f);
}

} // namespace pcl::gpu
