// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>

#include <string>

// Lines of the tables that openRGBDFolder() reads.

namespace pcl::gpu {

/** \brief A number with all its digits. */
std::string
textOf(float number);

/** \brief Width and height if they are known, fx, fy, cx, cy. */
std::string
textOf(const PinholeCamera& camera);

/** \brief Time, position and quaternion. */
std::string
textOf(double time, const Pose& pose);

/** \brief The 16 entries of a matrix, row by row, in four lines. */
std::string
matrixText(const Pose& pose);

} // namespace pcl::gpu
