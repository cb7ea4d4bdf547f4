// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/instruction_sets.h"
#include "common/numbers.h"
#include "scene/scene_arrays.h"
#include "visibility/hit_key.hpp"

#include <pcl/gpu/raycast/mesh_ray_caster.h>

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

/** \brief Conditions of a cast. */
struct Cast {
  std::shared_ptr<MeshScene> scene = std::make_shared<MeshScene>();
  std::vector<CameraView> views;
  float nearest = 0.0f;
  float farthest = infinity;
  Culling culling = Culling::None;
};

/** \brief Depths and triangle ids of all views, row by row. */
struct Hits {
  std::vector<float> depths;
  std::vector<int> triangles;
};

/** \brief Every triangle against every pixel. */
Hits
bruteForce(const Cast& cast)
{
  namespace device = pcl::device;
  Hits hits;
  for (const CameraView& view : cast.views) {
    const device::CameraModel camera =
        viewOf(view, cast.nearest, cast.farthest, cast.culling).camera;
    std::vector<device::Instance> instances;
    appendInstances(*cast.scene, view.getPose().cast<double>().inverse(), instances);
    std::vector<device::HitKey> keys(
        static_cast<std::size_t>(camera.width) * camera.height, device::no_hit);
    for (const device::Instance& instance : instances)
      for (int i = 0; i < device::triangleCount(instance.mesh); ++i) {
        const std::uint32_t id = instance.first_triangle + i;
        device::Triangle triangle;
        if (!device::loadTriangle(instance, id, triangle))
          continue;
        for (std::size_t pixel = 0; pixel < keys.size(); ++pixel) {
          device::TriangleHit hit;
          const int x = static_cast<int>(pixel % camera.width);
          const int y = static_cast<int>(pixel / camera.width);
          if (device::hitsTriangle(
                  camera, device::pixelSlopes(camera, x, y), triangle, hit))
            keys[pixel] = std::min(keys[pixel], device::hitKey(hit.t, id));
        }
      }
    for (const device::HitKey key : keys) {
      const bool is_hit = key != device::no_hit;
      hits.depths.push_back(is_hit ? device::depthOf(key) : NAN);
      hits.triangles.push_back(is_hit ? static_cast<int>(device::triangleOf(key)) : -1);
    }
  }
  return hits;
}

/** \brief Casts with several numbers of threads and expects every bit of \a
 * expected. */
void
expectHits(const Cast& cast, const Hits& expected, const std::string& what)
{
  const int threads_before = omp_get_max_threads();
  MeshRayCaster caster;
  caster.setScene(cast.scene);
  change(caster, [&](auto& p) {
    p.culling = cast.culling;
    p.nearest = cast.nearest;
    p.farthest = cast.farthest;
  });
  for (const int threads : {1, 2, 5, 64}) {
    omp_set_num_threads(threads);
    RayCastImages images;
    caster.cast(cast.views, images);
    Hits hits;
    int columns = 0;
    images.depth.download(hits.depths, columns);
    images.triangles.download(hits.triangles, columns);
    EXPECT_EQ(hits.triangles, expected.triangles)
        << what << ", " << threads << " threads";
    ASSERT_EQ(hits.depths.size(), expected.depths.size());
    EXPECT_EQ(0,
              std::memcmp(hits.depths.data(),
                          expected.depths.data(),
                          hits.depths.size() * sizeof(float)))
        << what << ", " << threads << " threads";
  }
  omp_set_num_threads(threads_before);
}

std::size_t
hitCount(const Hits& hits)
{
  return std::count_if(
      hits.triangles.begin(), hits.triangles.end(), [](int id) { return id >= 0; });
}

void
expectBruteForce(const Cast& cast, const std::string& what)
{
  const Hits expected = bruteForce(cast);
  EXPECT_GT(hitCount(expected), 0u) << what;
  expectHits(cast, expected, what);
}

class Random {
public:
  explicit Random(unsigned int seed) : engine_(seed) {}

  float
  between(float least, float most)
  {
    return std::uniform_real_distribution<float>(least, most)(engine_);
  }

  int
  below(int end)
  {
    return std::uniform_int_distribution<int>(0, end - 1)(engine_);
  }

  pcl::PointXYZ
  pointWithin(float radius)
  {
    return {
        between(-radius, radius), between(-radius, radius), between(-radius, radius)};
  }

private:
  std::mt19937 engine_;
};

TriangleMesh
uploaded(const std::vector<pcl::PointXYZ>& vertices, const std::vector<int>& triangles)
{
  TriangleMesh mesh;
  mesh.vertices.upload(vertices);
  mesh.triangles.upload(triangles);
  return mesh;
}

