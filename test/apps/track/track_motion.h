// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>

namespace pcl::gpu::test {

/** \brief Returns a BVH file of a body in metres that raises its arms, at 60 frames a
 * second.
 * \param[in] frames number of frames
 */
std::string
armsMotion(int frames);

} // namespace pcl::gpu::test
