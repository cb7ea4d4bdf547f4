// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_elements.h>
#include <pcl/gpu/tensor/tensor_table.h>
#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief Order of matches. */
enum class MatchRanking {
  Correlation, ///< the coefficient, as in the paper
  /** \brief The coefficient times the overlap: of two tensors that vary alike where
   * they overlap the one that overlaps more. Some third fewer best matches are wrong
   * with it. */
  CorrelationTimesOverlap
};

/** \brief Parameters of a TensorMatching.
 * \ingroup gpu_tensor_types
 */
struct PCL_EXPORTS TensorMatchingParameters {
  static constexpr int max_match_count = 32; ///< most matches of a tensor

  int match_count = 1;           ///< matches of each tensor, 1 to max_match_count
  float min_correlation = 0.45f; ///< t_c, least coefficient of a match, -1 to 1
  float min_overlap = 0.45f;     ///< least overlap of a match, a ratio above 0 up to 1
  /** \brief Least number of voxels that are not empty in both tensors, 2 or more. The
   * coefficient of two voxels is always 1 or -1; that of a few is large by chance. */
  int min_overlap_voxels = 8;
  /** \brief Bins that are searched on either side of that of a tensor's angle; -1 for
   * all tensors of the table. */
  int neighbor_bins = -1;
  MatchRanking ranking = MatchRanking::Correlation; ///< order of a tensor's matches

  /** \brief Checks all parameters.
   * \throws pcl::BadArgumentException that names the first one that is wrong, and its
   * value
   */
  void
  validate() const;
};

/** \brief Finds the tensors of a table that resemble given ones most.
 *
 * Two tensors resemble each other by the coefficient of correlation, eq. (6) of
 * Orts-Escolano et al. 2014 section 4.2, of their areas in the voxels that neither has
 * empty. If these areas do not vary in one of both, the coefficient counts as 0. The
 * coefficient counts only if the overlap is large enough: the number of these voxels
 * over the number of voxels that are not empty in at least one of both (Mian et al.
 * 2006). The paper's 45 % are two parameters: least overlap and least coefficient.
 *
 * Compares all pairs of a given tensor and one of the table, or only those in
 * neighbouring bins of angles (section 2.4). Overlaps are counted exactly, from one bit
 * a voxel; coefficients are summed in double precision. Of equally good matches the
 * tensor of the lower number comes first.
 *
 * If ranks have parts of a table, all of them match the same tensors with the same
 * parameters, each with its part. They exchange their best matches, and all get those
 * that the whole table has, bit for bit, with the numbers of the whole table.
 *
 * O(tensors x tensors of the table); the result is the same, bit for bit, on every run.
 * Steady state neither allocates nor waits.
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS TensorMatching : public Parameterized<TensorMatchingParameters> {
public:
  /** \brief Matches tensors with those of a table.
   * \param[in] tensors with grids of the table's size, unless there is room for none;
   * entries that were lost for want of room count as empty
   * \param[in] table on the same device
   * \param[out] matches as many of each tensor as are wanted, the best first, for as
   * many tensors as there is room for in \a tensors; undefined behind *tensors.count of
   * them
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if grids differ in size or inputs are on
   * different devices
   * \throws CommunicationException if another rank failed
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const TensorSet& tensors,
          const TensorTable& table,
          DeviceArray<TensorMatch>& matches,
          const Stream& stream = {});

private:
  Workspace workspace_;
};

} // namespace pcl::gpu
