// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "renderer_test.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;
using Eigen::Vector3f;

class RendererShadows : public DeviceTest {};

namespace {

/** \brief Returns whether a line between two points meets a triangle, in float64. */
enum class Meeting { No, Yes, Doubtful };

Meeting
meets(const Vector3d& from,
      const Vector3d& to,
      const Vector3d& a,
      const Vector3d& b,
      const Vector3d& c)
{
  Eigen::Matrix3d system;
  system << b - a, c - a, from - to;
  if (std::abs(system.determinant()) < 1e-9)
    return Meeting::Doubtful;
  const Vector3d weights = system.inverse() * (from - a);
  const double margin = std::min({weights.x(),
                                  weights.y(),
                                  1.0 - weights.x() - weights.y(),
                                  weights.z(),
                                  1.0 - weights.z()});
  return margin > 1e-4    ? Meeting::Yes
         : margin < -1e-4 ? Meeting::No
                          : Meeting::Doubtful;
}

/** \brief A wall far away and random triangles before, beside and behind the camera. */
HostMesh
clutter(unsigned int seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  const auto point = [&](float size) {
    return Vector3f(
        size * uniform(random), size * uniform(random), size * uniform(random));
  };
  HostMesh mesh;
  mesh.addTriangle({-30, -30, 7}, {0, 30, 8}, {30, -30, 7});
  for (int i = 0; i < 80; ++i) {
    const Vector3f middle = point(6.0f);
    if (middle.norm() < 1.5f)
      continue; // not all before the camera's eye
    mesh.addTriangle(middle + point(1), middle + point(1), middle + point(1));
  }
  return mesh;
}

Vector3d
vertex(const HostMesh& mesh, int triangle, int corner)
{
  return mesh.vertices[mesh.triangles[3 * triangle + corner]]
      .getVector3fMap()
      .cast<double>();
}

/** \brief Returns whether light comes to a point of a triangle, by brute force in
 * float64.
 * \param[in] camera from which side the triangle is seen
 */
Meeting
lit(const HostMesh& mesh,
    int triangle,
    const Vector3d& point,
    const Vector3d& lamp,
    const Vector3d& camera)
{
  const Vector3d a = vertex(mesh, triangle, 0);
  Vector3d normal =
      (vertex(mesh, triangle, 1) - a).cross(vertex(mesh, triangle, 2) - a).normalized();
  if (normal.dot(camera - point) < 0.0)
    normal = -normal;
  const double cosine = normal.dot((lamp - point).normalized());
  if (std::abs(cosine) < 1e-3)
    return Meeting::Doubtful;
  if (cosine < 0.0)
    return Meeting::No;
  Meeting result = Meeting::Yes;
  for (int i = 0; i < mesh.triangleCount(); ++i) {
    if (i == triangle)
      continue;
    const Meeting meeting =
        meets(point, lamp, vertex(mesh, i, 0), vertex(mesh, i, 1), vertex(mesh, i, 2));
    if (meeting == Meeting::Yes)
      return Meeting::No;
    if (meeting == Meeting::Doubtful)
      result = Meeting::Doubtful;
  }
  return result;
}

/** \brief The part of the unit disc where x < limit. */
double
partOfDisc(double limit)
{
  const double x = std::min(std::max(limit, -1.0), 1.0);
  return 0.5 + (std::asin(x) + x * std::sqrt(1.0 - x * x)) / M_PI;
}

/** \brief A picture of a wall at z = 4 in the shadow of a half-plane at z = 2, x > 0,
 * that is behind the camera, as is the light at z = 0; over that without shadow.
 *
 * A point x of the wall sees the part of the light where x is below that point's -x.
 */
Image<double>
penumbra(const Light& light, int samples, int size)
{
  HostMesh mesh = wall(-9, 9, -9, 9, 4);
  mesh.addTriangle({0, -200, 2}, {0, 200, 2}, {200, 0, 2});
  MeshRenderer renderer = darkRenderer(mesh);
  change(renderer, [&](auto& p) {
    p.lights.push_back(light);
    p.soft_shadow_samples = samples;
    p.shadows = Shadows::Soft;
  });
  Pose pose = Pose::Identity();
  pose.translation().z() = 3.0f;
  const CameraView view = parallelView(size, 2.0f, pose);
  const Image<LinearColor> shadowed = linearPicture(renderer, view);
  change(renderer, [&](auto& p) { p.shadows = Shadows::None; });
  const Image<LinearColor> free = linearPicture(renderer, view);
  Image<double> parts(size, size);
  for (std::size_t i = 0; i < parts.data.size(); ++i)
    parts.data[i] = static_cast<double>(shadowed.data[i].r) / free.data[i].r;
  return parts;
}

} // namespace

