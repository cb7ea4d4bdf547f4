// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "polygon_meshes.h"

#include <pcl/common/transforms.h>
#include <pcl/gpu/raycast/render_views_tesselated_sphere.h>
#include <pcl/gpu/raycast/tesselated_sphere.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointNormal;
using pcl::PointXYZ;

namespace {

using Renderer = RenderViewsTesselatedSphere<PointXYZ>;

TEST(TesselatedSpheres, AreClosedEvenAndFaceOutwards)
{
  for (int level = 0; level <= 4; ++level) {
    const TesselatedSphere sphere = makeTesselatedSphere(level);
    const std::size_t faces = 20u << (2 * level);
    ASSERT_EQ(sphere.triangles.size(), faces);
    ASSERT_EQ(sphere.vertices.size(), faces / 2 + 2);
    for (const Eigen::Vector3f& vertex : sphere.vertices)
      EXPECT_NEAR(vertex.norm(), 1.0f, 1e-6f);
    std::map<std::pair<int, int>, int> edges;
    double least = 1e9, most = 0.0, total = 0.0;
    for (const auto& [a, b, c] : sphere.triangles) {
      const Eigen::Vector3d p = sphere.vertices[a].cast<double>();
      const Eigen::Vector3d q = sphere.vertices[b].cast<double>();
      const Eigen::Vector3d r = sphere.vertices[c].cast<double>();
      const Eigen::Vector3d normal = (q - p).cross(r - p);
      EXPECT_GT(normal.dot(p + q + r), 0.0);
      least = std::min(least, 0.5 * normal.norm());
      most = std::max(most, 0.5 * normal.norm());
      total += 0.5 * normal.norm();
      ++edges[{a, b}];
      ++edges[{b, c}];
      ++edges[{c, a}];
    }
    for (const auto& [edge, count] : edges) {
      EXPECT_EQ(count, 1);
      EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
    }
    EXPECT_LT(most, 2.0 * least);
    if (level == 0) {
      // The area of an icosahedron with circumradius 1.
      EXPECT_NEAR(total, 9.574541379, 1e-6);
      EXPECT_NEAR(most, least, 1e-6);
    }
    if (level == 4) {
      EXPECT_NEAR(total, 4.0 * M_PI, 0.02);
    }
  }
}

TEST(TesselatedSpheres, KeepTheVerticesOfCoarserOnes)
{
  const TesselatedSphere coarse = makeTesselatedSphere(1);
  const TesselatedSphere fine = makeTesselatedSphere(2);
  for (std::size_t i = 0; i < coarse.vertices.size(); ++i)
    EXPECT_EQ(coarse.vertices[i], fine.vertices[i]);
}

TEST(TesselatedSpheres, HaveAFinestLevel)
{
  expectBadArgument("tesselation level is -1", [] { makeTesselatedSphere(-1); });
  expectBadArgument("tesselation level is 9", [] { makeTesselatedSphere(9); });
}

class PartialViews : public DeviceTest {
protected:
  // A box off the origin, so that poses must know its centre.
  static pcl::PolygonMesh
  box()
  {
    pcl::PointCloud<PointXYZ> points;
    for (PointXYZ point : positionsOf(cube(1.0f))) {
      point.x = 0.3f * point.x + 5.0f;
      point.y = 0.2f * point.y - 3.0f;
      point.z = 0.1f * point.z + 1.0f;
      points.push_back(point);
    }
    pcl::PolygonMesh mesh = cube(1.0f);
    toPCLPointCloud2(points, mesh.cloud);
    return mesh;
  }
};

TEST_P(PartialViews, AreAsManyAsPclMakes)
{
  Renderer renderer;
  renderer.setInputMesh(box());
  renderer.setResolution(8);
  Renderer::Views views;
  Renderer::Poses poses;
  std::vector<float> entropies;
  for (int level = 0; level < 3; ++level)
    for (bool vertices : {false, true}) {
      renderer.setTesselationLevel(level);
      renderer.setUseVertices(vertices);
      renderer.generateViews();
      renderer.getViews(views);
      renderer.getPoses(poses);
      renderer.getEntropies(entropies);
      const std::size_t faces = 20u << (2 * level);
      EXPECT_EQ(views.size(), vertices ? faces / 2 + 2 : faces);
      EXPECT_EQ(poses.size(), views.size());
      EXPECT_TRUE(entropies.empty()) << "not asked for";
    }
}

TEST_P(PartialViews, ShowTheSurfaceInItsPlace)
{
  Renderer renderer;
  renderer.setInputMesh(box());
  renderer.setResolution(60);
  renderer.setRadiusSphere(0.9f);
  renderer.setTesselationLevel(0);
  renderer.generateViews();
  Renderer::Views views;
  Renderer::Poses poses;
  renderer.getViews(views);
  renderer.getPoses(poses);
  ASSERT_EQ(views.size(), 20u);
  const Eigen::Vector3f center(5.0f, -3.0f, 1.0f);
  std::set<int> sides;
  for (std::size_t i = 0; i < views.size(); ++i) {
    EXPECT_GT(views[i]->size(), 40u);
    EXPECT_TRUE(views[i]->is_dense);
    EXPECT_EQ(views[i]->height, 1u);
    const Eigen::Isometry3f to_camera(poses[i]);
    EXPECT_LT((to_camera * center - Eigen::Vector3f(0, 0, 0.9f)).norm(), 1e-5f);
    for (const PointXYZ& seen : *views[i]) {
      const Eigen::Vector3f point =
          to_camera.inverse() * seen.getVector3fMap() - center;
      const Eigen::Array3f part =
          point.array().abs() / Eigen::Array3f(0.15f, 0.1f, 0.05f);
      int side;
      EXPECT_NEAR(part.maxCoeff(&side), 1.0f, 1e-4f);
      sides.insert(2 * side + (point[side] > 0));
    }
  }
  EXPECT_EQ(sides.size(), 6u) << "all sides are seen from somewhere";
}

TEST_P(PartialViews, ShowEveryObjectInOneSizeByDefault)
{
  for (float size : {0.01f, 1.0f, 100.0f}) {
    Renderer renderer;
    renderer.setInputMesh(cube(size));
    renderer.setResolution(50);
    renderer.setTesselationLevel(0);
    renderer.generateViews();
    Renderer::Poses poses;
    renderer.getPoses(poses);
    Renderer::Views views;
    renderer.getViews(views);
    for (std::size_t i = 0; i < poses.size(); ++i) {
      EXPECT_NEAR(poses[i](2, 3), 2.0f * size, 1e-5f * size);
      EXPECT_GT(views[i]->size(), 400u);
    }
  }
}

TEST_P(PartialViews, MayBeOrganized)
{
  Renderer renderer;
  renderer.setInputMesh(cube(1.0f));
  renderer.setResolution(40);
  renderer.setTesselationLevel(0);
  Renderer::Views dense, organized;
  renderer.generateViews();
  renderer.getViews(dense);
  renderer.setGenOrganized(true);
  renderer.generateViews();
  renderer.getViews(organized);
  std::vector<CameraView> cameras;
  renderer.getCameras(cameras);
  ASSERT_EQ(dense.size(), organized.size());
  for (std::size_t i = 0; i < dense.size(); ++i) {
    ASSERT_EQ(organized[i]->width, 40u);
    ASSERT_EQ(organized[i]->height, 40u);
    EXPECT_FALSE(organized[i]->is_dense);
    std::size_t next = 0;
    for (int v = 0; v < 40; ++v)
      for (int u = 0; u < 40; ++u) {
        const PointXYZ& point = (*organized[i])(u, v);
        if (std::isnan(point.x))
          continue;
        EXPECT_NEAR(
            point.x / point.z * cameras[i].getFx() + cameras[i].getCx(), u, 1e-3);
        ASSERT_LT(next, dense[i]->size());
        EXPECT_EQ((*dense[i])[next++].getVector3fMap(), point.getVector3fMap());
      }
    EXPECT_EQ(next, dense[i]->size());
  }
}

TEST_P(PartialViews, OfASphereFromAfarShowHalfOfIt)
{
  Renderer renderer;
  renderer.setInputMesh(ringSphere(0.5f, 60, 120));
  renderer.setRadiusSphere(100.0f);
  renderer.setViewAngle(0.58f);
  renderer.setResolution(700);
  renderer.setTesselationLevel(0);
  renderer.setUseVertices(true);
  renderer.setComputeEntropies(true);
  renderer.generateViews();
  std::vector<float> entropies;
  renderer.getEntropies(entropies);
  ASSERT_EQ(entropies.size(), 12u);
  for (float entropy : entropies)
    EXPECT_NEAR(entropy, 0.5f, 0.02f);
}

TEST_P(PartialViews, OfASphereShowTheCapThatTheDistanceAllows)
{
  // From distance d a sphere of radius r shows a cap of the height r - r^2 / d.
  const float radius = 0.5f;
  for (float distance : {0.8f, 1.5f}) {
    Renderer renderer;
    renderer.setInputMesh(ringSphere(radius, 60, 120));
    renderer.setRadiusSphere(distance);
    renderer.setViewAngle(2.0f * std::asin(radius / distance) * 180.0f / 3.1416f + 1);
    renderer.setResolution(700);
    renderer.setTesselationLevel(0);
    renderer.setUseVertices(true);
    renderer.setComputeEntropies(true);
    renderer.generateViews();
    std::vector<float> entropies;
    renderer.getEntropies(entropies);
    const float cap = 0.5f * (1.0f - radius / distance);
    for (float entropy : entropies)
      EXPECT_NEAR(entropy, cap, 0.02f) << distance;
  }
}

TEST_P(PartialViews, OfACubeShowTheSidesThatFaceTheCamera)
{
  Renderer renderer;
  renderer.setInputMesh(cube(1.0f));
  renderer.setRadiusSphere(3.0f);
  renderer.setResolution(200);
  renderer.setTesselationLevel(1);
  renderer.setComputeEntropies(true);
  renderer.generateViews();
  std::vector<float> entropies;
  Renderer::Poses poses;
  renderer.getEntropies(entropies);
  renderer.getPoses(poses);
  ASSERT_EQ(entropies.size(), 80u);
  for (std::size_t i = 0; i < entropies.size(); ++i) {
    const Eigen::Vector3f eye = Eigen::Isometry3f(poses[i]).inverse().translation();
    int sides = 0;
    bool grazing = false;
    for (int axis = 0; axis < 3; ++axis) {
      sides += std::abs(eye[axis]) > 0.5f;
      grazing = grazing || std::abs(std::abs(eye[axis]) - 0.5f) < 0.05f;
    }
    if (!grazing) {
      EXPECT_NEAR(entropies[i], sides / 6.0f, 1e-5f) << i;
    }
  }
}

TEST_P(PartialViews, OfHiddenPartsDoNotShowThem)
{
  // A cube inside a cube is never seen: the outer one has four fifths of the area.
  pcl::PolygonMesh mesh = cube(1.0f);
  pcl::PolygonMesh::concatenate(mesh, cube(0.5f));
  Renderer renderer;
  renderer.setInputMesh(mesh);
  renderer.setUseVertices(true);
  renderer.setTesselationLevel(2);
  renderer.setComputeEntropies(true);
  renderer.generateViews();
  std::vector<float> entropies;
  renderer.getEntropies(entropies);
  for (float entropy : entropies)
    EXPECT_LE(entropy, 0.5f * 0.8f + 1e-5f);
}

TEST_P(PartialViews, MayBeConstrained)
{
  Renderer renderer;
  renderer.setInputMesh(box());
  renderer.setResolution(16);
  renderer.setCamPosConstraints(
      [](const Eigen::Vector3f& position) { return position.z() > 0.2f; });
  renderer.generateViews();
  std::vector<CameraView> cameras;
  renderer.getCameras(cameras);
  EXPECT_GT(cameras.size(), 20u);
  EXPECT_LT(cameras.size(), 40u);
  for (const CameraView& camera : cameras)
    EXPECT_GT(camera.getPose().translation().z(), 1.0f);
  renderer.setCamPosConstraints([](const Eigen::Vector3f&) { return false; });
  renderer.generateViews();
  Renderer::Views views;
  renderer.getViews(views);
  EXPECT_TRUE(views.empty());
}

TEST_P(PartialViews, MayHaveNormals)
{
  RenderViewsTesselatedSphere<PointNormal> renderer;
  renderer.setInputMesh(ringSphere(0.2f, 60, 120));
  renderer.setResolution(40);
  renderer.setTesselationLevel(0);
  renderer.generateViews();
  RenderViewsTesselatedSphere<PointNormal>::Views views;
  RenderViewsTesselatedSphere<PointNormal>::Poses poses;
  renderer.getViews(views);
  renderer.getPoses(poses);
  for (std::size_t i = 0; i < views.size(); ++i) {
    const Eigen::Vector3f center = poses[i].block<3, 1>(0, 3);
    for (const PointNormal& point : *views[i])
      EXPECT_LT(
          ((point.getVector3fMap() - center) / 0.2f - point.getNormalVector3fMap())
              .norm(),
          0.02f);
  }
}

TEST_P(PartialViews, InSeveralBatchesAreTheSame)
{
  // 12 images of 1500 x 1500 are more than one batch holds.
  Renderer renderer;
  renderer.setInputMesh(cube(1.0f));
  renderer.setTesselationLevel(0);
  renderer.setUseVertices(true);
  renderer.setResolution(1500);
  renderer.setComputeEntropies(true);
  renderer.generateViews();
  std::vector<float> entropies;
  Renderer::Views views;
  Renderer::Poses poses;
  renderer.getEntropies(entropies);
  renderer.getViews(views);
  renderer.getPoses(poses);
  ASSERT_EQ(entropies.size(), 12u);
  ASSERT_EQ(views.size(), 12u);
  for (int i = 0; i < 12; ++i) {
    EXPECT_GT(entropies[i], 0.16f);
    const PointXYZ& seen = (*views[i])[views[i]->size() / 2];
    const Eigen::Vector3f point =
        Eigen::Isometry3f(poses[i]).inverse() * seen.getVector3fMap();
    EXPECT_NEAR(point.cwiseAbs().maxCoeff(), 0.5f, 1e-5f);
  }
}

TEST_P(PartialViews, OfSomeCamerasAreThoseOfAll)
{
  Renderer renderer;
  renderer.setInputMesh(box());
  renderer.setResolution(40);
  renderer.setTesselationLevel(0);
  renderer.setComputeEntropies(true);
  renderer.generateViews();
  Renderer::Views all, some;
  Renderer::Poses all_poses, poses;
  std::vector<float> all_entropies, entropies;
  renderer.getViews(all);
  renderer.getPoses(all_poses);
  renderer.getEntropies(all_entropies);
  const std::vector<CameraView> cameras = renderer.placeCameras();
  ASSERT_EQ(cameras.size(), 20u);
  for (const std::size_t first : {0u, 7u, 18u}) {
    renderer.generateViews({cameras[first], cameras[first + 1]});
    renderer.getViews(some);
    renderer.getPoses(poses);
    renderer.getEntropies(entropies);
    ASSERT_EQ(some.size(), 2u);
    ASSERT_EQ(poses.size(), 2u);
    ASSERT_EQ(entropies.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(poses[i], all_poses[first + i]);
      EXPECT_EQ(entropies[i], all_entropies[first + i]);
      ASSERT_EQ(some[i]->size(), all[first + i]->size());
      for (std::size_t k = 0; k < some[i]->size(); ++k)
        ASSERT_EQ((*some[i])[k].getVector3fMap(),
                  (*all[first + i])[k].getVector3fMap());
    }
  }
}

TEST_P(PartialViews, RefuseBadSettingsByName)
{
  Renderer renderer;
  expectBadArgument("resolution is 0", [&] { renderer.setResolution(0); });
  expectBadArgument("resolution is 16385", [&] { renderer.setResolution(16385); });
  expectBadArgument("tesselation level is 9", [&] { renderer.setTesselationLevel(9); });
  expectBadArgument("view angle is 180", [&] { renderer.setViewAngle(180.0f); });
  expectBadArgument("view angle is 0", [&] { renderer.setViewAngle(0.0f); });
  expectBadArgument("radius", [&] { renderer.setRadiusSphere(-1.0f); });
  expectBadArgument("input mesh is not set", [&] { renderer.generateViews(); });
  expectBadArgument("input mesh is not set", [&] { renderer.generateViews({}); });
  renderer.setInputMesh(box());
  const std::vector<CameraView> cameras = renderer.placeCameras();
  renderer.setResolution(151);
  expectBadArgument("image is 150", [&] { renderer.generateViews(cameras); });
  pcl::PolygonMesh flat = cube(0.0f);
  renderer.setInputMesh(flat);
  expectBadArgument("area of the input mesh", [&] { renderer.generateViews(); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(PartialViews);

} // namespace
