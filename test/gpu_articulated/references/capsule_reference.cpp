// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "capsule_reference.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pcl::gpu::test {

namespace {

using Real = long double;
using Vector = Eigen::Matrix<Real, 3, 1>;

constexpr Real endless = std::numeric_limits<Real>::infinity();
/** \brief Error that is allowed to double precision, relative to the lengths at
 * hand. */
constexpr Real double_precision = 1e-13L;

/** \brief Multiples of the ray's direction, from low to high; empty if low > high. */
struct Interval {
  Real low = endless;
  Real high = -endless;

  bool
  isEmpty() const
  {
    return !(low <= high);
  }

  Interval
  cutBy(const Interval& other) const
  {
    return {std::max(low, other.low), std::min(high, other.high)};
  }

  /** \brief The least interval that has both; that is their union if they are parts of
   * a convex solid. */
  Interval
  joinedWith(const Interval& other) const
  {
    if (isEmpty())
      return other;
    if (other.isEmpty())
      return *this;
    return {std::min(low, other.low), std::max(high, other.high)};
  }
};

/** \brief Treatment of rays that touch to double precision, but not exactly. */
enum class NearTouches { AsComputed, AreHits, AreMisses };

/** \brief A ray p + s D and a capsule, relative to the capsule's end a. Nothing is
 * scaled to length 1, so that whole numbers stay whole. */
struct Pair {
  Vector direction; ///< D
  Vector start;     ///< p - a
  Vector axis;      ///< b - a
  Real radius_a;
  Real radius_b;
  /** \brief True if all numbers are so short that double precision rounds nothing. */
  bool is_short = false;
  NearTouches near_touches = NearTouches::AsComputed;
  bool has_near_touch = false;

