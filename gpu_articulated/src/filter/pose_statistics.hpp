// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "filter/motion.hpp"
#include "filter/particles.h"

#include <cmath>
#include <cstddef>

namespace pcl::device {

// Weighted sums over particles consist of sums of this many rows each, which are summed
// in the same way: the bits do not depend on the distribution of the work. Each has
// parts.
constexpr std::size_t rows_per_part = 8;
constexpr int parts_per_sum = 8;
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

/** \brief Terms of sums over all particles. */
struct ParticleTerms {
  Particles particles;

  PCL_GPU_HOST_DEVICE std::size_t
  rows() const
  {
    return particles.count;
  }

  PCL_GPU_HOST_DEVICE const float*
  pose(std::size_t row) const
  {
    return particles.poses + row * particles.space.size();
  }
};

/** \brief Terms of the mean: positions, products of quaternions with themselves, and
 * for each angle two numbers, its cosine and sine, or itself and 0. */
struct MeanTerms : ParticleTerms {
  static constexpr int first_product = 3;
  static constexpr int products = 10;

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

  PCL_GPU_HOST_DEVICE int
  columns() const
  {
    return angleColumn(particles.space.balls, particles.space.angles);
  }

  PCL_GPU_HOST_DEVICE double
  operator()(std::size_t row, int column) const
  {
    return weighted(weightOf(particles, row), value(pose(row), column));
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
differenceFromMean(const PoseSpace& space,
                   const float* pose,
                   const float* mean,
                   int freedom)
{
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

/** \brief Squared differences from the mean. */
struct SpreadTerms : ParticleTerms {
  const float* mean;

  PCL_GPU_HOST_DEVICE int
  columns() const
  {
    return particles.space.freedoms();
  }

  PCL_GPU_HOST_DEVICE double
  operator()(std::size_t row, int column) const
  {
    const double difference =
        differenceFromMean(particles.space, pose(row), mean, column);
    return weighted(weightOf(particles, row), difference * difference);
  }
};

/** \brief Products of differences from the mean, one a pair of degrees of freedom. */
struct CovarianceTerms : ParticleTerms {
  const float* mean;

  PCL_GPU_HOST_DEVICE int
  columns() const
  {
    return particles.space.freedoms() * particles.space.freedoms();
  }

  PCL_GPU_HOST_DEVICE double
  operator()(std::size_t row, int column) const
  {
    const PoseSpace& space = particles.space;
    const float* const own = pose(row);
    const int freedoms = space.freedoms();
    return weighted(weightOf(particles, row),
                    differenceFromMean(space, own, mean, column / freedoms) *
                        differenceFromMean(space, own, mean, column % freedoms));
  }
};

/** \brief Sums to be summed. */
struct PartialSums {
  const double* sums; ///< rows of columns
  std::size_t count;
  int width;

  PCL_GPU_HOST_DEVICE std::size_t
  rows() const
  {
    return count;
  }

  PCL_GPU_HOST_DEVICE int
  columns() const
  {
    return width;
  }

  PCL_GPU_HOST_DEVICE double
  operator()(std::size_t row, int column) const
  {
    return sums[row * width + column];
  }
};

/** \brief Returns the number of sums of rows. */
PCL_GPU_HOST_DEVICE std::size_t
sumsOf(std::size_t rows)
{
  return (rows + rows_per_sum - 1) / rows_per_sum;
}

/** \brief Returns a part of one of these sums; all parts are added up in order. */
template <typename Terms>
PCL_GPU_HOST_DEVICE double
partOfSum(const Terms& terms, std::size_t number, int part, int column)
{
  const std::size_t first = number * rows_per_sum + part * rows_per_part;
  double sum = 0.0;
#if defined(__CUDA_ARCH__)
#pragma unroll // many loads at a time
#endif
  for (std::size_t row = first; row < first + rows_per_part; ++row)
    if (row < terms.rows())
      sum += terms(row, column);
  return sum;
}

/** \brief Sums over all particles.
 * \param[out] sums scratch memory: sumScratchSize()
 * \param[in] sumAll takes terms and the memory of their sums
 * \return the last sums, one a column
 */
template <typename Terms, typename SumAll>
const double*
sumByLevels(const Terms& terms, double* sums, const SumAll& sumAll)
{
  const int columns = terms.columns();
  std::size_t rows = sumsOf(terms.rows());
  double* here = sums;
  double* other = sums + rows * columns;
  sumAll(terms, here);
  while (rows > 1) {
    sumAll(PartialSums{here, rows, columns}, other);
    rows = sumsOf(rows);
    double* const former = here;
    here = other;
    other = former;
  }
  return here;
}

inline std::size_t
sumScratchSize(std::size_t rows, std::size_t columns)
{
  return (sumsOf(rows) + sumsOf(sumsOf(rows))) * columns;
}

/** \brief Writes the mean of the root's position. */
PCL_GPU_HOST_DEVICE void
concludePosition(const Particles& particles, const double* sums, float* mean)
{
  const auto total = static_cast<double>(particles.state->total);
  for (int axis = 0; axis < 3; ++axis)
    mean[axis] = static_cast<float>(sums[axis] / total);
}

/** \brief Writes the mean of a rotation; the angles of a ball joint are near those of
 * the best particle. */
PCL_GPU_HOST_DEVICE void
concludeRotation(const Particles& particles,
                 const double* sums,
                 int rotation,
                 float* mean)
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
  const std::size_t best = particles.state->best;
  PoseRotation(space, rotation).store(q, particles.poses + best * space.size(), mean);
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
    const std::size_t best = particles.state->best;
    const double near =
        particles.poses[best * particles.space.size() + root_size + angle];
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
