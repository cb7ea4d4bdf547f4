// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/vectors.hpp"
#include "pairs/pair_task.h"

#include <pcl/gpu/utils/internal/device/vector3.hpp>

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Conditions for pairs of points. Products and sums are rounded one by one
// (-ffp-contract=off, -fmad=false), so that host and CUDA find the same pairs.

namespace pcl::device {

/** \brief The most partners that a point chooses. */
constexpr int max_partners = 3;

/** \brief Cells of pixels that are left out or looked at together: 32 points each. */
constexpr int cell_columns = 8;
constexpr int cell_rows = 4;
constexpr int cell_points = cell_columns * cell_rows;

/** \brief Limits that a pair must keep to. */
struct PairLimits {
  float min_squared_distance, max_squared_distance;
  float max_cosine;
};

PCL_GPU_HOST_DEVICE PairLimits
pairLimits(const PairTask& task)
{
  const float least = task.metres(task.min_distance);
  const float most = task.metres(task.max_distance);
  const float squared = most * most;
  // An infinite square is that of no distance.
  return {least * least, squared > FLT_MAX ? FLT_MAX : squared, task.max_cosine};
}

/** \brief A point and its normal; the normal is NaN if one of both is missing. */
struct OrientedPoint {
  Vector3 position, normal;
};

PCL_GPU_HOST_DEVICE OrientedPoint
missingPoint()
{
  return {{0.0f, 0.0f, 0.0f}, {NAN, NAN, NAN}};
}

PCL_GPU_HOST_DEVICE OrientedPoint
orientedPoint(const Float4& p, const Float4& n)
{
  const float sum = (p.x + p.y + p.z) + (n.x + n.y + n.z);
  if (sum - sum != 0.0f)
    return missingPoint();
  return {vectorOf(p), vectorOf(n)};
}

PCL_GPU_HOST_DEVICE bool
isThere(const OrientedPoint& point)
{
  return point.normal.x == point.normal.x;
}

PCL_GPU_HOST_DEVICE float
squaredDistance(const Vector3& a, const Vector3& b)
{
  const Vector3 d = a - b;
  return dot(d, d);
}

/** \brief The points of a cell, number by number; normals are NaN where there is
 * none. */
struct PointCell {
  float x[cell_points], y[cell_points], z[cell_points];
  float normal_x[cell_points], normal_y[cell_points], normal_z[cell_points];

  PCL_GPU_HOST_DEVICE OrientedPoint
  operator[](int i) const
  {
    return {{x[i], y[i], z[i]}, {normal_x[i], normal_y[i], normal_z[i]}};
  }
};

/** \brief The partners that a point chose: 16 bytes, which are read at once. */
struct alignas(16) ChosenPartners {
  int point[max_partners]; ///< -1 if there is none
  int unused;
};

/** \brief The closest partners of a point so far, the closest first. */
struct Partners {
  static_assert(max_partners == 3, "all have their initial values");
  float squared_distance[max_partners] = {INFINITY, INFINITY, INFINITY};
  int point[max_partners] = {-1, -1, -1}; ///< -1 if there is none

  /** \brief Beyond this squared distance no other point is among the closest. */
  PCL_GPU_HOST_DEVICE float
  farthest() const
  {
    return squared_distance[max_partners - 1];
  }