  /** \brief Returns whether the ray meets a surface.
   * \param[in] discriminant of the polynomial whose roots it would meet it at
   * \param[in] is_near the ray touches the surface to double precision
   * \param[in] is_exact the discriminant is known not to be rounded
   */
  bool
  meets(Real discriminant, bool is_near, bool is_exact = false)
  {
    if (!is_near || (discriminant == 0 && (is_short || is_exact)))
      return discriminant >= 0;
    has_near_touch = true;
    return near_touches == NearTouches::AreHits ||
           (near_touches == NearTouches::AsComputed && discriminant >= 0);
  }
};

bool
isNear(Real first, Real second, Real scale)
{
  return std::abs(first - second) <= double_precision * scale;
}

Real
rootOf(Real discriminant)
{
  return std::sqrt(std::max(discriminant, Real(0)));
}

/** \brief The part of the ray within a radius of the line through a center along an
 * axis, or of a center. */
Interval
withinBall(Pair& pair, const Vector& center, Real radius)
{
  const Vector start = pair.start - center;
  const Real squared = pair.direction.squaredNorm();
  const Real nearest_squared = pair.direction.cross(start).squaredNorm();
  const Real discriminant = squared * radius * radius - nearest_squared;
  const Real length = std::sqrt(squared);
  if (!pair.meets(discriminant,
                  isNear(length * radius,
                         std::sqrt(nearest_squared),
                         length * (start.norm() + radius)),
                  radius == 0 && start == -pair.direction))
    return {};
  const Real root = rootOf(discriminant);
  const Real middle = -start.dot(pair.direction);
  return {(middle - root) / squared, (middle + root) / squared};
}

/** \brief The part of the ray between the planes low <= axis.y <= high. */
Interval
betweenPlanes(const Pair& pair, Real low, Real high)
{
  const Real slope = pair.direction.dot(pair.axis);
  const Real start = pair.start.dot(pair.axis);
  if (slope == 0)
    return low <= start && start <= high ? Interval{-endless, endless} : Interval{};
  const Real first = (low - start) / slope;
  const Real second = (high - start) / slope;
  return {std::min(first, second), std::max(first, second)};
}

/** \brief The part of the ray within the cylinder from end to end. */
Interval
withinCylinder(Pair& pair)
{
  const Real radius = pair.radius_a;
  const Real axis_squared = pair.axis.squaredNorm();
  const Vector across = pair.direction.cross(pair.axis);
  const Vector start_across = pair.start.cross(pair.axis);
  const Real across_squared = across.squaredNorm();
  const Interval planes = betweenPlanes(pair, 0, axis_squared);
  const Real scale = pair.start.norm() + radius;
  if (across_squared == 0) {
    const Real nearest_squared = start_across.squaredNorm();
    const Real length = std::sqrt(axis_squared);
    const bool is_near =
        isNear(std::sqrt(nearest_squared), radius * length, scale * length);
    return pair.meets(radius * radius * axis_squared - nearest_squared, is_near)
               ? planes
               : Interval{};
  }
  // The shortest way between both lines, times |D x axis|.
  const Real nearest = std::abs(pair.axis.dot(pair.direction.cross(pair.start)));
  const Real reach = radius * std::sqrt(across_squared);
  const Real discriminant = radius * radius * across_squared - nearest * nearest;
  const Real lengths = pair.direction.norm() * std::sqrt(axis_squared);
  if (!pair.meets(discriminant, isNear(nearest, reach, scale * lengths)))
    return {};
  const Real root = rootOf(axis_squared * discriminant);
  const Real middle = -across.dot(start_across);
  return planes.cutBy(
      {(middle - root) / across_squared, (middle + root) / across_squared});
}

/** \brief The part of the ray within the cone that touches both balls, between the
 * circles where it touches them; neither ball contains the other. */
Interval
withinCone(Pair& pair)
{
  const Real axis_squared = pair.axis.squaredNorm();
  const Real taper = pair.radius_a - pair.radius_b;
  const Interval planes =
      betweenPlanes(pair, pair.radius_a * taper, axis_squared + pair.radius_b * taper);
  // |y x axis|^2 (|axis|^2 - taper^2) <= (radius_a |axis|^2 - taper axis.y)^2 as a
  // polynomial in s.
  const Vector across = pair.direction.cross(pair.axis);
  const Vector start_across = pair.start.cross(pair.axis);
  const Real narrowing = axis_squared - taper * taper;
  const Real slope = -taper * pair.direction.dot(pair.axis);
  const Real start = pair.radius_a * axis_squared - taper * pair.start.dot(pair.axis);
  const Real second = across.squaredNorm() * narrowing - slope * slope;
  const Real first = across.dot(start_across) * narrowing - slope * start;
  const Real zeroth = start_across.squaredNorm() * narrowing - start * start;
  if (second == 0 && first == 0)
    return zeroth <= 0 ? planes : Interval{};
  if (second == 0)
    return planes.cutBy(first > 0 ? Interval{-endless, -zeroth / (2 * first)}
                                  : Interval{-zeroth / (2 * first), endless});
  const Real discriminant = first * first - second * zeroth;
  const bool is_near = isNear(first * first,
                              second * zeroth,
                              100 * (first * first + std::abs(second * zeroth)));
  if (!pair.meets(discriminant, is_near))
    return second < 0 ? planes : Interval{};
  const Real root = rootOf(discriminant);
  const Real one = (-first - root) / second;
  const Real other = (-first + root) / second;
  if (second > 0)
    return planes.cutBy({one, other});
  // Outside of both roots, one of which belongs to the cone's other half.
  const Interval before = planes.cutBy({-endless, std::min(one, other)});
  const Interval behind = planes.cutBy({std::max(one, other), endless});
  return before.joinedWith(behind);
}

bool
isThere(const TaperedCapsule& capsule)
{
  for (int i = 0; i < 3; ++i)
    if (!std::isfinite(capsule.a[i]) || !std::isfinite(capsule.b[i]))
      return false;
  return std::isfinite(capsule.radius_a) && std::isfinite(capsule.radius_b) &&
         capsule.radius_a >= 0.0f && capsule.radius_b >= 0.0f;
}

Vector
vectorOf(const float* coordinates)
{
  return Eigen::Map<const Eigen::Vector3f>(coordinates).cast<Real>();
}

/** \brief Returns whether the coordinates are whole numbers of quarters below 16. */
bool
areShort(const float* coordinates)
{
  return std::all_of(coordinates, coordinates + 3, [](float number) {
    return std::abs(number) < 16.0f && 4.0f * number == std::round(4.0f * number);
  });
}

Interval
withinCapsule(Pair& pair)
{
  const Real taper = pair.radius_a - pair.radius_b;
  if (pair.axis.squaredNorm() <= taper * taper)
    return taper >= 0 ? withinBall(pair, Vector::Zero(), pair.radius_a)
                      : withinBall(pair, pair.axis, pair.radius_b);
  const Interval ends = withinBall(pair, Vector::Zero(), pair.radius_a)
                            .joinedWith(withinBall(pair, pair.axis, pair.radius_b));
  return ends.joinedWith(taper == 0 ? withinCylinder(pair) : withinCone(pair));
}

/** \brief The least length above 0 that bounds the interval. */
ReferenceHit
firstCrossing(const Interval& inside, const Vector& direction)
{
  ReferenceHit hit;
  if (inside.isEmpty() || inside.high <= 0)
    return hit;
  const Real crossing = inside.low > 0 ? inside.low : inside.high;
  const Real length = direction.norm();
  hit.exists = true;
  hit.length = crossing * length;
  hit.offset = (crossing - 1) * length;
  return hit;
}

/** \brief Returns the place of the least value of a convex function, by golden
 * sections. */
template <typename Function>
Real
leastOf(Real low, Real high, const Function& function)
{
  const Real golden = (std::sqrt(Real(5)) - 1) / 2;
  Real left = high - golden * (high - low);
  Real right = low + golden * (high - low);
  Real at_left = function(left);
  Real at_right = function(right);
  for (int step = 0; step < 95; ++step)
    if (at_left < at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = function(left);
    }
    else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = function(right);
    }
  return (low + high) / 2;
}

