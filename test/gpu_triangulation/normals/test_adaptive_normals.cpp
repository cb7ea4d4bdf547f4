// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "common/devices.h"
#include "common/numbers.h"
#include "gpu_triangulation/references/expect_normals.h"
#include "gpu_triangulation/references/scenes.h"

#include <pcl/gpu/utils/internal/kinect_noise.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using pcl::PointXYZ;

namespace {

/** \brief A depth map with the normal of the surface that each pixel sees. */
struct Scene {
  PinholeCamera camera;
  Image<float> depth;
  Image<PointXYZ> normals;

  Scene(int rows, int columns)
  : camera(cameraOfSize(rows, columns))
  , depth(rows, columns, not_a_number)
  , normals(rows, columns, missingPoint())
  {}

  /** \brief Adds a surface; the nearer one is seen. */
  template <typename Normal>
  void
  add(const Image<float>& surface, const Normal& normal)
  {
    for (int v = 0; v < depth.rows; ++v)
      for (int u = 0; u < depth.columns; ++u)
        if (surface.at(v, u) < depth.at(v, u) || std::isnan(depth.at(v, u))) {
          if (std::isnan(surface.at(v, u)))
            continue;
          depth.at(v, u) = surface.at(v, u);
          const Eigen::Vector3d point = rayOf(camera, v, u) * surface.at(v, u);
          normals.at(v, u).getVector3fMap() =
              normal(point).normalized().template cast<float>();
        }
  }

  void
  addPlane(const Eigen::Vector3d& normal, double distance)
  {
    add(planeDepth(camera, normal, distance),
        [&](const auto&) -> Eigen::Vector3d { return normal; });
  }

  void
  addSphere(const Eigen::Vector3d& center, double radius)
  {
    add(sphereDepth(camera, center, radius),
        [&](const Eigen::Vector3d& p) -> Eigen::Vector3d { return p - center; });
  }
};

/** \brief A corner of walls with balls in front of it. */
Scene
cornerWithBalls(int rows, int columns, double distance)
{
  Scene scene(rows, columns);
  scene.addPlane({0.6, 0.1, -1.0}, 1.2 * distance);
  scene.addPlane({-0.7, 0.0, -1.0}, 1.3 * distance);
  scene.addPlane({0.0, -1.0, -0.5}, 1.6 * distance);
  scene.addSphere({-0.2 * distance, 0.1 * distance, 0.9 * distance}, 0.15 * distance);
  scene.addSphere({0.25 * distance, -0.1 * distance, distance}, 0.12 * distance);
  return scene;
}

/** \brief Pixels within some of a jump or a crease. */
Image<std::uint8_t>
edgesOf(const Scene& scene, int reach)
{
  const int rows = scene.depth.rows, columns = scene.depth.columns;
  Image<std::uint8_t> edges(rows, columns, 0);
  const auto differ = [&](int v, int u, int y, int x) {
    const float a = scene.depth.at(v, u), b = scene.depth.at(y, x);
    return std::abs(a - b) > 0.03f * std::min(a, b) ||
           angleBetween(scene.normals.at(v, u).getVector3fMap().cast<double>(),
                        scene.normals.at(y, x).getVector3fMap().cast<double>()) > 0.26;
  };
  for (int v = 0; v + 1 < rows; ++v)
    for (int u = 0; u + 1 < columns; ++u)
      if (differ(v, u, v, u + 1) || differ(v, u, v + 1, u))
        for (int y = std::max(0, v - reach); y <= std::min(rows - 1, v + reach); ++y)
          for (int x = std::max(0, u - reach); x <= std::min(columns - 1, u + reach);
               ++x)
            edges.at(y, x) = 1;
  return edges;
}

struct MeanErrors {
  double all = 0.0, edges = 0.0; ///< degrees
  long missing = 0;
};

MeanErrors
errorsOf(const Image<PointXYZ>& normals,
         const Scene& scene,
         const Image<std::uint8_t>& edges)
{
  MeanErrors errors;
  long all = 0, at_edges = 0;
  for (std::size_t i = 0; i < normals.data.size(); ++i) {
    if (std::isnan(normals.data[i].x)) {
      ++errors.missing;
      continue;
    }
    const double error = degreesBetween(normals.data[i], scene.normals.data[i]);
    errors.all += error;
    ++all;
    if (edges.data[i]) {
      errors.edges += error;
      ++at_edges;
    }
  }
  errors.all /= static_cast<double>(all);
  errors.edges /= static_cast<double>(at_edges);
  return errors;
}

class AdaptiveNormals : public DeviceTest {};

TEST_P(AdaptiveNormals, EqualPlanesOfAnySizeAndDistance)
{
  const int sizes[] = {2, 3, 15, 16, 17, 31, 32, 33, 65, 129};
  for (int rows : sizes)
    for (int columns : sizes) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      Scene scene(rows, columns);
      scene.addPlane({0.3, -0.5, -0.8}, 0.1 * rows);
      const auto cloud = cloudOf(scene.depth, scene.camera);
      const auto normals = normalsOf(NormalMapEstimation(), cloud);
      Worst worst, curvature;
      for (int v = 0; v < rows; ++v)
        for (int u = 0; u < columns; ++u) {
          if (std::isnan(scene.depth.at(v, u)))
            continue;
          const PointXYZ& n = normals.at(v, u);
          worst.see(degreesBetween(n, scene.normals.at(v, u)), v, u);
          curvature.see(n.data[3], v, u);
        }
      EXPECT_LE(worst.error, 0.1) << worst;
      EXPECT_LE(curvature.error, 1e-5) << curvature;
    }
}

