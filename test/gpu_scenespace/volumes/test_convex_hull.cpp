// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/volumes/row_segments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace pcl::gpu::test {

namespace {

using device::ImagePoint;

constexpr int capacity = 48;
using Hull = device::ConvexHull<capacity>;
using Coordinates = std::set<std::pair<double, double>>;

Hull
hullOf(const std::vector<ImagePoint>& points)
{
  Hull hull;
  for (const ImagePoint& point : points)
    hull.add(point);
  hull.march();
  return hull;
}

std::vector<ImagePoint>
verticesOf(const Hull& hull, const device::EdgeTable<capacity>& table)
{
  std::vector<ImagePoint> vertices;
  for (int i = 0; i < table.count; ++i)
    vertices.push_back(hull.vertex(table, i));
  return vertices;
}

bool
isSame(const ImagePoint& a, const ImagePoint& b)
{
  return a.x == b.x && a.y == b.y;
}

/** \brief Returns whether a point lies in a triangle, which may be flat. */
bool
isInTriangle(const ImagePoint& point,
             const ImagePoint& a,
             const ImagePoint& b,
             const ImagePoint& c)
{
  const double sides[] = {device::leftOf(a, b, point),
                          device::leftOf(b, c, point),
                          device::leftOf(c, a, point)};
  const bool is_flat = device::leftOf(a, b, c) == 0.0;
  const auto within = [](double value, double p, double q, double r) {
    return value >= std::min({p, q, r}) && value <= std::max({p, q, r});
  };
  if (is_flat)
    return sides[0] == 0.0 && sides[1] == 0.0 && sides[2] == 0.0 &&
           within(point.x, a.x, b.x, c.x) && within(point.y, a.y, b.y, c.y);
  return (sides[0] >= 0.0 && sides[1] >= 0.0 && sides[2] >= 0.0) ||
         (sides[0] <= 0.0 && sides[1] <= 0.0 && sides[2] <= 0.0);
}

/** \brief The points that lie in no triangle of others: the corners of the convex
 * hull. */
Coordinates
extremePoints(const std::vector<ImagePoint>& points)
{
  Coordinates extreme;
  for (const ImagePoint& point : points) {
    std::vector<ImagePoint> others;
    for (const ImagePoint& other : points)
      if (!isSame(point, other))
        others.push_back(other);
    bool is_inside = false;
    for (const ImagePoint& a : others)
      for (const ImagePoint& b : others)
        for (const ImagePoint& c : others)
          is_inside = is_inside || isInTriangle(point, a, b, c);
    if (!is_inside)
      extreme.insert({point.x, point.y});
  }
  return extreme;
}

/** \brief Expects the corners of brute force, on their sides and in the order of
 * rows. */
void
expectHull(const std::vector<ImagePoint>& points)
{
  const Hull hull = hullOf(points);
  const std::vector<ImagePoint> left = verticesOf(hull, hull.left);
  const std::vector<ImagePoint> right = verticesOf(hull, hull.right);
  Coordinates vertices;
  for (const auto* side : {&left, &right})
    for (const ImagePoint& vertex : *side)
      vertices.insert({vertex.x, vertex.y});
  EXPECT_EQ(vertices, extremePoints(points));
  EXPECT_TRUE(isSame(left.front(), right.front()));
  EXPECT_TRUE(isSame(left.back(), right.back()));
  for (const auto* side : {&left, &right})
    for (std::size_t i = 1; i < side->size(); ++i) {
      const ImagePoint &from = (*side)[i - 1], &to = (*side)[i];
      EXPECT_TRUE(device::isBefore(from, to));
      for (const ImagePoint& point : points) {
        const double distance = device::leftOf(from, to, point);
        EXPECT_TRUE(side == &left ? distance <= 0.0 : distance >= 0.0);
      }
    }
}

/** \brief Points of a grid, many of them on lines and in the same places. */
std::vector<ImagePoint>
gridPoints(std::mt19937& random, int count, int columns, int rows)
{
  std::vector<ImagePoint> points;
  for (int i = 0; i < count; ++i)
    points.push_back({double(random() % columns) - 2.0, double(random() % rows) - 2.0});
  return points;
}

TEST(ConvexHull, IsThatOfBruteForce)
{
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE("set " + std::to_string(i));
    expectHull(gridPoints(random, 1 + random() % 14, 1000, 1000));
  }
}

TEST(ConvexHull, IsThatOfBruteForceForPointsOnLinesAndInTheSamePlaces)
{
  std::mt19937 random(2);
  for (int i = 0; i < 600; ++i) {
    SCOPED_TRACE("set " + std::to_string(i));
    expectHull(
        gridPoints(random, 1 + random() % 14, 1 + random() % 5, 1 + random() % 5));
  }
}

TEST(ConvexHull, OfOnePointIsThePoint)
{
  const Hull hull = hullOf({{3.0, 4.0}});
  EXPECT_EQ(hull.left.count, 1);
  EXPECT_EQ(hull.right.count, 1);
}

TEST(ConvexHull, OfALineHasItsEndsOnly)
{
  for (const ImagePoint& step :
       {ImagePoint{1.0, 0.0}, ImagePoint{0.0, 1.0}, ImagePoint{-2.0, 1.0}}) {
    std::vector<ImagePoint> points;
    for (const double i : {3.0, 1.0, 0.0, 5.0, 2.0, 5.0, 0.0})
      points.push_back({i * step.x, i * step.y});
    const Hull hull = hullOf(points);
    EXPECT_EQ(hull.left.count, 2);
    EXPECT_EQ(hull.right.count, 2);
  }
}

