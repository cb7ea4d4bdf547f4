// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "filter/pose_statistics.hpp"
#include "filter/resampling.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace pcl::device {

namespace {

double
exponentFor(const WeighTask& task)
{
  if (!(task.survival_rate > 0.0f))
    return task.exponent;
  const ExponentSample sample(task.particles.count);
  double greatest = -HUGE_VAL;
  for (std::uint32_t i = 0; i < sample.size; ++i) {
    const double value = task.log_likelihoods[i * sample.step];
    greatest = isPossible(value) ? std::max(greatest, value) : greatest;
  }
  if (!isPossible(greatest))
    return 1.0;
  const double needed = static_cast<double>(task.survival_rate) * sample.size;
  const auto isEnough = [&](double exponent) {
    std::uint64_t total = 0, square_total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total, square_total)
    for (std::uint32_t i = 0; i < sample.size; ++i) {
      const double value = task.log_likelihoods[i * sample.step];
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

template <typename Terms>
void
writeTerms(const Terms& terms, std::size_t row, int columns, double* values)
{
  for (int column = 0; column < columns; ++column)
    values[column] = terms(row, column);
}

void
writeTerms(const MeanTerms& terms, std::size_t row, int columns, double* values)
{
  terms.write(row, columns, values);
}

/** \brief Sums terms of any type. */
struct SumAllRows {
  template <typename Terms>
  void
  operator()(const Terms& terms, std::size_t rows, int columns, double* sums) const
  {
    const auto count = static_cast<std::ptrdiff_t>(sumsOf(rows));
#pragma omp parallel
    {
      std::vector<double> of_row(columns), of_part(columns);
#pragma omp for schedule(static)
      for (std::ptrdiff_t number = 0; number < count; ++number) {
        double* const to = sums + number * columns;
        std::fill_n(to, columns, 0.0);
        for (int part = 0; part < parts_per_sum; ++part) {
          std::fill(of_part.begin(), of_part.end(), 0.0);
          const std::size_t first = number * rows_per_sum + part * rows_per_part;
          const std::size_t last = std::min(rows, first + rows_per_part);
          for (std::size_t row = first; row < last; ++row) {
            writeTerms(terms, row, columns, of_row.data());
            for (int i = 0; i < columns; ++i)
              of_part[i] += of_row[i];
          }
          for (int i = 0; i < columns; ++i)
            to[i] += of_part[i];
        }
      }
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
    std::copy_n(particles.pose(from), size, particles.former_poses + to * size);
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
      movePart(task, i, part);
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
  FilterState& state = *particles.state;
  state.exponent = exponentFor(task);
  // Keys, because a maximum of numbers may begin with the least finite one.
  unsigned long long greatest_key = comparableKey(-HUGE_VAL);
#pragma omp parallel for schedule(static) reduction(max : greatest_key)
  for (std::uint32_t i = 0; i < particles.count; ++i) {
    const double former = state.carries_weights ? particles.log_weights[i] : 0.0;
    const double joined =
        joinedLogWeight(task.log_likelihoods[i], state.exponent, former);
    particles.log_weights[i] = joined;
    greatest_key = std::max(greatest_key, comparableKey(joined));
  }
  const double greatest = valueOfKey(greatest_key);
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
  state.sums.greatest_key = greatest_key;
  state.sums.square_total = square_total;
  state.sums.first_greatest = first_greatest;
  concludeWeights(task);
  if (task.scheme == ResamplingScheme::Residual) {
#pragma omp parallel for schedule(static)
    for (std::uint32_t i = 0; i < particles.count; ++i)
      partCopies(task, i);
    for (std::uint64_t* const sums : {task.copies, task.residuals})
      std::partial_sum(sums, sums + particles.count, sums);
  }
#pragma omp parallel for schedule(static)
  for (std::uint32_t i = 0; i < particles.count; ++i)
    chooseAncestor(task, i);
}

void
host::summarize(const StatisticsTask& task)
{
  const Particles& particles = task.particles;
  const PoseSpace& space = particles.space;
  const SumAllRows sum;
  double* scratch = task.sums;
  const double* sums =
      sumByLevels(MeanTerms{particles}, MeanTerms::columns(space), scratch, sum).sums;
  concludePosition(particles, sums);
  for (int rotation = 0; rotation <= space.balls; ++rotation)
    concludeRotation(particles, sums, rotation);
  for (int angle = 0; angle < space.angles; ++angle)
    if (!isOfBall(space, angle))
      particles.mean[root_size + angle] = concludeAngle(particles, sums, angle);
  std::copy_n(particles.pose(particles.state->best), space.size(), particles.best);
  if (!task.ends_frame)
    return;
  scratch = task.sums;
  sums =
      sumByLevels(SpreadTerms<false>{particles}, space.freedoms(), scratch, sum).sums;
  for (int freedom = 0; freedom < space.freedoms(); ++freedom)
    particles.deviations[freedom] = concludeDeviation(particles, sums[freedom]);
  ++particles.state->frame;
}

const double*
host::sumProducts(const StatisticsTask& task)
{
  const int freedoms = task.particles.space.freedoms();
  const SpreadTerms<true> terms = {task.particles};
  double* scratch = task.sums;
  return sumByLevels(terms, freedoms * freedoms, scratch, SumAllRows()).sums;
}

} // namespace pcl::device
