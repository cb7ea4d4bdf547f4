// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "synthetic_scene.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <random>

namespace pcl::gpu::apps {

namespace {

using Eigen::Vector2f;
using Eigen::Vector3f;

// World frame: metres, y up, origin in the middle of the table top, z away from the
// camera. Each body is described by its distance function, which is all that sphere
// tracing needs: from a point, no surface is closer than that distance.

struct Surface {
  float distance;
  Vector3f color; // 0 to 1
};

Surface
nearer(const Surface& a, const Surface& b)
{
  return a.distance < b.distance ? a : b;
}

float
sphere(const Vector3f& p, float radius)
{
  return p.norm() - radius;
}

float
roundedBox(const Vector3f& p, const Vector3f& half_size, float rounding)
{
  const Vector3f q = p.cwiseAbs() - half_size + Vector3f::Constant(rounding);
  return q.cwiseMax(0.0f).norm() + std::min(q.maxCoeff(), 0.0f) - rounding;
}

// Axis along y.
float
torus(const Vector3f& p, float ring_radius, float tube_radius)
{
  return std::hypot(std::hypot(p.x(), p.z()) - ring_radius, p.y()) - tube_radius;
}

// Axis along y.
float
roundedCylinder(const Vector3f& p, float radius, float half_height, float rounding)
{
  const Vector2f q(std::hypot(p.x(), p.z()) - radius + rounding,
                   std::abs(p.y()) - half_height + rounding);
  return q.cwiseMax(0.0f).norm() + std::min(q.maxCoeff(), 0.0f) - rounding;
}

// Mixes two colours in stripes of a given period.
Vector3f
striped(float position, float period, const Vector3f& a, const Vector3f& b)
{
  const float phase = position / period - std::floor(position / period);
  return phase < 0.5f ? a : b;
}

Surface
room(const Vector3f& p)
{
  const Vector3f oak(0.66f, 0.47f, 0.31f), dark_oak(0.60f, 0.42f, 0.27f);
  const Vector3f wall(0.80f, 0.81f, 0.78f), panel(0.50f, 0.61f, 0.64f);
  const Surface floor{p.y() + 0.75f, striped(p.x(), 0.3f, oak, dark_oak)};
  const Surface back{1.1f - p.z(), p.y() > 0.12f ? wall : panel};
  // A picture rail, so that the wall has some relief.
  const Surface rail{
      roundedBox(p - Vector3f(0.0f, 0.12f, 1.1f), {4.0f, 0.03f, 0.03f}, 0.01f),
      {0.93f, 0.93f, 0.90f}};
  return nearer(nearer(floor, back), rail);
}

Surface
table(const Vector3f& p)
{
  const Vector3f walnut(0.45f, 0.30f, 0.21f);
  Surface result{
      roundedBox(p - Vector3f(0.0f, -0.03f, 0.0f), {0.95f, 0.03f, 0.62f}, 0.015f),
      striped(p.z() + 0.01f * std::sin(9.0f * p.x()), 0.18f, walnut, 1.08f * walnut)};
  for (float x : {-0.85f, 0.85f})
    for (float z : {-0.52f, 0.52f})
      result = nearer(result,
                      {roundedCylinder(p - Vector3f(x, -0.4f, z), 0.035f, 0.36f, 0.01f),
                       0.8f * walnut});
  return result;
}

Surface
thingsOnTable(const Vector3f& p)
{
  const Vector3f cream(0.95f, 0.90f, 0.80f);
  Surface result{sphere(p - Vector3f(-0.30f, 0.17f, 0.10f), 0.17f),
                 striped(p.y(), 0.085f, {0.86f, 0.33f, 0.25f}, {0.93f, 0.60f, 0.50f})};

  const Eigen::AngleAxisf tilt(-1.05f, Vector3f::UnitX());
  result = nearer(result,
                  {torus(tilt * (p - Vector3f(0.10f, 0.175f, -0.12f)), 0.135f, 0.05f),
                   {0.16f, 0.55f, 0.56f}});

  const Eigen::AngleAxisf turn(0.6f, Vector3f::UnitY());
  const Vector3f in_box = turn * (p - Vector3f(0.42f, 0.13f, 0.16f));
  result = nearer(
      result,
      {roundedBox(in_box, {0.13f, 0.13f, 0.13f}, 0.02f),
       striped(
           in_box.x() + in_box.y() + in_box.z(), 0.13f, {0.95f, 0.74f, 0.29f}, cream)});
  result =
      nearer(result,
             {sphere(p - Vector3f(0.42f, 0.35f, 0.16f), 0.09f), {0.34f, 0.36f, 0.62f}});

  // A vase: the radius swings with the height; scaled down to stay a lower bound.
  const Vector3f in_vase = p - Vector3f(0.06f, 0.17f, 0.27f);
  const float swing = 0.025f * std::sin(16.0f * in_vase.y());
  result = nearer(result,
                  {0.8f * roundedCylinder(in_vase, 0.085f + swing, 0.17f, 0.015f),
                   striped(in_vase.y(), 0.1f, {0.30f, 0.45f, 0.70f}, cream)});

  result = nearer(
      result,
      {sphere(p - Vector3f(-0.13f, 0.06f, -0.25f), 0.06f), {0.55f, 0.68f, 0.29f}});
  return nearer(
      result,
      {sphere(p - Vector3f(0.42f, 0.05f, -0.24f), 0.05f), {0.80f, 0.45f, 0.62f}});
}

Surface
scene(const Vector3f& p)
{
  return nearer(nearer(room(p), table(p)), thingsOnTable(p));
}

// A Kinect measures depth as disparity in whole units, with noise before rounding.
float
measured(float depth, float noise)
{
  constexpr float baseline = 0.075f, focal_length = 575.8f, offset = 1090.0f;
  constexpr float product = 8.0f * baseline * focal_length;
  const float disparity = std::round(offset - product / depth + 0.25f * noise);
  return product / (offset - disparity);
}

} // namespace

void
renderSyntheticScene(Frame& frame)
{
  frame.depth.resize(640, 480);
  frame.color.resize(640, 480);
  frame.depth_scale = 0.001f;
  frame.camera = usualCamera(640, 480);

  const Vector3f eye(0.0f, 0.62f, -1.12f);
  const Eigen::AngleAxisf downwards(0.44f, Vector3f::UnitX());
#pragma omp parallel for schedule(dynamic, 8)
  for (int v = 0; v < 480; ++v) {
    std::mt19937 generator(v);
    std::normal_distribution<float> noise;
    for (int u = 0; u < 640; ++u) {
      const Vector3f ray((u - frame.camera.cx) / frame.camera.fx,
                         (frame.camera.cy - v) / frame.camera.fy,
                         1.0f);
      const Vector3f direction = downwards * ray.normalized();
      float length = 0.3f;
      Surface hit{};
      for (int step = 0; step < 256; ++step) {
        hit = scene(eye + length * direction);
        length += hit.distance;
        if (hit.distance < 1e-4f)
          break;
      }
      const std::size_t pixel = static_cast<std::size_t>(v) * 640 + u;
      const float depth = measured(length / ray.norm(), noise(generator));
      frame.depth.pixels[pixel] =
          static_cast<std::uint16_t>(std::lround(1000.0f * depth));
      const Vector3f rgb = 255.0f * hit.color.cwiseMin(1.0f);
      frame.color.pixels[pixel] = RGB(static_cast<std::uint8_t>(rgb.x()),
                                      static_cast<std::uint8_t>(rgb.y()),
                                      static_cast<std::uint8_t>(rgb.z()));
    }
  }
}

} // namespace pcl::gpu::apps
