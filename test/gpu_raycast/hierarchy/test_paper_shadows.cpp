// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "ray_query_scenes.h"
#include "scene/scene_arrays.h"
#include "testing/paper_shadows/paper_shadows.hpp"

#include <algorithm>
#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

namespace {

/** \brief The grid of a camera on the host, made in the plainest way. */
class HostGrid {
public:
  HostGrid(const MeshScene& scene, const CameraView& view) : scene_(scene)
  {
    const ExactPose to_camera = view.getPose().cast<double>().inverse();
    appendInstances(scene, ExactPose::Identity(), in_world_);
    appendInstances(scene, to_camera, in_camera_);
    const auto count = static_cast<std::uint32_t>(scene.getNumberOfTriangles());
    grid_.world = {in_world_.data(), scene.getNumberOfInstances(), count};
    grid_.camera = listingCamera(viewOf(view, 0.0f, INFINITY, Culling::None).camera);
    grid_.layout = {3,
                    (view.getWidth() + 7) / 8,
                    (view.getHeight() + 7) / 8,
                    16,
                    pcl::device::SlabSpacing::ProjectedDepth};
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 4; ++column)
        grid_.to_camera.m[row][column] = static_cast<float>(to_camera(row, column));
    grid_.translation = translationOf(grid_.to_camera);
    for (const auto* instances : {&in_world_, &in_camera_})
      for (const pcl::device::Instance& instance : *instances)
        grid_.translation =
            std::max(grid_.translation, translationOf(instance.transform));
    grid_.longest_side = 0.0f;
    list(count);
  }

  /** \brief Arrays that live as long as this does. */
  const ShadowGrid&
  view() const
  {
    return grid_;
  }

  std::size_t
  wideCount() const
  {
    return wide_.size();
  }

private:
  void
  list(std::uint32_t count)
  {
    const pcl::device::GridLayout& layout = grid_.layout;
    const pcl::device::WorldTriangles in_camera = {
        in_camera_.data(), static_cast<int>(in_camera_.size()), count};
    std::vector<std::vector<pcl::device::TileEntry>> tiles(layout.tiles_x *
                                                           layout.tiles_y);
    for (std::uint32_t id = 0; id < count; ++id) {
      grid_.longest_side =
          std::max(grid_.longest_side,
                   longestSide(grid_.world, in_camera, grid_.camera, layout, id));
      pcl::device::Triangle triangle{};
      if (!loadTriangle(in_camera, id, triangle))
        continue;
      const auto pixels = pixelBounds(grid_.camera, triangle);
      if (pixelCount(pixels) == 0)
        continue;
      const auto place = placeOf(layout, pixels, leastDepth(triangle));
      if (tileCount(place) > pcl::device::max_tiles_of_triangle) {
        wide_.push_back({id, pixels});
        continue;
      }
      for (int y = place.first_y; y <= place.last_y; ++y)
        for (int x = place.first_x; x <= place.last_x; ++x)
          tiles[y * layout.tiles_x + x].push_back({id, place.least_z});
    }
    starts_.push_back(0);
    for (auto& tile : tiles) {
      std::sort(tile.begin(), tile.end(), [](const auto& a, const auto& b) {
        return a.least_z < b.least_z;
      });
      entries_.insert(entries_.end(), tile.begin(), tile.end());
      starts_.push_back(static_cast<unsigned int>(entries_.size()));
    }
    wide_count_ = static_cast<unsigned int>(wide_.size());
    grid_.starts = starts_.data();
    grid_.entries = entries_.data();
    grid_.wide = wide_.data();
    grid_.wide_count = &wide_count_;
  }

  MeshScene scene_; // keeps the arrays
  std::vector<pcl::device::Instance> in_world_, in_camera_;
  std::vector<unsigned int> starts_;
  std::vector<pcl::device::TileEntry> entries_;
  std::vector<pcl::device::WideTriangle> wide_;
  unsigned int wide_count_ = 0;
  ShadowGrid grid_{};
};

CameraView
cameraAt(const Pose& pose, int width = 120, int height = 90)
{
  PinholeCamera camera;
  camera.fx = 110.0f;
  camera.fy = 105.0f;
  camera.cx = 0.5f * static_cast<float>(width) - 3.2f;
  camera.cy = 0.5f * static_cast<float>(height) + 1.7f;
  camera.width = width;
  camera.height = height;
  return CameraView(camera, pose);
}