TEST_P(RendererShadows, MasksAreThoseOfBruteForce)
{
  // Before, beside and behind the camera.
  const Vector3f lamps[3] = {
      {1.0f, -2.0f, 3.0f}, {-9.0f, 1.0f, 1.0f}, {2.0f, 3.0f, -8.0f}};
  const CameraView view = squareView(48, 0.8f);
  for (unsigned int seed = 1; seed <= 4; ++seed) {
    const HostMesh mesh = clutter(seed);
    MeshRenderer renderer = darkRenderer(mesh);
    for (int i = 0; i < 3; ++i) {
      Light light = Light::point(lamps[i]);
      light.color = Vector3f::Unit(i);
      change(renderer, [&](auto& p) { p.lights.push_back(light); });
    }
    const Image<LinearColor> image = linearPicture(renderer, view);
    MeshRayCaster caster;
    caster.setScene(renderer.getScene());
    RayCastImages seen;
    caster.cast(view, seen);
    const Image<int> triangles = downloaded(seen.triangles);
    const Image<float> depth = downloaded(seen.depth);
    int certain = 0, shadowed = 0;
    for (int y = 0; y < 48; ++y)
      for (int x = 0; x < 48; ++x) {
        if (triangles.at(y, x) < 0)
          continue;
        const Vector3d direction = rayDirection(view, x, y);
        const Vector3d point = direction * (depth.at(y, x) / direction.z());
        const LinearColor& pixel = image.at(y, x);
        const float channels[3] = {pixel.r, pixel.g, pixel.b};
        for (int i = 0; i < 3; ++i) {
          const Meeting expected = lit(mesh,
                                       triangles.at(y, x),
                                       point,
                                       lamps[i].cast<double>(),
                                       Vector3d::Zero());
          if (expected == Meeting::Doubtful)
            continue;
          ++certain;
          shadowed += expected == Meeting::No;
          ASSERT_EQ(channels[i] > 0.0f, expected == Meeting::Yes)
              << "seed " << seed << ", pixel " << x << " " << y << ", light " << i;
        }
      }
    EXPECT_GT(certain, 5000) << "seed " << seed;
    EXPECT_GT(shadowed, 300) << "seed " << seed;
  }
}

TEST_P(RendererShadows, DirectionalLightComesFromInfinity)
{
  // The occluder is far behind the camera.
  HostMesh mesh = wall(-9, 9, -9, 9, 4);
  mesh.addTriangle({0, -900, -500}, {0, 900, -500}, {900, 0, -500});
  MeshRenderer renderer = darkRenderer(mesh);
  change(renderer, [&](auto& p) { p.lights.push_back(Light::directional({0, 0, 1})); });
  const Image<LinearColor> image = linearPicture(renderer, squareView(16, 0.5f));
  for (int x = 0; x < 16; ++x)
    EXPECT_EQ(image.at(8, x).r, x < 8 ? 1.0f : 0.0f) << x;
}

TEST_P(RendererShadows, NoSurfaceShadowsItself)
{
  // Far from the origin, where coordinates are rounded to millimetres.
  const Vector3f middle(9000.0f, -7000.0f, 5000.0f);
  MeshRenderer renderer = darkRenderer(icosphere(4, 100.0f, middle));
  change(renderer, [&](auto& p) { p.rays.smooth_normals = false; });
  const Vector3f eye = middle - Vector3f(0, 0, 500);
  Pose pose = Pose::Identity();
  pose.translation() = eye;
  const CameraView view = squareView(128, 0.22f, pose);
  change(renderer, [&](auto& p) {
    p.lights.push_back(Light::point(eye + Vector3f(200, -100, 0)));
  });
  const Image<LinearColor> shadows = linearPicture(renderer, view);
  change(renderer, [&](auto& p) { p.shadows = Shadows::None; });
  const Image<LinearColor> free = linearPicture(renderer, view);
  int lit = 0;
  for (std::size_t i = 0; i < free.data.size(); ++i) {
    lit += free.data[i].r > 0.0f;
    // A convex body shadows what faces away, which gets no light anyhow.
    ASSERT_EQ(shadows.data[i].r, free.data[i].r);
  }
  EXPECT_GT(lit, 5000);
}

TEST_P(RendererShadows, NoLightLeaksIntoAClosedBody)
{
  // The camera is inside.
  MeshRenderer renderer = darkRenderer(icosphere(3, 2.0f, {0, 0, 0}));
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  for (int i = 0; i < 20; ++i) {
    const Vector3f way(normal(random), normal(random), normal(random));
    change(renderer, [&](auto& p) {
      p.lights.push_back(Light::point(2.5f * way.normalized()));
      p.lights.push_back(Light::directional(way));
    });
  }
  for (const LinearColor& pixel : linearPicture(renderer, squareView(64, 2.0f)).data)
    ASSERT_EQ(pixel.r, 0.0f);
}

