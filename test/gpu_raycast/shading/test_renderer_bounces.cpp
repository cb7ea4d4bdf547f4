// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "renderer_test.h"

#include <algorithm>
#include <cmath>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;
using Eigen::Vector3f;

class RendererBounces : public DeviceTest {};

namespace {

Material
mirror(float reflectivity)
{
  Material material;
  material.reflectivity = reflectivity;
  return material;
}

Material
glass(float refractive_index)
{
  Material material;
  material.transparency = 1.0f;
  material.refractive_index = refractive_index;
  material.casts_shadow = false;
  return material;
}

/** \brief Snell and Fresnel in float64. */
struct Border {
  double reflected = 1.0; ///< part of the light
  double sine = 0.0;      ///< of the angle behind the border
};

Border
border(double sine, double index_here, double index_there)
{
  Border result;
  result.sine = sine * index_here / index_there;
  if (result.sine >= 1.0)
    return result;
  const double here = std::asin(sine), there = std::asin(result.sine);
  if (here < 1e-6) {
    const double r = (index_here - index_there) / (index_here + index_there);
    result.reflected = r * r;
    return result;
  }
  const double across = std::sin(here - there) / std::sin(here + there);
  const double along = std::tan(here - there) / std::tan(here + there);
  result.reflected = 0.5 * (across * across + along * along);
  return result;
}

/** \brief Returns the number of pixels that differ by more than a tolerance. */
int
differences(const Image<LinearColor>& a, const Image<LinearColor>& b, float tolerance)
{
  int count = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i)
    count += std::abs(a.data[i].r - b.data[i].r) > tolerance ||
             std::abs(a.data[i].g - b.data[i].g) > tolerance ||
             std::abs(a.data[i].b - b.data[i].b) > tolerance;
  return count;
}

} // namespace

TEST_P(RendererBounces, AMirrorShowsTheMirroredScene)
{
  // The mirror is at z = 3. A sphere is behind the camera; its image is before it.
  const Vector3f middle(0.3f, -0.2f, -2.0f), image_middle(0.3f, -0.2f, 8.0f);
  const CameraView view = squareView(96, 0.5f);
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(uploaded(wall(-9, 9, -9, 9, 3))));
  scene->addInstance(scene->addMesh(uploaded(icosphere(4, 1.0f, middle))));
  MeshRenderer mirrored;
  mirrored.setScene(scene);
  change(mirrored, [&](auto& p) {
    p.instance_materials[0] = mirror(1.0f);
    p.lights.push_back(Light::point({-1.5f, -2.5f, 0.5f}));
  });
  MeshRenderer direct;
  direct.setScene(sceneOf(icosphere(4, 1.0f, image_middle)));
  change(direct, [&](auto& p) {
    p.lights.push_back(Light::point({-1.5f, -2.5f, 5.5f}));
  });
  for (MeshRenderer* renderer : {&mirrored, &direct})
    change(*renderer, [&](auto& p) {
      p.background = {{0.2f, 0.4f, 0.8f}, {0.5f, 0.4f, 0.3f}, {0, -1, 0}};
    });
  const Image<LinearColor> expected = linearPicture(direct, view);
  const Image<LinearColor> actual = linearPicture(mirrored, view);
  int sphere = 0;
  for (const LinearColor& pixel : expected.data)
    sphere += pixel.alpha > 0.0f;
  EXPECT_GT(sphere, 300);
  // At the sphere's outline, and where a facet turns from the light, rounding decides;
  // the two spheres' triangles are not each other's mirror images either.
  EXPECT_LT(differences(actual, expected, 0.02f), 40);
}