pcl::device::Ray
asDeviceRay(const Ray& ray)
{
  return {{ray.origin[0], ray.origin[1], ray.origin[2]},
          ray.nearest,
          {ray.direction[0], ray.direction[1], ray.direction[2]},
          ray.farthest};
}

/** \brief All triangles of a scene against a ray, by the ray test that queries use. */
bool
isOccluded(const pcl::device::WorldTriangles& triangles, const pcl::device::Ray& ray)
{
  pcl::device::RayFrame frame;
  if (!makeRayFrame(ray, frame))
    return false;
  for (std::uint32_t id = 0; id < triangles.count; ++id) {
    pcl::device::Triangle triangle{};
    pcl::device::TriangleHit hit;
    if (loadTriangle(triangles, id, triangle) &&
        hitsTriangle(frame, triangle, Culling::None, hit))
      return true;
  }
  return false;
}

/** \brief Numbers of rays that hit something, and of rays that the grid could not
 * decide. */
struct Tally {
  int shadowed = 0;
  int went_on = 0;
};

Tally
expectBruteForce(const HostGrid& grid, const std::vector<Ray>& rays)
{
  const ShadowGrid& view = grid.view();
  Tally tally;
  int different = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const pcl::device::Ray ray = asDeviceRay(rays[i]);
    bool went_on = false;
    const bool shadowed = isShadowed(view, ray, [&](const pcl::device::Ray& rest) {
      went_on = true;
      return isOccluded(view.world, rest);
    });
    const bool expected = isOccluded(view.world, ray);
    if (shadowed != expected && ++different <= 5)
      ADD_FAILURE() << "ray " << i << " hits " << (expected ? "something" : "nothing");
    tally.shadowed += expected ? 1 : 0;
    tally.went_on += went_on ? 1 : 0;
  }
  EXPECT_EQ(different, 0) << "of " << rays.size() << " rays";
  return tally;
}

/** \brief From random points of the triangles to a light. */
std::vector<Ray>
shadowRays(Random& random,
           const HostMesh& mesh,
           const Vector3f& light,
           int count,
           const Pose& pose = Pose::Identity())
{
  std::uniform_real_distribution<float> weight(0.0f, 1.0f);
  std::vector<Ray> rays;
  for (int i = 0; i < count; ++i) {
    const int* const corners =
        &mesh.triangles[3 *
                        (random() % static_cast<unsigned int>(mesh.triangleCount()))];
    Vector3f weights(weight(random), weight(random), weight(random));
    weights /= weights.sum();
    Vector3f origin = Vector3f::Zero();
    for (int k = 0; k < 3; ++k)
      origin += weights[k] * mesh.vertices[corners[k]].getVector3fMap();
    origin = pose * origin;
    rays.push_back(ray(origin, light - origin));
    rays.back().nearest = i % 2 ? 0.0f : 1e-4f;
    rays.back().farthest = 1.0f;
  }
  return rays;
}

/** \brief Seen by cameraAt() before a scene of size 1 around the origin, whose z axis
 * points away from it. */
Pose
threeBefore()
{
  Pose pose = Pose::Identity();
  pose.translation().z() = -3.0f;
  return pose;
}

const Vector3f light_in_sight(0.3f, -0.2f, -1.6f);
const Vector3f lights_out_of_sight[] = {{0.5f, -4.0f, -1.0f},
                                        {6.0f, 0.1f, 0.3f},
                                        {0.2f, 0.3f, -3.0f}, // in the camera's plane
                                        {-0.1f, 0.2f, -5.0f},
                                        {0.1f, 3.0f, 40.0f}};

} // namespace

class PaperShadows : public testing::Test {
protected:
  void
  SetUp() override
  {
    scope_ = useDevice("host");
  }

private:
  std::unique_ptr<ScopedDevice> scope_;
};

TEST_F(PaperShadows, RandomTrianglesAndALightInSight)
{
  Random random(1);
  for (const float size : {0.01f, 0.1f, 0.5f}) {
    SCOPED_TRACE(size);
    // Away from the borders, so that lines with what they are longer stay in sight.
    const HostMesh mesh = randomTriangles(random, 3000, 0.5f, 0.2f * size);
    const HostGrid grid(*sceneOf(mesh), cameraAt(threeBefore()));
    const Tally tally =
        expectBruteForce(grid, shadowRays(random, mesh, light_in_sight, 3000));
    EXPECT_GT(tally.shadowed, 100);
    EXPECT_EQ(tally.went_on, 0) << "the grid knows it all";
  }
}

