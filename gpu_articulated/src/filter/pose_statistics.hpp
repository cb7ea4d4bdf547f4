// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "filter/motion.hpp"
#include "filter/particles.h"

#include <cmath>
#include <cstddef>
#include <utility>

namespace pcl::device {

// Weighted sums over particles consist of sums of this many rows each, which are summed
// in the same way: the bits do not depend on the distribution of the work. Each is the
// sum of its parts, in order.
constexpr std::size_t rows_per_part = 2;
constexpr int parts_per_sum = 32;
constexpr std::size_t rows_per_sum = rows_per_part * parts_per_sum;

/** \brief Returns the exact weight of a particle. */
PCL_GPU_HOST_DEVICE double
weightOf(const Particles& particles, std::size_t row)
{
  const std::uint64_t before = row == 0 ? 0 : particles.weight_sums[row - 1];
  return static_cast<double>(particles.weight_sums[row] - before);
}

/** \brief Returns a weighted value. Particles without weight do not count, even if
 * NaN. */
PCL_GPU_HOST_DEVICE double
weighted(double weight, double value)
{
  return weight > 0.0 ? weight * value : 0.0;
}

/** \brief Returns whether an angle belongs to a ball joint. */
PCL_GPU_HOST_DEVICE bool
isOfBall(const PoseSpace& space, int angle)
{
  return space.ball_numbers[angle] >= 0;
}

/** \brief Terms of the mean: positions, products of quaternions with themselves, and
 * for each angle two numbers, its cosine and sine, or itself and 0. */
struct MeanTerms {
  static constexpr int first_product = 3;
  static constexpr int products = 10;

  Particles particles;

  /** \brief Returns the first column of a rotation's products. */
  PCL_GPU_HOST_DEVICE static int
  productColumn(int rotation)
  {
    return first_product + products * rotation;
  }

  /** \brief Returns the first column of an angle's numbers. */
  PCL_GPU_HOST_DEVICE static int
  angleColumn(int balls, int angle)
  {
    return productColumn(1 + balls) + 2 * angle;
  }

  static int
  columns(const PoseSpace& space)
  {
    return angleColumn(space.balls, space.angles);
  }

  PCL_GPU_HOST_DEVICE double
  operator()(std::size_t row, int column) const
  {
    return weighted(weightOf(particles, row), value(particles.pose(row), column));
  }

  /** \brief Writes the terms of a row, which share each rotation's quaternion. */
  void
  write(std::size_t row, int columns, double* terms) const
  {
    const PoseSpace& space = particles.space;
    const float* const pose = particles.pose(row);
    const double weight = weightOf(particles, row);
    for (int rotation = 0; rotation <= space.balls; ++rotation) {
      const Quaternion q = PoseRotation(space, rotation).in(pose);
      for (int i = 0; i < products; ++i)
        terms[productColumn(rotation) + i] = weighted(weight, product(q, i));
    }
    for (int i = 0; i < first_product; ++i)
      terms[i] = weighted(weight, pose[i]);
    for (int i = angleColumn(space.balls, 0); i < columns; ++i)
      terms[i] = weighted(weight, value(pose, i));
  }

private:
  PCL_GPU_HOST_DEVICE double
  value(const float* pose, int column) const
  {
    if (column < first_product)
      return pose[column];
    const PoseSpace& space = particles.space;
    const int first_angle = angleColumn(space.balls, 0);
    if (column < first_angle) {
      const int rotation = (column - first_product) / products;
      return product(PoseRotation(space, rotation).in(pose),
                     column - productColumn(rotation));
    }
    const int angle = (column - first_angle) / 2;
    const bool second = (column - first_angle) % 2 != 0;
    if (isOfBall(space, angle))
      return 0.0;
    const float number = pose[root_size + angle];
    if (!isCircular(space, angle))
      return second ? 0.0 : number;
    return second ? sine(number) : cosine(number);
  }

  /** \brief Products of the upper triangle, row by row. */
  PCL_GPU_HOST_DEVICE static double
  product(const Quaternion& q, int number)
  {
    const float numbers[4] = {q.w, q.x, q.y, q.z};
    int i = 0, j = number;
    while (j >= 4 - i) {
      j -= 4 - i;
      ++i;
    }
    return static_cast<double>(numbers[i]) * numbers[i + j];
  }
};

/** \brief Returns the difference of a pose from the mean in one degree of freedom. */
PCL_GPU_HOST_DEVICE double
differenceFromMean(const Particles& particles, const float* pose, int freedom)
{
  const PoseSpace& space = particles.space;
  const float* const mean = particles.mean;
  if (freedom < 3)
    return static_cast<double>(pose[freedom]) - mean[freedom];
  const int angle = freedom - root_freedoms;
  if (angle < 0 || isOfBall(space, angle)) {
    const PoseRotation rotation(space, angle < 0 ? 0 : 1 + space.ball_numbers[angle]);
    double vector[3];
    rotationVector(rotation.in(mean), rotation.in(pose), vector);
    return rotation.side * vector[freedom - rotation.freedom];
  }
  const double difference =
      static_cast<double>(pose[root_size + angle]) - mean[root_size + angle];
  if (!isCircular(space, angle))
    return difference;
  const double turn = 6.283185307179586477;
  return difference - turn * floor(difference / turn + 0.5);
}

/** \brief Products of differences from the mean.
 * \tparam pairs one a pair of degrees of freedom; if not, the square of each
 */
template <bool pairs>
struct SpreadTerms {
  Particles particles;

