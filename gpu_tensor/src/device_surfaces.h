// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "device/recognition_driver.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/tensor/tensor_library.h>
#include <pcl/gpu/utils/pose.h>

#include <Eigen/Core>

#include <cstdint>
#include <optional>
#include <vector>

namespace pcl::gpu {

/** \brief The surfaces of a library's models on a device. */
class DeviceSurfaces {
public:
  /** \brief Computes them anew unless they are those of the library already.
   * \param[in] have_outlines whether it matters where the models end
   */
  void
  update(const TensorLibrary& library, const Device& device, bool have_outlines);

  device::ModelSurfaces
  view() const;

  /** \brief A pose of a model's own frame as one about the model's centre. */
  device::ModelPose
  aboutCenter(int model, const Pose& pose) const;

private:
  std::optional<Device> device_;
  std::uint64_t revision_ = 0;
  bool have_outlines_ = false;
  std::vector<Eigen::Vector3f> centers_;
  DeviceArray<device::ModelSurface> models_;
  DeviceArray<device::Float4> points_, normals_, beside_, directions_;
  DeviceArray<std::uint32_t> starts_, visible_;
  int max_visible_ = 0;
};

} // namespace pcl::gpu
