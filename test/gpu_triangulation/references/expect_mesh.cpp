// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "expect_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pcl::gpu::test {

std::vector<Polygon>
polygonsOf(const OrganizedMesh& mesh)
{
  const std::vector<int> count = downloaded(mesh.polygon_count);
  const int vertices = mesh.vertices_per_polygon;
  EXPECT_EQ(count.size(), 1u);
  std::vector<Polygon> polygons;
  if (count.size() != 1 || count[0] == 0)
    return polygons;
  // Memory behind the last polygon was never written.
  std::vector<int> indices(static_cast<std::size_t>(count[0]) * vertices);
  EXPECT_GE(count[0], 0);
  EXPECT_TRUE(mesh.indices.download(indices.data(), 0, indices.size()));
  for (std::size_t i = 0; i < indices.size(); i += vertices)
    polygons.push_back({indices[i],
                        indices[i + 1],
                        indices[i + 2],
                        vertices == 4 ? indices[i + 3] : -1});
  return polygons;
}

Polygon
canonical(Polygon polygon)
{
  const auto end = polygon.end() - (polygon[3] < 0 ? 1 : 0);
  std::rotate(polygon.begin(), std::min_element(polygon.begin(), end), end);
  return polygon;
}

namespace {

/** \brief Returns the quads' polygons by the validity mask. */
std::vector<Polygon>
polygonsOfMask(const Image<std::uint8_t>& mask, const ReferenceMesh& mesh)
{
  std::vector<Polygon> polygons;
  for (int v = 0; v < mask.rows; ++v)
    for (int u = 0; u < mask.columns; ++u) {
      const int bits = mask.at(v, u);
      const bool in_grid = v % mesh.row_step == 0 && v + mesh.row_step < mask.rows &&
                           u % mesh.column_step == 0 &&
                           u + mesh.column_step < mask.columns;
      if (!in_grid) {
        EXPECT_EQ(bits, 0) << "outside the grid of quads, row " << v << ", column "
                           << u;
        continue;
      }
      const int own = v * mask.columns + u;
      const int right = own + mesh.column_step;
      const int down = own + mesh.row_step * mask.columns;
      const int far = down + mesh.column_step;
      const bool right_cut = bits & RightCut;
      if (bits & UpperTriangle)
        polygons.push_back(right_cut ? Polygon{own, far, right, -1}
                                     : Polygon{own, down, right, -1});
      if (bits & LowerTriangle)
        polygons.push_back(right_cut ? Polygon{own, down, far, -1}
                                     : Polygon{right, down, far, -1});
      if (bits & WholeQuad)
        polygons.push_back({own, down, far, right});
      EXPECT_EQ(bits & ~(UpperTriangle | LowerTriangle | WholeQuad | RightCut), 0);
    }
  return polygons;
}

/** \brief Upper left pixel of a polygon's quad. */
int
quadOf(const Polygon& polygon, int columns)
{
  int row = polygon[0] / columns;
  int column = polygon[0] % columns;
  for (int i = 1; i < (polygon[3] < 0 ? 3 : 4); ++i) {
    row = std::min(row, polygon[i] / columns);
    column = std::min(column, polygon[i] % columns);
  }
  return row * columns + column;
}

} // namespace

double
expectMesh(const std::vector<ReferenceQuad>& expected,
           const OrganizedMesh& mesh,
           const ReferenceMesh& parameters,
           int rows,
           int columns)
{
  EXPECT_EQ(mesh.vertices_per_polygon, parameters.cut == Cut::Quad ? 4 : 3);
  std::vector<Polygon> actual = polygonsOf(mesh);
  for (auto& polygon : actual) {
    for (int i = 0; i < mesh.vertices_per_polygon; ++i)
      if (polygon[i] < 0 || polygon[i] >= rows * columns) {
        ADD_FAILURE() << "vertex " << polygon[i] << " does not exist";
        return 0.0;
      }
    polygon = canonical(polygon);
  }

  const Image<std::uint8_t> mask = downloaded(mesh.validity);
  EXPECT_EQ(mask.rows, rows);
  EXPECT_EQ(mask.columns, columns);
  std::vector<Polygon> of_mask = polygonsOfMask(mask, parameters);
  for (auto& polygon : of_mask)
    polygon = canonical(polygon);
  EXPECT_TRUE(of_mask == actual) << "mask and list differ: " << of_mask.size()
                                 << " and " << actual.size() << " polygons";

  long unsure = 0;
  long different = 0;
  std::size_t next = 0;
  for (const auto& quad : expected) {
    const int own = quad.row * columns + quad.column;
    std::vector<Polygon> here;
    while (next < actual.size() && quadOf(actual[next], columns) == own)
      here.push_back(actual[next++]);
    if (quad.unsure) {
      ++unsure;
      continue;
    }
    std::vector<Polygon> wanted = quad.polygons;
    for (auto& polygon : wanted)
      polygon = canonical(polygon);
    if (here != wanted && different++ == 0)
      ADD_FAILURE() << "row " << quad.row << ", column " << quad.column << " has "
                    << here.size() << " polygons, not the reference's "
                    << wanted.size();
  }
  EXPECT_EQ(different, 0) << "of " << expected.size() << " quads";
  EXPECT_EQ(next, actual.size()) << "polygons are out of order or foreign to all quads";
  return expected.empty() ? 0.0 : static_cast<double>(unsure) / expected.size();
}

OrganizedMesh
poisonedMesh(int rows, int columns)
{
  OrganizedMesh mesh;
  mesh.indices = uploaded(std::vector<int>(7, -12345));
  mesh.polygon_count = uploaded(std::vector<int>(1, 987654321));
  mesh.validity = poisoned<std::uint8_t>(rows, columns);
  mesh.vertices_per_polygon = 17;
  return mesh;
}

} // namespace pcl::gpu::test