  PCL_GPU_HOST_DEVICE double
  operator()(std::size_t row, int column) const
  {
    const int freedoms = particles.space.freedoms();
    const float* const pose = particles.pose(row);
    const double one =
        differenceFromMean(particles, pose, pairs ? column / freedoms : column);
    const double other =
        pairs ? differenceFromMean(particles, pose, column % freedoms) : one;
    return weighted(weightOf(particles, row), one * other);
  }
};

/** \brief Sums to be summed. */
struct PartialSums {
  const double* sums; ///< rows of columns
  std::size_t rows;
  int columns;

  PCL_GPU_HOST_DEVICE double
  operator()(std::size_t row, int column) const
  {
    return sums[row * columns + column];
  }
};

/** \brief Returns the number of sums of rows. */
PCL_GPU_HOST_DEVICE std::size_t
sumsOf(std::size_t rows)
{
  return (rows + rows_per_sum - 1) / rows_per_sum;
}

/** \brief Sums over all particles, up to some rows of sums.
 * \param[in] columns number of sums
 * \param[in,out] sums scratch memory, sumScratchSize(); after it the part of it that
 * is free, which has a row at least
 * \param[in] sumAll takes terms, the numbers of rows and columns, and the memory of
 * their sums
 * \param[in] most_rows rows that may remain
 * \return the last sums
 */
template <typename Terms, typename SumAll>
PartialSums
sumByLevels(const Terms& terms,
            int columns,
            double*& sums,
            const SumAll& sumAll,
            std::size_t most_rows = 1)
{
  std::size_t rows = sumsOf(terms.particles.count);
  double* here = sums;
  sums += rows * columns;
  sumAll(terms, terms.particles.count, columns, here);
  while (rows > most_rows) {
    sumAll(PartialSums{here, rows, columns}, rows, columns, sums);
    rows = sumsOf(rows);
    std::swap(here, sums);
  }
  return {here, rows, columns};
}

inline std::size_t
sumScratchSize(std::size_t rows, std::size_t columns)
{
  return (sumsOf(rows) + sumsOf(sumsOf(rows))) * columns;
}

/** \brief Writes the mean of the root's position. */
PCL_GPU_HOST_DEVICE void
concludePosition(const Particles& particles, const double* sums)
{
  const auto total = static_cast<double>(particles.state->total);
  for (int axis = 0; axis < 3; ++axis)
    particles.mean[axis] = static_cast<float>(sums[axis] / total);
}

/** \brief Writes the mean of a rotation; the angles of a ball joint are near those of
 * the best particle. */
PCL_GPU_HOST_DEVICE void
concludeRotation(const Particles& particles, const double* sums, int rotation)
{
  const PoseSpace& space = particles.space;
  const auto total = static_cast<double>(particles.state->total);
  double products[4][4], vector[4];
  const double* product = sums + MeanTerms::productColumn(rotation);
  for (int i = 0; i < 4; ++i)
    for (int j = i; j < 4; ++j)
      products[i][j] = products[j][i] = *product++ / total;
  principalAxis(products, vector);
  const Quaternion q = {static_cast<float>(vector[0]),
                        static_cast<float>(vector[1]),
                        static_cast<float>(vector[2]),
                        static_cast<float>(vector[3])};
  const float* const best = particles.pose(particles.state->best);
  PoseRotation(space, rotation).store(q, best, particles.mean);
}

/** \brief The mean of an angle that is not of a ball joint: of all that differ by whole
 * turns, the nearest to that of the best particle, within the limits. */
PCL_GPU_HOST_DEVICE float
concludeAngle(const Particles& particles, const double* sums, int angle)
{
  const auto total = static_cast<double>(particles.state->total);
  const float lower = particles.space.lower[angle],
              upper = particles.space.upper[angle];
  const double* const sum = sums + MeanTerms::angleColumn(particles.space.balls, angle);
  float mean;
  if (!isCircular(particles.space, angle))
    mean = static_cast<float>(sum[0] / total);
  else {
    const double near = particles.pose(particles.state->best)[root_size + angle];
    const double turn = 6.283185307179586477;
    const double principal = arcTangent(sum[1], sum[0]);
    mean =
        static_cast<float>(principal + turn * floor((near - principal) / turn + 0.5));
    if (isUnlimited(lower, upper))
      return wrappedAngle(mean);
  }
  return fminf(fmaxf(mean, lower), upper);
}

/** \brief A deviation from a sum of squares. */
PCL_GPU_HOST_DEVICE float
concludeDeviation(const Particles& particles, double sum)
{
  return static_cast<float>(sqrt(sum / static_cast<double>(particles.state->total)));
}

} // namespace pcl::device