template <typename Function>
Real
zeroBetween(Real inside, Real outside, const Function& function)
{
  for (int step = 0; step < 75; ++step) {
    const Real middle = (inside + outside) / 2;
    (function(middle) < 0 ? inside : outside) = middle;
  }
  return (inside + outside) / 2;
}

} // namespace

TaperedCapsule
tapered(const Capsule& capsule)
{
  TaperedCapsule result;
  std::copy(capsule.a, capsule.a + 3, result.a);
  std::copy(capsule.b, capsule.b + 3, result.b);
  result.radius_a = result.radius_b = capsule.radius;
  return result;
}

ReferenceHit
castAtCapsule(const Eigen::Vector3f& viewpoint,
              const Eigen::Vector3f& point,
              const TaperedCapsule& capsule)
{
  if (!isThere(capsule))
    return {};
  const Vector p = viewpoint.cast<Real>();
  const Vector a = vectorOf(capsule.a);
  Pair pair{point.cast<Real>() - p,
            p - a,
            vectorOf(capsule.b) - a,
            capsule.radius_a,
            capsule.radius_b};
  const float radii[] = {capsule.radius_a, capsule.radius_b, 0.0f};
  pair.is_short = areShort(viewpoint.data()) && areShort(point.data()) &&
                  areShort(capsule.a) && areShort(capsule.b) && areShort(radii);
  const Interval inside = withinCapsule(pair);
  ReferenceHit hit = firstCrossing(inside, pair.direction);
  const Real scale = pair.start.norm() + std::max(pair.radius_a, pair.radius_b);
  if (pair.has_near_touch) {
    pair.near_touches = NearTouches::AreHits;
    const ReferenceHit touched = firstCrossing(withinCapsule(pair), pair.direction);
    pair.near_touches = NearTouches::AreMisses;
    const ReferenceHit missed = firstCrossing(withinCapsule(pair), pair.direction);
    hit.uncertain = touched.exists != missed.exists ||
                    std::abs(touched.offset - missed.offset) > 1e-9L * scale;
  }
  for (const Real bound : {inside.low, inside.high})
    if (!inside.isEmpty() && bound != 0 &&
        isNear(bound * pair.direction.norm(), 0, scale))
      hit.uncertain = true;
  return hit;
}

long double
signedDistance(const Vector& place, const TaperedCapsule& capsule)
{
  const Vector start = place - vectorOf(capsule.a);
  const Vector axis = vectorOf(capsule.b) - vectorOf(capsule.a);
  const Real growth = Real(capsule.radius_b) - capsule.radius_a;
  const auto toBall = [&](Real along) {
    return (start - along * axis).norm() - (capsule.radius_a + along * growth);
  };
  const Real between = toBall(leastOf(0, 1, toBall));
  return std::min({between, toBall(0), toBall(1)});
}

ReferenceHit
castByBisection(const Eigen::Vector3f& viewpoint,
                const Eigen::Vector3f& point,
                const TaperedCapsule& capsule)
{
  if (!isThere(capsule))
    return {};
  const Vector p = viewpoint.cast<Real>();
  const Vector direction = point.cast<Real>() - p;
  const Vector a = vectorOf(capsule.a);
  const Vector b = vectorOf(capsule.b);
  const auto distance = [&](Real s) {
    return signedDistance(p + s * direction, capsule);
  };
  const Real far =
      2 * ((p - a).norm() + (b - a).norm() + capsule.radius_a + capsule.radius_b) /
      direction.norm();
  const Real middle = leastOf(-far, far, distance);
  if (!(distance(middle) < 0))
    return {};
  return firstCrossing(
      {zeroBetween(middle, -far, distance), zeroBetween(middle, far, distance)},
      direction);
}

} // namespace pcl::gpu::test
