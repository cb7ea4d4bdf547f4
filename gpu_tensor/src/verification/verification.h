// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "verification/verification_task.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/tensor/pose_refinement_parameters.h>
#include <pcl/gpu/tensor/tensor_model.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/gpu/utils/workspace.h>

#include <Eigen/Core>

#include <cstdint>
#include <utility>
#include <vector>

// Verification of poses, for recognition and registration.

namespace pcl::gpu {

/** \brief The surfaces of models on a device. */
struct DeviceSurfaces {
  /** \brief Computes them, on the current device.
   * \param[in] models numbered from 0
   * \param[in] have_contours whether contours are needed
   */
  DeviceSurfaces(const std::vector<TensorModel>& models, bool have_contours);

  /** \brief Returns a pose of a model's own frame as one about the model's centre. */
  device::ModelPose
  aboutCenter(int model, const Pose& pose) const;

  /** \brief Returns a pose about a model's centre as one of the model's own frame. */
  Pose
  ownPose(const device::ModelPose& pose) const;

  bool have_contours;
  std::vector<Eigen::Vector3f> centers;
  DeviceArray<device::ModelSurface> models;
  DeviceArray<device::Float4> points, normals, directions;
  DeviceArray<std::uint32_t> starts, visible, contour_starts;
  DeviceArray<device::ContourPlace> contours;
  device::ModelSurfaces view; ///< of these arrays
};

/** \brief Returns the kernels' view of a camera's cloud. */
device::CameraCloud
cameraCloud(const OrganizedCloud& cloud,
            const NormalMap& normals,
            const PinholeCamera& camera);

/** \brief Brings parameters to metres.
 * \param[in] resolution metres
 */
device::VerificationParameters
inMetres(const PoseVerificationParameters& parameters, float resolution);

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

/** \brief Refines and judges poses, each by itself, on the current device. Waits for
 * it.
 * \param[in] input models, scene and parameters
 * \param[in] poses one or more
 * \param[in,out] workspace for scratch memory
 * \return one for each pose, in their order
 */
std::vector<device::PoseFit>
verifyPoses(const device::VerificationInput& input,
            const std::vector<device::ModelPose>& poses,
            Workspace& workspace);

} // namespace pcl::gpu
