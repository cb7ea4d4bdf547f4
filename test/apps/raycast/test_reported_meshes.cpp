// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Files of kinds that users of other programs have reported: the picture is that of
// double precision rays at the surface that each file describes.

#include "apps/program.h"
#include "common/devices.h"

#include <pcl/gpu/utils/image_file.h>
#include <pcl/io/pcd_io.h>
#include <pcl/point_types.h>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace pcl::gpu::test;

namespace {

using Polygon = std::vector<Eigen::Vector3d>;

struct Hit {
  int triangle = -1;
  double depth = std::numeric_limits<double>::infinity();
  bool is_near_border = false;
};

/** \brief Casts a ray at convex polygons, which are fans of triangles.
 * \param[in] ray through the origin, z = 1
 */
Hit
castRay(const std::vector<Polygon>& polygons, const Eigen::Vector3d& ray)
{
  constexpr double border = 1e-4;
  Hit hit;
  int number = 0;
  for (const Polygon& polygon : polygons)
    for (std::size_t i = 2; i < polygon.size(); ++i, ++number) {
      Eigen::Matrix3d edges;
      edges << polygon[i - 1] - polygon[0], polygon[i] - polygon[0], -ray;
      if (std::abs(edges.determinant()) < 1e-12)
        continue;
      const Eigen::Vector3d solution = edges.inverse() * -polygon[0];
      const double least =
          std::min({solution[0], solution[1], 1.0 - solution[0] - solution[1]});
      if (least < -border || solution[2] <= 0.0)
        continue;
      hit.is_near_border = hit.is_near_border || least < border;
      if (least >= 0.0 && solution[2] < hit.depth) {
        hit.triangle = number;
        hit.depth = solution[2];
      }
    }
  return hit;
}

Polygon
rectangle(double x0, double y0, double x1, double y1, double z)
{
  return {{x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z}};
}

const std::vector<Polygon> two_squares = {rectangle(-0.49, -0.29, -0.09, 0.29, 2.0),
                                          rectangle(0.11, -0.29, 0.71, 0.29, 3.0)};

std::vector<Polygon>
cube()
{
  const auto corner = [](int i) {
    return Eigen::Vector3d(i & 1 ? 0.4 : -0.4, i & 2 ? 0.4 : -0.4, i & 4 ? 3.4 : 2.6);
  };
  std::vector<Polygon> polygons;
  for (const auto& [a, b, c, d] : {std::array{0, 2, 3, 1},
                                   {4, 5, 7, 6},
                                   {0, 1, 5, 4},
                                   {2, 6, 7, 3},
                                   {0, 4, 6, 2},
                                   {1, 3, 7, 5}})
    polygons.push_back({corner(a), corner(b), corner(c), corner(d)});
  return polygons;
}

class ReportedMeshes : public ::testing::Test {
protected:
  /** \brief Casts rays at a file and expects the hits of these polygons.
   * \param[in] has_numbers false if the file's triangles have other numbers
   */
  void
  expectHits(const std::string& name,
             const std::vector<Polygon>& polygons,
             bool has_numbers = true)
  {
    const std::string file = dataPath("reported/" + name);
    writeFile(folder_.path("cam.txt"), "0 0 0 0 0 0 1\n");
    const ProgramResult result =
        runProgram(PCL_GPU_RAYCAST " --device host '" + file +
                       "' --size 64x48 --intrinsics 50,50,31.5,23.5 --pose cam.txt "
                       "--cloud c.pcd --ids i.png",
                   folder_.path());
    ASSERT_EQ(result.exit_code, 0) << name << result.errors;
    pcl::PointCloud<pcl::PointXYZ> cloud;
    ASSERT_EQ(pcl::io::loadPCDFile(folder_.path("c.pcd"), cloud), 0);
    const auto ids = pcl::gpu::readColorImage(folder_.path("i.png"));
    int hits = 0;
    for (int v = 0; v < 48; ++v)
      for (int u = 0; u < 64; ++u) {
        const Hit hit = castRay(polygons, {(u - 31.5) / 50.0, (v - 23.5) / 50.0, 1.0});
        if (hit.is_near_border)
          continue;
        const auto& point = cloud(u, v);
        ASSERT_EQ(std::isfinite(point.z), hit.triangle >= 0) << name << u << " " << v;
        if (hit.triangle < 0)
          continue;
        ++hits;
        EXPECT_NEAR(point.z, hit.depth, 1e-4) << name;
        const auto& color = ids.pixels[v * 64 + u];
        const std::uint32_t code = color.r << 16 | color.g << 8 | color.b;
        if (has_numbers) {
          // As the manual says.
          EXPECT_EQ((code * 11764425u & 0xffffffu) - 1, std::uint32_t(hit.triangle))
              << name << u << " " << v;
        }
      }
    EXPECT_GT(hits, 200) << name;
  }

  TemporaryFolder folder_;
};

TEST_F(ReportedMeshes, MessyObj)
{
  Polygon heptagon;
  const double corners[7][2] = {{0.0500000, 0.0500000},
                                {-0.0817786, 0.3236410},
                                {-0.3778823, 0.3912248},
                                {-0.6153391, 0.2018593},
                                {-0.6153391, -0.1018593},
                                {-0.3778823, -0.2912248},
                                {-0.0817786, -0.2236410}};
  for (const auto& corner : corners)
    heptagon.emplace_back(corner[0], corner[1], 2.0);
  expectHits("obj-messy/a.obj", {heptagon, two_squares[1]});
}

TEST_F(ReportedMeshes, ObjWithNormalsOfFaces)
{
  expectHits("obj-normals-per-face/six.obj", cube());
  expectHits("obj-normals-per-face/many.obj", cube());
}

TEST_F(ReportedMeshes, ObjWithTabsAndComments)
{
  expectHits("obj-tabs-comments-bom/comment.obj", two_squares);
  expectHits("obj-tabs-comments-bom/f_tab.obj", two_squares);
}

TEST_F(ReportedMeshes, PlyWithListsOfManyTypes)
{
  expectHits("ply-list-types/count_ushort.ply", two_squares);
  expectHits("ply-list-types/index_ushort.ply", two_squares);
}

TEST_F(ReportedMeshes, StlWithALongNameOrCapitals)
{
  expectHits("stl-long-name/a.stl", two_squares);
  expectHits("stl-upper-case/a.stl", two_squares);
}

TEST_F(ReportedMeshes, ConcavePolygon)
{
  expectHits(
      "polygon-concave/l.obj",
      {rectangle(-0.5, -0.4, 0.5, -0.1, 2.0), rectangle(-0.5, -0.1, -0.1, 0.4, 2.0)},
      false);
}

} // namespace
