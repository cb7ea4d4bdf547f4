// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "gpu_triangulation/references/expect_mesh.h"
#include "gpu_triangulation/references/scenes.h"

#include <pcl/gpu/triangulation/organized_triangulation.h>

#include <Eigen/Geometry>

#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

/** \brief Form of the mesh: order, winding, room, reuse. */
class MeshOutput : public DeviceTest {
protected:
  static OrganizedTriangulation
  triangulationWithCut(Cut cut)
  {
    OrganizedTriangulation triangulation;
    change(triangulation, [&](auto& p) {
      p.cut = cut;
      p.dynamic_edge_length = false;
      p.max_edge_length = 0.1f;
      p.dynamic_normal_angle = false;
      p.max_normal_angle = 4.0f;
    });
    return triangulation;
  }

  static OrganizedMesh
  meshOf(OrganizedTriangulation& triangulation, const Image<PointXYZ>& cloud)
  {
    OrganizedMesh mesh = poisonedMesh(cloud.rows, cloud.columns);
    triangulation.compute(uploaded(cloud), {}, {}, mesh);
    return mesh;
  }

  static Image<PointXYZ>
  scene(int rows, int columns, unsigned seed)
  {
    return cloudOf(roughDepth(rows, columns, 0.1, seed), cameraOfSize(rows, columns));
  }
};

TEST_P(MeshOutput, TurnsAllPolygonsToTheViewer)
{
  for (Cut cut : {Cut::Left, Cut::Right, Cut::Adaptive, Cut::Quad}) {
    const Image<PointXYZ> cloud = scene(60, 80, 1);
    OrganizedTriangulation triangulation = triangulationWithCut(cut);
    const auto polygons = polygonsOf(meshOf(triangulation, cloud));
    EXPECT_GT(polygons.size(), 1000u);
    for (const auto& polygon : polygons) {
      const auto vertex = [&](int i) -> Eigen::Vector3d {
        return cloud.data[polygon[i]].getVector3fMap().cast<double>();
      };
      for (int i = 0; i + 2 < (polygon[3] < 0 ? 3 : 4); ++i) {
        const Eigen::Vector3d normal =
            (vertex(i + 1) - vertex(0)).cross(vertex(i + 2) - vertex(0));
        ASSERT_LT(normal.dot(vertex(0)), 0.0);
      }
    }
  }
}

TEST_P(MeshOutput, HoldsRoomForEveryQuadWhateverThisFrameHas)
{
  for (Cut cut : {Cut::Left, Cut::Right, Cut::Adaptive, Cut::Quad}) {
    OrganizedTriangulation triangulation = triangulationWithCut(cut);
    const auto mesh = meshOf(triangulation, Image<PointXYZ>(11, 21, missingPoint()));
    EXPECT_TRUE(polygonsOf(mesh).empty());
    EXPECT_GE(mesh.indices.size(), 10u * 20u * (cut == Cut::Quad ? 4u : 6u));
  }
}

TEST_P(MeshOutput, OfAFrameWithoutPointsIsEmpty)
{
  OrganizedTriangulation triangulation = triangulationWithCut(Cut::Left);
  const auto mesh = meshOf(triangulation, Image<PointXYZ>(70, 90, missingPoint()));
  EXPECT_EQ(downloaded(mesh.polygon_count).at(0), 0);
  for (std::uint8_t bits : downloaded(mesh.validity).data)
    ASSERT_EQ(bits, 0);
}

TEST_P(MeshOutput, OfFramesWithoutAQuadIsEmpty)
{
  for (int rows : {1, 5})
    for (int columns : {1, 5}) {
      if (rows > 1 && columns > 1)
        continue;
      OrganizedTriangulation triangulation = triangulationWithCut(Cut::Left);
      const auto mesh = meshOf(triangulation, scene(rows, columns, 2));
      EXPECT_EQ(downloaded(mesh.polygon_count).at(0), 0);
      for (std::uint8_t bits : downloaded(mesh.validity).data)
        EXPECT_EQ(bits, 0);
    }
}

TEST_P(MeshOutput, OfQuadsLargerThanTheFrameIsEmpty)
{
  OrganizedTriangulation triangulation = triangulationWithCut(Cut::Left);
  change(triangulation, [&](auto& p) {
    p.row_step = 20;
    p.column_step = 1;
  });
  EXPECT_TRUE(polygonsOf(meshOf(triangulation, scene(20, 30, 3))).empty());
  change(triangulation, [&](auto& p) {
    p.row_step = 1;
    p.column_step = 1000000000;
  });
  EXPECT_TRUE(polygonsOf(meshOf(triangulation, scene(20, 30, 3))).empty());
}

TEST_P(MeshOutput, IsTheSameOnEveryRun)
{
  const Image<PointXYZ> cloud = scene(240, 320, 4);
  OrganizedTriangulation triangulation = triangulationWithCut(Cut::Left);
  const auto first = polygonsOf(meshOf(triangulation, cloud));
  EXPECT_GT(first.size(), 10000u);
  for (int run = 0; run < 5; ++run)
    EXPECT_TRUE(polygonsOf(meshOf(triangulation, cloud)) == first);
}

TEST_P(MeshOutput, ReusedForAnotherSizeAndCutForgetsTheLast)
{
  OrganizedTriangulation triangulation = triangulationWithCut(Cut::Left);
  OrganizedMesh mesh;
  triangulation.compute(uploaded(scene(99, 120, 5)), {}, {}, mesh);
  const Image<PointXYZ> small = scene(21, 30, 6);
  change(triangulation, [&](auto& p) { p.cut = Cut::Quad; });
  triangulation.compute(uploaded(small), {}, {}, mesh);
  OrganizedTriangulation fresh = triangulationWithCut(Cut::Quad);
  const OrganizedMesh expected = meshOf(fresh, small);
  EXPECT_EQ(mesh.vertices_per_polygon, 4);
  EXPECT_TRUE(polygonsOf(mesh) == polygonsOf(expected));
  EXPECT_TRUE(sameBits(downloaded(mesh.validity), downloaded(expected.validity)));
}

TEST_P(MeshOutput, GoesWithoutStatisticsWhereNoThresholdNeedsThem)
{
  // Without normals there is no threshold for their angle, though it stands on dynamic.
  OrganizedTriangulation triangulation;
  change(triangulation, [&](auto& p) {
    p.dynamic_edge_length = false;
    p.max_edge_length = 0.1f;
  });
  EXPECT_FALSE(polygonsOf(meshOf(triangulation, scene(20, 30, 7))).empty());
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(MeshOutput);

} // namespace
