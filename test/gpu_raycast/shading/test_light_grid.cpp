// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "light_grid/light_grid.hpp"
#include "tile_grid/lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

// Whatever shadow ray the test of rays finds a triangle on, the light's grid must have
// that triangle in the ray's cell.

using namespace pcl::device;

namespace {

/** \brief A light, triangles, and points that they are lit at. */
struct LitScene {
  GridLight light;
  std::vector<Triangle> triangles;
  std::vector<Vector3> starts;
};

class Random {
public:
  explicit Random(unsigned int seed) : generator_(seed) {}

  float
  between(float least, float most)
  {
    return std::uniform_real_distribution<float>(least, most)(generator_);
  }

  /** \brief A point within a cube around another. */
  Vector3
  around(const Vector3& middle, float size)
  {
    return middle +
           Vector3{between(-size, size), between(-size, size), between(-size, size)};
  }

  /** \brief A number of any order of magnitude. */
  float
  magnitude(float least, float most)
  {
    return std::exp(between(std::log(least), std::log(most)));
  }

  template <typename T>
  const T&
  oneOf(const std::vector<T>& list)
  {
    return list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(
        generator_)];
  }

private:
  std::mt19937 generator_;
};

Vector3
toLight(const GridLight& light, const Vector3& start)
{
  return light.is_directional ? light.position : light.position - start;
}

/** \brief Adds triangles of all sizes, and such that rays pass just at their corners
 * and edges, before and beyond the light; points on them become the starts of rays. */
void
addTriangles(LitScene& scene, const Vector3& middle, Random& random)
{
  for (int i = 0; i < 40; ++i)
    scene.starts.push_back(random.around(middle, 1.0f));
  for (int i = 0; i < 60; ++i) {
    const Vector3 at = random.around(middle, 1.0f);
    const float size = random.magnitude(1e-4f, 2.0f);
    scene.triangles.push_back(
        {random.around(at, size), random.around(at, size), random.around(at, size)});
    const Triangle& t = scene.triangles.back();
    scene.starts.push_back((1.0f / 3.0f) * (t.a + t.b + t.c));
  }
  for (int i = 0; i < 120; ++i) {
    const Vector3 start = random.oneOf(scene.starts);
    const Vector3 way = toLight(scene.light, start);
    const Vector3 on_ray = start + random.between(-0.1f, 1.1f) * way;
    const float size = random.magnitude(1e-5f, 1.0f);
    const Vector3 a = random.around(on_ray, size);
    const Vector3 b = on_ray + random.between(0.1f, 2.0f) * (on_ray - a);
    const Vector3 c = random.around(on_ray, size);
    if (i % 3 == 0)
      scene.triangles.push_back({on_ray, a, c}); // a corner
    else if (i % 3 == 1)
      scene.triangles.push_back({a, b, c}); // an edge
    else
      scene.triangles.push_back({a, b, a + 1e-6f * (c - a)}); // all but a line
  }
  // Slivers that are seen edge-on, some of them around the light.
  for (int i = 0; i < 60; ++i) {
    const Vector3 start = random.oneOf(scene.starts);
    const Vector3 way = toLight(scene.light, start);
    const Vector3 aside =
        random.around({0.0f, 0.0f, 0.0f}, random.magnitude(1e-7f, 1.0f));
    scene.triangles.push_back({start + random.between(-0.5f, 1.5f) * way + aside,
                               start + random.between(-0.5f, 1.5f) * way - aside,
                               start + random.between(-0.5f, 1.5f) * way});
  }
}

LightGrid
gridOf(const LitScene& scene, std::uint32_t cells)
{
  Box box = emptyBox();
  for (const Triangle& triangle : scene.triangles)
    include(box, boxOf(triangle));
  for (const Vector3& start : scene.starts)
    include(box, start);
  LightGrid grid{};
  FaceWindow windows[light_faces];
  for (int i = 0; i < light_faces; ++i)
    windows[i] = makeFace(scene.light, i, box, grid.faces[i]);
  shareCells(scene.light, windows, cells, grid);
  return grid;
}

