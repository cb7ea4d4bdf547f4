// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "polygon_meshes.h"

#include <pcl/gpu/raycast/mesh_conversion.h>
#include <pcl/gpu/raycast/polygon_mesh_ray_caster.h>

#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointNormal;
using pcl::PointXYZ;
using pcl::PointXYZRGB;

namespace {

constexpr int view_width = 80;
constexpr int view_height = 60;

PinholeCamera
viewCamera()
{
  return PinholeCamera::fromFieldOfView(0.8f, view_width, view_height);
}

Pose
somewhere()
{
  return lookAt({0.4f, -0.7f, -2.5f}, {0.05f, 0.1f, 0.0f});
}

class PolygonMeshRays : public DeviceTest {};

TEST_P(PolygonMeshRays, HitAPlaneWhereItIs)
{
  PolygonMeshRayCaster<PointXYZ> ray_caster;
  ray_caster.setInputMesh(squareAt(2.0f));
  ray_caster.setCamera(viewCamera());
  pcl::PointCloud<PointXYZ> cloud;
  ray_caster.cast(cloud);
  ASSERT_EQ(cloud.width, static_cast<unsigned int>(view_width));
  ASSERT_EQ(cloud.height, static_cast<unsigned int>(view_height));
  ASSERT_EQ(cloud.size(), static_cast<std::size_t>(view_width * view_height));
  EXPECT_FALSE(cloud.is_dense);
  int hits = 0;
  for (int v = 0; v < view_height; ++v)
    for (int u = 0; u < view_width; ++u) {
      const PointXYZ& point = cloud(u, v);
      const double x = 2.0 * (u - viewCamera().cx) / viewCamera().fx;
      const double y = 2.0 * (v - viewCamera().cy) / viewCamera().fy;
      const double outside = std::max(std::abs(x), std::abs(y)) - 1.0;
      if (std::abs(outside) < 1e-5)
        continue;
      ASSERT_EQ(std::isnan(point.z), outside > 0.0) << u << " " << v;
      if (outside > 0.0)
        continue;
      ++hits;
      EXPECT_NEAR(point.x, x, 1e-6);
      EXPECT_NEAR(point.y, y, 1e-6);
      EXPECT_NEAR(point.z, 2.0, 1e-6);
    }
  EXPECT_GT(hits, view_width * view_height / 2);
}

TEST_P(PolygonMeshRays, ThatAllHitGiveADenseCloud)
{
  PolygonMeshRayCaster<PointXYZ> ray_caster;
  ray_caster.setInputMesh(squareAt(0.5f));
  ray_caster.setCamera(viewCamera());
  pcl::PointCloud<PointXYZ> cloud;
  ray_caster.cast(cloud);
  EXPECT_TRUE(cloud.is_dense);
}

TEST_P(PolygonMeshRays, HitASphereWithItsNormals)
{
  PolygonMeshRayCaster<PointNormal> ray_caster;
  ray_caster.setInputMesh(ringSphere(0.6f, 200, 400));
  ray_caster.setCamera({viewCamera(), somewhere()});
  ray_caster.setOutputInWorldFrame(true);
  pcl::PointCloud<PointNormal> cloud;
  ray_caster.cast(cloud);
  const Eigen::Vector3f eye = somewhere().translation();
  int hits = 0;
  for (int v = 0; v < view_height; ++v)
    for (int u = 0; u < view_width; ++u) {
      const Eigen::Vector3f ray =
          somewhere().linear() *
          Eigen::Vector3f((u - viewCamera().cx) / viewCamera().fx,
                          (v - viewCamera().cy) / viewCamera().fy,
                          1.0f);
      // |eye + t ray| = 0.6
      const double a = ray.squaredNorm(), b = eye.dot(ray);
      const double discriminant = b * b - a * (eye.squaredNorm() - 0.36);
      const PointNormal& point = cloud(u, v);
      if (std::abs(discriminant) < 0.02)
        continue;
      ASSERT_EQ(std::isnan(point.z), discriminant < 0.0);
      if (discriminant < 0.0)
        continue;
      ++hits;
      const float t = static_cast<float>((-b - std::sqrt(discriminant)) / a);
      const Eigen::Vector3f exact = eye + t * ray;
      EXPECT_LT((point.getVector3fMap() - exact).norm(), 5e-4f);
      EXPECT_LT((point.getNormalVector3fMap() - exact / 0.6f).norm(), 2e-3f);
    }
  EXPECT_GT(hits, 400);
}

TEST_P(PolygonMeshRays, GiveTheSameCloudInEitherFrame)
{
  PolygonMeshRayCaster<PointNormal> ray_caster;
  pcl::PolygonMesh mesh = cube(0.8f);
  mesh.header.frame_id = "object";
  mesh.header.stamp = 77;
  ray_caster.setInputMesh(mesh);
  ray_caster.setCamera({viewCamera(), somewhere()});
  pcl::PointCloud<PointNormal> in_camera, in_world;
  ray_caster.cast(in_camera);
  ray_caster.setOutputInWorldFrame(true);
  ray_caster.cast(in_world);
  int hits = 0;
  for (std::size_t i = 0; i < in_camera.size(); ++i) {
    ASSERT_EQ(std::isnan(in_camera[i].x), std::isnan(in_world[i].x));
    if (std::isnan(in_camera[i].x))
      continue;
    ++hits;
    EXPECT_LT(
        (somewhere() * in_camera[i].getVector3fMap() - in_world[i].getVector3fMap())
            .norm(),
        1e-5f);
    EXPECT_LT((somewhere().linear() * in_camera[i].getNormalVector3fMap() -
               in_world[i].getNormalVector3fMap())
                  .norm(),
              1e-5f);
    EXPECT_LT(in_camera[i].getNormalVector3fMap().dot(in_camera[i].getVector3fMap()),
              0.0f)
        << "normals are on the camera's side";
    EXPECT_NEAR(in_world[i].getVector3fMap().cwiseAbs().maxCoeff(), 0.4f, 1e-5f);
  }
  EXPECT_GT(hits, 300);

  EXPECT_EQ(in_camera.sensor_origin_, Eigen::Vector4f::Zero());
  EXPECT_EQ(in_camera.sensor_orientation_.coeffs(),
            Eigen::Quaternionf::Identity().coeffs());
  EXPECT_EQ(in_world.sensor_origin_.head<3>(), somewhere().translation());
  EXPECT_TRUE(in_world.sensor_orientation_.toRotationMatrix().isApprox(
      somewhere().linear(), 1e-5f));
  EXPECT_EQ(in_camera.header.stamp, 77u);
  EXPECT_EQ(in_camera.header.frame_id, "");
  EXPECT_EQ(in_world.header.frame_id, "object");
}

TEST_P(PolygonMeshRays, BringTheColorsOfTheMesh)
{
  pcl::PointCloud<PointXYZRGB> points;
  for (const auto& position : positionsOf(squareAt(2.0f))) {
    PointXYZRGB point;
    point.r = 200;
    point.g = 10;
    point.b = position.x > 0.0f ? 200 : 0;
    point.getVector3fMap() = position.getVector3fMap();
    points.push_back(point);
  }
  PolygonMeshRayCaster<PointXYZRGB> ray_caster;
  ray_caster.setInputMesh(polygonMesh(points, {{0, 1, 3, 2}}));
  ray_caster.setCamera(viewCamera());
  pcl::PointCloud<PointXYZRGB> cloud;
  ray_caster.cast(cloud);
  int hits = 0;
  for (const PointXYZRGB& point : cloud) {
    if (std::isnan(point.x)) {
      EXPECT_EQ(point.rgba, 0u);
      continue;
    }
    ++hits;
    EXPECT_EQ(point.r, 200);
    EXPECT_EQ(point.g, 10);
    EXPECT_NEAR(point.b, 100.0f + 100.0f * point.x, 1.0f);
    EXPECT_EQ(point.a, 255);
  }
  EXPECT_GT(hits, 1000);

  ray_caster.setInputMesh(squareAt(2.0f));
  ray_caster.cast(cloud);
  EXPECT_EQ(cloud(view_width / 2, view_height / 2).rgba, 0xffffffffu);
}

TEST_P(PolygonMeshRays, OfAnOrthographicCameraAreParallel)
{
  PolygonMeshRayCaster<PointXYZ> ray_caster;
  ray_caster.setInputMesh(squareAt(3.0f));
  ray_caster.setCamera(
      OrthographicCamera{20.0f, 20.0f, 39.5f, 29.5f, view_width, view_height});
  pcl::PointCloud<PointXYZ> cloud;
  ray_caster.cast(cloud);
  int hits = 0;
  for (int v = 0; v < view_height; ++v)
    for (int u = 0; u < view_width; ++u)
      if (!std::isnan(cloud(u, v).z)) {
        ++hits;
        EXPECT_NEAR(cloud(u, v).x, (u - 39.5f) / 20.0f, 1e-6f);
        EXPECT_NEAR(cloud(u, v).y, (v - 29.5f) / 20.0f, 1e-6f);
      }
  EXPECT_EQ(hits, 1600);
}

TEST_P(PolygonMeshRays, AlsoGiveDepthMapAndTriangleIds)
{
  PolygonMeshRayCaster<PointXYZ> ray_caster;
  ray_caster.setInputMesh(cube(0.8f));
  ray_caster.setCamera({viewCamera(), somewhere()});
  pcl::PointCloud<PointXYZ> cloud;
  ray_caster.cast(cloud);
  std::vector<float> depth;
  std::vector<int> triangles;
  ray_caster.getDepthMap(depth);
  ray_caster.getTriangleIds(triangles);
  ASSERT_EQ(depth.size(), cloud.size());
  ASSERT_EQ(triangles.size(), cloud.size());
  // Triangles 2 i and 2 i + 1 are the two halves of side i.
  const int axis_of_side[6] = {2, 2, 1, 1, 0, 0};
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    ASSERT_EQ(triangles[i] < 0, std::isnan(cloud[i].z));
    if (triangles[i] < 0) {
      EXPECT_TRUE(std::isnan(depth[i]));
      continue;
    }
    EXPECT_EQ(depth[i], cloud[i].z);
    const Eigen::Vector3f point = somewhere() * cloud[i].getVector3fMap();
    const int side = triangles[i] / 2;
    EXPECT_NEAR(point[axis_of_side[side]], side % 2 == 0 ? -0.4f : 0.4f, 1e-5f);
  }
}

