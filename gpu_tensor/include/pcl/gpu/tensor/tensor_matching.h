// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_match.h>
#include <pcl/gpu/tensor/tensor_table.h>
#include <pcl/gpu/tensor/types.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/pcl_exports.h>

namespace pcl::gpu {

/** \brief What makes a match the best one. */
enum class MatchRanking {
  Correlation, ///< the coefficient, as in the paper
  /** \brief The coefficient times the overlap: of two tensors that vary alike where they
   * overlap the one that overlaps more. Some third fewer best matches are wrong with it. */
  CorrelationTimesOverlap
};

/** \brief Finds the tensors of a table that resemble given ones most.
 *
 * Two tensors resemble each other by the coefficient of correlation, eq. (6) of
 * Orts-Escolano et al. 2014 section 4.2, of their areas in the voxels that neither has
 * empty. Where these areas do not vary in one of both there is no such coefficient; it
 * counts as 0. The coefficient is taken only where the overlap is large enough: the number
 * of these voxels over the number of voxels that one of both has not empty (Mian et al.
 * 2006). The paper's 45 % are two parameters: least overlap and least coefficient.
 *
 * All pairs of a given tensor and one of the table are looked at, or only those whose
 * angles' bins are neighbours (section 2.4). Overlaps are counted exactly, from one bit a
 * voxel; coefficients are summed in double precision. Of equally good matches the tensor of
 * the lower number comes first.
 *
 * O(tensors x tensors of the table); the result is the same, bit for bit, on every run.
 * Steady state neither allocates nor waits.
 *
 * \ingroup gpu_tensor
 */
class PCL_EXPORTS TensorMatching {
public:
  /** \brief The most matches of a tensor. */
  static constexpr int max_match_count = 32;

  /** \brief Sets how many matches are wanted for each tensor.
   * \param[in] count 1 (the default) to max_match_count
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setMatchCount(int count);

  /** \return how many matches are wanted for each tensor */
  int
  getMatchCount() const;

  /** \brief Sets t_c, the least coefficient of a match.
   * \param[in] correlation -1 to 1; 0.45 by default
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setMinCorrelation(float correlation);

  /** \brief Sets the least overlap of a match.
   * \param[in] ratio above 0 and up to 1; 0.45 by default
   * \throws pcl::BadArgumentException if outside that
   */
  void
  setMinOverlap(float ratio);

  /** \brief Sets the least number of voxels that neither of both has empty. The
   * coefficient of two voxels is always 1 or -1, that of a few large by chance.
   * \param[in] voxels 2 or more; 8 by default
   * \throws pcl::BadArgumentException if less than 2
   */
  void
  setMinOverlapVoxels(int voxels);

  /** \brief Sets what makes a match the best one.
   * \param[in] ranking MatchRanking::Correlation by default
   * \throws pcl::BadArgumentException if it is none of the enumeration
   */
  void
  setRanking(MatchRanking ranking);

  /** \brief Sets how many bins are searched.
   * \param[in] bins on either side of the one that a tensor's angle belongs to; -1, the
   * default, for all tensors of the table
   * \throws pcl::BadArgumentException if less than -1
   */
  void
  setNeighborBins(int bins);

  /** \brief Matches tensors with those of a table.
   * \param[in] tensors with grids of the table's size, unless there is room for none; entries
   * that were lost for want of room count as empty
   * \param[in] table on the same device
   * \param[out] matches getMatchCount() of each tensor, the best first, for as many tensors
   * as there is room for in \a tensors; undefined behind *tensors.count of them
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException if grids differ in size or inputs are on different
   * devices
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const TensorSet& tensors,
          const TensorTable& table,
          DeviceArray<TensorMatch>& matches,
          const Stream& stream = {});

private:
  int match_count_ = 1;
  float min_correlation_ = 0.45f;
  float min_overlap_ = 0.45f;
  int min_overlap_voxels_ = 8;
  int neighbor_bins_ = -1;
  MatchRanking ranking_ = MatchRanking::Correlation;
  Workspace workspace_;
};

} // namespace pcl::gpu