TEST_P(RendererBounces, TwoMirrorsAndTheDepthLimit)
{
  // The camera is between two mirrors that send back half of the light, and shine.
  HostMesh mesh = wall(-900, 900, -900, 900, 3);
  const HostMesh behind = wall(-900, 900, -900, 900, -1);
  for (int i = 0; i < 2; ++i)
    mesh.addTriangle(behind.vertices[behind.triangles[3 * i]].getVector3fMap(),
                     behind.vertices[behind.triangles[3 * i + 1]].getVector3fMap(),
                     behind.vertices[behind.triangles[3 * i + 2]].getVector3fMap());
  MeshRenderer renderer;
  renderer.setScene(sceneOf(mesh));
  change(renderer, [&](auto& p) {
    p.ambient = {Vector3f::Ones()};
    p.material = mirror(0.5f);
  });
  for (int bounces = 0; bounces <= 8; ++bounces) {
    change(renderer, [&](auto& p) { p.max_bounces = bounces; });
    const double expected = 1.0 - std::pow(0.5, bounces + 1);
    for (const LinearColor& pixel : linearPicture(renderer, squareView(4, 0.1f)).data)
      ASSERT_NEAR(pixel.g, expected, 1e-5) << bounces;
  }
}

TEST_P(RendererBounces, SnellFresnelAndTotalReflection)
{
  // One border, seen from outside and from within; all that comes is the background,
  // from which light shows its direction: red forwards, green backwards, blue to the
  // right.
  const CameraView view = squareView(65, 2.0f);
  for (const bool inside : {false, true}) {
    const HostMesh mesh = wall(-90, 90, -90, 90, 2);
    MeshRenderer renderer = darkRenderer(inside ? turnedInsideOut(mesh) : mesh);
    change(renderer, [&](auto& p) {
      p.material = glass(1.5f);
      p.background = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    });
    const Image<LinearColor> image = linearPicture(renderer, view);
    int total = 0;
    for (int y = 0; y < 65; ++y)
      for (int x = 0; x < 65; ++x) {
        const Vector3d direction = rayDirection(view, x, y);
        const double sine = direction.head<2>().norm();
        const Border there = border(sine, inside ? 1.5 : 1.0, inside ? 1.0 : 1.5);
        total += there.reflected == 1.0;
        const double forwards = std::sqrt(std::max(1.0 - there.sine * there.sine, 0.0));
        const double red = there.reflected * (0.5 - 0.5 * direction.z()) +
                           (1.0 - there.reflected) * (0.5 + 0.5 * forwards);
        ASSERT_NEAR(image.at(y, x).r, red, 1e-4) << x << " " << y << " " << inside;
        ASSERT_NEAR(image.at(y, x).g, 1.0 - red, 1e-4);
      }
    EXPECT_EQ(total > 1000, inside) << total;
  }
}

TEST_P(RendererBounces, ASlabOfGlassShiftsWhatIsBehind)
{
  // Glass from z = 2 to 2.5; behind it at z = 4 a wall whose brightness shows the
  // place.
  const auto scene = std::make_shared<MeshScene>();
  HostMesh slab = wall(-50, 50, -50, 50, 2.0f);
  const HostMesh back = turnedInsideOut(wall(-50, 50, -50, 50, 2.5f));
  for (int i = 0; i < 2; ++i)
    slab.addTriangle(back.vertices[back.triangles[3 * i]].getVector3fMap(),
                     back.vertices[back.triangles[3 * i + 1]].getVector3fMap(),
                     back.vertices[back.triangles[3 * i + 2]].getVector3fMap());
  scene->addInstance(scene->addMesh(uploaded(slab)));
  scene->addInstance(scene->addMesh(uploaded(wall(-50, 50, -50, 50, 4))));
  MeshRenderer renderer;
  renderer.setScene(scene);
  change(renderer, [&](auto& p) {
    p.ambient = {Vector3f::Zero()};
    p.instance_materials[0] = glass(1.5f);
    p.max_bounces = 2; // in and out, not to and fro between the faces
  });
  Light light = Light::point({0.5f, 0.2f, 3.0f});
  light.falls_off = true;
  change(renderer, [&](auto& p) { p.lights.push_back(light); });
  const CameraView view = squareView(33, 1.0f);
  const Image<LinearColor> image = linearPicture(renderer, view);
  for (int y = 0; y < 33; ++y)
    for (int x = 0; x < 33; ++x) {
      const Vector3d direction = rayDirection(view, x, y);
      const double sine = direction.head<2>().norm();
      const Border in = border(sine, 1.0, 1.5);
      const Border out = border(in.sine, 1.5, 1.0);
      const double outside_slope = sine / direction.z();
      const double inside_slope = in.sine / std::sqrt(1.0 - in.sine * in.sine);
      const double away = outside_slope * (4.0 - 0.5) + inside_slope * 0.5;
      Vector3d point(0, 0, 4);
      if (sine > 0.0)
        point.head<2>() = direction.head<2>() / sine * away;
      const Vector3d to_light = Vector3d(0.5, 0.2, 3.0) - point;
      const double expected = (1.0 - in.reflected) * (1.0 - out.reflected) *
                              -to_light.z() / std::pow(to_light.norm(), 3.0);
      ASSERT_NEAR(image.at(y, x).r, expected, 2e-4) << x << " " << y;
    }
}

