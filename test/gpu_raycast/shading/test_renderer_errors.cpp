// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "renderer_test.h"

#include <cmath>
#include <functional>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

class RendererErrors : public DeviceTest {};

TEST_P(RendererErrors, WithoutAScene)
{
  MeshRenderer renderer;
  EXPECT_EQ(renderer.getScene(), nullptr);
  DeviceArray2D<pcl::RGB> picture;
  expectBadArgument("scene", [&] { renderer.render(squareView(4, 1.0f), picture); });
  expectBadArgument("scene", [&] { renderer.setScene(nullptr); });
}

TEST_P(RendererErrors, Lights)
{
  const auto reject = [](const std::string& word, const Light& light) {
    MeshRenderer renderer;
    expectBadArgument(word, [&] { renderer.addLight(light); });
    EXPECT_TRUE(renderer.getLights().empty());
  };
  reject("position", Light::point({NAN, 0, 0}));
  reject("direction", Light::directional({0, 0, 0}));
  reject("direction", Light::disc({0, 0, 0}, {0, INFINITY, 0}, 1.0f));
  reject("radius", Light::disc({0, 0, 0}, {0, 1, 0}, 0.0f));
  reject("side u", Light::rectangle({0, 0, 0}, {0, 0, 0}, {0, 1, 0}));
  reject("side v", Light::rectangle({0, 0, 0}, {0, 1, 0}, {0, NAN, 0}));
  Light light;
  light.intensity = -1.0f;
  reject("intensity", light);
  light = Light();
  light.color.y() = -0.1f;
  reject("color", light);
  MeshRenderer renderer;
  for (int i = 0; i < MeshRenderer::max_lights; ++i)
    renderer.addLight(Light());
  expectBadArgument("number of lights", [&] { renderer.addLight(Light()); });
  renderer.clearLights();
  EXPECT_TRUE(renderer.getLights().empty());
}

TEST_P(RendererErrors, Materials)
{
  const auto reject = [](const std::string& word,
                         const std::function<void(Material&)>& change) {
    Material material;
    change(material);
    MeshRenderer renderer;
    expectBadArgument(word, [&] { renderer.setMaterial(material); });
    expectBadArgument(word, [&] { renderer.setMaterial(3, material); });
  };
  reject("diffuse", [](Material& m) { m.diffuse.x() = 1.5f; });
  reject("diffuse", [](Material& m) { m.diffuse.z() = NAN; });
  reject("specular", [](Material& m) { m.specular = -0.5f; });
  reject("shininess", [](Material& m) { m.shininess = 0; });
  reject("reflectivity", [](Material& m) { m.reflectivity = 2.0f; });
  reject("transparency", [](Material& m) { m.transparency = NAN; });
  reject("refractive index", [](Material& m) { m.refractive_index = 0.0f; });
  MeshRenderer renderer;
  expectBadArgument("instance", [&] { renderer.setMaterial(-1, Material()); });
}

TEST_P(RendererErrors, Settings)
{
  MeshRenderer r;
  expectBadArgument("shadows is 3", [&] { r.setShadows(static_cast<Shadows>(3)); });
  expectBadArgument("ambient occlusion is 7", [&] {
    r.setAmbientOcclusion(static_cast<AmbientOcclusion>(7), 1.0f);
  });
  Light glaring;
  glaring.intensity = 1e30f;
  glaring.color = {0, 1e30f, 0};
  expectBadArgument("intensity times color", [&] { r.addLight(glaring); });
  expectBadArgument("soft shadows", [&] { r.setSoftShadowSamples(0); });
  expectBadArgument("soft shadows", [&] { r.setSoftShadowSamples(16); });
  expectBadArgument("bounces", [&] { r.setMaxBounces(-1); });
  expectBadArgument("bounces", [&] { r.setMaxBounces(17); });
  const AmbientOcclusion rays = AmbientOcclusion::Rays;
  expectBadArgument("radius", [&] { r.setAmbientOcclusion(rays, 0.0f); });
  expectBadArgument("samples", [&] { r.setAmbientOcclusion(rays, 1.0f, 99); });
  expectBadArgument("ambient", [&] { r.setAmbientLight({-1, 0, 0}); });
  expectBadArgument("background", [&] { r.setBackground({0, INFINITY, 0}); });
  expectBadArgument("upwards", [&] {
    r.setBackground({0, 0, 0}, {0, 0, 0}, {0, 0, 0});
  });
  expectBadArgument("nearest", [&] { r.setDepthRange(-1.0f, 2.0f); });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RendererErrors);
