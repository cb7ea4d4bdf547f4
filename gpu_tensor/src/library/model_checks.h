// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_model.h>
#include <pcl/gpu/tensor/tensor_parameters.h>

namespace pcl::gpu {

/** \brief Checks a model, except that its name is unique. O(points + tensors +
 * entries).
 * \throws pcl::BadArgumentException naming the model, the fault and the value
 */
void
validateModel(const TensorModel& model, const TensorParameters& parameters);

} // namespace pcl::gpu
