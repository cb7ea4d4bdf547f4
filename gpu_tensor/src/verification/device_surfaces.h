// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "verification/verification_task.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/tensor/tensor_model.h>
#include <pcl/gpu/utils/pose.h>

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace pcl::gpu {

/** \brief The surfaces of models on a device. */
struct DeviceSurfaces {
  /** \brief Computes them, on the current device.
   * \param[in] models numbered from 0
   * \param[in] have_outlines whether outlines are needed
   */
  DeviceSurfaces(const std::vector<TensorModel>& models, bool have_outlines);

  device::ModelSurfaces
  view() const;

  /** \brief Returns a pose of a model's own frame as one about the model's centre. */
  device::ModelPose
  aboutCenter(int model, const Pose& pose) const;

  Device device; ///< that they are on
  bool have_outlines;
  std::vector<Eigen::Vector3f> centers;
  DeviceArray<device::ModelSurface> models;
  DeviceArray<device::Float4> points, normals, beside, directions;
  DeviceArray<std::uint32_t> starts, visible;
  int max_visible = 0;
};

} // namespace pcl::gpu
