// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "paper_listing.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace benchmarks {

namespace {

using std::min;
using std::size_t;

struct float3 {
  float x, y, z;
};

float3
make_float3(float x, float y, float z)
{
  return {x, y, z};
}

float3
operator-(const float3& a, const float3& b)
{
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

float3
operator*(float a, const float3& b)
{
  return {a * b.x, a * b.y, a * b.z};
}

float
dot(const float3& a, const float3& b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

constexpr float no_root = std::numeric_limits<float>::infinity();

/** \brief The smallest positive root of A s^2 + 2 B s + C. */
float
smallestPositiveRoot(float A, float B, float C)
{
  const float discriminant = B * B - A * C;
  if (!(discriminant >= 0.0f) || A == 0.0f)
    return no_root;
  const float root = std::sqrt(discriminant);
  const float first = (-B - root) / A;
  const float second = (-B + root) / A;
  return first > 0.0f ? first : second > 0.0f ? second : no_root;
}

/** \brief Equations 11 and 12, with p at the origin. */
float
hitSphere(const float3& v, const float3& center, float r)
{
  const float3 from_center = -1.0f * center;
  return smallestPositiveRoot(
      dot(v, v), dot(v, from_center), dot(from_center, from_center) - r * r);
}

/** \brief Equations 5 to 12, with p at the origin. */
float
measurement(const float3& x_i, float r, const float3& a, const float3& b)
{
  const float delta = std::sqrt(dot(x_i, x_i));
  const float3 v = (1.0f / delta) * x_i;
  const float3 axis = b - a;
  const float length = std::sqrt(dot(axis, axis));
  const float3 c = (1.0f / length) * axis;
  const float3 p_to_a = -1.0f * a;
  const float3 v_perpendicular = v - dot(v, c) * c;
  const float3 p_perpendicular = p_to_a - dot(p_to_a, c) * c;
  const float delta_cap =
      smallestPositiveRoot(dot(v_perpendicular, v_perpendicular),
                           dot(v_perpendicular, p_perpendicular),
                           dot(p_perpendicular, p_perpendicular) - r * r);
  if (delta_cap == no_root)
    return no_root;
  float delta_min = delta_cap;
  const float y = dot(delta_cap * v - a, c);
  if (!(0.0f <= y && y <= length))
    delta_min = min(hitSphere(v, a, r), hitSphere(v, b, r));
  return std::fabs(delta_min - delta);
}

} // namespace

void
paperListing(float* M,
             size_t J,
             const float* X,
             size_t I,
             const float* C,
             size_t K,
             float MAX_DISTANCE)
{
  for (size_t j = 0; j < J; ++j) {
    M[j] = 0.0f;
    for (size_t i = 0; i < I; ++i) {
      size_t const ii = i * 3u;
      float3 const x_i = make_float3(X[ii], X[ii + 1], X[ii + 2]);
      float value = MAX_DISTANCE;
      for (size_t k = 0u; k < K; ++k) {
        size_t const kk = (j * K + k) * 7u;
        float3 const a = make_float3(C[kk], C[kk + 1], C[kk + 2]);
        float3 const b = make_float3(C[kk + 4], C[kk + 5], C[kk + 6]);
        float const r = C[kk + 3];
        value = min(measurement(x_i, r, a, b), value);
      }
      M[j] += value;
    }
  }
}

} // namespace benchmarks
