// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/sanitizers.h"
#include "scene/camera.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

// The ray test's answer is the truth; bounds must not leave it out. From outside that
// shows only as rare holes, or as devices that do not agree.

using namespace pcl::device;

namespace {

class RandomCase {
public:
  explicit RandomCase(unsigned int seed) : random_(seed) {}

  float
  uniform(float from, float to)
  {
    return std::uniform_real_distribution<float>(from, to)(random_);
  }

  int
  pick(int count)
  {
    return std::uniform_int_distribution<int>(0, count - 1)(random_);
  }

  CameraModel
  camera()
  {
    CameraModel camera{};
    const int kind = pick(6);
    camera.width = 1 + pick(kind == 0 ? 4000 : 150);
    camera.height = 1 + pick(kind == 0 ? 4 : 100);
    camera.fx = std::exp(uniform(-1.0f, 8.0f));
    camera.fy = camera.fx * uniform(0.8f, 1.2f);
    camera.cx = uniform(0.0f, static_cast<float>(camera.width));
    camera.cy = uniform(0.0f, static_cast<float>(camera.height));
    switch (kind) {
    case 1: // pixels and vertices that coincide
      camera.cx = static_cast<float>(pick(camera.width));
      camera.cy = static_cast<float>(pick(camera.height));
      camera.fx = camera.fy = 64.0f;
      break;
    case 2: // principal points outside the image, then far outside
      camera.cx *= uniform(-100.0f, 100.0f);
      break;
    case 3:
      camera.cx = uniform(-1e7f, 1e7f);
      camera.cy = uniform(-1e5f, 1e5f);
      break;
    default:
      break;
    }
    camera.orthographic = pick(5) == 0;
    camera.inverse_fx = 1.0f / camera.fx;
    camera.inverse_fy = 1.0f / camera.fy;
    camera.column_offsets = pixelOffsets(camera.width, camera.cx);
    camera.row_offsets = pixelOffsets(camera.height, camera.cy);
    camera.nearest = min_depth;
    camera.farthest = std::numeric_limits<float>::infinity();
    camera.culling = Culling::None;
    return camera;
  }

  Triangle
  triangle(const CameraModel& camera)
  {
    const int kind = pick(8);
    const float size = std::exp(uniform(-10.0f, 10.0f));
    Vector3 v[3];
    for (Vector3& vertex : v) {
      const float z =
          pick(20) == 0 ? 0.0f : size * uniform(kind < 4 ? -1.0f : 0.1f, 1.0f);
      vertex = kind == 1 ? Vector3{size * uniform(-1, 1), size * uniform(-1, 1), z}
                         : nearPixel(camera, z);
    }
    if (kind == 2 || kind == 4) { // vertices on a line, but for rounding
      const float at = uniform(-1.0f, 2.0f);
      v[2] = v[0] + at * (v[1] - v[0]);
      v[2].x *= 1.0f + uniform(-4e-7f, 4e-7f);
    }
    if (kind == 3) { // an edge that passes the camera closely
      v[2] = uniform(-3.0f, -0.1f) * v[0];
      v[2].x += size * uniform(-1.0f, 1.0f) * std::exp(uniform(-20.0f, -5.0f));
    }
    if (kind == 5) { // two vertices that all but coincide
      v[1] = v[0];
      v[1].x *= 1.0f + uniform(-1e-6f, 1e-6f);
      v[1].y *= 1.0f + uniform(-1e-6f, 1e-6f);
    }
    return {v[0], v[1], v[2]};
  }

private:
  /** \brief A point that is seen in or around the image, mostly at a pixel or close
   * by. */
  Vector3
  nearPixel(const CameraModel& camera, float z)
  {
    const auto coordinate = [&](int size) {
      float at = uniform(-0.3f, 1.3f) * static_cast<float>(size);
      if (pick(2) == 0)
        at = std::round(at);
      return pick(4) == 0 ? at + uniform(-3e-3f, 3e-3f) : at;
    };
    const float w = camera.orthographic ? 1.0f : z;
    return {(coordinate(camera.width) - camera.cx) * camera.inverse_fx * w,
            (coordinate(camera.height) - camera.cy) * camera.inverse_fy * w,
            z};
  }

  std::mt19937 random_;
};

bool
contains(const PixelRectangle& pixels, int x, int y)
{
  return x >= pixels.first_x && x <= pixels.last_x && y >= pixels.first_y &&
         y <= pixels.last_y;
}

/** \brief The piece of a rectangle, cut into pieces of a size, that has a pixel. */
PixelRectangle
pieceOf(const PixelRectangle& pixels, int x, int y, int columns, int rows)
{
  const int first_x = pixels.first_x + (x - pixels.first_x) / columns * columns;
  const int first_y = pixels.first_y + (y - pixels.first_y) / rows * rows;
  return {first_x,
          first_y,
          std::min(first_x + columns - 1, pixels.last_x),
          std::min(first_y + rows - 1, pixels.last_y)};
}

TEST(PixelBounds, LeaveOutNoPixelThatTheRayTestAccepts)
{
  constexpr int cameras = fewerUnderSanitizers(1000);
  long hits = 0;
  for (int seed = 1; seed <= cameras; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomCase random(seed);
    const CameraModel camera = random.camera();
    for (int i = 0; i < 40; ++i) {
      const Triangle triangle = random.triangle(camera);
      const PixelRectangle bounds = pixelBounds(camera, triangle);
      for (int y = 0; y < camera.height; ++y)
        for (int x = 0; x < camera.width; ++x) {
          TriangleHit hit;
          if (!hitsTriangle(camera, pixelSlopes(camera, x, y), triangle, hit))
            continue;
          ++hits;
          ASSERT_TRUE(contains(bounds, x, y))
              << "triangle " << i << " at depth " << hit.t;
          ASSERT_TRUE(mayHitWithin(camera, pieceOf(bounds, x, y, 32, 16), triangle));
          ASSERT_TRUE(mayHitWithin(camera, pieceOf(bounds, x, y, 8, 8), triangle));
        }
    }
  }
  EXPECT_GT(hits, 1000 * cameras);
}

TEST(PixelBounds, AreTightAroundATriangle)
{
  CameraModel camera{};
  camera.fx = camera.fy = 100.0f;
  camera.inverse_fx = camera.inverse_fy = 0.01f;
  camera.width = camera.height = 400;
  camera.column_offsets = camera.row_offsets = pixelOffsets(400, 0.0f);
  camera.nearest = min_depth;
  camera.farthest = std::numeric_limits<float>::infinity();
  const Triangle triangle = {
      {0.5f, 1.0f, 2.0f}, {1.0f, 1.0f, 2.0f}, {1.0f, 3.0f, 2.0f}};
  const PixelRectangle bounds = pixelBounds(camera, triangle);
  EXPECT_EQ(bounds.first_x, 25);
  EXPECT_EQ(bounds.last_x, 50);
  EXPECT_EQ(bounds.first_y, 50);
  EXPECT_EQ(bounds.last_y, 150);
  EXPECT_TRUE(mayHitWithin(camera, {40, 60, 45, 70}, triangle));
  EXPECT_FALSE(mayHitWithin(camera, {25, 120, 30, 130}, triangle));
}

} // namespace
