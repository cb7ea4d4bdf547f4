// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "renderer_test.h"

#include <algorithm>
#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

class RendererOcclusion : public DeviceTest {};

namespace {

constexpr AmbientOcclusion methods[2] = {AmbientOcclusion::ImageSpace,
                                         AmbientOcclusion::Rays};

/** \brief A floor at z = 4 and a wall on it at x = 0 that comes towards the camera. */
HostMesh
corner()
{
  HostMesh mesh = wall(-9, 9, -9, 9, 4);
  mesh.addTriangle({0, -90, 4}, {0, 0, -90}, {0, 90, 4});
  return mesh;
}

/** \brief The part of the ambient light that is left, from a camera that looks at the
 * floor left of the wall: from x = -width to 0. */
Image<LinearColor>
cornerPicture(AmbientOcclusion method, float radius, int size, float width)
{
  MeshRenderer renderer;
  renderer.setScene(sceneOf(corner()));
  change(renderer, [&](auto& p) {
    p.ambient = {Vector3f::Ones()};
    p.occlusion = method;
    p.occlusion_radius = radius;
    p.occlusion_samples = 12;
  });
  // Turned a little, so that it sees the wall, too.
  const Pose pose = lookAt({-2.0f, 0, 1}, {-0.5f * width, 0, 4}, {0, -1, 0});
  return linearPicture(renderer, squareView(size, 0.5f, pose));
}

/** \brief Mean of the light in a part of a picture. */
double
mean(const Image<LinearColor>& image, int first_x, int end_x)
{
  double sum = 0.0;
  for (int y = image.rows / 4; y < 3 * image.rows / 4; ++y)
    for (int x = first_x; x < end_x; ++x)
      sum += image.at(y, x).r;
  return sum / ((end_x - first_x) * (image.rows / 2));
}

} // namespace

TEST_P(RendererOcclusion, AnOpenPlaneGetsAllLight)
{
  HostMesh slope;
  slope.addTriangle({-90, 9, 0}, {90, 9, 0}, {0, -90, 99});
  for (const AmbientOcclusion method : methods) {
    for (const HostMesh& mesh : {wall(-9, 9, -9, 9, 4), slope}) {
      MeshRenderer renderer;
      renderer.setScene(sceneOf(mesh));
      change(renderer, [&](auto& p) {
        p.ambient = {Vector3f::Ones()};
        p.occlusion = method;
        p.occlusion_radius = 1.0f;
        p.occlusion_samples = 8;
      });
      for (const LinearColor& pixel :
           linearPicture(renderer, squareView(48, 0.4f)).data)
        ASSERT_NEAR(pixel.r, 1.0f, 1e-3f);
    }
  }
}

TEST_P(RendererOcclusion, RaysBesideAWallAsComputed)
{
  // From above, at parallel rays: columns are places x on the floor.
  MeshRenderer renderer;
  renderer.setScene(sceneOf(corner()));
  change(renderer, [&](auto& p) { p.ambient = {Vector3f::Ones()}; });
  const double radius = 0.8;
  change(renderer, [&](auto& p) {
    p.occlusion = AmbientOcclusion::Rays;
    p.occlusion_radius = 0.8f;
    p.occlusion_samples = 15;
  });
  Pose pose = Pose::Identity();
  pose.translation() = Vector3f(-0.5f, 0, 2);
  const Image<LinearColor> image =
      linearPicture(renderer, parallelView(32, 1.0f, pose));
  for (int x = 0; x < 32; ++x) {
    // Of the unit disc that directions are seen from above on, a segment is the wall.
    const double distance = (31.5 - x) / 32;
    const double c = std::min(distance / radius, 1.0);
    const double open = 1.0 - (std::acos(c) - c * std::sqrt(1.0 - c * c)) / M_PI;
    double sum = 0.0;
    for (int y = 0; y < 32; ++y) {
      ASSERT_NEAR(image.at(y, x).r, open, 0.05) << x;
      sum += image.at(y, x).r;
    }
    EXPECT_NEAR(sum / 32, open, 0.005) << x;
  }
}

TEST_P(RendererOcclusion, ACornerIsDarker)
{
  for (const AmbientOcclusion method : methods) {
    const Image<LinearColor> image = cornerPicture(method, 0.5f, 96, 1.0f);
    // The corner is a third from the right.
    double darkest = 1.0;
    for (int x = 0; x < 96; ++x)
      darkest = std::min(darkest, mean(image, x, x + 1));
    EXPECT_NEAR(mean(image, 0, 8), 1.0, 0.02);
    EXPECT_LT(darkest, 0.65);
    EXPECT_GT(darkest, 0.3);
  }
}

TEST_P(RendererOcclusion, TheGuessIsLikeTheTruth)
{
  const Image<LinearColor> guess =
      cornerPicture(AmbientOcclusion::ImageSpace, 0.5f, 96, 1.0f);
  const Image<LinearColor> truth =
      cornerPicture(AmbientOcclusion::Rays, 0.5f, 96, 1.0f);
  for (int x = 0; x + 4 <= 96; x += 4)
    EXPECT_NEAR(mean(guess, x, x + 4), mean(truth, x, x + 4), 0.15) << x;
}

TEST_P(RendererOcclusion, FinerPixelsChangeNothing)
{
  for (const AmbientOcclusion method : methods) {
    const Image<LinearColor> coarse = cornerPicture(method, 0.5f, 64, 1.0f);
    const Image<LinearColor> fine = cornerPicture(method, 0.5f, 192, 1.0f);
    for (int x = 0; x + 4 <= 64; x += 4)
      EXPECT_NEAR(mean(fine, 3 * x, 3 * (x + 4)), mean(coarse, x, x + 4), 0.03) << x;
  }
}

TEST_P(RendererOcclusion, OnlyAmbientLightIsKeptAway)
{
  MeshRenderer renderer = darkRenderer(corner());
  change(renderer, [&](auto& p) { p.lights.push_back(Light::point({-1.0f, 0, 1})); });
  const CameraView view = squareView(16, 0.3f);
  const Image<LinearColor> before = linearPicture(renderer, view);
  change(renderer, [&](auto& p) {
    p.occlusion = AmbientOcclusion::Rays;
    p.occlusion_radius = 1.0f;
    p.occlusion_samples = 4;
  });
  EXPECT_TRUE(sameBits(linearPicture(renderer, view), before));
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RendererOcclusion);