/** \brief A hull whose rows are looked for. */
struct RowCase {
  std::vector<ImagePoint> points;
  double margin;
  int columns, rows;
};

RowCase
randomRows(std::mt19937& random)
{
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  RowCase made;
  made.columns = 1 + random() % 40;
  made.rows = 1 + random() % 40;
  made.margin = uniform(0.01, 3.0);
  const bool is_flat = random() % 4 == 0;
  const double height = random() % 4 == 0 ? 0.0 : uniform(0.0, 50.0);
  const double x = uniform(-30.0, 40.0), y = uniform(-30.0, 40.0);
  const double width = uniform(0.0, 60.0), slope = uniform(-2.0, 2.0);
  for (int i = 1 + random() % 12; i > 0; --i) {
    const double below = uniform(0.0, height);
    made.points.push_back(
        {x + slope * below + (is_flat ? 0.0 : uniform(0.0, width)), y + below});
  }
  return made;
}

/** \brief Returns whether the square about a pixel that reaches as far as the margin
 * meets the hull: the pixel then lies in the hull of such squares about all points. */
bool
isNear(const RowCase& rows, int column, int row)
{
  std::vector<ImagePoint> corners;
  for (const ImagePoint& point : rows.points)
    for (const double x : {-rows.margin, rows.margin})
      for (const double y : {-rows.margin, rows.margin})
        corners.push_back({point.x + x, point.y + y});
  const ImagePoint pixel{double(column), double(row)};
  // A line through the pixel with all corners on one side separates them, if there is
  // one; and then one that goes through a corner too.
  for (const ImagePoint& corner : corners) {
    bool all_left = true, all_right = true;
    for (const ImagePoint& other : corners) {
      const double side = device::leftOf(pixel, corner, other);
      all_left = all_left && (side > 0.0 || isSame(corner, other));
      all_right = all_right && (side < 0.0 || isSame(corner, other));
    }
    if (all_left || all_right)
      return false;
  }
  return true;
}

std::vector<device::RowSegment>
segmentsOf(const RowCase& rows, int first_row = 0)
{
  const Hull hull = hullOf(rows.points);
  device::HullRows<capacity> hull_rows(
      hull, rows.margin, rows.columns, rows.rows, first_row);
  std::vector<device::RowSegment> segments;
  device::RowSegment segment;
  while (hull_rows.next(segment))
    segments.push_back(segment);
  EXPECT_TRUE(hull_rows.isAtEnd());
  return segments;
}

TEST(HullRows, AreThePixelsThatAreNearTheHull)
{
  std::mt19937 random(3);
  std::size_t pixels = 0;
  for (int i = 0; i < 2000; ++i) {
    SCOPED_TRACE("hull " + std::to_string(i));
    const RowCase rows = randomRows(random);
    std::set<std::pair<int, int>> expected, found;
    for (int row = 0; row < rows.rows; ++row)
      for (int column = 0; column < rows.columns; ++column)
        if (isNear(rows, column, row))
          expected.insert({row, column});
    for (const device::RowSegment& segment : segmentsOf(rows))
      for (int column = segment.left; column <= segment.right; ++column)
        EXPECT_TRUE(found.insert({segment.row, column}).second);
    EXPECT_EQ(found, expected);
    pixels += found.size();
  }
  EXPECT_GT(pixels, 10000u);
}

TEST(HullRows, GoOnWhereTheyStopped)
{
  std::mt19937 random(4);
  for (int i = 0; i < 100; ++i) {
    const RowCase rows = randomRows(random);
    const auto all = segmentsOf(rows);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto rest = segmentsOf(rows, all[k].row);
      ASSERT_EQ(rest.size(), all.size() - k);
      for (std::size_t j = 0; j < rest.size(); ++j) {
        EXPECT_EQ(rest[j].row, all[k + j].row);
        EXPECT_EQ(rest[j].left, all[k + j].left);
        EXPECT_EQ(rest[j].right, all[k + j].right);
      }
    }
  }
}

TEST(HullRows, OfALargeMarginAreTheWholeImage)
{
  const auto segments = segmentsOf({{{-7.0, 90.0}}, 1e6, 20, 30});
  ASSERT_EQ(segments.size(), 30u);
  for (const device::RowSegment& segment : segments) {
    EXPECT_EQ(segment.left, 0);
    EXPECT_EQ(segment.right, 19);
  }
}

TEST(HullRows, AreNoneForNoPoints)
{
  const Hull hull{};
  device::HullRows<capacity> rows(hull, 1.0, 20, 30, 0);
  device::RowSegment segment;
  EXPECT_FALSE(rows.next(segment));
  EXPECT_TRUE(rows.isAtEnd());
}

TEST(HullRows, AreWithinTheImageForPointsAtAnyDistance)
{
  const RowCase far_away{{{-1e90, -1e90}, {1e90, 3.0}, {0.0, 1e90}}, 0.5, 20, 30};
  EXPECT_EQ(segmentsOf(far_away).size(), 30u);
  EXPECT_TRUE(segmentsOf({{{1e90, 4.0}, {2e90, 5.0}}, 0.5, 20, 30}).empty());
  EXPECT_TRUE(segmentsOf({{{4.0, 1e90}, {5.0, 2e90}}, 0.5, 20, 30}).empty());
}

} // namespace

} // namespace pcl::gpu::test
