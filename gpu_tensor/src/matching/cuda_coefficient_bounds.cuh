// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "matching/coefficient_bounds.hpp"
#include "matching/cuda_coarse_tensors.cuh"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

// Within which limits the coefficient of two tensors lies, by their coarse ones.

namespace pcl::device::cuda {

/** \brief All bits of the bytes whose highest bit is set. */
__device__ __forceinline__ std::uint32_t
spreadHighBits(std::uint32_t bytes)
{
  std::uint32_t mask;
  asm("prmt.b32 %0, %1, 0, 0xba98;" : "=r"(mask) : "r"(bytes));
  return mask;
}

/** \brief Sums over a tensor and one of the table, the same in all of a group of lanes. All
 * lanes of a warp must call.
 * \param[in] areas words of the tensor, of all voxels
 * \param[in] first, steps of the other, see CoarseTensor
 */
__device__ __forceinline__ CoarseSums
coarseSumsInGroup(const CoarseTable& table,
                  const std::uint32_t* areas,
                  std::uint32_t first,
                  int steps)
{
  constexpr unsigned int ones = 0x01010101;
  constexpr int count_shift = 18; // a sum of 1024 bytes needs fewer bits
  CoarseSums sums;
  int signed_p = 0; // of bytes less 256
  const auto add = [&](unsigned short offset, std::uint32_t b) {
    const std::uint32_t a = *reinterpret_cast<const std::uint32_t*>(
        reinterpret_cast<const char*>(areas) + offset);
    const std::uint32_t common_a = a & spreadHighBits(b);
    const std::uint32_t common_b = b & spreadHighBits(a);
    sums.p = __dp4a(common_a, ones, sums.p);
    signed_p = __dp4a(static_cast<int>(common_a), static_cast<int>(ones), signed_p);
    sums.q = __dp4a(common_b, ones, sums.q);
    sums.pp = __dp4a(common_a, common_a, sums.pp);
    sums.qq = __dp4a(common_b, common_b, sums.qq);
    sums.pq = __dp4a(common_a, common_b, sums.pq);
  };
  std::uint32_t place = first * coarse_group_lanes + threadIdx.x % coarse_group_lanes;
#pragma unroll 1
  for (int i = 0; i < steps; ++i, place += coarse_group_lanes) {
    const uint4 words = table.areas[place];
    const ushort4 offsets = table.offsets[place];
    add(offsets.x, words.x);
    add(offsets.y, words.y);
    add(offsets.z, words.z);
    add(offsets.w, words.w);
  }
  // The count goes with a sum.
  const unsigned int count = (static_cast<int>(sums.p) - signed_p) / 256;
  sums.p |= count << count_shift;
#pragma unroll
  for (int distance = 1; distance < coarse_group_lanes; distance *= 2) {
    sums.p += __shfl_xor_sync(all_lanes, sums.p, distance);
    sums.q += __shfl_xor_sync(all_lanes, sums.q, distance);
    sums.pp += __shfl_xor_sync(all_lanes, sums.pp, distance);
    sums.qq += __shfl_xor_sync(all_lanes, sums.qq, distance);
    sums.pq += __shfl_xor_sync(all_lanes, sums.pq, distance);
  }
  sums.count = static_cast<int>(sums.p >> count_shift);
  sums.p &= (1u << count_shift) - 1;
  return sums;
}

} // namespace pcl::device::cuda
