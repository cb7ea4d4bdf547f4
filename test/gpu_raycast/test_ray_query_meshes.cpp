// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "ray_query_scenes.h"

#include <pcl/PolygonMesh.h>
#include <pcl/conversions.h>
#include <pcl/io/ply_io.h>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <embree3/rtcore.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

HostMesh
loadMesh(const std::string& name)
{
  namespace io = boost::iostreams;
  const std::string packed = dataPath("meshes/" + name + ".ply.xz");
  const std::string unpacked =
      (std::filesystem::temp_directory_path() / ("ray_query_" + name + ".ply"))
          .string();
  {
    std::ifstream file(packed, std::ios::binary);
    io::filtering_istream from;
    from.push(io::lzma_decompressor());
    from.push(file);
    std::ofstream to(unpacked, std::ios::binary);
    io::copy(from, to);
  }
  pcl::PolygonMesh polygons;
  const int status = pcl::io::loadPLYFile(unpacked, polygons);
  std::filesystem::remove(unpacked);
  EXPECT_GE(status, 0);
  HostMesh mesh;
  pcl::PointCloud<pcl::PointXYZ> cloud;
  pcl::fromPCLPointCloud2(polygons.cloud, cloud);
  mesh.vertices.assign(cloud.begin(), cloud.end());
  for (const pcl::Vertices& polygon : polygons.polygons)
    for (int i = 0; i < 3; ++i)
      mesh.triangles.push_back(static_cast<int>(polygon.vertices.at(i)));
  return mesh;
}

/** \brief The same mesh in Embree, with its robust traversal. */
class EmbreeScene {
public:
  explicit EmbreeScene(const HostMesh& mesh)
  : device_(rtcNewDevice(nullptr), &rtcReleaseDevice)
  , scene_(rtcNewScene(device_.get()), &rtcReleaseScene)
  {
    rtcSetSceneFlags(scene_.get(), RTC_SCENE_FLAG_ROBUST);
    RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(geometry,
                               RTC_BUFFER_TYPE_VERTEX,
                               0,
                               RTC_FORMAT_FLOAT3,
                               mesh.vertices.data(),
                               0,
                               sizeof(pcl::PointXYZ),
                               mesh.vertices.size());
    rtcSetSharedGeometryBuffer(geometry,
                               RTC_BUFFER_TYPE_INDEX,
                               0,
                               RTC_FORMAT_UINT3,
                               mesh.triangles.data(),
                               0,
                               3 * sizeof(int),
                               mesh.triangles.size() / 3);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_.get(), geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_.get());
  }

  /** \return distance and triangle; -1 if nothing is hit */
  RayHit
  cast(const Ray& ray) const
  {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit query{};
    query.ray.org_x = ray.origin[0];
    query.ray.org_y = ray.origin[1];
    query.ray.org_z = ray.origin[2];
    query.ray.dir_x = ray.direction[0];
    query.ray.dir_y = ray.direction[1];
    query.ray.dir_z = ray.direction[2];
    query.ray.tfar = INFINITY;
    query.ray.mask = ~0u;
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene_.get(), &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID)
      return {NAN, -1, NAN, NAN};
    return {
        query.ray.tfar, static_cast<int>(query.hit.primID), query.hit.u, query.hit.v};
  }

private:
  std::unique_ptr<RTCDeviceTy, decltype(&rtcReleaseDevice)> device_;
  std::unique_ptr<RTCSceneTy, decltype(&rtcReleaseScene)> scene_;
};

} // namespace

class RayQueryMeshes : public DeviceTest {};

TEST_P(RayQueryMeshes, BunnyAsEmbreeSeesIt)
{
  const HostMesh mesh = loadMesh("bunny_69k");
  const EmbreeScene embree(mesh);
  Eigen::Array3f least = Eigen::Array3f::Constant(INFINITY);
  Eigen::Array3f most = -least;
  for (const pcl::PointXYZ& vertex : mesh.vertices) {
    least = least.min(vertex.getArray3fMap());
    most = most.max(vertex.getArray3fMap());
  }
  Random random(41);
  std::vector<Ray> rays;
  for (int i = 0; i < 200000; ++i) {
    const auto point = [&] {
      const Eigen::Array3f unit = randomPoint(random, 0.6f).array() + 0.5f;
      return Vector3f(least + (most - least) * unit);
    };
    const Vector3f origin = point();
    rays.push_back(ray(origin, point() - origin));
  }
  const Answers answers = ask(sceneOf(mesh), rays);
  int hits = 0;
  int other_misses = 0;
  int other_triangles = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const RayHit expected = embree.cast(rays[i]);
    const RayHit& hit = answers.hits[i];
    if (hit.triangle < 0 || expected.triangle < 0) {
      other_misses += hit.triangle != expected.triangle ? 1 : 0;
      continue;
    }
    ++hits;
    other_triangles += hit.triangle != expected.triangle ? 1 : 0;
    if (hit.triangle == expected.triangle) {
      ASSERT_NEAR(hit.distance, expected.distance, 1e-4f * expected.distance + 1e-6f);
      ASSERT_NEAR(hit.u, expected.u, 2e-2f);
      ASSERT_NEAR(hit.v, expected.v, 2e-2f);
    }
  }
  EXPECT_GT(hits, 100000);
  // Rays may pass edges on the other side: the sheared vertices are rounded differently.
  EXPECT_LE(other_misses, 3);
  EXPECT_LE(other_triangles, 10);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RayQueryMeshes);
