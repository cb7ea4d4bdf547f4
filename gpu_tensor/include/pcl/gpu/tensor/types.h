// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/tensor/tensor_elements.h>

#include <cstdint>

namespace pcl::gpu {

/** \defgroup gpu_tensor_types Pairs of points, frames and tensors
 * \ingroup gpu_tensor
 * \{
 */

/** \brief Pairs of points in device memory, in a fixed order. */
struct PointPairs {
  /** \brief Room for the largest number of pairs; the first *count are defined. */
  DeviceArray<PointPair> pairs;
  /** \brief One element: the number of pairs. */
  DeviceArray<int> count;
};

/** \brief Compressed tensors in device memory: their voxels that are not empty.
 *
 * A tensor is a grid of n x n x n voxels about the origin of its frame, along the
 * frame's axes; an entry is the area of the surface inside the voxel. Tensor t has the
 * entries starts[t] to starts[t + 1] of \a voxels and \a areas.
 */
struct TensorSet {
  /** \brief n, the number of voxels along each axis. */
  int grid_size = 0;
  /** \brief Room for every tensor that was asked for; the first *count are defined. */
  DeviceArray<TensorFrame> frames;
  /** \brief One element: the number of tensors. */
  DeviceArray<int> count;
  /** \brief Place of every tensor's first entry, and the number of all entries: one
   * element more than \a frames; those behind number *count are undefined. Where the
   * number of entries exceeds the size of \a areas, entries beyond it were lost; see
   * TensorExtractionParameters::max_entries. */
  DeviceArray<std::uint32_t> starts;
  /** \brief Number (z * n + y) * n + x of an entry's voxel; ascending in each
   * tensor. */
  DeviceArray<std::uint16_t> voxels;
  /** \brief Area in a voxel, in faces of a voxel: square metres over the squared
   * size. */
  DeviceArray<float> areas;
};

/** \} */

} // namespace pcl::gpu
