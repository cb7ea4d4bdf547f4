// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/internal/device/trigonometry.hpp>

#include <Random123/philox.h>

#include <cstdint>
#include <cstring>

namespace pcl::device {

/** \brief Four random numbers of 32 bits: v[0] to v[3]. */
using RandomBits = philox4x32_ctr_t;

/** \brief Four independent deviates of the standard normal distribution. */
struct NormalDeviates {
  float value[4];
};

/** \brief Dimension of the random numbers that choose ancestors; no pose reaches it. */
constexpr std::uint32_t ancestor_dimension = 0xffffffffu;

/** \brief Dimension of the random numbers that choose two other particles. */
constexpr std::uint32_t pair_dimension = 0xfffffffeu;

/** \brief Layer of the random numbers of a filter's first particles. */
constexpr std::uint32_t initial_layer = 0xffffffffu;

/** \brief Returns random numbers that only depend on the arguments: Philox4x32 with ten
 * rounds (Salmon et al. 2011, Parallel random numbers: as easy as 1, 2, 3).
 * \param[in] seed the key
 * \param[in] particle, dimension, frame, layer the counter
 */
PCL_GPU_HOST_DEVICE RandomBits
randomBits(std::uint64_t seed,
           std::uint32_t particle,
           std::uint32_t dimension,
           std::uint32_t frame,
           std::uint32_t layer)
{
  const RandomBits counter = {{particle, dimension, frame, layer}};
  const philox4x32_key_t key = {
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  return philox4x32_R(10, counter, key);
}

/** \brief Returns the natural logarithm of a positive normal number, within 1e-7. The
 * same bits everywhere, unlike logf(). After Cephes' logf(). */
PCL_GPU_HOST_DEVICE float
naturalLogarithm(float value)
{
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  int exponent = static_cast<int>(bits >> 23) - 126;
  bits = (bits & 0x007fffffu) | 0x3f000000u;
  float x;
  std::memcpy(&x, &bits, sizeof(x));
  if (x < 0.70710678f) {
    exponent -= 1;
    x = x + x;
  }
  x = x - 1.0f;
  const float s = x * x;
  float series = 7.0376836292e-2f;
  series = series * x - 1.1514610310e-1f;
  series = series * x + 1.1676998740e-1f;
  series = series * x - 1.2420140846e-1f;
  series = series * x + 1.4249322787e-1f;
  series = series * x - 1.6668057665e-1f;
  series = series * x + 2.0000714765e-1f;
  series = series * x - 2.4999993993e-1f;
  series = series * x + 3.3333331174e-1f;
  // ln 2 in two parts, the first of few bits.
  const auto powers = static_cast<float>(exponent);
  const float small = x * s * series - powers * 2.12194440e-4f - 0.5f * s;
  return x + small + powers * 0.693359375f;
}

/** \brief Returns a number above 0 and up to 1. */
PCL_GPU_HOST_DEVICE float
uniformDeviate(std::uint32_t bits)
{
  return (static_cast<float>(bits) + 0.5f) * 2.3283064365386963e-10f;
}

/** \brief Returns normal deviates by the method of Box and Muller, up to 6.7 from 0. */
PCL_GPU_HOST_DEVICE NormalDeviates
normalDeviates(const RandomBits& bits)
{
  NormalDeviates normal;
  for (int pair = 0; pair < 2; ++pair) {
    const float radius =
        sqrtf(-2.0f * naturalLogarithm(uniformDeviate(bits.v[2 * pair])));
    const float angle = 2.0f * pi * uniformDeviate(bits.v[2 * pair + 1]);
    normal.value[2 * pair] = radius * cosine(angle);
    normal.value[2 * pair + 1] = radius * sine(angle);
  }
  return normal;
}

} // namespace pcl::device