/** \brief Triangles of all sizes about the origin, among them degenerate ones, some
 * with vertices that are not finite or not there. */
TriangleMesh
soup(int triangles, Random& random)
{
  std::vector<pcl::PointXYZ> vertices;
  std::vector<int> indices;
  for (int i = 0; i < triangles; ++i) {
    const float size = std::pow(10.0f, random.between(-3.0f, 0.3f));
    const pcl::PointXYZ center = random.pointWithin(1.0f);
    for (int corner = 0; corner < 3; ++corner) {
      pcl::PointXYZ vertex = random.pointWithin(size);
      vertex.getVector3fMap() += center.getVector3fMap();
      indices.push_back(static_cast<int>(vertices.size()));
      vertices.push_back(vertex);
    }
    switch (random.below(40)) {
    case 0:
      vertices.back().y = NAN;
      break;
    case 1:
      vertices.back().z = infinity;
      break;
    case 2:
      vertices.back().x = 2e11f;
      break;
    case 3:
      indices.back() = -1;
      break;
    case 4:
      indices.back() = 3 * triangles;
      break;
    case 5:
      indices.back() = indices[indices.size() - 2];
      break;
    case 6:
      vertices.back().getVector3fMap() *= 1e6f;
      break;
    }
  }
  return uploaded(vertices, indices);
}

PinholeCamera
pinhole(int width, int height)
{
  PinholeCamera camera;
  camera.fx = 0.8f * static_cast<float>(width + 3);
  camera.fy = 0.9f * static_cast<float>(width + 3);
  camera.cx = 0.47f * static_cast<float>(width);
  camera.cy = 0.52f * static_cast<float>(height);
  camera.width = width;
  camera.height = height;
  return camera;
}

OrthographicCamera
orthographic(int width, int height, float scale)
{
  OrthographicCamera camera;
  camera.scale_x = camera.scale_y = scale;
  camera.cx = 0.5f * static_cast<float>(width);
  camera.cy = 0.5f * static_cast<float>(height);
  camera.width = width;
  camera.height = height;
  return camera;
}

Pose
poseAt(float x, float y, float z, float angle = 0.0f)
{
  Pose pose = Pose::Identity();
  pose.linear() = Eigen::AngleAxisf(angle, Eigen::Vector3f(1, 2, 3).normalized())
                      .toRotationMatrix();
  pose.translation() = Eigen::Vector3f(x, y, z);
  return pose;
}

class HostVisibility : public InstructionSetTest {};

TEST_P(HostVisibility, FindsTheHitsOfBruteForceInSoups)
{
  const int sizes[][2] = {{1, 1}, {5, 3}, {64, 48}, {33, 150}, {150, 17}, {16, 200}};
  for (unsigned int seed = 0; seed < 18; ++seed) {
    Random random(seed);
    const auto& size = sizes[seed % 6];
    Cast cast;
    cast.scene->addInstance(cast.scene->addMesh(soup(300, random)));
    // Within the soup, where triangles reach behind the camera, and in front of it.
    const Pose pose = seed % 3 == 0 ? poseAt(0.1f, 0, 0) : poseAt(0, 0, -2.5f, 0.1f);
    if (seed % 4 == 3)
      cast.views.push_back({orthographic(size[0], size[1], 0.4f * size[0] + 1), pose});
    else
      cast.views.push_back({pinhole(size[0], size[1]), pose});
    cast.culling = static_cast<Culling>(seed / 6);
    if (seed % 5 == 4) {
      cast.nearest = 0.3f;
      cast.farthest = 2.8f;
    }
    expectBruteForce(cast, "seed " + std::to_string(seed));
  }
}

TEST_P(HostVisibility, FindsTheHitsOfBruteForceInDenseMeshes)
{
  // A sheet of more triangles than one chunk has, most of them smaller than a pixel.
  Random random(7);
  constexpr int side = 66;
  std::vector<pcl::PointXYZ> vertices;
  std::vector<int> triangles;
  for (int i = 0; i <= side; ++i)
    for (int j = 0; j <= side; ++j)
      vertices.push_back(
          {(j - 0.5f * side) / side,
           (i - 0.5f * side) / side,
           0.2f * std::sin(0.1f * (i + j)) + random.between(0.0f, 0.01f)});
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      const int a = i * (side + 1) + j;
      const int c = a + side + 1;
      triangles.insert(triangles.end(), {a, a + 1, c, a + 1, c + 1, c});
    }
  Cast cast;
  cast.scene->addInstance(cast.scene->addMesh(uploaded(vertices, triangles)));
  cast.views.push_back({pinhole(41, 52), poseAt(0, 0, -0.8f)});
  cast.views.push_back({pinhole(41, 52), poseAt(0, 0, -1.8f, 0.7f)});
  expectBruteForce(cast, "sheet");
}