/** \brief Returns whether a cell has a triangle, in a part where the ray passes. */
bool
has(const LightFace& face, const SeenTriangle& seen, const RayPlace& ray)
{
  const CellRectangle cells = cellsOf(seen);
  bool found = false;
  for (int row = 0; row < cells.rows; ++row)
    for (int column = 0; column < cells.columns; ++column) {
      const CellBounds at =
          boundsInCell(face, seen, cells.first_column + column, cells.first_row + row);
      found |= at.cell == ray.cell && mayHit({0, at.bounds}, ray);
    }
  return found;
}

/** \brief Checks all rays with all triangles.
 * \param[in,out] hits their number
 */
void
expectAllHitsInTheirCells(const LitScene& scene, std::uint32_t cells, int& hits)
{
  const LightGrid grid = gridOf(scene, cells);
  const LightFace& last = grid.faces[light_faces - 1];
  ASSERT_LE(last.first_cell + last.columns * last.rows, cells);
  for (const Vector3& start : scene.starts) {
    const Ray ray = {start,
                     0.0f,
                     toLight(scene.light, start),
                     scene.light.is_directional ? HUGE_VALF : 1.0f};
    RayFrame frame;
    if (!makeRayFrame(ray, frame))
      continue;
    const int face = faceOf(frame);
    const RayPlace place = placeOfRay(grid, frame, start);
    ASSERT_LT(place.cell, cells);
    for (const Triangle& triangle : scene.triangles) {
      TriangleHit hit;
      if (!isUsable(triangle) || !hitsTriangle(frame, triangle, Culling::None, hit))
        continue;
      SeenTriangle seen{};
      const LightSight sight = seeTriangle(grid, face, triangle, seen);
      ASSERT_NE(sight, LightSight::Nowhere) << "t " << hit.t;
      const int only = onlyFace(grid, triangle);
      ASSERT_TRUE(only < 0 || only == face) << only << " " << face;
      ++hits;
      if (sight == LightSight::Cells) {
        ASSERT_TRUE(has(grid.faces[face], seen, place)) << "t " << hit.t;
      }
    }
  }
}

} // namespace

