// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "matching/correlation.hpp"
#include "matching/matching_task.h"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

// How a warp compares tensors with those of a table.

namespace pcl::device::cuda {

/** \brief Lanes that compare two tensors. */
constexpr int group_lanes = 8;
/** \brief Entries that a lane reads before it looks at any. */
constexpr int entries_ahead = 8;

/** \brief Adds the numbers of bits that 16 rows of 256 bits have in common with 8 others,
 * as the lanes of a warp hold them (the layout of mma.m16n8k256, but for the order of
 * words, which does not matter).
 * \param[in] a words 2 * (lane % 4) of rows lane / 4 and lane / 4 + 8, then the next words
 * \param[in] b words 2 * (lane % 4) and the next one of the other row lane / 4
 * \param[in,out] common rows lane / 4 and that plus 8 with others lane % 4 * 2 and the next
 */
__device__ inline void
countCommonBits(const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], int* common)
{
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(common[0]), "+r"(common[1]), "+r"(common[2]), "+r"(common[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
  const int lane = threadIdx.x % warp_size;
  for (int i = 0; i < 2; ++i)
    for (int word = 0; word < 4; ++word)
      for (int high = 0; high < 2; ++high) {
        const std::uint32_t own =
            __shfl_sync(all_lanes, a[2 * high + i], lane / 4 * 4 + word);
        for (int j = 0; j < 2; ++j)
          common[2 * i + j] += __popc(
              own & __shfl_sync(all_lanes, b[high], (lane % 4 * 2 + j) * 4 + word));
      }
#endif
}

/** \brief Sums over a tensor and one of the table, the same in all of a group of lanes.
 * \param[in] areas of the tensor, of all voxels
 * \param[in] other number in the table; -1 for none
 */
template <typename Real>
__device__ __forceinline__ OverlapSums
sumInGroup(const MatchingTask& task, const Real* areas, int other)
{
  const int lane = threadIdx.x % group_lanes;
  OverlapSums sums;
  if (other >= 0) {
    const std::uint32_t begin = task.table.start(other);
    int left = static_cast<int>(task.table.start(other + 1) - begin) - lane;
    const std::uint16_t* voxels = task.table.voxels + begin + lane;
    const float* other_areas = task.table.areas + begin + lane;
    for (; left > 0; left -= entries_ahead * group_lanes) {
      int voxel[entries_ahead];
      float area[entries_ahead];
#pragma unroll
      for (int k = 0; k < entries_ahead; ++k) {
        const bool exists = k * group_lanes < left;
        voxel[k] = exists ? voxels[k * group_lanes] : -1;
        area[k] = exists ? other_areas[k * group_lanes] : 0.0f;
      }
      voxels += entries_ahead * group_lanes;
      other_areas += entries_ahead * group_lanes;
#pragma unroll
      for (int k = 0; k < entries_ahead; ++k) {
        const double own = voxel[k] >= 0 ? areas[voxel[k]] : 0;
        // A voxel that only one of both has adds nothing, without a branch.
        const bool is_common = own > 0.0;
        sums.count += is_common ? 1 : 0;
        sums.addAreas(own, is_common ? area[k] : 0.0f);
      }
    }
  }
#pragma unroll
  for (int distance = 1; distance < group_lanes; distance *= 2) {
    sums.count += __shfl_xor_sync(all_lanes, sums.count, distance);
    sums.p += __shfl_xor_sync(all_lanes, sums.p, distance);
    sums.q += __shfl_xor_sync(all_lanes, sums.q, distance);
    sums.pp += __shfl_xor_sync(all_lanes, sums.pp, distance);
    sums.qq += __shfl_xor_sync(all_lanes, sums.qq, distance);
    sums.pq += __shfl_xor_sync(all_lanes, sums.pq, distance);
  }
  return sums;
}

/** \brief The best matches that a warp has seen, lane i the one at place i. */
class BestMatches {
public:
  __device__ explicit BestMatches(int count) : count_(count) {}

  /** \brief Keeps a match if it is one of the best; all lanes call with the same one. */
  __device__ void
  add(const RankedMatch& match)
  {
    const int lane = threadIdx.x % warp_size;
    const int place = __popc(__ballot_sync(all_lanes, match_.key >= match.key));
    if (place >= count_)
      return;
    const RankedMatch before = {__shfl_up_sync(all_lanes, match_.key, 1),
                                __shfl_up_sync(all_lanes, match_.coefficient, 1)};
    if (lane > place)
      match_ = before;
    else if (lane == place)
      match_ = match;
  }

  /** \brief Keeps the best of the matches that lanes hold, each its own. */
  __device__ void
  addAll(const RankedMatch& match)
  {
    unsigned int lanes = __ballot_sync(all_lanes, match.key != 0);
    for (; lanes != 0; lanes &= lanes - 1) {
      const int lane = __ffs(lanes) - 1;
      add({__shfl_sync(all_lanes, match.key, lane),
           __shfl_sync(all_lanes, match.coefficient, lane)});
    }
  }

  /** \brief The match at the lane's place. */
  __device__ const RankedMatch&
  match() const
  {
    return match_;
  }

private:
  RankedMatch match_ = {0, 0.0f};
  int count_;
};

} // namespace pcl::device::cuda
