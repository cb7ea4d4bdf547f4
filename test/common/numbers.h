// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cmath>
#include <limits>

namespace pcl::gpu::test {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr double radians = M_PI / 180.0; ///< of a degree

} // namespace pcl::gpu::test