TEST_P(RendererShadows, PenumbraOfADisc)
{
  const int size = 32;
  const Light light = Light::disc({0, 0, 0}, {0, 0, 2}, 0.6f);
  double errors[2] = {};
  const int samples[2] = {2, 15};
  for (int run = 0; run < 2; ++run) {
    const Image<double> parts = penumbra(light, samples[run], size);
    for (int x = 0; x < size; ++x) {
      const double at = (x - 15.5) * 2.0 / size;
      double mean = 0.0;
      for (int y = 0; y < size; ++y) {
        const double error = std::abs(parts.at(y, x) - partOfDisc(-at / 0.6));
        errors[run] = std::max(errors[run], error);
        mean += parts.at(y, x) / size;
      }
      EXPECT_NEAR(mean, partOfDisc(-at / 0.6), 0.12 / samples[run]) << x;
    }
  }
  EXPECT_LT(errors[1], 0.04);
  EXPECT_LT(4.0 * errors[1], errors[0]);
}

TEST_P(RendererShadows, PenumbraOfARectangle)
{
  const int size = 32;
  const Light light = Light::rectangle({0, 0, 0}, {0.5f, 0, 0}, {0, 0.7f, 0});
  const Image<double> parts = penumbra(light, 15, size);
  for (int x = 0; x < size; ++x) {
    const double at = (x - 15.5) * 2.0 / size;
    const double expected = std::min(std::max(0.5 - at, 0.0), 1.0);
    for (int y = 0; y < size; ++y)
      ASSERT_NEAR(parts.at(y, x), expected, 0.05) << x << " " << y;
  }
}

TEST_P(RendererShadows, HardShadowOfADiscIsThatOfItsMiddle)
{
  const HostMesh mesh = clutter(9);
  const CameraView view = squareView(32, 0.8f);
  MeshRenderer disc = darkRenderer(mesh);
  change(disc, [&](auto& p) {
    p.lights.push_back(Light::disc({2, -3, 1}, {0, 1, 0}, 0.8f));
  });
  MeshRenderer point = darkRenderer(mesh);
  change(point, [&](auto& p) { p.lights.push_back(Light::point({2, -3, 1})); });
  EXPECT_TRUE(sameBits(linearPicture(disc, view), linearPicture(point, view)));
  change(disc, [&](auto& p) { p.shadows = Shadows::Soft; });
  EXPECT_FALSE(sameBits(linearPicture(disc, view), linearPicture(point, view)));
}

TEST_P(RendererShadows, SomeMaterialsLetLightThrough)
{
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(uploaded(wall(-9, 9, -9, 9, 4))));
  scene->addInstance(scene->addMesh(uploaded(wall(-9, 9, -9, 9, -1))));
  MeshRenderer renderer;
  renderer.setScene(scene);
  change(renderer, [&](auto& p) {
    p.ambient = {Vector3f::Zero()};
    p.lights.push_back(Light::point({0, 0, -2}));
  });
  const CameraView view = squareView(3, 0.1f);
  EXPECT_EQ(linearPicture(renderer, view).at(1, 1).r, 0.0f);
  Material material;
  material.casts_shadow = false;
  change(renderer, [&](auto& p) { p.instance_materials[1] = material; });
  EXPECT_NEAR(linearPicture(renderer, view).at(1, 1).r, 1.0f, 1e-5f);
}

TEST_P(RendererShadows, MeshesDeformFromPictureToPicture)
{
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(uploaded(wall(-9, 9, -9, 9, 4))));
  const int occluder = scene->addMesh(uploaded(wall(-9, 9, -9, 9, -1)));
  scene->addInstance(occluder);
  MeshRenderer renderer;
  renderer.setScene(scene);
  change(renderer, [&](auto& p) {
    p.ambient = {Vector3f::Zero()};
    p.lights.push_back(Light::point({0, 0, -2}));
  });
  const CameraView view = squareView(3, 0.1f);
  EXPECT_EQ(linearPicture(renderer, view).at(1, 1).r, 0.0f);
  scene->setMesh(occluder, uploaded(wall(5, 9, -9, 9, -1)));
  EXPECT_GT(linearPicture(renderer, view).at(1, 1).r, 0.9f);
}

