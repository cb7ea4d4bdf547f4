// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/video/rendered_textures.h"

#include <algorithm>
#include <cmath>

// Patterns that textures are made of.

namespace pcl::gpu::test {

constexpr float pi = 3.14159265f;

/** \brief Width of the ramp of an edge, metres. */
constexpr float edge = 0.003f;

/** \brief Computes the finalizer of MurmurHash3. */
inline std::uint32_t
hash(std::uint32_t x)
{
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

inline std::uint32_t
hash(int a, int b, std::uint32_t seed = 0)
{
  return hash(static_cast<std::uint32_t>(a) +
              0x9e3779b9u * hash(b + 0x7f4a7c15u * seed));
}

/** \brief Returns a number from 0 to 1, chosen by a hash. */
inline float
chance(std::uint32_t bits)
{
  return static_cast<float>(bits >> 8) / 16777216.0f;
}

inline float
smooth(float x)
{
  return x * x * (3.0f - 2.0f * x);
}

/** \brief Returns smooth noise between -1 and 1 that varies over a length of 1. */
float
noise(float x, float y);

/** \brief Returns the same on a surface in space. */
float
noise(const Eigen::Vector3f& point);

/** \brief Returns 0 below an edge and 1 above it. */
inline float
above(float x, float at, float ramp = edge)
{
  return std::clamp((x - at) / ramp + 0.5f, 0.0f, 1.0f);
}

/** \brief Returns 1 inside of an interval. */
inline float
within(float x, float from, float to, float ramp = edge)
{
  return above(x, from, ramp) * (1.0f - above(x, to, ramp));
}

inline Color
mix(const Color& a, const Color& b, float share)
{
  return a + share * (b - a);
}

/** \brief Returns the place of x in its cell. */
inline float
inCell(float x, float size, int& cell)
{
  const float number = std::floor(x / size);
  cell = static_cast<int>(number);
  return x - number * size;
}

/** \brief Returns 1 in the joints between cells. */
inline float
joint(float inside, float size, float width)
{
  return 1.0f - within(inside, 0.5f * width, size - 0.5f * width);
}

/** \brief Returns a colour that is neither dark nor pale. */
Color
vivid(std::uint32_t bits);

/** \brief Returns the share of ink at a point of printed lines.
 * \param[in] s, t from the upper left corner, metres
 * \param[in] width, height of the page, metres; no letter is cut by its edges
 * \param[in] dot size of a dot; five make the height of a letter
 */
float
text(float s, float t, float width, float height, float dot, std::uint32_t seed);

} // namespace pcl::gpu::test
