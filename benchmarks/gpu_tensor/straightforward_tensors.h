// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_elements.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/point_types.h>

#include <cstdint>
#include <vector>

// Pairs, tensors and matching as the paper describes them (Orts-Escolano et al. 2014,
// sections 2.3, 2.4 and 4.2), in one thread and without thought to speed.

namespace benchmarks {

/** \brief An organized cloud in host memory, with normals and mesh. */
struct HostFrame {
  int rows = 0;
  int columns = 0;
  std::vector<pcl::PointXYZ> points;
  std::vector<pcl::PointXYZ> normals;
  std::vector<std::uint8_t> validity; ///< of quads (QuadValidity), cut to the left
  float resolution = 0.0f;            ///< metres
  pcl::gpu::PinholeCamera camera;     ///< that sees the points in their pixels
};

/** \brief Areas of all voxels of a grid, in faces of a voxel. */
using DenseTensor = std::vector<float>;

/** \brief The pairs that the points choose, with the defaults of PointPairEstimation:
 * for each point the three closest in its window of 29 x 29 pixels, from 5 to 14
 * resolutions away, of normals 15 degrees apart. No pair comes twice. */
std::vector<pcl::gpu::PointPair>
straightforwardPairs(const HostFrame& frame);

/** \brief The tensors of pairs: each triangle near a pair is clipped against every
 * voxel of its bounding box.
 * \param[in] grid_size voxels along each axis
 * \param[in] voxel_size metres
 */
std::vector<DenseTensor>
straightforwardTensors(const HostFrame& frame,
                       const std::vector<pcl::gpu::PointPair>& pairs,
                       int grid_size,
                       float voxel_size);

/** \brief For each tensor that of a library with the largest coefficient, eq. (6), with
 * the defaults of TensorMatching: an overlap and a coefficient of 0.45. */
std::vector<pcl::gpu::TensorMatch>
straightforwardMatches(const std::vector<DenseTensor>& tensors,
                       const std::vector<DenseTensor>& library);

} // namespace benchmarks
