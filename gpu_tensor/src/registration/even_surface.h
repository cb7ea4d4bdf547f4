// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/tensor/tensor_extraction.h>
#include <pcl/gpu/tensor/tensor_parameters.h>
#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace pcl::device {
struct PointsInCells;
}

namespace pcl::gpu {

/** \brief Points of a cloud that are spread evenly, on a device: the mean of each cell
 * of a grid. */
struct EvenSurface {
  float resolution = 0.0f; ///< width of a cell, metres
  /** \brief Corners of the box around the cloud, metres. */
  Eigen::Vector3f lower = Eigen::Vector3f::Zero(), upper = Eigen::Vector3f::Zero();
  DeviceArray<PointXYZ> points;     ///< in the order of cells: x changes fastest
  DeviceArray<std::uint32_t> cells; ///< of the points
  DeviceArray<int> row_starts;      ///< first points of rows of cells, and their number
  /** \brief Unit normals that face the origin; NaN for points with fewer than two
   * neighbours. */
  DeviceArray<PointXYZ> normals;
  /** \brief Numbers of the points with a normal in a random order, which is the same on
   * every run. */
  std::vector<int> order;

  /** \return the kernels' view of it */
  device::PointsInCells
  get() const;
};

/** \brief Thins a cloud to one point a cell, and computes their normals. Waits for the
 * device.
 * \param[in] cloud measured points, metres, one or more
 * \param[in] resolution width of a cell, metres; checkResolution() accepts it
 * \param[in,out] workspace for scratch memory
 */
EvenSurface
evenSurface(const PointCloud<PointXYZ>& cloud, float resolution, Workspace& workspace);

/** \brief Computes the tensors of random pairs of points of a surface. Waits for the
 * device.
 * \param[in] surface whose points have the tensors' resolution
 * \param[in] parameters of pairs and tensors
 * \param[in] count largest number of tensors
 * \param[in] is_oriented whether the normals say which side was seen; else those of a
 * pair are taken as if they differed by less than 90 degrees
 * \param[in,out] extraction computes tensors
 */
TensorSet
surfaceTensors(const EvenSurface& surface,
               const TensorParameters& parameters,
               int count,
               bool is_oriented,
               TensorExtraction& extraction);

/** \brief Returns tensors, and then those that a surface has when all normals are
 * reversed: the frames are turned by half a turn about y.
 * \param[in] tensors without unused room
 */
TensorSet
tensorsOfBothSides(const TensorSet& tensors);

} // namespace pcl::gpu