TEST_P(PolygonMeshRays, RespectDepthRangeAndCulling)
{
  PolygonMeshRayCaster<PointXYZ> ray_caster;
  ray_caster.setInputMesh(cube(1.0f));
  ray_caster.setCamera({viewCamera(), lookAt({0, 0, -2}, {0, 0, 0})});
  pcl::PointCloud<PointXYZ> cloud;
  ray_caster.cast(cloud);
  EXPECT_NEAR(cloud(view_width / 2, view_height / 2).z, 1.5f, 1e-5f);
  ray_caster.setCulling(Culling::Front);
  ray_caster.cast(cloud);
  EXPECT_NEAR(cloud(view_width / 2, view_height / 2).z, 2.5f, 1e-5f);
  ray_caster.setCulling(Culling::Back);
  ray_caster.setDepthRange(0.0f, 1.0f);
  ray_caster.cast(cloud);
  EXPECT_TRUE(std::isnan(cloud(view_width / 2, view_height / 2).z));
}

TEST_P(PolygonMeshRays, SeeTheMeshesOfAScene)
{
  const auto scene = std::make_shared<MeshScene>();
  const int mesh = scene->addMesh(toTriangleMesh(squareAt(0.0f)));
  scene->addInstance(mesh, Pose(Eigen::Translation3f(0, 0, 3)));
  scene->addInstance(mesh, Pose(Eigen::Translation3f(1, 0, 2)));
  PolygonMeshRayCaster<PointXYZ> ray_caster;
  ray_caster.setScene(scene);
  EXPECT_EQ(ray_caster.getScene(), scene);
  ray_caster.setCamera(viewCamera());
  pcl::PointCloud<PointXYZ> cloud;
  ray_caster.cast(cloud);
  EXPECT_NEAR(cloud(view_width / 2 - 5, view_height / 2).z, 3.0f, 1e-5f);
  EXPECT_NEAR(cloud(view_width / 2 + 5, view_height / 2).z, 2.0f, 1e-5f);
}