TEST(LightGrid, HitsAreInTheCellsOfTheirRays)
{
  int hits = 0;
  for (unsigned int seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    LitScene scene;
    const Vector3 origin = {0.0f, 0.0f, 0.0f};
    const Vector3 middle = random.around(origin, seed % 4 == 0 ? 1000.0f : 1.0f);
    // Within the scene, beside it, far away.
    const float distance = seed % 3 == 0   ? 0.5f
                           : seed % 3 == 1 ? 3.0f
                                           : random.magnitude(10.0f, 1e7f);
    scene.light = {random.around(middle, distance), false};
    addTriangles(scene, middle, random);
    expectAllHitsInTheirCells(scene, 1024, hits);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(hits, 300000);
}

TEST(LightGrid, HitsOfParallelRaysAreInTheirCells)
{
  int hits = 0;
  for (unsigned int seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    LitScene scene;
    const Vector3 middle = random.around({0.0f, 0.0f, 0.0f}, 10.0f);
    scene.light = {random.around({0.0f, 0.0f, 0.0f}, 1.0f), true};
    if (seed % 5 == 0)
      scene.light.position = {0.0f, seed % 2 ? 1.0f : -1.0f, 0.0f};
    addTriangles(scene, middle, random);
    expectAllHitsInTheirCells(scene, 1024, hits);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(hits, 100000);
}

TEST(LightGrid, LightInThePlaneOfTriangles)
{
  // Corners, edges and planes of a grid of squares pass through the light, or by it
  // within a few units in the last place.
  int hits = 0;
  for (unsigned int seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    LitScene scene;
    scene.light = {{0.25f, 0.5f, 0.75f}, false};
    const float offset = seed % 3 == 0 ? 0.0f : random.between(-3e-7f, 3e-7f);
    for (int axis = 0; axis < 3; ++axis)
      for (int i = -4; i < 4; ++i)
        for (int j = -4; j < 4; ++j) {
          const auto corner = [&](int u, int v) {
            const float cu = 0.25f * u, cv = 0.25f * v;
            const float w = (axis == 0 ? 0.25f : axis == 1 ? 0.5f : 0.75f) + offset;
            return axis == 0   ? Vector3{w, cu, cv}
                   : axis == 1 ? Vector3{cv, w, cu}
                               : Vector3{cu, cv, w};
          };
          scene.triangles.push_back({corner(i, j), corner(i + 1, j), corner(i, j + 1)});
          scene.triangles.push_back(
              {corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)});
        }
    for (int i = 0; i < 200; ++i) {
      Vector3 start = random.around({0.0f, 0.0f, 0.0f}, 1.0f);
      if (i % 2 == 0)
        start = 0.25f *
                Vector3{std::floor(4 * start.x), std::floor(4 * start.y), 4 * start.z};
      scene.starts.push_back(start);
    }
    expectAllHitsInTheirCells(scene, 1024, hits);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(hits, 1000);
}

TEST(LightGrid, SmallTrianglesTouchFewCells)
{
  // A wall of 100 x 100 squares, seen from before it: margins do not spread it over
  // cells.
  for (const float distance : {0.5f, 3.0f, 1e4f}) {
    LitScene scene;
    scene.light = {{0.1f, 0.2f, -distance}, false};
    for (int i = 0; i < 100; ++i)
      for (int j = 0; j < 100; ++j) {
        const Vector3 at = {0.02f * i - 1.0f, 0.02f * j - 1.0f, 0.0f};
        scene.triangles.push_back(
            {at, at + Vector3{0.02f, 0.0f, 0.0f}, at + Vector3{0.0f, 0.02f, 0.0f}});
      }
    const LightGrid grid = gridOf(scene, 16384);
    double sum = 0.0;
    for (const Triangle& triangle : scene.triangles)
      for (int face = 0; face < light_faces; ++face) {
        SeenTriangle seen{};
        const LightSight sight = seeTriangle(grid, face, triangle, seen);
        ASSERT_NE(sight, LightSight::Anywhere);
        sum += sight == LightSight::Cells ? cellCount(cellsOf(seen)) : 0;
      }
    EXPECT_LT(sum / scene.triangles.size(), 7.0) << distance;
  }
}

TEST(SumWithinRoom, StaysThere)
{
  constexpr std::uint32_t most = 0xffffffffu;
  for (std::uint32_t room : {0u, 1u, 100u, 1u << 31, most}) {
    const SumWithinRoom sum{room};
    for (std::uint32_t a : {0u, 1u, 40u, 99u, 100u, 1u << 30, 1u << 31, most})
      for (std::uint32_t b : {0u, 1u, 60u, 101u, 3u << 30, most}) {
        const std::uint64_t exact = std::uint64_t(a) + b;
        const std::uint64_t expected = std::min<std::uint64_t>(exact, room);
        ASSERT_EQ(sum(a, b), expected) << a << " + " << b << " within " << room;
        for (std::uint32_t c : {1u, 1u << 31})
          ASSERT_EQ(sum(sum(a, b), c), sum(a, sum(b, c)));
      }
  }
}

TEST(LightGrid, SceneWithoutExtentHasCells)
{
  LitScene scene;
  scene.light = {{0.0f, 0.0f, 0.0f}, false};
  scene.starts = {{1.0f, 2.0f, 3.0f}};
  int hits = 0;
  expectAllHitsInTheirCells(scene, 1024, hits);
  scene.starts = {{0.0f, 0.0f, 0.0f}};
  expectAllHitsInTheirCells(scene, 1024, hits);
}
