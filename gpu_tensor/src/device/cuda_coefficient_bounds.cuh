// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "cuda_coarse_tensors.cuh"

#include <pcl/gpu/utils/device/cuda_block.cuh>

// Within which limits the coefficient of two tensors lies, by their coarse ones.

namespace pcl {
namespace device {
namespace cuda {

/** \brief All bits of the bytes whose highest bit is set. */
__device__ __forceinline__ std::uint32_t
spreadHighBits(std::uint32_t bytes)
{
  std::uint32_t mask;
  asm("prmt.b32 %0, %1, 0, 0xba98;" : "=r"(mask) : "r"(bytes));
  return mask;
}

/** \brief Sums over the voxels that neither of two coarse tensors has empty. */
struct CoarseSums {
  unsigned int p = 0, q = 0, pp = 0, qq = 0, pq = 0;
  int count = 0;
};

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

/** \brief What a coefficient lies between. */
struct CoefficientBounds {
  float lower, upper; ///< 0 and 1 if nothing is known
};

/** \brief Bounds of the coefficient that correlation() finds.
 *
 * It is the cosine of the angle between the vectors of both tensors' areas, from their means
 * on. A vector that a coarse one is a given length away from is at an angle to it whose sine
 * is at most that over the coarse one's length. Two such angles are between the one that is
 * sought and the coarse tensors' one.
 * \param[in] error, other_error of both tensors, see coarsen()
 */
__device__ __forceinline__ CoefficientBounds
boundsOfCoefficient(const CoarseSums& sums, float error, float other_error)
{
  constexpr float rounding = 1e-5f; // of the coefficient, and of what is computed here
  constexpr float rounding_of_square = 4e-6f;
  constexpr float max_sine = 0.5f;
  const long long n = sums.count;
  const auto product = [](unsigned int a, unsigned int b) {
    return static_cast<long long>(a) * b;
  };
  const float p = static_cast<float>(n * sums.pp - product(sums.p, sums.p));
  const float q = static_cast<float>(n * sums.qq - product(sums.q, sums.q));
  const float pq = static_cast<float>(n * sums.pq - product(sums.p, sums.q));
  const float inverse_p = rsqrtf(p), inverse_q = rsqrtf(q);
  const float count = static_cast<float>(sums.count);
  const float sine =
      count * rsqrtf(count) * (error * inverse_p + other_error * inverse_q);
  // Areas that hardly vary leave the rounding of sums, or nothing at all.
  const float least = count * count;
  if (!(p >= least && q >= least && sine <= max_sine))
    return {0.0f, 1.0f};
  const float cosine = fminf(1.0f, fmaxf(-1.0f, pq * inverse_p * inverse_q));
  const float square = 1.0f - cosine * cosine + rounding_of_square;
  const float change = sine * square * rsqrtf(square) + rounding;
  return {cosine * (1.0f - sine * sine) - change, fmaxf(cosine, 0.0f) + change};
}

} // namespace cuda
} // namespace device
} // namespace pcl
