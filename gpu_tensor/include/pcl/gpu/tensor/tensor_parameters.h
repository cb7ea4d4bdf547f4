// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

namespace pcl::gpu {

struct PointPairEstimationParameters;
struct TensorExtractionParameters;

/** \brief Parameters that the tensors of a library are computed with.
 *
 * Only tensors of scenes that are computed alike resemble them.
 *
 * Lengths are multiples of the \ref glossary_resolution "resolution" that is set here.
 * \ingroup gpu_tensor_types
 */
struct TensorParameters {
  float resolution = 0.0f;    ///< of the clouds, metres; has to be set
  float min_distance = 5.0f;  ///< least distance of a pair's points, in resolutions
  float max_distance = 14.0f; ///< largest distance of a pair's points, in resolutions
  float min_angle = 0.261799388f; ///< least angle between a pair's normals, radians
  int pairs_per_point = 3;        ///< largest number of partners of a point
  int grid_size = 10;             ///< voxels along each axis
  float voxel_size = 0.0f;        ///< metres; has to be set
  float min_area = 0.0f; ///< area up to which voxels are left out, in their faces

  /** \brief Rejects values that PointPairEstimation or TensorExtraction would reject,
   * and a missing resolution or voxel size.
   * \throws pcl::BadArgumentException that names the first one that is wrong, and its
   * value
   */
  PCL_EXPORTS void
  validate() const;
};

/** \brief Returns whether two sets of parameters are the same.
 * \param[in] a parameters
 * \param[in] b parameters
 * \return true if no number differs
 */
PCL_EXPORTS bool
operator==(const TensorParameters& a, const TensorParameters& b);

/** \brief Returns whether two sets of parameters differ.
 * \param[in] a parameters
 * \param[in] b parameters
 * \return true if any number differs
 */
PCL_EXPORTS bool
operator!=(const TensorParameters& a, const TensorParameters& b);

/** \brief Copies the parameters of finding pairs. Windows and selections stay as they
 * are.
 * \param[in] from resolution, distances, angle and pairs per point
 * \param[in,out] to what is changed
 */
PCL_EXPORTS void
applyParameters(const TensorParameters& from, PointPairEstimationParameters& to);

/** \brief Copies the parameters of computing tensors. The choice of triangles and the
 * room for entries stay as they are.
 * \param[in] from grid size, voxel size and least area
 * \param[in,out] to what is changed
 */
PCL_EXPORTS void
applyParameters(const TensorParameters& from, TensorExtractionParameters& to);

} // namespace pcl::gpu