TEST_P(HostVisibility, FindsHitsExactlyOnEdges)
{
  // Vertices and edges lie exactly on rays, where areas are 0.
  std::vector<pcl::PointXYZ> vertices;
  std::vector<int> triangles;
  constexpr int side = 12;
  for (int i = 0; i < side * side; ++i)
    vertices.push_back({static_cast<float>(i % side - side / 2),
                        static_cast<float>(i / side - side / 2),
                        2.0f});
  for (int i = 0; i + 1 < side; ++i)
    for (int j = 0; j + 1 < side; ++j) {
      const int a = i * side + j;
      triangles.insert(triangles.end(),
                       {a, a + 1, a + side, a + 1, a + side + 1, a + side});
    }
  triangles.insert(triangles.end(), {0, side - 1, side * side - 1});
  for (const float scale : {1.0f, 2.0f, 5.0f}) {
    Cast cast;
    cast.scene->addInstance(cast.scene->addMesh(uploaded(vertices, triangles)));
    cast.views.push_back({orthographic(40, 40, scale)});
    expectBruteForce(cast, "scale " + std::to_string(scale));
  }
}

TEST_P(HostVisibility, FindsTheHitsOfSeveralInstancesAndViews)
{
  Random random(3);
  Cast cast;
  const int first = cast.scene->addMesh(soup(60, random));
  TriangleMesh mesh = soup(60, random);
  mesh.triangle_count.upload(std::vector<int>{25});
  const int second = cast.scene->addMesh(mesh);
  const int empty = cast.scene->addMesh(uploaded({}, {}));
  cast.scene->addInstance(first, poseAt(0.5f, 0, 0));
  cast.scene->addInstance(empty);
  cast.scene->addInstance(second, poseAt(0, 0.4f, 0.3f, 1.0f));
  cast.scene->addInstance(first, poseAt(-0.5f, 0, 0, 2.0f));
  for (int i = 0; i < 3; ++i)
    cast.views.push_back({pinhole(70, 45), poseAt(0, 0, -1.5f - i, 0.1f * i)});
  expectBruteForce(cast, "several instances");
}

TEST_P(HostVisibility, FindsTheHitsOfInstancesThatAreNotCastTogether)
{
  // Scratch memory for so many vertices is given to some of the instances at a time.
  Random random(5);
  TriangleMesh mesh = soup(40, random);
  std::vector<pcl::PointXYZ> vertices;
  mesh.vertices.download(vertices);
  vertices.resize(3000000);
  mesh.vertices.upload(vertices);
  Cast cast;
  cast.scene->addMesh(mesh);
  for (int i = 0; i < 4; ++i)
    cast.scene->addInstance(0, poseAt(0.2f * i, 0, 0, 0.5f * i));
  cast.views.push_back({pinhole(50, 40), poseAt(0, 0, -2)});
  expectBruteForce(cast, "instances one after the other");
}

TEST_P(HostVisibility, FindsNothingInEmptyScenes)
{
  Cast cast;
  cast.views.push_back({pinhole(21, 13)});
  expectHits(cast, bruteForce(cast), "no instance");
  cast.scene->addInstance(cast.scene->addMesh(uploaded({}, {})));
  expectHits(cast, bruteForce(cast), "no triangle");
  cast.scene->addInstance(cast.scene->addMesh(uploaded({}, {0, 1, 2})));
  expectHits(cast, bruteForce(cast), "no vertex");
}

TEST_P(HostVisibility, FindsTheSameWithOtherImages)
{
  Random random(9);
  Cast cast;
  cast.scene->addInstance(cast.scene->addMesh(soup(200, random)));
  cast.views.push_back({pinhole(64, 50), poseAt(0, 0, -2)});
  const Hits expected = bruteForce(cast);
  MeshRayCaster caster;
  caster.setScene(cast.scene);
  change(caster,
         [&](auto& p) { p.outputs = DepthOutput | TrianglesOutput | PointsOutput; });
  RayCastImages images;
  caster.cast(cast.views[0], images);
  std::vector<int> triangles;
  std::vector<pcl::PointXYZ> points;
  int columns = 0;
  images.triangles.download(triangles, columns);
  images.points.download(points, columns);
  EXPECT_EQ(triangles, expected.triangles);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (expected.triangles[i] >= 0) {
      EXPECT_EQ(points[i].z, expected.depths[i]);
    }
}

PCL_GPU_INSTANTIATE_INSTRUCTION_SET_TESTS(HostVisibility);

} // namespace
