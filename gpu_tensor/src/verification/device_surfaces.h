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
class DeviceSurfaces {
public:
  /** \brief Computes them, on the current device.
   * \param[in] models numbered from 0
   * \param[in] have_outlines whether it matters where the models end
   */
  DeviceSurfaces(const std::vector<TensorModel>& models, bool have_outlines);

  /** \brief Returns the device that they are on. */
  const Device&
  device() const
  {
    return device_;
  }

  /** \brief Returns whether it matters where the models end. */
  bool
  haveOutlines() const
  {
    return have_outlines_;
  }

  device::ModelSurfaces
  view() const;

  /** \brief Returns a pose of a model's own frame as one about the model's centre. */
  device::ModelPose
  aboutCenter(int model, const Pose& pose) const;

private:
  Device device_;
  bool have_outlines_;
  std::vector<Eigen::Vector3f> centers_;
  DeviceArray<device::ModelSurface> models_;
  DeviceArray<device::Float4> points_, normals_, beside_, directions_;
  DeviceArray<std::uint32_t> starts_, visible_;
  int max_visible_ = 0;
};

} // namespace pcl::gpu
