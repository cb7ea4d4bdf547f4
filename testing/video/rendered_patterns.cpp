// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/video/rendered_patterns.h"

#include <array>

namespace pcl::gpu::test {

namespace {

/** \brief Returns values between -1 and 1 at integer coordinates, repeated every
 * 128. */
const std::array<float, 128 * 128>&
lattice()
{
  static const std::array<float, 128 * 128> values = [] {
    std::array<float, 128 * 128> random;
    for (int i = 0; i < 128 * 128; ++i)
      random[i] = 2.0f * chance(hash(i + 1)) - 1.0f;
    return random;
  }();
  return values;
}

/** \brief Returns a dot of capital letters of 3 x 5 dots, in words and lines of random
 * lengths. */
float
letterDot(int column, int row, int columns, int rows, std::uint32_t seed)
{
  // A C D E H I L M N O P R S T U V, rows from top to bottom
  static const std::uint16_t letters[16] = {0b010101111101101,
                                            0b011100100100011,
                                            0b110101101101110,
                                            0b111100110100111,
                                            0b101101111101101,
                                            0b111010010010111,
                                            0b100100100100111,
                                            0b101111111101101,
                                            0b110101101101101,
                                            0b111101101101111,
                                            0b110101110100100,
                                            0b110101110101101,
                                            0b011100010001110,
                                            0b111010010010010,
                                            0b101101101101111,
                                            0b101101101101010};
  if (column < 0 || row < 0 || column % 4 == 3 || row % 8 > 4)
    return 0.0f;
  const int line = row / 8;
  const int place = column / 4;
  const int count = columns / 4 - hash(line, -1, seed) % 5;
  const std::uint32_t bits = hash(place, line, seed);
  if (place >= count || 8 * line + 5 > rows || bits % 6 == 0)
    return 0.0f;
  return (letters[(bits >> 8) & 15] >> (14 - 3 * (row % 8) - column % 4)) & 1;
}

} // namespace

float
noise(float x, float y)
{
  static const std::array<float, 128 * 128>& values = lattice();
  const float column = std::floor(x);
  const float row = std::floor(y);
  const float a = smooth(x - column);
  const float b = smooth(y - row);
  const int left = static_cast<int>(column) & 127;
  const int right = (left + 1) & 127;
  const int upper = (static_cast<int>(row) & 127) * 128;
  const int lower = (upper + 128) & (128 * 128 - 1);
  const float above =
      values[upper + left] + a * (values[upper + right] - values[upper + left]);
  const float below =
      values[lower + left] + a * (values[lower + right] - values[lower + left]);
  return above + b * (below - above);
}

float
noise(const Eigen::Vector3f& point)
{
  // Along slanted axes; others would be visible.
  const float x = 0.8f * point.x() + 0.36f * point.y() + 0.48f * point.z();
  const float y = -0.6f * point.x() + 0.48f * point.y() + 0.64f * point.z();
  const float z = -0.8f * point.y() + 0.6f * point.z();
  return 0.6f *
         (noise(x, y) + noise(y + 17.3f, z) + noise(z + 41.7f, point.x() + 5.1f));
}

Color
vivid(std::uint32_t bits)
{
  const float hue = 2.0f * pi * chance(bits);
  const float value = 100.0f + 60.0f * chance(hash(bits));
  return value +
         60.0f * Color(std::cos(hue), std::cos(hue - 2.1f), std::cos(hue + 2.1f));
}

float
text(float s, float t, float width, float height, float dot, std::uint32_t seed)
{
  // Half a dot from the page's edges, ink has faded.
  const float column = std::floor(s / dot - 1.0f);
  const float row = std::floor(t / dot - 1.0f);
  const float a = s / dot - 1.0f - column;
  const float b = t / dot - 1.0f - row;
  const int x = static_cast<int>(column);
  const int y = static_cast<int>(row);
  const int columns = static_cast<int>(width / dot) - 1;
  const int rows = static_cast<int>(height / dot) - 1;
  const auto at = [&](int u, int v) { return letterDot(u, v, columns, rows, seed); };
  const float upper = (1.0f - a) * at(x, y) + a * at(x + 1, y);
  const float lower = (1.0f - a) * at(x, y + 1) + a * at(x + 1, y + 1);
  return smooth((1.0f - b) * upper + b * lower);
}

} // namespace pcl::gpu::test