  /** \brief Adds a point; of equally close ones that of the lower number comes
   * first. */
  PCL_GPU_HOST_DEVICE void
  add(float distance, int number)
  {
    for (int i = 0; i < max_partners; ++i) {
      // Without a branch, so that no lane leaves early.
      const bool before = rank(distance, number) < rank(squared_distance[i], point[i]);
      const float other_distance = squared_distance[i];
      const int other_number = point[i];
      squared_distance[i] = before ? distance : other_distance;
      point[i] = before ? number : other_number;
      distance = before ? other_distance : distance;
      number = before ? other_number : number;
    }
  }

private:
  /** \brief Rank by distance, then by number: the lower, the closer. */
  PCL_GPU_HOST_DEVICE static std::uint64_t
  rank(float distance, int number)
  {
    // Distances are not negative, and are in the order of their bits.
    std::uint32_t bits;
    memcpy(&bits, &distance, sizeof(bits));
    return std::uint64_t(bits) << 32 | static_cast<std::uint32_t>(number);
  }
};

/** \brief The closest partners of a point.
 * \param[in] count largest number of them
 */
PCL_GPU_HOST_DEVICE ChosenPartners
choosePartners(const Partners& closest, int count)
{
  ChosenPartners chosen{};
  for (int i = 0; i < max_partners; ++i)
    chosen.point[i] = i < count ? closest.point[i] : -1;
  return chosen;
}

/** \brief Bounds of the points of a cell, and of their normals' directions. */
struct CellBounds : PointBounds {
  Vector3 axis; ///< of a cone that holds all normals; unit, or zero
  float angle;  ///< half the cone's opening, or more
};

/** \brief The axis of a cell's cone.
 * \param[in] sum of its normals
 */
PCL_GPU_HOST_DEVICE Vector3
coneAxis(const Vector3& sum)
{
  const float squared_length = dot(sum, sum);
  if (!(squared_length > 1e-6f))
    return {0.0f, 0.0f, 0.0f};
  return (1.0f / sqrtf(squared_length)) * sum;
}

/** \brief Half the opening of a cell's cone; about pi / 2 and more if it has no axis.
 * \param[in] least_cosine between its axis and its normals
 */
PCL_GPU_HOST_DEVICE float
coneAngle(float least_cosine)
{
  // Normals are of length 1 to within rounding, which matters where angles are small.
  return acosf(fmaxf(-1.0f, fminf(1.0f, least_cosine - 1e-6f)));
}

/** \brief The square of the least distance between points of two cells, or less. */
PCL_GPU_HOST_DEVICE float
squaredGap(const CellBounds& a, const CellBounds& b)
{
  const Vector3 d =
      maximum(maximum(b.low - a.high, a.low - b.high), {0.0f, 0.0f, 0.0f});
  // Rounding must not make it more than the distance of points.
  return 0.999999f * dot(d, d);
}

/** \brief Returns whether any point of one cell may be paired with any of another one.
 * \param[in] squared_gap of both
 */
PCL_GPU_HOST_DEVICE bool
cellsMayBePaired(const CellBounds& a,
                 const CellBounds& b,
                 float squared_gap,
                 const PairLimits& limits,
                 float min_angle)
{
  // The largest distance; rounding must not make it less than that of points.
  const Vector3 reach = maximum(b.high - a.low, a.high - b.low);
  if (!(squared_gap <= limits.max_squared_distance &&
        1.000001f * dot(reach, reach) >= limits.min_squared_distance))
    return false;
  const float cosine = fminf(1.0f, fmaxf(-1.0f, dot(a.axis, b.axis)));
  return acosf(cosine) + a.angle + b.angle >= min_angle;
}

/** \brief Returns whether a point keeps a pair that it chose: if both chose it, only
 * the first of both.
 * \param[in] others partners that the other point chose; used only if its number is
 * lower
 */
PCL_GPU_HOST_DEVICE bool
keepsPair(const ChosenPartners& others, int own, int other)
{
  bool both_did = false;
  for (int i = 0; i < max_partners; ++i)
    both_did |= others.point[i] == own;
  return own < other || !both_did;
}

/** \brief Returns the number of the pair that is selection number \a index.
 * \param[in] total number of all pairs; all are selected if they are no more than
 * parameters.selected_count
 */
PCL_GPU_HOST_DEVICE int
selectedPair(const PointPairEstimationParameters& parameters, int index, int total)
{
  const int count = parameters.selected_count;
  if (total <= count)
    return index;
  const std::uint64_t part_begin = std::uint64_t(index) * total / count;
  const std::uint64_t part_end = std::uint64_t(index + 1) * total / count;
  const std::uint64_t part = part_end - part_begin;
  if (parameters.selection != PairSelection::Random)
    return static_cast<int>(part_begin + part / 2);
  // SplitMix64 (Steele et al. 2014) of the seed and the index.
  std::uint64_t bits =
      parameters.seed + 0x9e3779b97f4a7c15u * (std::uint64_t(index) + 1);
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  bits ^= bits >> 31;
  return static_cast<int>(part_begin + ((bits >> 32) * part >> 32));
}

} // namespace pcl::device