TEST_P(RendererShadows, OfASceneThatGetsCrowdedAreThoseOfAnother)
{
  const auto soup = [](float size) {
    std::mt19937 random(11);
    std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
    HostMesh mesh = wall(-9, 9, -9, 9, 6);
    for (int i = 0; i < 30000; ++i) {
      const Vector3f middle(
          2 * uniform(random), 2 * uniform(random), 4 + uniform(random));
      const auto corner = [&] {
        return Vector3f(middle + size * Vector3f(uniform(random),
                                                 uniform(random),
                                                 uniform(random)));
      };
      const Vector3f a = corner(), b = corner(), c = corner();
      // Most of them are behind the camera, and keep the light from half of what it
      // sees.
      if (i % 100 != 0)
        mesh.addTriangle(
            a + Vector3f(3, 0, -9), b + Vector3f(3, 0, -9), c + Vector3f(3, 0, -9));
      else
        mesh.addTriangle(a, b, c);
    }
    return mesh;
  };
  const auto scene = std::make_shared<MeshScene>();
  const int mesh = scene->addMesh(uploaded(soup(0.004f)));
  scene->addInstance(mesh);
  const auto rendererOf = [&] {
    MeshRenderer renderer;
    renderer.setScene(scene);
    change(renderer, [&](auto& p) {
      p.ambient = {Vector3f::Zero()};
      p.lights.push_back(Light::point({0.3f, -0.2f, -12}));
      p.lights.push_back(Light::directional({0.1f, 0.2f, -1}));
    });
    return renderer;
  };
  const CameraView view = squareView(24, 0.8f);
  MeshRenderer renderer = rendererOf();
  const Image<LinearColor> sparse = linearPicture(renderer, view);
  // The frame before decides the way to find shadows.
  scene->setMesh(mesh, uploaded(soup(0.4f)));
  const Image<LinearColor> crowded = linearPicture(renderer, view);
  const Image<LinearColor> again = linearPicture(renderer, view);
  MeshRenderer other = rendererOf();
  EXPECT_TRUE(sameBits(linearPicture(other, view), crowded));
  EXPECT_TRUE(sameBits(again, crowded));
  int lit = 0, dark = 0;
  for (const LinearColor& pixel : crowded.data)
    (pixel.r > 0.0f ? lit : dark) += 1;
  EXPECT_GT(lit, 5);
  EXPECT_GT(dark, 100);
  scene->setMesh(mesh, uploaded(soup(0.004f)));
  EXPECT_TRUE(sameBits(linearPicture(renderer, view), sparse));
}

TEST_P(RendererShadows, NoLampIsHiddenByTheSurfaceThatItLiesIn)
{
  // A wall, and a ceiling with a lamp in it: in a triangle, on an edge, on a vertex.
  for (int turn = 0; turn < 8; ++turn) {
    const Pose pose = turn == 0 ? Pose::Identity() : randomPose(turn, 3.0f);
    const Vector3f corners[4] = {{-3, -1, 0}, {3, -1, 0}, {3, -1, 9}, {-3, -1, 9}};
    HostMesh ceiling;
    const auto placed = [&](const Vector3f& p) { return Vector3f(pose * p); };
    ceiling.addTriangle(placed(corners[0]), placed(corners[1]), placed(corners[2]));
    ceiling.addTriangle(placed(corners[0]), placed(corners[2]), placed(corners[3]));
    const auto scene = std::make_shared<MeshScene>();
    scene->addInstance(scene->addMesh(uploaded(wall(-2, 2, 0.5f, 2, 4))), pose);
    scene->addInstance(scene->addMesh(uploaded(ceiling)));
    const CameraView view = squareView(16, 0.5f, pose);
    for (const Vector3f& lamp :
         {Vector3f(1, -1, 2), Vector3f(0.6f, -1, 1.8f), corners[0], corners[1]})
      for (const bool is_disc : {false, true}) {
        MeshRenderer renderer;
        renderer.setScene(scene);
        change(renderer, [&](auto& p) {
          p.ambient = {Vector3f::Zero()};
          p.shadows = is_disc ? Shadows::Soft : Shadows::Hard;
          p.soft_shadow_samples = 2;
        });
        const Vector3f down = pose.linear() * Vector3f(0, 1, 0);
        change(renderer, [&](auto& p) {
          p.lights.push_back(is_disc ? Light::disc(placed(lamp), down, 0.4f)
                                     : Light::point(placed(lamp)));
        });
        const Image<LinearColor> found = linearPicture(renderer, view);
        Material clear;
        clear.casts_shadow = false;
        change(renderer, [&](auto& p) { p.instance_materials[1] = clear; });
        EXPECT_TRUE(sameBits(found, linearPicture(renderer, view)))
            << "turn " << turn << ", lamp at " << lamp.transpose();
        EXPECT_GT(found.at(13, 8).r, 0.0f);
      }
  }
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RendererShadows);
