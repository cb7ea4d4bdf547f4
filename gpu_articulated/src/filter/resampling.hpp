// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "filter/weights.hpp"

namespace pcl::device {

/** \brief Returns the upper 64 bits of a product. */
PCL_GPU_HOST_DEVICE std::uint64_t
upperProduct(std::uint64_t a, std::uint64_t b)
{
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
}

/** \brief Returns a random number from 0 to below a bound. */
PCL_GPU_HOST_DEVICE std::uint64_t
uniformBelow(std::uint64_t bound, const WeighTask& task, std::uint32_t particle)
{
  const std::uint32_t frame = task.particles.state->frame;
  const RandomBits bits =
      randomBits(task.seed, particle, ancestor_dimension, frame, task.layer);
  return upperProduct(static_cast<std::uint64_t>(bits.v[0]) << 32 | bits.v[1], bound);
}

/** \brief Returns the place of the first sum above a number, which is below the last
 * sum. */
PCL_GPU_HOST_DEVICE std::uint32_t
firstAbove(const std::uint64_t* sums, std::uint32_t count, std::uint64_t number)
{
  std::uint32_t first = 0, last = count - 1;
  while (first < last) {
    const std::uint32_t middle = first + (last - first) / 2;
    if (sums[middle] > number)
      last = middle;
    else
      first = middle + 1;
  }
  return first;
}

/** \brief Returns floor((i total + offset) / count), without overflow. */
PCL_GPU_HOST_DEVICE std::uint64_t
evenPosition(std::uint32_t i,
             std::uint64_t offset,
             std::uint64_t total,
             std::uint32_t count)
{
  return i * (total / count) + (i * (total % count) + offset) / count;
}

/** \brief Returns the particle that the i-th of the next set comes from. */
PCL_GPU_HOST_DEVICE std::uint32_t
ancestorOf(const WeighTask& task, std::uint32_t i)
{
  const Particles& particles = task.particles;
  const FilterState& state = *particles.state;
  if (state.carries_weights)
    return i;
  const std::uint32_t count = particles.count;
  std::uint64_t total = state.total;
  if (task.scheme == ResamplingScheme::Residual) {
    const std::uint64_t copies = task.copies[count - 1];
    if (i < copies)
      return firstAbove(task.copies, count, i);
    total = task.residuals[count - 1];
    return firstAbove(task.residuals, count, uniformBelow(total, task, i));
  }
  const bool stratified = task.scheme == ResamplingScheme::Stratified;
  const std::uint64_t offset = uniformBelow(total, task, stratified ? i : 0);
  return firstAbove(
      particles.weight_sums, count, evenPosition(i, offset, total, count));
}

/** \brief Writes the ancestor of the i-th of the next set. */
PCL_GPU_HOST_DEVICE void
chooseAncestor(const WeighTask& task, std::uint32_t i)
{
  task.particles.ancestors[i] = ancestorOf(task, i);
}

/** \brief Splits a particle's share of the next set into whole copies and the rest. */
PCL_GPU_HOST_DEVICE void
partCopies(const WeighTask& task, std::uint32_t i)
{
  const Particles& particles = task.particles;
  const std::uint64_t before = i == 0 ? 0 : particles.weight_sums[i - 1];
  const std::uint64_t share =
      (particles.weight_sums[i] - before) * static_cast<std::uint64_t>(particles.count);
  const std::uint64_t total = particles.state->total;
  // Residuals are below the total; that many of their bits let the sum of all fit.
  int surplus = 0;
  while (total >> surplus >> (63 - bitsOf(particles.count)) != 0)
    ++surplus;
  task.copies[i] = share / total;
  task.residuals[i] = share % total >> surplus;
}

} // namespace pcl::device
