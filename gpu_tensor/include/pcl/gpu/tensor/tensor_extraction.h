// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>

#include <cstddef>

namespace pcl {
namespace device {

struct TensorMesh;

} // namespace device

namespace gpu {

/** \brief Which triangles are looked at for a tensor. */
enum class TensorTriangles {
  /** \brief All that reach the grid. */
  All,
  /** \brief Those that reach the grid and hang together, over quads that do so as well, with
   * a quad at one of the pair's points: the growing of Orts-Escolano et al. 2014, section
   * 2.3, which misses parts of the surface that come back into the grid. */
  Connected
};

/** \brief Computes the tensors of pairs of points: the area of a surface in the voxels of a
 * grid in the pair's frame (Orts-Escolano et al. 2014, section 2.3, algorithm 5).
 *
 * Every triangle that reaches the grid is clipped against the planes between its voxels
 * (Sutherland and Hodgman's algorithm, both sides of each plane being kept), so that the
 * areas of all voxels add up to that of the surface inside the grid. Part of a triangle
 * that lies in the plane between two voxels counts for the one of the higher number. Areas
 * are summed as whole numbers of 2^-26 faces, which makes the sum independent of the order.
 *
 * Voxels whose area is at most a threshold are left out, as are those that the surface
 * misses. What lies within a voxel is measured in single precision, all else is clipped in
 * double precision: the area in a voxel is exact to within 10^-6 faces of the voxel for
 * each triangle that ends in it.
 *
 * Where the normals of a pair are opposite, or a number is none of a point, there is no
 * frame: it is NaN, and the tensor is empty.
 *
 * One launch computes any number of tensors. O(tensors x triangles in a grid); the result is
 * the same, bit for bit, on every run. Steady state neither allocates nor waits.
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS TensorExtraction {
public:
  /** \brief The largest grid. */
  static constexpr int max_grid_size = 32;

  /** \brief Sets the number of voxels along each axis.
   * \param[in] size 2 to max_grid_size; 10 by default
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setGridSize(int size);

  /** \return the number of voxels along each axis */
  int
  getGridSize() const;

  /** \brief Sets the size of a voxel as a multiple of the frame's resolution (the default),
   * which the paper leaves open. Grids that reach well beyond the pair tell objects apart
   * better: of matches of tensors in noisy views of 6 objects 69 % were right with 2
   * resolutions a voxel, 85 % with 3, 91 % with 4.
   * \param[in] factor 4 by default
   * \throws pcl::BadArgumentException unless positive and finite
   */
  void
  setVoxelSizeFactor(float factor);

  /** \brief Sets the size of a voxel.
   * \param[in] size metres
   * \throws pcl::BadArgumentException unless positive and finite
   */
  void
  setVoxelSize(float size);

  /** \brief Sets which triangles are looked at.
   * \param[in] triangles TensorTriangles::All by default
   * \throws pcl::BadArgumentException if it is none of the enumeration
   */
  void
  setTriangles(TensorTriangles triangles);

  /** \brief Sets the area up to which a voxel is left out.
   * \param[in] area in faces of a voxel; 0, the default, keeps whatever the surface touches
   * \throws pcl::BadArgumentException unless finite and not negative
   */
  void
  setMinArea(float area);

  /** \brief Sets how many entries there is room for, all tensors of a call together.
   *
   * By default there is room for every voxel of every tensor, but for at most 4 n^2 a
   * tensor beyond the first 100 million: about twice what a surface with folds takes.
   * \param[in] entries 0 for the default
   */
  void
  reserve(std::size_t entries);

  /** \brief Computes the tensors of pairs of an organized cloud.
   * \param[in] cloud an organized cloud
   * \param[in] normals its unit normals
   * \param[in] mesh its mesh, of quads one pixel wide; quads that are not cut count as two
   * triangles along the diagonal from right to down
   * \param[in] statistics the cloud's resolution, one element; may be empty if
   * setVoxelSize() was called
   * \param[in] pairs pairs of points of the cloud
   * \param[out] tensors one for each pair, in the same order
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if sizes differ, inputs are on different devices, or
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
   * \param[in] triangles three numbers of vertices each; a triangle with a number that is
   * none counts as absent
   * \param[in] pairs pairs of vertices
   * \param[out] tensors one for each pair, in the same order
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if sizes differ or are no multiple of three, inputs
   * are on different devices, setVoxelSize() was not called, or only connected triangles
   * are asked for
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
      const device::TensorMesh& mesh,
      const ResolutionStatistics* statistics,
      const PointPairs& pairs,
      TensorSet& tensors,
      const Stream& stream);

  int grid_size_ = 10;
  float voxel_size_factor_ = 4.0f;
  float voxel_size_ = 0.0f;
  TensorTriangles triangles_ = TensorTriangles::All;
  float min_area_ = 0.0f;
  std::size_t reserved_ = 0;
  Workspace kept_memory_;
  Workspace workspace_;
};

} // namespace gpu
} // namespace pcl
