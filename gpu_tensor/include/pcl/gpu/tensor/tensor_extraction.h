// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/tensor/tensor_parameters.h>
#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>

namespace pcl::device {

struct TensorTask;

} // namespace pcl::device

namespace pcl::gpu {

/** \brief Computes the tensors of pairs of points: the area of a surface in the voxels
 * of a grid in the pair's frame (Orts-Escolano et al. 2014, section 2.3, algorithm 5).
 *
 * Every triangle that reaches the grid is clipped against the planes between its
 * voxels, by Sutherland and Hodgman's algorithm, and both sides of each plane are kept.
 * So the areas of all voxels add up to that of the surface inside the grid. Part of a
 * triangle that lies in the plane between two voxels counts for the one of the higher
 * number. Areas are summed as whole numbers of 2^-26 faces, which makes the sum
 * independent of the order.
 *
 * Voxels that the surface misses, or whose area is at most a threshold, are left out. A
 * triangle within a voxel is measured in single precision; all others are clipped in
 * double precision. The area in a voxel is exact to within 10^-6 faces of the voxel for
 * each triangle that ends in it.
 *
 * A pair with opposite normals, or with a number of no point, has no frame: it is NaN,
 * and the tensor is empty.
 *
 * One launch computes any number of tensors. O(tensors x triangles in a grid); the
 * result is the same, bit for bit, on every run. Steady state neither allocates nor
 * waits.
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS TensorExtraction : public Parameterized<TensorExtractionParameters> {
public:
  /** \brief Computes the tensors of pairs of an organized cloud.
   * \param[in] cloud an organized cloud
   * \param[in] normals its unit normals
   * \param[in] mesh its mesh, of quads one pixel wide; quads that are not cut count as
   * two triangles along the diagonal from right to down
   * \param[in] statistics the cloud's resolution, one element; may be empty if
   * the voxel size is in metres
   * \param[in] pairs pairs of points of the cloud
   * \param[out] tensors one for each pair, in the same order
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if sizes differ, inputs are on different devices,
   * or
   * \a statistics is empty and needed
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const OrganizedCloud& cloud,
          const NormalMap& normals,
          const OrganizedMesh& mesh,
          const DeviceArray<ResolutionStatistics>& statistics,
          const PointPairs& pairs,
          TensorSet& tensors,
          const Stream& stream = {});

  /** \brief Computes the tensors of pairs of vertices of any triangle mesh.
   *
   * TensorTriangles::Connected is for organized clouds only.
   * \param[in] vertices points; those that are not finite are in no triangle
   * \param[in] normals their unit normals
   * \param[in] triangles three numbers of vertices each; a triangle with a number of no
   * vertex counts as absent
   * \param[in] pairs pairs of vertices
   * \param[out] tensors one for each pair, in the same order
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if sizes differ or are no multiple of three,
   * inputs are on different devices, the voxel size is not in metres, or only connected
   * triangles are asked for
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const DeviceArray<PointXYZ>& vertices,
          const DeviceArray<PointXYZ>& normals,
          const DeviceArray<int>& triangles,
          const PointPairs& pairs,
          TensorSet& tensors,
          const Stream& stream = {});

private:
  void
  run(const Device& device,
      const char* points,
      const PointPairs& pairs,
      TensorSet& tensors,
      device::TensorTask& task,
      const Stream& stream);

  Workspace kept_memory_;
  Workspace workspace_;
};

} // namespace pcl::gpu
