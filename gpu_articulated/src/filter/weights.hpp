// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "filter/particles.h"
#include "filter/random.hpp"

#include <cmath>
#include <cstring>

namespace pcl::device {

// Weights are integers: their sums are exact, and the same in any order.

/** \brief Returns the least number of bits that can count to a number. */
PCL_GPU_HOST_DEVICE int
bitsOf(std::uint32_t count)
{
  int bits = 0;
  while (bits < 32 && (1ull << bits) < count)
    ++bits;
  return bits;
}

/** \brief Returns the power of 2 that is the weight of the best particle. */
PCL_GPU_HOST_DEVICE int
weightBits(std::uint32_t count)
{
  const int bits = 62 - bitsOf(count);
  return bits > 52 ? 52 : bits;
}

/** \brief Returns 2 to a power between -1022 and 1023. */
PCL_GPU_HOST_DEVICE double
powerOfTwo(int power)
{
  const std::uint64_t bits = static_cast<std::uint64_t>(1023 + power) << 52;
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/** \brief Returns the exponential of a number not above 0, within some last bits; 0
 * instead of results below 1e-300. The same bits everywhere, unlike exp(). After
 * Cephes' exp(). */
PCL_GPU_HOST_DEVICE double
exponential(double x)
{
  if (!(x > -690.0))
    return 0.0;
  const double powers = floor(1.4426950408889634074 * x + 0.5);
  // ln 2 in two parts, the first of few bits.
  x = (x - powers * 6.93145751953125e-1) - powers * 1.42860682030941723212e-6;
  const double s = x * x;
  const double p =
      x * ((1.26177193074810590878e-4 * s + 3.02994407707441961300e-2) * s + 1.0);
  const double q = ((3.00198505138664455042e-6 * s + 2.52448340349684104192e-3) * s +
                    2.27265548208155028766e-1) *
                       s +
                   2.0;
  return (1.0 + 2.0 * (p / (q - p))) * powerOfTwo(static_cast<int>(powers));
}

/** \brief Returns a key above 0 with the order of the numbers. */
PCL_GPU_HOST_DEVICE unsigned long long
comparableKey(double value)
{
  unsigned long long bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits >> 63 ? ~bits : bits | 1ull << 63;
}

PCL_GPU_HOST_DEVICE double
valueOfKey(unsigned long long key)
{
  const unsigned long long bits = key >> 63 ? key & ~(1ull << 63) : ~key;
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/** \brief Returns whether a log-likelihood is finite; if not, the particle is
 * impossible. */
PCL_GPU_HOST_DEVICE bool
isPossible(double log_likelihood)
{
  return log_likelihood > -HUGE_VAL && log_likelihood < HUGE_VAL;
}

/** \brief Returns the log-weight of a particle with the new observation.
 * \param[in] former the log-weight before
 */
PCL_GPU_HOST_DEVICE double
joinedLogWeight(double log_likelihood, double exponent, double former)
{
  return isPossible(log_likelihood) ? exponent * log_likelihood + former : -HUGE_VAL;
}

/** \brief Weights of a particle: integers. */
struct ParticleWeight {
  std::uint64_t weight, square;
};

/** \brief Returns the weight of a particle, and its square.
 * \param[in] log_weight at most 0
 * \param[in] bits of the weight 1
 */
PCL_GPU_HOST_DEVICE ParticleWeight
fixedPointWeight(double log_weight, int bits)
{
  const double weight = exponential(log_weight), one = powerOfTwo(bits);
  return {static_cast<std::uint64_t>(weight * one),
          static_cast<std::uint64_t>(weight * weight * one)};
}

/** \brief Returns the log-weight relative to the greatest; 0 for all if none is
 * possible. */
PCL_GPU_HOST_DEVICE double
relativeLogWeight(double log_weight, double greatest)
{
  return isPossible(greatest) ? log_weight - greatest : 0.0;
}

/** \brief Returns the number of equal weights that are as good. */
PCL_GPU_HOST_DEVICE double
effectiveSize(unsigned long long total, unsigned long long square_total, int bits)
{
  const double scale = powerOfTwo(-bits);
  const double sum = static_cast<double>(total) * scale;
  return sum * sum / (static_cast<double>(square_total) * scale);
}

/** \brief Completes the state from the sums of all weights, and prepares it for the
 * next ones. */
PCL_GPU_HOST_DEVICE void
concludeWeights(const WeighTask& task)
{
  const Particles& particles = task.particles;
  FilterState& state = *particles.state;
  const int bits = weightBits(particles.count);
  const double greatest = valueOfKey(state.sums.greatest_key);
  state.total = particles.weight_sums[particles.count - 1];
  state.effective_size = effectiveSize(state.total, state.sums.square_total, bits);
  state.possible = isPossible(greatest) ? 1 : 0;
  state.best = ~state.sums.first_greatest;
  state.best_log_likelihood = task.log_likelihoods[state.best];
  const double mean_weight =
      static_cast<double>(state.total) * powerOfTwo(-bits) / particles.count;
  const double former = state.carries_weights ? state.former_mean_weight : 1.0;
  state.log_evidence =
      state.possible ? greatest + log(mean_weight / former) : -HUGE_VAL;
  const double needed = static_cast<double>(task.threshold) * particles.count;
  state.carries_weights = state.effective_size >= needed ? 1 : 0;
  state.former_mean_weight = mean_weight;
  state.sums = {};
}

/** \brief The log-likelihoods of the search for an exponent: all, or a sample of
 * many. */
struct ExponentSample {
  static constexpr std::uint32_t greatest_size = 4096;
  /** \brief Of the weight 1; sums of the whole sample fit in 64 bits. */
  static constexpr int bits = 48;

  std::uint32_t step, size;

  PCL_GPU_HOST_DEVICE explicit ExponentSample(std::uint32_t count)
  : step((count + greatest_size - 1) / greatest_size)
  , size((count + step - 1) / step)
  {}
};

// Exponents are halves of 1, and this many steps from each of them to its double.
constexpr int most_halvings = 50;
constexpr int exponent_steps = 256;
static_assert(exponent_steps == 8 * sizeof(WeightSums::enough_steps) &&
                  most_halvings < 8 * sizeof(WeightSums::enough_halvings),
              "the state has a bit for each");

PCL_GPU_HOST_DEVICE double
exponentAt(int halvings, int step)
{
  return powerOfTwo(-halvings) * (1.0 + static_cast<double>(step) / exponent_steps);
}

/** \brief Finds the greatest half of 1 that leaves enough particles alive, or the
 * least.
 * \param[in] isEnough true for a number of halvings that does
 */
template <typename IsEnough>
PCL_GPU_HOST_DEVICE int
findHalvings(const IsEnough& isEnough)
{
  int halvings = 0;
  while (halvings < most_halvings && !isEnough(halvings))
    ++halvings;
  return halvings;
}

/** \brief Returns the number of steps above that still leave enough alive.
 *
 * First in long steps: smaller exponents leave more alive.
 * \param[in] isEnough true for a number of steps that does
 */
template <typename IsEnough>
PCL_GPU_HOST_DEVICE int
findSteps(const IsEnough& isEnough)
{
  constexpr int long_step = 16;
  int steps = exponent_steps - long_step;
  while (steps > 0 && !isEnough(steps))
    steps -= long_step;
  for (int more = long_step - 1; more > 0; --more)
    if (isEnough(steps + more))
      return steps + more;
  return steps;
}

} // namespace pcl::device