TEST_F(PaperShadows, LightsBesideAndBehindTheCamera)
{
  Random random(2);
  for (const float size : {0.05f, 0.5f}) {
    const HostMesh mesh = randomTriangles(random, 2000, 1.0f, size);
    const HostGrid grid(*sceneOf(mesh), cameraAt(threeBefore()));
    for (const Vector3f& light : lights_out_of_sight) {
      SCOPED_TRACE(light.transpose());
      const Tally tally = expectBruteForce(grid, shadowRays(random, mesh, light, 1000));
      EXPECT_GT(tally.went_on, 0);
    }
  }
}

TEST_F(PaperShadows, RaysBetweenRandomPoints)
{
  Random random(3);
  const HostMesh mesh = randomTriangles(random, 2000, 1.0f, 0.2f);
  const HostGrid grid(*sceneOf(mesh), cameraAt(threeBefore()));
  std::vector<Ray> rays = randomRays(random, 5000, 4.0f);
  for (Ray& ray : rays)
    ray.farthest = 1.0f;
  expectBruteForce(grid, rays);
}

TEST_F(PaperShadows, CamerasAmongTheTriangles)
{
  Random random(4);
  for (unsigned int seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const HostMesh mesh = randomTriangles(random, 1500, 1.0f, 0.3f);
    const HostGrid grid(*sceneOf(mesh), cameraAt(randomPose(seed, 0.5f)));
    expectBruteForce(grid, shadowRays(random, mesh, randomPoint(random, 1.5f), 1500));
  }
}

TEST_F(PaperShadows, TrianglesOfAllKinds)
{
  Random random(5);
  for (unsigned int seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    HostMesh mesh = randomSoup(seed, 600);
    const HostGrid grid(*sceneOf(mesh), cameraAt(Pose::Identity()));
    for (const Vector3f& light : {Vector3f(0.2f, 0.1f, 4.0f), Vector3f(3, -2, -1)})
      expectBruteForce(grid, shadowRays(random, mesh, light, 600));
  }
}

TEST_F(PaperShadows, TrianglesBetweenPixels)
{
  // Hardly a pixel's ray hits one of them, but shadow rays do.
  Random random(6);
  const HostMesh mesh = icosphere(5, 0.3f, Vector3f::Zero());
  const HostGrid grid(*sceneOf(mesh), cameraAt(threeBefore(), 24, 16));
  const Tally tally =
      expectBruteForce(grid, shadowRays(random, mesh, {0.1f, 0.0f, -1.0f}, 1500));
  EXPECT_GT(tally.shadowed, 300);
}

TEST_F(PaperShadows, TrianglesSeenEdgeOn)
{
  // Small whole numbers: rays lie in triangles' planes and pass through edges.
  Random random(7);
  std::uniform_int_distribution<int> coordinate(-4, 4);
  const auto point = [&] {
    const int x = coordinate(random);
    const int y = coordinate(random);
    return Vector3f(0.125f * Eigen::Vector3i(x, y, coordinate(random)).cast<float>());
  };
  HostMesh mesh;
  for (int i = 0; i < 1500; ++i) {
    const Vector3f corner = point();
    mesh.addTriangle(corner, corner + 0.25f * point(), corner + 0.25f * point());
  }
  const HostGrid grid(*sceneOf(mesh), cameraAt(threeBefore()));
  std::vector<Ray> rays;
  for (int i = 0; i < 6000; ++i) {
    const Vector3f origin = point();
    // Now and then off the plane by a unit in the last place or so.
    const Vector3f off =
        i % 3 ? Vector3f::Zero() : Vector3f(randomPoint(random, 1e-7f));
    rays.push_back(ray(origin + off, point() - origin));
    rays.back().farthest = i % 2 ? 1.0f : 0.4f;
  }
  expectBruteForce(grid, rays);
}

