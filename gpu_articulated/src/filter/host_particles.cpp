// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "particle_driver.h"
#include "pose_statistics.hpp"
#include "resampling.hpp"

#include <algorithm>
#include <cstring>

namespace pcl::device {

namespace {

void
sumUp(std::uint64_t* values, std::uint32_t count)
{
  for (std::uint32_t i = 1; i < count; ++i)
    values[i] += values[i - 1];
}

double
exponentFor(const Particles& particles, const WeightTask& weights)
{
  if (!(weights.survival_rate > 0.0f))
    return weights.exponent;
  const ExponentSample sample(particles.count);
  double greatest = -HUGE_VAL;
  for (std::uint32_t i = 0; i < sample.size; ++i) {
    const double value = weights.log_likelihoods[i * sample.step];
    greatest = isPossible(value) ? std::max(greatest, value) : greatest;
  }
  if (!isPossible(greatest))
    return 1.0;
  const double needed = static_cast<double>(weights.survival_rate) * sample.size;
  const auto isEnough = [&](double exponent) {
    std::uint64_t total = 0, square_total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total, square_total)
    for (std::uint32_t i = 0; i < sample.size; ++i) {
      const double value = weights.log_likelihoods[i * sample.step];
      const ParticleWeight weight = fixedPointWeight(
          joinedLogWeight(value, exponent, -exponent * greatest), ExponentSample::bits);
      total += weight.weight;
      square_total += weight.square;
    }
    return effectiveSize(total, square_total, ExponentSample::bits) >= needed;
  };
  const int halvings =
      findHalvings([&](int number) { return isEnough(exponentAt(number, 0)); });
  const int steps = halvings == 0 ? 0 : findSteps([&](int number) {
    return isEnough(exponentAt(halvings, number));
  });
  return exponentAt(halvings, steps);
}

/** \brief Joins log-likelihoods with the log-weights of before.
 * \return the greatest
 */
double
joinLogWeights(const Particles& particles, const double* log_likelihoods)
{
  const FilterState& state = *particles.state;
  double greatest = -HUGE_VAL;
#pragma omp parallel for schedule(static) reduction(max : greatest)
  for (std::uint32_t i = 0; i < particles.count; ++i) {
    const double former = state.carries_weights ? particles.log_weights[i] : 0.0;
    const double joined = joinedLogWeight(log_likelihoods[i], state.exponent, former);
    particles.log_weights[i] = joined;
    greatest = std::max(greatest, joined);
  }
  return greatest;
}

template <typename Terms>
void
sumAllRows(const Terms& terms, double* sums)
{
  const auto count = static_cast<std::ptrdiff_t>(sumsOf(terms.rows()));
  const int columns = terms.columns();
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t number = 0; number < count; ++number)
    for (int column = 0; column < columns; ++column) {
      double sum = 0.0;
      for (int part = 0; part < parts_per_sum; ++part)
        sum += partOfSum(terms, number, part, column);
      sums[number * columns + column] = sum;
    }
}

/** \brief A function object that has every type of terms summed. */
struct SumAllRows {
  template <typename Terms>
  void
  operator()(const Terms& terms, double* sums) const
  {
    sumAllRows(terms, sums);
  }
};

class HostParticleDriver : public ParticleDriver {
public:
  void
  clear(void* memory, std::size_t bytes, Queue) const override
  {
    std::memset(memory, 0, bytes);
  }

  void
  resetAncestors(const Particles& particles, Queue) const override
  {
    for (std::uint32_t i = 0; i < particles.count; ++i)
      particles.ancestors[i] = i;
  }

  void
  gather(const Particles& particles, Queue) const override
  {
    const std::size_t size = particles.space.size();
    const std::size_t freedoms = particles.space.freedoms();
#pragma omp parallel for schedule(static)
    for (std::uint32_t i = 0; i < particles.count; ++i) {
      const std::size_t to = i, from = particles.ancestors[i];
      std::copy_n(
          particles.poses + from * size, size, particles.former_poses + to * size);
      if (particles.velocities)
        std::copy_n(particles.velocities + from * freedoms,
                    freedoms,
                    particles.former_velocities + to * freedoms);
    }
  }

