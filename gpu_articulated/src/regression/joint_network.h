// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/stream.h>

#include <Eigen/Core>

#include <array>
#include <vector>

namespace pcl::gpu {

/** \brief Number of the joints of JointConvention::Itop. */
constexpr int regressed_joints = 15;

/** \brief Cells of a row of the picture. */
constexpr int picture_size = 80;

/** \brief Numbers of a cell: see regressJoints(). */
constexpr int picture_channels = 4;

/** \brief Extent of a picture at the depth of its middle, metres. */
constexpr float picture_span = 2.56f;

/** \brief Joints in the frame of a picture. */
struct NetworkAnswer {
  /** \brief To the right and upward at the depth of the picture's middle, and forward
   * from the mean depth of its points, metres. */
  std::array<Eigen::Vector3f, regressed_joints> places;
  std::array<float, regressed_joints> errors; ///< expected distances, metres
};

/** \brief Finds the joints of a body in a picture of it.
 *
 * A residual convolutional network of 1.8 million weights (He et al., "Deep residual
 * learning", CVPR 2016). Each of 20x20 places votes for each joint, with an offset and
 * a weight, as in A2J (Xiong et al., ICCV 2019). It was trained on rendered bodies
 * alone: see gpu_articulated/training.
 *
 * Runs on the current device: some 0.8e9 floating-point operations. Its weights and
 * feature maps stay there, 10 MB. Calls on one device take turns. Waits.
 * \param[in] picture numbers of a device::FeatureMap in host memory
 * \param[in] stream the queue to join
 * \return the joints
 * \throws DeviceException if memory runs out
 */
NetworkAnswer
findJoints(const std::vector<float>& picture, const Stream& stream);

} // namespace pcl::gpu
