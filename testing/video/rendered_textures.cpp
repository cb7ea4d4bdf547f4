// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/video/rendered_textures.h"

#include "testing/video/rendered_patterns.h"

#include <algorithm>
#include <cmath>

namespace pcl::gpu::test {

namespace {

float
withinBox(const SurfacePoint& p, float left, float top, float right, float bottom)
{
  return within(p.s, left, right) * within(p.t, top, bottom);
}

/** \brief Returns 1 inside of a disc. */
float
withinDisc(const SurfacePoint& p, float s, float t, float radius)
{
  return 1.0f - above(std::hypot(p.s - s, p.t - t), radius);
}

/** \brief Returns text in a part of a face. */
float
textBox(const SurfacePoint& p,
        float left,
        float top,
        float right,
        float bottom,
        float dot,
        std::uint32_t seed)
{
  if (p.s < left || p.s > right || p.t < top || p.t > bottom)
    return 0.0f;
  return text(p.s - left, p.t - top, right - left, bottom - top, dot, seed);
}

/** \brief Returns wood whose grain runs along s. */
Color
grain(const Color& color, float s, float t, std::uint32_t seed)
{
  const float offset = 31.0f * chance(hash(seed));
  const float rings =
      std::sin(55.0f * t + 2.5f * noise(1.7f * s + offset, 7.0f * t + offset));
  const float fibres = noise(9.0f * s + offset, 160.0f * t);
  const float pores = noise(40.0f * s, 310.0f * t + offset);
  return color * (1.0f + 0.05f * rings + 0.07f * fibres + 0.05f * pores);
}

/** \brief Puts a frame of dark wood around a picture on a wall. */
Color
framed(const SurfacePoint& p, const Color& color)
{
  const float inside = withinBox(p, 0.03f, 0.03f, p.width - 0.03f, p.height - 0.03f);
  return mix(grain(Color(92, 66, 46), p.s, p.t, 7), color, inside);
}

} // namespace

Color
wallpaper(const SurfacePoint& p)
{
  int column, row;
  const float s = inCell(p.s, 0.16f, column) - 0.08f;
  const float t = inCell(p.t + (column & 1) * 0.08f, 0.16f, row) - 0.08f;
  const float radius = std::hypot(s, t);
  const float petals = 0.034f + 0.012f * std::cos(6.0f * std::atan2(s, t));
  const float flower = 1.0f - above(radius, petals, 0.006f);
  const float stripe = 0.5f + 0.5f * std::sin(p.s * (2.0f * pi / 0.16f));
  const Color base = mix(Color(206, 200, 184), Color(196, 192, 178), stripe);
  return mix(base, Color(170, 178, 168), 0.75f * flower) *
         (1.0f + 0.03f * noise(p.s * 70.0f, p.t * 70.0f) +
          0.03f * noise(p.s * 3.0f, p.t * 3.0f));
}

Color
parquet(const SurfacePoint& p)
{
  int row, plank;
  const float t = inCell(p.t, 0.12f, row);
  const float s = inCell(p.s + 0.9f * chance(hash(row + 100)), 0.9f, plank);
  const std::uint32_t bits = hash(plank, row);
  const Color base = mix(Color(178, 132, 88), Color(140, 98, 62), chance(bits));
  const float gap = std::max(joint(t, 0.12f, 0.004f), joint(s, 0.9f, 0.004f));
  return grain(base, p.s, p.t, bits) * (1.0f - 0.5f * gap);
}

Color
plaster(const SurfacePoint& p)
{
  return Color(214, 213, 208) * (1.0f + 0.025f * noise(p.s * 40.0f, p.t * 40.0f) +
                                 0.02f * noise(p.s * 9.0f, p.t * 9.0f));
}

Color
tiles(const SurfacePoint& p)
{
  int column, row;
  const float s = inCell(p.s, 0.1f, column);
  const float t = inCell(p.t, 0.1f, row);
  const std::uint32_t bits = hash(column, row, 3);
  const Color plain = Color(196, 206, 208) + 12.0f * (chance(bits) - 0.5f);
  const Color blue(70, 104, 150);
  const float ring = within(std::hypot(s - 0.05f, t - 0.05f), 0.022f, 0.032f);
  const Color tile = bits % 5 == 0 ? mix(plain, blue, ring) : plain;
  const float gap = std::max(joint(s, 0.1f, 0.006f), joint(t, 0.1f, 0.006f));
  return mix(tile, Color(128, 126, 120), gap);
}

Color
wood(const SurfacePoint& p)
{
  return grain(Color(192, 150, 104), p.s + 0.37f * p.face, p.t, p.seed);
}

Color
darkWood(const SurfacePoint& p)
{
  return grain(Color(112, 78, 54), p.t, p.s + 0.37f * p.face, p.seed);
}

Color
fabric(const SurfacePoint& p)
{
  const float weave =
      std::sin(p.s * (2.0f * pi / 0.012f)) * std::sin(p.t * (2.0f * pi / 0.012f));
  const Color base = p.seed == 0 ? Color(70, 96, 118) : Color(178, 88, 62);
  return base * (1.0f + 0.16f * weave + 0.08f * noise(p.s * 25.0f, p.t * 25.0f));
}

Color
rug(const SurfacePoint& p)
{
  const float s = std::abs(p.s - 0.5f * p.width);
  const float t = std::abs(p.t - 0.5f * p.height);
  const float border = std::min(0.5f * p.width - s, 0.5f * p.height - t);
  int number;
  const float diamond = inCell(s + 1.6f * t, 0.16f, number);
  const Color inner =
      mix(Color(150, 58, 52), Color(188, 150, 100), joint(diamond, 0.16f, 0.06f));
  const float line = within(border, 0.06f, 0.08f) + within(border, 0.14f, 0.15f);
  Color color = mix(Color(58, 64, 96), inner, above(border, 0.16f));
  color = mix(color, Color(206, 190, 150), std::min(line, 1.0f));
  return color * (1.0f + 0.14f * noise(p.s * 110.0f, p.t * 110.0f));
}

Color
drawers(const SurfacePoint& p)
{
  if (p.face == 3)
    return Color(98, 100, 104) * (1.0f + 0.16f * noise(p.s * 90.0f, p.t * 90.0f) +
                                  0.1f * noise(p.s * 30.0f, p.t * 30.0f));
  int column, row;
  const float s = inCell(p.s, 0.6f, column);
  const float t = inCell(p.t, 0.3f, row);
  const float gap = std::max(joint(s, 0.6f, 0.008f), joint(t, 0.3f, 0.008f));
  const float handle = within(s, 0.22f, 0.38f) * within(t, 0.06f, 0.08f);
  const Color front = mix(Color(176, 186, 168), Color(70, 68, 66), handle);
  return front * (1.0f - 0.5f * gap + 0.02f * noise(p.s * 50.0f, p.t * 50.0f));
}

Color
metal(const SurfacePoint& p)
{
  const Color base = p.seed == 0 ? Color(128, 130, 134) : vivid(hash(p.seed));
  return base * (1.0f + 0.07f * noise(p.s * 4.0f, p.t * 130.0f));
}

Color
oven(const SurfacePoint& p)
{
  const Color steel =
      Color(150, 152, 156) * (1.0f + 0.05f * noise(p.s * 4.0f, p.t * 130.0f));
  if (p.face != 0)
    return steel;
  const float pane = withinBox(p, 0.03f, 0.04f, 0.36f, p.height - 0.04f);
  const float mesh =
      std::sin(p.s * (2.0f * pi / 0.012f)) * std::sin(p.t * (2.0f * pi / 0.012f));
  Color color = mix(steel, Color(40, 44, 48) * (1.0f + 0.25f * mesh), pane);
  color = mix(
      color, Color(60, 190, 130), textBox(p, 0.39f, 0.03f, 0.49f, 0.08f, 0.0035f, 77));
  int column, row;
  const float s = inCell(p.s - 0.39f, 0.035f, column);
  const float t = inCell(p.t - 0.11f, 0.035f, row);
  const float keys =
      (1.0f - joint(s, 0.035f, 0.01f)) * (1.0f - joint(t, 0.035f, 0.01f));
  return mix(color, Color(84, 86, 92), keys * withinBox(p, 0.39f, 0.11f, 0.48f, 0.25f));
}

Color
glow(const SurfacePoint&)
{
  return Color(244, 238, 220);
}

Color
textPoster(const SurfacePoint& p)
{
  const float w = p.width;
  const float h = p.height;
  Color color = Color(222, 216, 200);
  const Color ink(44, 46, 58);
  const float bar = withinBox(p, 0.0f, 0.07f, w, 0.19f);
  color = mix(color, vivid(hash(p.seed + 11)), bar);
  color = mix(color,
              Color(230, 228, 220),
              textBox(p, 0.08f, 0.09f, w - 0.06f, 0.18f, 0.014f, p.seed));
  const float middle = 0.5f * w;
  color = mix(color,
              ink,
              textBox(p, 0.07f, 0.24f, middle - 0.02f, h - 0.06f, 0.005f, p.seed + 1));
  const float right = textBox(
      p, middle + 0.02f, 0.24f + 0.3f * h, w - 0.05f, h - 0.06f, 0.004f, p.seed + 2);
  color = mix(color, ink, right);
  // A picture in the right column.
  const float picture =
      withinBox(p, middle + 0.02f, 0.24f, w - 0.07f, 0.21f + 0.3f * h);
  const float rings =
      0.5f +
      0.5f * std::sin(std::hypot(p.s - 0.75f * w, p.t - 0.24f - 0.15f * h) * 260.0f);
  color = mix(color, mix(Color(60, 110, 160), Color(220, 190, 90), rings), picture);
  return framed(p, color);
}

Color
landscape(const SurfacePoint& p)
{
  const float x = p.s / p.height;
  const float y = p.t / p.height;
  Color color = mix(p.seed == 0 ? Color(70, 104, 168) : Color(60, 140, 160),
                    p.seed == 0 ? Color(236, 176, 110) : Color(220, 214, 190),
                    std::min(1.0f, y / 0.62f));
  color = mix(
      color,
      Color(244, 226, 160),
      withinDisc(p, (p.seed == 0 ? 0.68f : 0.3f) * p.width, 0.42f * p.height, 0.07f));
  for (int hill = 0; hill < 4; ++hill) {
    const float top = 0.5f + 0.11f * hill +
                      0.09f * noise(x * (2.0f + hill), 3.3f * hill + 0.7f * p.seed) +
                      0.012f * noise(x * 25.0f, 9.0f * hill);
    const Color ground = mix(Color(150, 130, 150), Color(52, 82, 50), hill / 3.0f) *
                         (1.0f + 0.12f * noise(p.s * 80.0f, p.t * 80.0f));
    color = mix(color, ground, above(y, top, edge / p.height));
  }
  return framed(p, color);
}

Color
testChart(const SurfacePoint& p)
{
  const float w = p.width;
  const float h = p.height;
  // Squares in the upper half, a star whose rays fade where they become finer than an
  // edge.
  int column, row;
  const float size = p.t < 0.25f * h ? 0.04f : 0.02f;
  const float s = inCell(p.s, size, column);
  const float t = inCell(p.t, size, row);
  const float ramp_s = std::min({1.0f, s / edge + 0.5f, (size - s) / edge + 0.5f});
  const float ramp_t = std::min({1.0f, t / edge + 0.5f, (size - t) / edge + 0.5f});
  const float sign = (column + row) & 1 ? -1.0f : 1.0f;
  const float squares = sign * (2.0f * ramp_s - 1.0f) * (2.0f * ramp_t - 1.0f);
  const float x = p.s - 0.5f * w;
  const float y = p.t - 0.74f * h;
  const float radius = std::hypot(x, y);
  const float contrast = std::clamp((radius - 0.02f) / 0.05f, 0.0f, 1.0f);
  const float star = contrast * std::sin(28.0f * std::atan2(y, x));
  float level = p.t < 0.45f * h ? squares : 0.6f;
  level += (star - level) * (1.0f - above(radius, 0.21f * h));
  Color color = Color::Constant(128.0f + 92.0f * level);
  // Patches of colour between both.
  const int patch = static_cast<int>(p.s / w * 8.0f);
  color = mix(color, vivid(hash(patch + 5)), within(p.t, 0.45f * h, 0.52f * h));
  return framed(p, color);
}

Color
window(const SurfacePoint& p)
{
  const float y = p.t / p.height;
  const float cloud = 0.5f + 0.5f * noise(p.s * 2.2f, p.t * 5.0f) +
                      0.25f * noise(p.s * 9.0f, p.t * 15.0f);
  Color color = mix(Color(110, 162, 224), Color(200, 220, 236), y);
  color =
      mix(color, Color(240, 240, 240), std::clamp(1.4f * cloud - 0.6f, 0.0f, 0.85f));
  const float trees =
      0.78f + 0.06f * noise(p.s * 9.0f, 2.0f) + 0.03f * noise(p.s * 50.0f, 7.0f);
  color = mix(color,
              Color(84, 118, 74) * (1.0f + 0.25f * noise(p.s * 60.0f, p.t * 60.0f)),
              above(y, trees, 0.01f));
  const float bars =
      std::max(within(p.s, 0.5f * p.width - 0.02f, 0.5f * p.width + 0.02f),
               within(p.t, 0.5f * p.height - 0.02f, 0.5f * p.height + 0.02f));
  const float inside = withinBox(p, 0.05f, 0.05f, p.width - 0.05f, p.height - 0.05f);
  return mix(Color(228, 226, 220), color, inside * (1.0f - bars));
}

Color
carton(const SurfacePoint& p)
{
  Color color = Color(176, 136, 92) * (1.0f + 0.06f * noise(p.s * 140.0f, p.t * 30.0f));
  const float tape = within(p.t, 0.5f * p.height - 0.025f, 0.5f * p.height + 0.025f);
  color = mix(color, Color(204, 182, 140), p.face == 3 ? tape : 0.0f);
  const float paper = withinBox(p, 0.04f, 0.03f, 0.16f, 0.11f);
  const float ink = textBox(p, 0.05f, 0.04f, 0.155f, 0.105f, 0.003f, p.face + 21);
  return mix(color,
             mix(Color(226, 224, 216), Color(50, 50, 54), ink),
             p.face == 2 ? 0.0f : paper);
}

Color
cereals(const SurfacePoint& p)
{
  const Color brand(196, 74, 50);
  Color color = mix(brand, Color(226, 170, 70), p.face < 4 ? 0.0f : p.t / p.height);
  if (p.face < 4)
    return color;
  color = mix(color,
              Color(238, 230, 210),
              withinDisc(p, 0.5f * p.width, 0.55f * p.height, 0.075f));
  const float rings = 0.5f + 0.5f * std::sin(14.0f * noise(p.s * 45.0f, p.t * 45.0f));
  color = mix(color,
              Color(176, 112, 50),
              rings * withinDisc(p, 0.5f * p.width, 0.55f * p.height, 0.06f));
  const float title = textBox(p, 0.015f, 0.025f, p.width, 0.085f, 0.009f, 31);
  color = mix(color, Color(246, 240, 226), title);
  const float small = textBox(
      p, 0.015f, p.height - 0.05f, p.width - 0.01f, p.height - 0.01f, 0.0025f, 32);
  return mix(color, Color(40, 30, 30), small);
}

Color
bookSpines(const SurfacePoint& p)
{
  if (p.face < 4)
    return Color(206, 196, 170) * (1.0f + 0.1f * noise(p.s * 5.0f, p.t * 200.0f));
  static const Color covers[8] = {{128, 44, 40},
                                  {40, 66, 104},
                                  {50, 88, 62},
                                  {168, 128, 60},
                                  {92, 62, 46},
                                  {60, 108, 116},
                                  {150, 84, 48},
                                  {104, 104, 110}};
  int book;
  const float s = inCell(p.s, 0.045f, book);
  const std::uint32_t bits = hash(book, 17, p.seed);
  const Color color = covers[bits % 8] * (1.0f - 0.3f * std::abs(s / 0.0225f - 1.0f));
  const float from = 0.05f + 0.06f * chance(hash(bits + 1));
  // Titles run downwards.
  const float ink = textBox({p.t, 0.034f - s, 0, 0, 0, {}, 0},
                            from,
                            0.0f,
                            from + 0.14f,
                            0.021f,
                            0.0033f,
                            bits);
  const float bands = within(p.t, 0.02f, 0.028f) + within(p.t, 0.24f, 0.25f);
  return mix(color, Color(230, 216, 170), std::min(1.0f, ink + bands)) *
         (1.0f - 0.6f * joint(s, 0.045f, 0.004f));
}

Color
label(const SurfacePoint& p)
{
  const Color tin(150, 152, 156);
  if (p.face != 0)
    return tin;
  const Color paper = vivid(hash(p.seed + 3));
  const float inside = within(p.t, 0.012f, p.height - 0.012f);
  const float ink =
      textBox(p, 0.0f, 0.02f, p.width, p.height - 0.012f, 0.0045f, p.seed);
  return mix(tin, mix(paper, Color(238, 236, 226), ink), inside);
}

Color
globe(const SurfacePoint& p)
{
  const float height =
      noise(2.3f * p.unit) + 0.5f * noise(5.0f * p.unit) + 0.2f * noise(14.0f * p.unit);
  const float land = above(height, 0.05f, 0.05f);
  const Color sea = Color(56, 108, 158) * (1.0f + 0.25f * std::min(0.0f, height));
  const Color ground = mix(
      Color(112, 146, 78), Color(204, 176, 112), std::clamp(1.6f * height, 0.0f, 1.0f));
  const float relief = noise(24.0f * p.unit) + 0.7f * noise(45.0f * p.unit);
  Color color = mix(sea, ground * (1.0f + 0.12f * relief), land);
  color = mix(color,
              Color(228, 230, 232),
              above(std::abs(p.unit.y()) + 0.04f * height, 0.9f, 0.03f));
  int cell;
  const float longitude = inCell(std::atan2(p.unit.z(), p.unit.x()), pi / 6.0f, cell);
  const float latitude =
      inCell(std::asin(std::clamp(p.unit.y(), -1.0f, 1.0f)), pi / 6.0f, cell);
  const float lines =
      std::max(joint(longitude, pi / 6.0f, 0.02f), joint(latitude, pi / 6.0f, 0.02f));
  return mix(color, Color(40, 50, 70), 0.6f * lines);
}

Color
beachBall(const SurfacePoint& p)
{
  static const Color colors[4] = {
      {206, 62, 50}, {226, 222, 210}, {58, 104, 176}, {232, 184, 60}};
  const float angle =
      (std::atan2(p.unit.z() + 0.4f * p.unit.y(), p.unit.x()) / pi + 1.0f) * 4.0f;
  const int stripe = static_cast<int>(angle) & 7;
  // Within a twentieth of a stripe, towards the next colour.
  const float next = above(angle - stripe, 1.0f, 0.08f);
  const float last = 1.0f - above(angle - stripe, 0.0f, 0.08f);
  Color color = mix(colors[stripe & 3], colors[(stripe + 1) & 3], next);
  color = mix(color, colors[(stripe + 3) & 3], last);
  return color * (1.0f + 0.1f * noise(22.0f * p.unit));
}

Color
leaves(const SurfacePoint& p)
{
  const float shape = noise(11.0f * p.unit + Eigen::Vector3f::Constant(p.seed)) +
                      0.8f * noise(27.0f * p.unit);
  return mix(Color(34, 62, 34),
             Color(112, 158, 74),
             std::clamp(0.5f + 0.7f * shape, 0.0f, 1.0f));
}

Color
fruit(const SurfacePoint& p)
{
  const float cheek =
      std::clamp(0.5f + 0.5f * p.unit.x() + 0.3f * noise(6.0f * p.unit), 0.0f, 1.0f);
  return mix(Color(176, 190, 72), Color(190, 52, 44), cheek) *
         (1.0f + 0.06f * noise(30.0f * p.unit));
}

} // namespace pcl::gpu::test
