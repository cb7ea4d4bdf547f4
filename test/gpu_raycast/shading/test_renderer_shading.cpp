// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "renderer_test.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;
using Eigen::Vector3f;

class RendererShading : public DeviceTest {};

namespace {

/** \brief sRGB as IEC 61966-2-1 has it, 0 to 255. */
double
srgb(double light)
{
  light = std::min(std::max(light, 0.0), 1.0);
  return 255.0 * (light <= 0.0031308 ? 12.92 * light
                                     : 1.055 * std::pow(light, 1.0 / 2.4) - 0.055);
}

/** \brief Returns the point at which a pixel's ray meets the plane at depth z. */
Vector3d
pointOnWall(const CameraView& view, int x, int y, double z)
{
  const Vector3d direction = rayDirection(view, x, y);
  return direction * (z / direction.z());
}

} // namespace

TEST_P(RendererShading, PointLightOnAPlane)
{
  const CameraView view = squareView(33, 0.6f);
  const Vector3d lamp(0.7, -0.4, 0.5);
  for (const bool falls_off : {false, true}) {
    MeshRenderer renderer = darkRenderer(wall(-5, 5, -5, 5, 2));
    Light light = Light::point(lamp.cast<float>());
    light.color = {1.0f, 0.5f, 0.25f};
    light.intensity = 0.8f;
    light.falls_off = falls_off;
    change(renderer, [&](auto& p) { p.lights.push_back(light); });
    const Image<LinearColor> image = linearPicture(renderer, view);
    for (int y = 0; y < 33; ++y)
      for (int x = 0; x < 33; ++x) {
        const Vector3d to_lamp = lamp - pointOnWall(view, x, y, 2.0);
        double expected = 0.8 * -to_lamp.z() / to_lamp.norm();
        if (falls_off)
          expected /= to_lamp.squaredNorm();
        ASSERT_NEAR(image.at(y, x).r, expected, 1e-5) << x << " " << y;
        ASSERT_NEAR(image.at(y, x).g, 0.5 * expected, 1e-5);
        ASSERT_NEAR(image.at(y, x).b, 0.25 * expected, 1e-5);
        ASSERT_EQ(image.at(y, x).alpha, 1.0f);
      }
  }
}

TEST_P(RendererShading, DirectionalLightOnASphere)
{
  const HostMesh sphere = icosphere(5, 1.0f, {0, 0, 4});
  const CameraView view = parallelView(41, 2.4f);
  MeshRenderer renderer = darkRenderer(sphere);
  change(renderer, [&](auto& p) { p.shadows = Shadows::None; });
  const Vector3f way(1.0f, 2.0f, 3.0f);
  change(renderer, [&](auto& p) { p.lights.push_back(Light::directional(way)); });
  const Image<LinearColor> image = linearPicture(renderer, view);
  int compared = 0;
  for (int y = 0; y < 41; ++y)
    for (int x = 0; x < 41; ++x) {
      const double px = (x - 20.0) * 2.4 / 41, py = (y - 20.0) * 2.4 / 41;
      const double square = px * px + py * py;
      if (square > 0.95)
        continue;
      ++compared;
      const Vector3d normal(px, py, -std::sqrt(1.0 - square));
      const double cosine = -normal.dot(way.cast<double>().normalized());
      ASSERT_NEAR(image.at(y, x).r, std::max(cosine, 0.0), 3e-3) << x << " " << y;
    }
  EXPECT_GT(compared, 500);
}

TEST_P(RendererShading, HighlightsAreBlinns)
{
  const CameraView view = squareView(21, 0.5f);
  const Vector3d lamp(0.3, 0.2, 1.0);
  MeshRenderer renderer = darkRenderer(wall(-5, 5, -5, 5, 2));
  change(renderer,
         [&](auto& p) { p.lights.push_back(Light::point(lamp.cast<float>())); });
  Material material;
  material.diffuse = Vector3f::Zero();
  material.specular = 0.5f;
  material.shininess = 37;
  change(renderer, [&](auto& p) { p.material = material; });
  const Image<LinearColor> image = linearPicture(renderer, view);
  for (int y = 0; y < 21; ++y)
    for (int x = 0; x < 21; ++x) {
      const Vector3d point = pointOnWall(view, x, y, 2.0);
      const Vector3d half = (lamp - point).normalized() - point.normalized();
      const double expected = 0.5 * std::pow(-half.normalized().z(), 37);
      ASSERT_NEAR(image.at(y, x).r, expected, 1e-5) << x << " " << y;
    }
}

TEST_P(RendererShading, AmbientLightFromAboveAndBelow)
{
  // The wall leans back: its normal points half upwards (-y) and half to the camera.
  HostMesh slope;
  slope.addTriangle({-9, 9, 0}, {9, 9, 0}, {0, -9, 18});
  MeshRenderer renderer = darkRenderer(slope);
  change(renderer, [&](auto& p) {
    p.ambient = {{1.0f, 0.5f, 0.0f}, {0.0f, 0.5f, 1.0f}, {0, -3, 0}};
  });
  const LinearColor middle = linearPicture(renderer, squareView(5, 0.01f)).at(2, 2);
  const double part = 0.5 + 0.5 * std::sqrt(0.5);
  EXPECT_NEAR(middle.r, part, 1e-5);
  EXPECT_NEAR(middle.g, 0.5, 1e-5);
  EXPECT_NEAR(middle.b, 1.0 - part, 1e-5);
}

