// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_library.h>

#include <Eigen/Geometry>

#include <memory>
#include <string>

namespace pcl::gpu::apps {

/** \brief Reads a library.
 * \param[in] path the file
 * \throws InputError if it is missing or damaged
 */
std::shared_ptr<TensorLibrary>
readLibrary(const std::string& path);

/** \brief Reads a library for a search.
 * \param[in] path the file
 * \throws InputError if it is missing or damaged, or has no models
 */
std::shared_ptr<TensorLibrary>
readFilledLibrary(const std::string& path);

/** \brief Returns the box around a model's points, in its frame; empty without points.
 */
Eigen::AlignedBox3f
boxOf(const TensorModel& model);

/** \brief Returns the middle of boxOf(); the origin without points. */
Eigen::Vector3f
middleOf(const TensorModel& model);

/** \brief Prints the contents of a library.
 * \param[in] library parameters and models
 * \param[in] path its file
 */
void
printLibrary(const TensorLibrary& library, const std::string& path);

} // namespace pcl::gpu::apps