TEST_P(AdaptiveNormals, StopAtCreasesAndJumps)
{
  const Scene scene = cornerWithBalls(240, 320, 1.0);
  const Image<std::uint8_t> edges = edgesOf(scene, 4);
  const auto cloud = cloudOf(scene.depth, scene.camera);
  const MeanErrors adaptive =
      errorsOf(normalsOf(NormalMapEstimation(), cloud), scene, edges);
  EXPECT_EQ(adaptive.missing, 0);
  EXPECT_LE(adaptive.all, 0.3);
  EXPECT_LE(adaptive.edges, 1.5);
}

TEST_P(AdaptiveNormals, AreBetterThanThoseOfAnyFixedWindowInNoise)
{
  for (double distance : {0.5, 1.0, 2.0, 4.0}) {
    SCOPED_TRACE(distance);
    Scene scene = cornerWithBalls(240, 320, distance);
    const Image<std::uint8_t> edges = edgesOf(scene, 4);
    scene.depth.data = KinectNoise(1.0, 7).apply(scene.depth.data, scene.depth.columns);
    const auto cloud = cloudOf(scene.depth, scene.camera);
    const MeanErrors adaptive =
        errorsOf(normalsOf(NormalMapEstimation(), cloud), scene, edges);
    for (int radius : {1, 2, 3, 4, 6, 9, 13, 16}) {
      NormalMapEstimation fixed = covarianceEstimation();
      change(fixed, [&](auto& p) { p.window_radius = radius; });
      const MeanErrors errors = errorsOf(normalsOf(fixed, cloud), scene, edges);
      EXPECT_LE(adaptive.all, errors.all) << radius;
      EXPECT_LE(adaptive.edges, 0.8 * errors.edges) << radius;
    }
  }
}

TEST_P(AdaptiveNormals, LieBetweenPixelsThatAreMissing)
{
  // Three of four pixels are missing, as in depth maps registered to larger images.
  Scene scene(60, 80);
  scene.addPlane({0.3, -0.2, -1.0}, 1.0);
  for (int v = 0; v < 60; ++v)
    for (int u = 0; u < 80; ++u)
      if (v % 2 == 1 || u % 2 == 1)
        scene.depth.at(v, u) = not_a_number;
  const auto normals =
      normalsOf(NormalMapEstimation(), cloudOf(scene.depth, scene.camera));
  for (int v = 0; v < 60; ++v)
    for (int u = 0; u < 80; ++u) {
      const auto& n = normals.at(v, u);
      if (v % 2 == 1 || u % 2 == 1) {
        ASSERT_TRUE(std::isnan(n.x) && std::isnan(n.y) && std::isnan(n.z) &&
                    std::isnan(n.data[3]));
      }
      else {
        ASSERT_LE(degreesBetween(n, scene.normals.at(v, u)), 0.1);
      }
    }
}

TEST_P(AdaptiveNormals, AreNotSpoiltByWildPoints)
{
  constexpr float most = std::numeric_limits<float>::max();
  const PointXYZ wild[] = {{not_a_number, 0.0f, 1.0f},
                           {0.0f, infinity, 1.0f},
                           {0.0f, 0.0f, -infinity},
                           {most, most, most},
                           {0.1f, 0.1f, -1.0f},
                           {0.1f, 0.1f, 0.0f},
                           {1e30f, 0.0f, 1.0f}};
  Scene scene(40, 150);
  scene.addPlane({0.3, -0.2, -1.0}, 1.0);
  auto cloud = cloudOf(scene.depth, scene.camera);
  int column = 10;
  for (const PointXYZ& point : wild)
    cloud.at(20, column += 17) = point;
  const auto normals = normalsOf(NormalMapEstimation(), cloud);
  int missing = 0;
  Worst worst;
  for (int v = 0; v < cloud.rows; ++v)
    for (int u = 0; u < cloud.columns; ++u)
      if (std::isnan(normals.at(v, u).x))
        ++missing;
      else
        worst.see(degreesBetween(normals.at(v, u), scene.normals.at(v, u)), v, u);
  EXPECT_EQ(missing, 7);
  EXPECT_LE(worst.error, 0.1) << worst;
}

