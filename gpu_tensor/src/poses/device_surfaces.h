// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "poses/pose_types.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/tensor/pose_refinement_parameters.h>
#include <pcl/gpu/tensor/tensor_model.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/pinhole_camera.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace pcl::gpu {

/** \brief The surfaces of models on a device. */
struct DeviceSurfaces {
  /** \brief Computes them, on the current device.
   * \param[in] models numbered from 0
   */
  explicit DeviceSurfaces(const std::vector<TensorModel>& models);

  DeviceArray<device::ModelSurface> models;
  DeviceArray<device::Float4> points, normals, directions, symmetries;
  DeviceArray<std::uint32_t> starts, visible, contour_starts, symmetry_starts;
  DeviceArray<device::ContourPlace> contours;
  device::ModelSurfaces view; ///< of these arrays
};

/** \brief Returns the kernels' view of a camera's cloud. */
device::CameraCloud
cameraCloud(const OrganizedCloud& cloud,
            const NormalMap& normals,
            const PinholeCamera& camera);

/** \brief Plans rounds in which distances fall in equal ratios.
 * \param[in] rounds their number, 0 to PoseRefinementParameters::max_rounds
 * \param[in] points of a model that each takes at most
 * \param[in] distances of the first and of the last round, metres
 * \param[in] cosines between normals, of the first and of the last round
 */
device::RefinementRounds
refinementRounds(int rounds,
                 int points,
                 const std::pair<float, float>& distances,
                 const std::pair<float, float>& cosines);

} // namespace pcl::gpu