  void
  move(const Particles& particles,
       const ParticleRange& range,
       const MotionTask& task,
       Queue) const override
  {
    const int parts = particles.space.parts();
    const std::uint32_t last = range.first + range.count;
#pragma omp parallel for schedule(static)
    for (std::uint32_t i = range.first; i < last; ++i)
      for (int part = 0; part < parts; ++part)
        movePart(particles, task, i, part);
  }

  std::size_t
  weightScratchBytes(std::uint32_t) const override
  {
    return 0;
  }

  void
  weigh(const Particles& particles,
        const WeightTask& weights,
        const ResamplingTask& resampling,
        void*,
        Queue) const override
  {
    FilterState& state = *particles.state;
    state.exponent = exponentFor(particles, weights);
    const double greatest = joinLogWeights(particles, weights.log_likelihoods);
    const int bits = weightBits(particles.count);
    std::uint64_t square_total = 0;
    std::uint32_t first_greatest = 0;
#pragma omp parallel for schedule(static) reduction(+ : square_total)                  \
    reduction(max : first_greatest)
    for (std::uint32_t i = 0; i < particles.count; ++i) {
      double& log_weight = particles.log_weights[i];
      if (log_weight == greatest)
        first_greatest = std::max(first_greatest, ~i);
      log_weight = relativeLogWeight(log_weight, greatest);
      const ParticleWeight weight = fixedPointWeight(log_weight, bits);
      particles.weight_sums[i] = weight.weight;
      square_total += weight.square;
    }
    sumUp(particles.weight_sums, particles.count);
    state.greatest_key = comparableKey(greatest);
    state.square_total = square_total;
    state.first_greatest = first_greatest;
    concludeWeights(particles, weights, resampling);
    chooseAncestors(particles, resampling);
  }

  void
  findMean(const Particles& particles,
           const PoseStatistics& statistics,
           Queue) const override
  {
    const double* const sums =
        sumByLevels(MeanTerms{particles}, statistics.sums, SumAllRows());
    concludePosition(particles, sums, statistics.mean);
    for (int rotation = 0; rotation <= particles.space.balls; ++rotation)
      concludeRotation(particles, sums, rotation, statistics.mean);
    const int size = particles.space.size();
    for (int angle = 0; angle < particles.space.angles; ++angle)
      if (!isOfBall(particles.space, angle))
        statistics.mean[root_size + angle] = concludeAngle(particles, sums, angle);
    const std::size_t best = particles.state->best;
    std::copy_n(particles.poses + best * size, size, statistics.best);
  }

  void
  findDeviations(const Particles& particles,
                 const PoseStatistics& statistics,
                 Queue) const override
  {
    const double* const sums = sumByLevels(
        SpreadTerms{particles, statistics.mean}, statistics.sums, SumAllRows());
    for (int freedom = 0; freedom < particles.space.freedoms(); ++freedom)
      statistics.deviations[freedom] = concludeDeviation(particles, sums[freedom]);
  }

  void
  covariance(const Particles& particles,
             const float* mean,
             double* sums,
             float* matrix,
             Queue) const override
  {
    const CovarianceTerms terms = {particles, mean};
    const double* const found = sumByLevels(terms, sums, SumAllRows());
    const auto total = static_cast<double>(particles.state->total);
    for (int i = 0; i < terms.columns(); ++i)
      matrix[i] = static_cast<float>(found[i] / total);
  }

  void
  countFrame(const Particles& particles, Queue) const override
  {
    ++particles.state->frame;
  }

private:
  static void
  chooseAncestors(const Particles& particles, const ResamplingTask& resampling)
  {
    if (resampling.scheme == ResamplingScheme::Residual) {
#pragma omp parallel for schedule(static)
      for (std::uint32_t i = 0; i < particles.count; ++i)
        partCopies(particles, resampling, i);
      sumUp(resampling.copies, particles.count);
      sumUp(resampling.residuals, particles.count);
    }
#pragma omp parallel for schedule(static)
    for (std::uint32_t i = 0; i < particles.count; ++i)
      particles.ancestors[i] = ancestorOf(particles, resampling, i);
  }
};

} // namespace

const ParticleDriver&
hostParticleDriver()
{
  static const HostParticleDriver driver;
  return driver;
}

} // namespace pcl::device
