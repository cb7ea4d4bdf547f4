// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_model.h>
#include <pcl/gpu/tensor/tensor_parameters.h>

#include <string>

namespace pcl::gpu {

/** \brief Returns whether all numbers of a frame are finite. */
bool
isFinite(const TensorFrame& frame);

/** \brief Checks that the arrays of compressed tensors fit together.
 * \param[in] owner their owner, for messages
 * \tparam Tensors TensorModel or HostTensorSet
 * \throws pcl::BadArgumentException naming the one that does not
 */
template <typename Tensors>
void
validateEntries(const std::string& owner, const Tensors& tensors);

/** \brief Checks all of a model but that its name is unique. O(points + tensors + entries).
 * \throws pcl::BadArgumentException naming the model, what is wrong, and its value
 */
void
validateModel(const TensorModel& model, const TensorParameters& parameters);

} // namespace pcl::gpu
