// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cmath>

namespace pcl::gpu {

/** \brief Radians in a degree. Unlike pcl::deg2rad(), to double precision. */
constexpr double radians = M_PI / 180.0;

/** \brief Degrees in a radian. */
constexpr double degrees = 180.0 / M_PI;

} // namespace pcl::gpu