TEST_P(RendererShading, BackgroundByDirection)
{
  MeshRenderer renderer = darkRenderer(wall(-1, 1, -1, 1, -3));
  change(renderer, [&](auto& p) { p.background = {{1, 1, 1}, {0, 0, 0}, {0, -1, 0}}; });
  const CameraView view = squareView(15, 1.0f);
  const Image<LinearColor> image = linearPicture(renderer, view);
  for (int y = 0; y < 15; ++y) {
    const double expected = 0.5 - 0.5 * rayDirection(view, 3, y).y();
    EXPECT_NEAR(image.at(y, 3).g, expected, 1e-6);
    EXPECT_EQ(image.at(y, 3).alpha, 0.0f);
  }
}

TEST_P(RendererShading, PictureIsSrgbOfTheLight)
{
  MeshRenderer renderer = darkRenderer(wall(-5, 5, -5, 5, 2));
  Light light = Light::point({0.5f, 0.5f, 1.0f});
  light.color = {1.5f, 0.6f, 0.05f}; // more than the picture can show, and little
  light.falls_off = true;
  change(renderer, [&](auto& p) { p.lights.push_back(light); });
  const CameraView view = squareView(64, 2.0f);
  const Image<LinearColor> linear = linearPicture(renderer, view);
  const Image<pcl::RGB> colors = picture(renderer, view);
  for (std::size_t i = 0; i < colors.data.size(); ++i) {
    ASSERT_NEAR(colors.data[i].r, srgb(linear.data[i].r), 0.5001);
    ASSERT_NEAR(colors.data[i].g, srgb(linear.data[i].g), 0.5001);
    ASSERT_NEAR(colors.data[i].b, srgb(linear.data[i].b), 0.5001);
    ASSERT_EQ(colors.data[i].a, linear.data[i].alpha > 0.0f ? 255 : 0);
  }
}

TEST_P(RendererShading, ColorsOfVerticesComeBackUnderWhiteLight)
{
  HostMesh mesh = wall(-5, 5, -5, 5, 2);
  MeshRenderer renderer;
  for (int value = 0; value < 256; ++value) {
    const auto byte = static_cast<std::uint8_t>(value);
    mesh.colors.assign(4, pcl::RGB(byte, static_cast<std::uint8_t>(255 - value), 77));
    renderer.setScene(sceneOf(mesh));
    change(renderer, [&](auto& p) { p.ambient = {Vector3f::Ones()}; });
    const pcl::RGB pixel = picture(renderer, squareView(1, 0.1f)).at(0, 0);
    ASSERT_EQ(pixel.r, value);
    ASSERT_EQ(pixel.g, 255 - value);
    ASSERT_EQ(pixel.b, 77);
  }
}

TEST_P(RendererShading, MaterialOfEachInstance)
{
  const auto scene = std::make_shared<MeshScene>();
  const int mesh = scene->addMesh(uploaded(wall(-1, 1, -1, 1, 0)));
  for (const float x : {-1.0f, 1.0f}) {
    Pose pose = Pose::Identity();
    pose.translation() = Vector3f(x, 0, 2);
    scene->addInstance(mesh, pose);
  }
  MeshRenderer renderer;
  renderer.setScene(scene);
  change(renderer, [&](auto& p) { p.ambient = {Vector3f::Ones()}; });
  Material red;
  red.diffuse = {1, 0, 0};
  Material green;
  green.diffuse = {0, 1, 0};
  change(renderer, [&](auto& p) {
    p.material = red;
    p.instance_materials[1] = green;
  });
  const Image<pcl::RGB> image = picture(renderer, squareView(8, 0.4f));
  EXPECT_EQ(image.at(4, 1).r, 255);
  EXPECT_EQ(image.at(4, 1).g, 0);
  EXPECT_EQ(image.at(4, 6).r, 0);
  EXPECT_EQ(image.at(4, 6).g, 255);
}

TEST_P(RendererShading, FlatNormalsOnDemand)
{
  MeshRenderer renderer = darkRenderer(icosphere(0, 1.0f, {0, 0, 4}));
  change(renderer, [&](auto& p) {
    p.shadows = Shadows::None;
    p.lights.push_back(Light::directional({0.3f, 0.2f, 1.0f}));
  });
  const CameraView view = squareView(32, 0.3f);
  const auto different = [&] {
    std::set<float> values;
    for (const LinearColor& pixel : linearPicture(renderer, view).data)
      values.insert(pixel.r);
    return values.size();
  };
  EXPECT_GT(different(), 100u);
  change(renderer, [&](auto& p) { p.rays.smooth_normals = false; });
  EXPECT_LE(different(), 21u) << "twenty faces and the background";
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RendererShading);
