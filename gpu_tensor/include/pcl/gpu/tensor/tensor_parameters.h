// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <cstddef>
#include <cstdint>

namespace pcl::gpu {

/** \brief Choice of the pairs that are kept. */
enum class PairSelection {
  /** \brief All: half a million in an image of 640 x 480, whose tensors take some 500
   * MB. */
  All,
  Even,  ///< pairs that are spread evenly over the list of all
  Random ///< one of each of as many equal parts of the list of all
};

/** \brief Parameters of a PointPairEstimation: those of the paper, section 2.3.
 * \ingroup gpu_tensor_types
 */
struct PCL_EXPORTS PointPairEstimationParameters {
  static constexpr int max_window_radius = 64;  ///< largest window radius
  static constexpr int max_pairs_per_point = 3; ///< most pairs that a point chooses

  /** \brief d_min, least distance between the points of a pair, resolutions;
   * positive. */
  float min_distance = 5.0f;
  /** \brief d_max, largest distance, resolutions; not below the least. */
  float max_distance = 14.0f;
  /** \brief Least angle between the normals of a pair, radians, at least 0.001 and
   * below pi; 15 degrees. Small angles make frames that turn about their z axis with
   * the normals' noise. */
  float min_angle = 0.261799388f;
  /** \brief Rows and columns up to a partner at most, 1 to max_window_radius. The
   * default is d_max over the resolution; where the resolution is set to another length
   * than the distance of neighbouring pixels, other radii fit. */
  int window_radius = 14;
  int pairs_per_point = 3; ///< partners that a point chooses, 1 to max_pairs_per_point
  /** \brief Resolution that distances are multiples of, metres; 0 for nearest_distance
   * of the frame's own statistics.
   *
   * The paper's pcl_res, whose multiple 14 is 14 pixels, is the spacing of points on
   * surfaces: the mean distance from the nearest neighbour, which jumps in depth do not
   * change. That from all neighbours is two to three times as much in frames of
   * rooms. */
  float resolution = 0.0f;
  PairSelection selection = PairSelection::All; ///< choice of the pairs that are kept
  /** \brief Number of pairs that are kept, 1 or more, unless all are; all if there are
   * fewer. */
  int selected_count = 1;
  std::uint64_t seed = 0; ///< of a random selection: other seeds select other pairs

  /** \brief Checks all parameters.
   * \throws pcl::BadArgumentException that names the first one that is wrong, and its
   * value
   */
  void
  validate() const;
};

/** \brief Choice of the triangles that a tensor is computed from. */
enum class TensorTriangles {
  /** \brief All that reach the grid. */
  All,
  /** \brief Triangles of quads that reach the grid, grown from those at the pair's
   * points to their neighbours (Orts-Escolano et al. 2014, section 2.3). Misses parts
   * of the surface that come back into the grid. */
  Connected
};

/** \brief Unit of a length. */
enum class LengthUnit {
  Resolutions, ///< the \ref glossary_resolution "resolution" of the frame
  Metres
};

/** \brief Parameters of a TensorExtraction.
 * \ingroup gpu_tensor_types
 */
struct PCL_EXPORTS TensorExtractionParameters {
  static constexpr int max_grid_size = 32; ///< of the largest grid

  int grid_size = 10; ///< voxels along each axis, 2 to max_grid_size
  /** \brief Size of a voxel, positive, which the paper leaves open. Grids that reach
   * well beyond the pair distinguish objects better: of matches of tensors in noisy
   * views of 6 objects 69 % were right with 2 resolutions a voxel, 85 % with 3, 91 %
   * with 4. */
  float voxel_size = 4.0f;
  LengthUnit voxel_unit = LengthUnit::Resolutions;  ///< of the voxel size
  TensorTriangles triangles = TensorTriangles::All; ///< choice of triangles
  /** \brief Area up to which a voxel is left out, faces of a voxel, not negative; 0
   * keeps every voxel that the surface touches. */
  float min_area = 0.0f;
  /** \brief Room for the entries of all tensors of a call; 0 for every voxel of every
   * tensor up to 100 million, and for 4 grid_size^2 voxels of each tensor beyond: about
   * twice the need of a surface with folds. */
  std::size_t max_entries = 0;

  /** \brief Checks all parameters.
   * \throws pcl::BadArgumentException that names the first one that is wrong, and its
   * value
   */
  void
  validate() const;
};

/** \brief Parameters that the tensors of a library are computed with.
 *
 * Only tensors of scenes that are computed alike resemble them.
 *
 * Lengths are multiples of the \ref glossary_resolution "resolution" that is set here.
 * \ingroup gpu_tensor_types
 */
struct PCL_EXPORTS TensorParameters {
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
  void
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