TEST_P(AdaptiveNormals, NeedThreePointsThatAreNotOnALine)
{
  Image<PointXYZ> cloud(20, 20, missingPoint());
  cloud.at(4, 4) = {0.0f, 0.0f, 1.0f};
  cloud.at(4, 5) = {0.1f, 0.0f, 1.0f};
  cloud.at(4, 6) = {0.2f, 0.0f, 1.0f};
  auto normals = normalsOf(NormalMapEstimation(), cloud);
  EXPECT_TRUE(std::isnan(normals.at(4, 4).x));
  EXPECT_TRUE(std::isnan(normals.at(4, 5).data[3]));
  cloud.at(5, 4) = {0.0f, 0.1f, 1.0f};
  normals = normalsOf(NormalMapEstimation(), cloud);
  EXPECT_EQ(normals.at(4, 4).z, -1.0f);
  EXPECT_EQ(normals.at(4, 4).data[3], 0.0f);
  EXPECT_TRUE(std::isnan(normals.at(4, 7).x)) << "a pixel without a point";
}

TEST_P(AdaptiveNormals, DoNotDependOnTheScale)
{
  const Scene scene = cornerWithBalls(60, 80, 1.0);
  const auto cloud = cloudOf(scene.depth, scene.camera);
  const auto expected = normalsOf(NormalMapEstimation(), cloud);
  for (float scale : {1e-6f, 1e-3f, 1e3f, 1e6f}) {
    SCOPED_TRACE(scale);
    Image<PointXYZ> scaled = cloud;
    for (auto& p : scaled.data)
      p.getVector3fMap() *= scale;
    const auto normals = normalsOf(NormalMapEstimation(), scaled);
    double sum = 0.0;
    for (std::size_t i = 0; i < normals.data.size(); ++i)
      sum += degreesBetween(normals.data[i], expected.data[i]);
    EXPECT_LE(sum / static_cast<double>(normals.data.size()), 0.05);
  }
}

TEST_P(AdaptiveNormals, HaveTheCurvatureOfPrincipalComponentsOnSmoothSurfaces)
{
  // A large ball, where all methods see the same patch of 7 x 7 to 8 x 8 pixels.
  Scene scene(80, 100);
  scene.addSphere({0.0, 0.0, 1.5}, 1.2);
  const auto cloud = cloudOf(scene.depth, scene.camera);
  const auto normals = normalsOf(NormalMapEstimation(), cloud);
  for (const auto& n : normals.data) {
    if (std::isnan(n.x))
      continue;
    ASSERT_NEAR(n.getVector3fMap().cast<double>().norm(), 1.0, 1e-6);
    ASSERT_GE(n.data[3], 0.0f);
    ASSERT_LE(n.data[3], 0.01f);
  }
  // Noise across a wall, of known variance, in the window that is chosen for it.
  Scene wall(96, 128);
  wall.addPlane({0.0, 0.0, -1.0}, 2.0);
  wall.depth.data = KinectNoise(1.0, 3).apply(wall.depth.data, wall.depth.columns);
  const auto noisy = cloudOf(wall.depth, wall.camera);
  const auto adaptive = normalsOf(NormalMapEstimation(), noisy);
  NormalMapEstimation large = covarianceEstimation();
  change(large, [](auto& p) { p.window_radius = 16; });
  const auto fixed = normalsOf(large, noisy);
  double a = 0.0, f = 0.0;
  for (int v = 32; v < 64; ++v)
    for (int u = 32; u < 96; ++u) {
      a += adaptive.at(v, u).data[3];
      f += fixed.at(v, u).data[3];
    }
  EXPECT_NEAR(a / f, 1.0, 0.3);
}

TEST_P(AdaptiveNormals, TurnToTheViewpoint)
{
  Scene scene(40, 50);
  scene.addPlane({0.3, -0.2, -1.0}, 1.0);
  const auto cloud = cloudOf(scene.depth, scene.camera);
  const auto front = normalsOf(NormalMapEstimation(), cloud);
  NormalMapEstimation estimation;
  change(estimation, [](auto& p) { p.viewpoint = {0.0f, 0.0f, 10.0f}; });
  const auto back = normalsOf(estimation, cloud);
  for (std::size_t i = 0; i < front.data.size(); ++i) {
    ASSERT_LT(front.data[i].z, 0.0f);
    ASSERT_EQ(front.data[i].getVector3fMap(), -back.data[i].getVector3fMap());
  }
}

TEST_P(AdaptiveNormals, AreTheSameBitsInEachRun)
{
  const auto large = cloudOf(roughDepth(90, 170, 0.1, 7), cameraOfSize(90, 170));
  const auto small = cloudOf(roughDepth(50, 60, 0.1, 8), cameraOfSize(50, 60));
  const auto expected_large = normalsOf(NormalMapEstimation(), large);
  const auto expected_small = normalsOf(NormalMapEstimation(), small);
  NormalMapEstimation estimation;
  for (const auto* cloud : {&large, &large, &small, &large, &small}) {
    NormalMap normals;
    estimation.compute(uploaded(*cloud), normals);
    EXPECT_TRUE(sameBits(downloaded(normals),
                         cloud == &large ? expected_large : expected_small));
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(AdaptiveNormals);

} // namespace
