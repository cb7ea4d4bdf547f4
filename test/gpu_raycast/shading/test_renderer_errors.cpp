// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
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
    expectBadArgument(
        word, [&] { change(renderer, [&](auto& p) { p.lights.push_back(light); }); });
    EXPECT_TRUE(renderer.getParameters().lights.empty());
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
  change(renderer, [](auto& p) { p.lights.resize(MeshRenderer::max_lights); });
  expectBadArgument("number of lights", [&] {
    change(renderer, [](auto& p) { p.lights.push_back(Light()); });
  });
  change(renderer, [](auto& p) { p.lights.clear(); });
  EXPECT_TRUE(renderer.getParameters().lights.empty());
}

TEST_P(RendererErrors, CopiesHaveParametersOfTheirOwn)
{
  MeshRenderer renderer;
  change(renderer, [](auto& p) {
    p.lights.push_back(Light());
    p.seed = 7;
  });
  MeshRenderer copy(renderer);
  EXPECT_EQ(copy.getParameters().lights.size(), 1u);
  change(copy, [](auto& p) { p.lights.clear(); });
  EXPECT_EQ(renderer.getParameters().lights.size(), 1u);
  EXPECT_EQ(copy.getParameters().seed, 7u);
}

TEST_P(RendererErrors, Materials)
{
  const auto reject = [](const std::string& word,
                         const std::function<void(Material&)>& spoil) {
    Material material;
    spoil(material);
    MeshRenderer renderer;
    expectBadArgument(
        word, [&] { change(renderer, [&](auto& p) { p.material = material; }); });
    expectBadArgument(word, [&] {
      change(renderer, [&](auto& p) { p.instance_materials[3] = material; });
    });
  };
  reject("diffuse", [](Material& m) { m.diffuse.x() = 1.5f; });
  reject("diffuse", [](Material& m) { m.diffuse.z() = NAN; });
  reject("specular", [](Material& m) { m.specular = -0.5f; });
  reject("shininess", [](Material& m) { m.shininess = 0; });
  reject("reflectivity", [](Material& m) { m.reflectivity = 2.0f; });
  reject("transparency", [](Material& m) { m.transparency = NAN; });
  reject("refractive index", [](Material& m) { m.refractive_index = 0.0f; });
  MeshRenderer renderer;
  expectBadArgument("instance", [&] {
    change(renderer, [&](auto& p) { p.instance_materials[-1] = Material(); });
  });
}

TEST_P(RendererErrors, Settings)
{
  MeshRenderer r;
  expectBadArgument("shadows is 3", [&] {
    change(r, [&](auto& p) { p.shadows = static_cast<Shadows>(3); });
  });
  expectBadArgument("ambient occlusion is 7", [&] {
    change(r, [&](auto& p) {
      p.occlusion = static_cast<AmbientOcclusion>(7);
      p.occlusion_radius = 1.0f;
    });
  });
  Light glaring;
  glaring.intensity = 1e30f;
  glaring.color = {0, 1e30f, 0};
  expectBadArgument("intensity times color",
                    [&] { change(r, [&](auto& p) { p.lights.push_back(glaring); }); });
  expectBadArgument("soft shadows",
                    [&] { change(r, [&](auto& p) { p.soft_shadow_samples = 0; }); });
  expectBadArgument("soft shadows",
                    [&] { change(r, [&](auto& p) { p.soft_shadow_samples = 16; }); });
  expectBadArgument("bounces",
                    [&] { change(r, [&](auto& p) { p.max_bounces = -1; }); });
  expectBadArgument("bounces",
                    [&] { change(r, [&](auto& p) { p.max_bounces = 17; }); });
  const AmbientOcclusion rays = AmbientOcclusion::Rays;
  expectBadArgument("radius", [&] {
    change(r, [&](auto& p) {
      p.occlusion = rays;
      p.occlusion_radius = 0.0f;
    });
  });
  expectBadArgument("samples", [&] {
    change(r, [&](auto& p) {
      p.occlusion = rays;
      p.occlusion_radius = 1.0f;
      p.occlusion_samples = 99;
    });
  });
  expectBadArgument("ambient", [&] {
    change(r, [&](auto& p) { p.ambient = {{-1, 0, 0}}; });
  });
  expectBadArgument("background", [&] {
    change(r, [&](auto& p) { p.background = {{0, INFINITY, 0}}; });
  });
  expectBadArgument("upwards", [&] {
    change(r, [&](auto& p) { p.background = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}; });
  });
  expectBadArgument("nearest", [&] {
    change(r, [&](auto& p) {
      p.rays.nearest = -1.0f;
      p.rays.farthest = 2.0f;
    });
  });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RendererErrors);
