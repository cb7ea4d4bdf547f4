// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_elements.h>
#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <Eigen/StdVector>

#include <cstdint>
#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Compressed tensors in host memory: a TensorSet without the room that is not
 * used.
 * \ingroup gpu_tensor_types
 */
struct HostTensorSet {
  int grid_size = 0;                       ///< number of voxels along each axis
  std::vector<TensorFrame> frames;         ///< of all tensors
  std::vector<std::uint32_t> starts = {0}; ///< first entries; one more than frames
  std::vector<std::uint16_t> voxels;       ///< number of every entry's voxel
  std::vector<float> areas;                ///< in faces of a voxel
};

/** \brief An object to be recognized: its surface and its tensors.
 *
 * All is in one frame of the model's own. Tensor t has the entries starts[t] to
 * starts[t + 1] of \a voxels and \a areas, as in TensorSet, and is of view number
 * views[t].
 * \ingroup gpu_tensor_types
 */
struct TensorModel {
  /** \brief Points with unit normals, or normals of NaN. */
  using Points = std::vector<PointNormal, Eigen::aligned_allocator<PointNormal>>;
  /** \brief Rigid transforms. */
  using Poses = std::vector<Pose, Eigen::aligned_allocator<Pose>>;

  std::string name; ///< not empty; no two of a library have the same
  Points points;    ///< the surface, metres; may be empty
  /** \brief Turns, without the identity, that leave the surface as it is, see
   * findSymmetries(): poses that differ by one of them are the same. */
  Poses symmetries;
  int view_count = 0;                      ///< number of views that the tensors are of
  std::vector<TensorFrame> frames;         ///< of all tensors
  std::vector<std::uint32_t> starts = {0}; ///< first entries; one more than frames
  std::vector<std::uint16_t> voxels;       ///< of entries; ascending in each tensor
  std::vector<float> areas;                ///< of entries, in faces of a voxel
  std::vector<std::int32_t> views;         ///< of tensors; 0 to view_count - 1
};

/** \brief Finds the turns that leave a surface nearly as it is.
 *
 * Axes through the middle of the surface are tried in all directions for turns by a
 * half, a third and a fifth, moved so that the turned surface fits, and tried for
 * larger orders. A turn is a symmetry if all but 3 % of the turned points are within
 * 1.5 % of the surface's diameter of it, and the spacing of its points: smaller
 * details do not count. A surface of revolution gets the turns by multiples of ten
 * degrees. Turns that follow from others are included, 119 at most: a ball has more.
 * O(points log points).
 * \param[in] points of all of the surface, metres, equally dense, with unit normals;
 * those with numbers that are not finite are left out
 * \return maps of points onto others of the surface; none if there are less than 50
 * points
 */
PCL_EXPORTS TensorModel::Poses
findSymmetries(const TensorModel::Points& points);

/** \brief Copies tensors to host memory. Waits for the device. O(tensors + entries).
 * \param[in] tensors any number, with all of their entries
 * \return the tensors
 * \throws pcl::BadArgumentException if arrays are too small for the number of tensors,
 * or entries were lost when they were computed
 * \throws DeviceException if the device fails
 */
PCL_EXPORTS HostTensorSet
downloadTensors(const TensorSet& tensors);

/** \brief Adds the tensors of a view to a model, their frames moved into the model's.
 *
 * Tensors without a frame (see TensorExtraction) are left out. The model stays as it is
 * if an exception is thrown. O(tensors + entries).
 * \param[in] tensors of the view
 * \param[in] pose maps points of the view into the model's frame, metres
 * \param[in] view number of the view, not negative; view_count becomes larger than it
 * \param[in,out] model receives the tensors
 * \param[in] min_voxels tensors of fewer entries are left out
 * \return the number of tensors that were added
 * \throws pcl::BadArgumentException if \a pose is not rigid, \a view is negative, sizes
 * do not fit together, or the model would have 2^32 entries or more
 */
PCL_EXPORTS int
appendTensors(const HostTensorSet& tensors,
              const Pose& pose,
              int view,
              TensorModel& model,
              int min_voxels = 0);

/** \brief Downloads the tensors of a view and adds them to a model. See above.
 * \param[in] tensors of the view
 * \param[in] pose maps points of the view into the model's frame, metres
 * \param[in] view number of the view, not negative
 * \param[in,out] model receives the tensors
 * \param[in] min_voxels tensors of fewer entries are left out
 * \return the number of tensors that were added
 * \throws pcl::BadArgumentException as above, or if entries were lost
 * \throws DeviceException if the device fails
 */
PCL_EXPORTS int
appendTensors(const TensorSet& tensors,
              const Pose& pose,
              int view,
              TensorModel& model,
              int min_voxels = 0);

} // namespace pcl::gpu
