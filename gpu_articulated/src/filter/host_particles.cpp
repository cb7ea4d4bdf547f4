// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/pose_statistics.hpp"
#include "filter/resampling.hpp"

#include <algorithm>
#include <numeric>

namespace pcl::device {

namespace {

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

/** \brief Sums terms of any type. */
struct SumAllRows {
  template <typename Terms>
  void
  operator()(const Terms& terms, double* sums) const
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
};

} // namespace

void
host::gather(const Particles& particles)
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
host::move(const MoveTask& task)
{
  const int parts = task.particles.space.parts();
  const std::uint32_t last = task.range.first + task.range.count;
#pragma omp parallel for schedule(static)
  for (std::uint32_t i = task.range.first; i < last; ++i)
    for (int part = 0; part < parts; ++part)
      movePart(task.particles, task.motion, i, part);
}

std::size_t
host::weightScratchBytes(std::uint32_t)
{
  return 0;
}

void
host::weigh(const WeighTask& task)
{
  const Particles& particles = task.particles;
  const ResamplingTask& resampling = task.resampling;
  FilterState& state = *particles.state;
  state.exponent = exponentFor(particles, task.weights);
  const double* const log_likelihoods = task.weights.log_likelihoods;
  double greatest = -HUGE_VAL;
#pragma omp parallel for schedule(static) reduction(max : greatest)
  for (std::uint32_t i = 0; i < particles.count; ++i) {
    const double former = state.carries_weights ? particles.log_weights[i] : 0.0;
    const double joined = joinedLogWeight(log_likelihoods[i], state.exponent, former);
    particles.log_weights[i] = joined;
    greatest = std::max(greatest, joined);
  }
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
  std::partial_sum(particles.weight_sums,
                   particles.weight_sums + particles.count,
                   particles.weight_sums);
  state.greatest_key = comparableKey(greatest);
  state.square_total = square_total;
  state.first_greatest = first_greatest;
  concludeWeights(particles, task.weights, resampling);
  if (resampling.scheme == ResamplingScheme::Residual) {
#pragma omp parallel for schedule(static)
    for (std::uint32_t i = 0; i < particles.count; ++i)
      partCopies(particles, resampling, i);
    for (std::uint64_t* const sums : {resampling.copies, resampling.residuals})
      std::partial_sum(sums, sums + particles.count, sums);
  }
#pragma omp parallel for schedule(static)
  for (std::uint32_t i = 0; i < particles.count; ++i)
    particles.ancestors[i] = ancestorOf(particles, resampling, i);
}

void
host::summarize(const StatisticsTask& task)
{
  const Particles& particles = task.particles;
  const double* sums = sumByLevels(MeanTerms{{particles}}, task.sums, SumAllRows());
  concludePosition(particles, sums, task.mean);
  for (int rotation = 0; rotation <= particles.space.balls; ++rotation)
    concludeRotation(particles, sums, rotation, task.mean);
  const int size = particles.space.size();
  for (int angle = 0; angle < particles.space.angles; ++angle)
    if (!isOfBall(particles.space, angle))
      task.mean[root_size + angle] = concludeAngle(particles, sums, angle);
  const std::size_t best = particles.state->best;
  std::copy_n(particles.poses + best * size, size, task.best);
  if (!task.ends_frame)
    return;
  sums = sumByLevels(SpreadTerms{{particles}, task.mean}, task.sums, SumAllRows());
  for (int freedom = 0; freedom < particles.space.freedoms(); ++freedom)
    task.deviations[freedom] = concludeDeviation(particles, sums[freedom]);
  ++particles.state->frame;
}

void
host::findCovariance(const StatisticsTask& task)
{
  const CovarianceTerms terms = {{task.particles}, task.mean};
  const double* const sums = sumByLevels(terms, task.sums, SumAllRows());
  const auto total = static_cast<double>(task.particles.state->total);
  for (int i = 0; i < terms.columns(); ++i)
    task.covariance[i] = static_cast<float>(sums[i] / total);
}

} // namespace pcl::device
