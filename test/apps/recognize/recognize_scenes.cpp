// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "apps/recognize/recognize_scenes.h"

#include <pcl/conversions.h>
#include <pcl/gpu/raycast/mesh_conversion.h>
#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/io/pcd_io.h>
#include <pcl/io/png_io.h>
#include <pcl/point_types.h>

#include <cmath>
#include <limits>

namespace pcl::gpu::test {

namespace {

void
addPolygon(PolygonMesh& mesh, const Indices& corners)
{
  mesh.polygons.emplace_back();
  mesh.polygons.back().vertices = corners;
}

PolygonMesh
wallMesh()
{
  PointCloud<PointXYZ> points;
  for (const float y : {-1.0f, 1.0f})
    for (const float x : {-1.0f, 1.0f})
      points.push_back(PointXYZ(x, y, 1.4f));
  PolygonMesh mesh;
  toPCLPointCloud2(points, mesh.cloud);
  addPolygon(mesh, {0, 1, 3, 2});
  return mesh;
}

std::vector<float>
render(const MeshScene::Ptr& scene, const Pose& camera_pose)
{
  MeshRayCaster caster;
  caster.setScene(scene);
  RayCastImages images;
  caster.cast(CameraView(smallCamera(), camera_pose), images);
  std::vector<float> depth;
  int columns = 0;
  images.depth.download(depth, columns);
  return depth;
}

} // namespace

PolygonMesh
angleMesh()
{
  // The outline, and how far it is pushed out of the plane.
  const float outline[6][2] = {{-0.11f, -0.08f},
                               {0.11f, -0.08f},
                               {0.11f, -0.02f},
                               {-0.04f, -0.02f},
                               {-0.04f, 0.08f},
                               {-0.11f, 0.08f}};
  PointCloud<PointXYZ> points;
  for (const float z : {-0.04f, 0.04f})
    for (const auto& corner : outline)
      points.push_back(PointXYZ(corner[0], corner[1], z));
  PolygonMesh mesh;
  toPCLPointCloud2(points, mesh.cloud);
  for (const Indices& quad : {Indices{0, 3, 2, 1}, {0, 5, 4, 3}})
    addPolygon(mesh, quad);
  for (const Indices& quad : {Indices{6, 7, 8, 9}, {6, 9, 10, 11}})
    addPolygon(mesh, quad);
  for (int i = 0; i < 6; ++i)
    addPolygon(mesh, {i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i});
  return mesh;
}

PolygonMesh
ringMesh()
{
  constexpr int around = 48, across = 24;
  constexpr float radius = 0.08f, thickness = 0.03f;
  PointCloud<PointXYZ> points;
  for (int i = 0; i < around; ++i)
    for (int k = 0; k < across; ++k) {
      const double a = 2.0 * M_PI * i / around, b = 2.0 * M_PI * k / across;
      const double r = radius + thickness * std::cos(b);
      points.push_back(PointXYZ(static_cast<float>(r * std::cos(a)),
                                static_cast<float>(r * std::sin(a)),
                                static_cast<float>(thickness * std::sin(b))));
    }
  PolygonMesh mesh;
  toPCLPointCloud2(points, mesh.cloud);
  for (int i = 0; i < around; ++i)
    for (int k = 0; k < across; ++k) {
      const int j = (i + 1) % around, l = (k + 1) % across;
      addPolygon(mesh,
                 {i * across + k, j * across + k, j * across + l, i * across + l});
    }
  return mesh;
}

PolygonMesh
scaledMesh(PolygonMesh mesh, float factor)
{
  PointCloud<PointXYZ> points;
  fromPCLPointCloud2(mesh.cloud, points);
  for (PointXYZ& point : points)
    point.getVector3fMap() *= factor;
  toPCLPointCloud2(points, mesh.cloud);
  return mesh;
}

PinholeCamera
smallCamera()
{
  PinholeCamera camera;
  camera.fx = camera.fy = 525.0f;
  camera.width = 320;
  camera.height = 240;
  camera.cx = 159.5f;
  camera.cy = 119.5f;
  return camera;
}

Pose
angleInScene()
{
  Pose pose = Pose::Identity();
  pose.translation() = Eigen::Vector3f(0.03f, -0.02f, 0.9f);
  pose.linear() = (Eigen::AngleAxisf(0.6f, Eigen::Vector3f::UnitY()) *
                   Eigen::AngleAxisf(2.5f, Eigen::Vector3f::UnitX()) *
                   Eigen::AngleAxisf(0.4f, Eigen::Vector3f::UnitZ()))
                      .toRotationMatrix();
  return pose;
}

std::vector<float>
renderScene()
{
  auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(toTriangleMesh(angleMesh())), angleInScene());
  scene->addInstance(scene->addMesh(toTriangleMesh(wallMesh())));
  return render(scene, Pose::Identity());
}

std::vector<float>
renderObject(const PolygonMesh& mesh, const Pose& camera_pose)
{
  auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(toTriangleMesh(mesh)));
  return render(scene, camera_pose);
}

std::vector<std::uint16_t>
toMillimetres(const std::vector<float>& depth)
{
  std::vector<std::uint16_t> result;
  for (const float z : depth)
    result.push_back(
        std::isnan(z) ? 0 : static_cast<std::uint16_t>(std::lround(1000.0f * z)));
  return result;
}

void
writeDepthPng(const std::string& path, const std::vector<float>& depth)
{
  const PinholeCamera camera = smallCamera();
  io::saveShortPNGFile(
      path, toMillimetres(depth).data(), camera.width, camera.height, 1);
}

void
writeDepthPcd(const std::string& path,
              const std::vector<float>& depth,
              const Pose& sensor,
              bool is_moved)
{
  const PinholeCamera camera = smallCamera();
  PointCloud<PointXYZ> cloud(camera.width, camera.height);
  for (int v = 0; v < camera.height; ++v)
    for (int u = 0; u < camera.width; ++u) {
      const float z = depth[v * camera.width + u];
      cloud(u, v) = PointXYZ((static_cast<float>(u) - camera.cx) / camera.fx * z,
                             (static_cast<float>(v) - camera.cy) / camera.fy * z,
                             z);
      if (is_moved)
        cloud(u, v).getVector3fMap() = sensor * cloud(u, v).getVector3fMap();
    }
  cloud.is_dense = false;
  cloud.sensor_origin_.head<3>() = sensor.translation();
  cloud.sensor_orientation_ = Eigen::Quaternionf(sensor.linear());
  io::savePCDFileBinary(path, cloud);
}

} // namespace pcl::gpu::test