TEST_P(RendererBounces, GlassOfIndexOneIsInvisible)
{
  const CameraView view = squareView(64, 0.5f);
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(uploaded(wall(-9, 9, -9, 9, 5))));
  MeshRenderer renderer;
  renderer.setScene(scene);
  change(renderer, [&](auto& p) {
    p.lights.push_back(Light::point({1.0f, -1.0f, 2.0f}));
  });
  const Image<LinearColor> without = linearPicture(renderer, view);
  scene->addInstance(scene->addMesh(uploaded(icosphere(3, 1.0f, {0, 0, 3.5f}))));
  change(renderer, [&](auto& p) { p.instance_materials[1] = glass(1.0f); });
  EXPECT_EQ(differences(linearPicture(renderer, view), without, 1e-4f), 0);
  change(renderer, [&](auto& p) { p.instance_materials[1] = glass(1.3f); });
  EXPECT_GT(differences(linearPicture(renderer, view), without, 1e-2f), 300);
}

TEST_P(RendererBounces, MirroredSurfacesHaveShadows)
{
  // A mirror shows a wall behind the camera, one half of which is in shadow.
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(uploaded(wall(-9, 9, -9, 9, 3))));
  HostMesh others = turnedInsideOut(wall(-20, 20, -20, 20, -3));
  others.addTriangle({0, -50, -1}, {0, 50, -1}, {50, 0, -1});
  scene->addInstance(scene->addMesh(uploaded(others)));
  MeshRenderer renderer;
  renderer.setScene(scene);
  change(renderer, [&](auto& p) { p.ambient = {Vector3f::Zero()}; });
  Material window = mirror(1.0f);
  window.casts_shadow = false; // light comes from behind it
  change(renderer, [&](auto& p) {
    p.instance_materials[0] = window;
    p.lights.push_back(Light::directional({0.2f, 0, -1}));
  });
  // The occluder itself is lit; left of it the wall is, until its shadow.
  const Image<LinearColor> image = linearPicture(renderer, squareView(64, 0.5f));
  const float lit = 1.0f / std::sqrt(1.04f);
  EXPECT_NEAR(image.at(32, 2).r, lit, 1e-4f);
  EXPECT_NEAR(image.at(32, 62).r, lit, 1e-4f);
  change(renderer, [&](auto& p) {
    p.lights.clear();
    p.lights.push_back(Light::directional({-0.2f, 0, -1}));
  });
  const Image<LinearColor> shadow = linearPicture(renderer, squareView(64, 0.5f));
  // The shadow reaches 0.4 m to the left of the occluder's edge, 9 m along the ray.
  const int inside = 32 - 2, beyond = 32 - 6;
  EXPECT_EQ(shadow.at(32, inside).r, 0.0f);
  EXPECT_NEAR(shadow.at(32, beyond).r, lit, 1e-4f);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RendererBounces);