TEST_P(PolygonMeshRays, OfCopiesAreTheirOwn)
{
  PolygonMeshRayCaster<PointXYZ> first;
  first.setInputMesh(squareAt(2.0f));
  first.setCamera(viewCamera());
  pcl::PointCloud<PointXYZ> cloud;
  first.cast(cloud);
  PolygonMeshRayCaster<PointXYZ> second(first);
  std::vector<float> depth;
  expectBadArgument("cast", [&] { second.getDepthMap(depth); });
  second.setInputMesh(squareAt(3.0f));
  second.cast(cloud);
  first.getDepthMap(depth);
  EXPECT_NEAR(depth[view_width * view_height / 2 + view_width / 2], 2.0f, 1e-5f);
}

TEST_P(PolygonMeshRays, NeedMeshAndCamera)
{
  PolygonMeshRayCaster<PointXYZ> ray_caster;
  pcl::PointCloud<PointXYZ> cloud;
  std::vector<float> depth;
  std::vector<int> triangles;
  expectBadArgument("camera is not set", [&] { ray_caster.cast(cloud); });
  ray_caster.setCamera(viewCamera());
  expectBadArgument("scene is not set", [&] { ray_caster.cast(cloud); });
  expectBadArgument("input mesh is null",
                    [&] { ray_caster.setInputMesh(pcl::PolygonMesh::ConstPtr()); });
  expectBadArgument("scene is null", [&] { ray_caster.setScene(nullptr); });
  expectBadArgument("cast", [&] { ray_caster.getDepthMap(depth); });
  expectBadArgument("cast", [&] { ray_caster.getTriangleIds(triangles); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(PolygonMeshRays);

} // namespace