TEST_F(PaperShadows, HitsThatRoundingMovesAlongTheRay)
{
  // Flat triangles across the image and slanting rays, but for rounding all in one
  // plane: a ray may hit one at any distance that the triangle's corners span, far from
  // where they meet.
  Random random(12);
  std::uniform_real_distribution<float> number(-1.0f, 1.0f);
  const auto inPlane = [](float x, float y) {
    return Vector3f(x, y, 0.7f * x + 0.4f * y);
  };
  HostMesh mesh;
  for (int i = 0; i < 1000; ++i) {
    const float x = 0.3f * number(random);
    const float y = 0.3f * number(random);
    mesh.addTriangle(inPlane(x, y),
                     inPlane(x + 0.3f, y),
                     inPlane(x + 0.3f, y + 1e-3f * number(random)));
  }
  const HostGrid grid(*sceneOf(mesh), cameraAt(threeBefore()));
  std::vector<Ray> rays;
  for (int i = 0; i < 20000; ++i) {
    const Vector3f origin = inPlane(0.3f * number(random), 0.3f * number(random));
    rays.push_back(ray(origin, inPlane(0.3f, 0.2f * number(random))));
    rays.back().nearest = number(random);
    rays.back().farthest = rays.back().nearest + 0.02f;
  }
  EXPECT_GT(expectBruteForce(grid, rays).shadowed, 1000);
}

TEST_F(PaperShadows, WideTrianglesAreTestedByAllRays)
{
  Random random(8);
  HostMesh mesh = randomTriangles(random, 500, 0.5f, 0.05f);
  mesh.addTriangle({-9.0f, -9.0f, 0.1f}, {9.0f, -9.0f, 0.2f}, {0.0f, 9.0f, 0.0f});
  const HostGrid grid(*sceneOf(mesh), cameraAt(threeBefore(), 320, 240));
  ASSERT_EQ(grid.wideCount(), 1u);
  EXPECT_LT(grid.view().longest_side, 1.0f);
  const Tally tally =
      expectBruteForce(grid, shadowRays(random, mesh, light_in_sight, 2000));
  EXPECT_GT(tally.shadowed, 200);
}

TEST_F(PaperShadows, InstancesFarFromTheirMeshes)
{
  Random random(9);
  HostMesh mesh = randomTriangles(random, 800, 0.6f, 0.1f);
  const Vector3f far(70.0f, -30.0f, 50.0f);
  for (pcl::PointXYZ& vertex : mesh.vertices)
    vertex.getVector3fMap() += far;
  MeshScene scene;
  scene.addMesh(uploaded(mesh));
  Pose poses[2];
  for (int i = 0; i < 2; ++i) {
    const Eigen::AngleAxisf turn(0.4f + static_cast<float>(i),
                                 Vector3f(1, 2, 3).normalized());
    poses[i] = Eigen::Translation3f(0.1f * static_cast<float>(i), 0.0f, 0.0f) * turn *
               Eigen::Translation3f(-far);
    scene.addInstance(0, poses[i]);
  }
  const HostGrid grid(scene, cameraAt(threeBefore()));
  for (const Pose& pose : poses) {
    expectBruteForce(grid, shadowRays(random, mesh, light_in_sight, 1500, pose));
    expectBruteForce(grid, shadowRays(random, mesh, {4, 1, 0}, 500, pose));
  }
}

TEST_F(PaperShadows, RaysOfAnyBoundsAndDirections)
{
  Random random(10);
  const HostMesh mesh = randomTriangles(random, 1000, 0.5f, 0.2f);
  const HostGrid grid(*sceneOf(mesh), cameraAt(threeBefore()));
  const float special[] = {
      NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 3e38f, -3e38f, 1e-40f, 1e10f, -0.5f};
  std::vector<Ray> rays = randomRays(random, 6000, 0.8f);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    float* const numbers[] = {&rays[i].nearest,
                              &rays[i].farthest,
                              &rays[i].origin[i % 3],
                              &rays[i].direction[i % 3]};
    *numbers[random() % 4] = special[random() % 10];
    if (i % 5 == 0)
      rays[i].direction[0] = rays[i].direction[1] = 0.0f;
  }
  expectBruteForce(grid, rays);
}

TEST_F(PaperShadows, EmptyScenes)
{
  const HostGrid grid(MeshScene(), cameraAt(threeBefore()));
  Random random(11);
  expectBruteForce(grid, randomRays(random, 100, 1.0f));
}
