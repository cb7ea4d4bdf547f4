// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/change_parameters.h"
#include "embree_reference.h"
#include "renderer_test.h"

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3d;
using Eigen::Vector3f;

class RendererMeshes : public DeviceTest {};

namespace {

/** \brief From one point to another. */
Ray
rayBetween(const Vector3d& from, const Vector3d& to)
{
  Ray ray{};
  Vector3f::Map(ray.origin) = from.cast<float>();
  Vector3f::Map(ray.direction) = (to - from).cast<float>();
  ray.farthest = 1.0f;
  return ray;
}

/** \brief The mesh on a floor, which its lowest point touches. */
void
addFloor(HostMesh& mesh, const Eigen::AlignedBox3f& box)
{
  const float size = 4.0f * box.sizes().maxCoeff();
  const Vector3f middle(box.center().x(), box.min().y(), box.center().z());
  const Vector3f x(size, 0, 0), z(0, 0, size);
  mesh.addTriangle(middle - x - z, middle - x + z, middle + x + z);
  mesh.addTriangle(middle - x - z, middle + x + z, middle + x - z);
}

Vector3d
cornerOf(const HostMesh& mesh, int triangle, int corner)
{
  return mesh.vertices[mesh.triangles[3 * triangle + corner]]
      .getVector3fMap()
      .cast<double>();
}

/** \brief The triangles that the pixels of a camera see, and the places on them. */
struct SeenTriangles {
  Image<int> triangles;
  Image<Barycentrics> weights;

  SeenTriangles(const MeshScene::ConstPtr& scene, const CameraView& view)
  {
    MeshRayCaster caster;
    caster.setScene(scene);
    change(caster, [&](auto& p) { p.outputs = TrianglesOutput | BarycentricsOutput; });
    RayCastImages images;
    caster.cast(view, images);
    triangles = downloaded(images.triangles);
    weights = downloaded(images.barycentrics);
  }

  /** \brief The point that a pixel sees on a triangle of a mesh. */
  Vector3d
  point(std::size_t pixel, const HostMesh& mesh, int triangle) const
  {
    const double u = weights.data[pixel].u, v = weights.data[pixel].v;
    return (1.0 - u - v) * cornerOf(mesh, triangle, 0) +
           u * cornerOf(mesh, triangle, 1) + v * cornerOf(mesh, triangle, 2);
  }
};

/** \brief Renders the shadows of three lamps, and compares each with Embree's. */
void
expectEmbreesShadows(const std::string& name)
{
  SCOPED_TRACE(name);
  HostMesh mesh = loadMesh(name);
  Eigen::AlignedBox3f box;
  for (const pcl::PointXYZ& v : mesh.vertices)
    box.extend(v.getVector3fMap());
  addFloor(mesh, box);
  const float size = box.sizes().maxCoeff();
  const Vector3f eye = box.center() + size * Vector3f(0.8f, 0.7f, 1.6f);
  const CameraView view = squareView(256, 0.5f, lookAt(eye, box.center()));
  // Before and behind the camera, and low beside the mesh.
  const Vector3f lamps[3] = {box.center() + size * Vector3f(-1.0f, 2.0f, 0.3f),
                             box.center() + size * Vector3f(2.0f, 1.5f, 3.0f),
                             box.center() + size * Vector3f(-2.5f, 0.4f, -0.5f)};
  MeshRenderer renderer = darkRenderer(mesh);
  for (int i = 0; i < 3; ++i) {
    Light light = Light::point(lamps[i]);
    light.color = Vector3f::Unit(i);
    change(renderer, [&](auto& p) { p.lights.push_back(light); });
  }
  const Image<LinearColor> image = linearPicture(renderer, view);

  const SeenTriangles seen(renderer.getScene(), view);
  const EmbreeScene embree(mesh);
  int compared = 0, shadowed = 0, different = 0;
  for (std::size_t i = 0; i < seen.triangles.data.size(); ++i) {
    const int id = seen.triangles.data[i];
    if (id < 0)
      continue;
    const auto corner = [&](int j) { return cornerOf(mesh, id, j); };
    const Vector3d across =
        (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized();
    const Vector3d point = seen.point(i, mesh, id);
    const Vector3d normal =
        across.dot(eye.cast<double>() - point) > 0.0 ? across : Vector3d(-across);
    const float channels[3] = {image.data[i].r, image.data[i].g, image.data[i].b};
    for (int l = 0; l < 3; ++l) {
      const Vector3d lamp = lamps[l].cast<double>();
      if (normal.dot((lamp - point).normalized()) < 1e-4)
        continue;
      const bool hidden =
          embree.isOccluded(rayBetween(point + 1e-6 * size * normal, lamp));
      ++compared;
      shadowed += hidden;
      different += hidden != (channels[l] == 0.0f);
    }
  }
  EXPECT_GT(compared, 80000);
  EXPECT_GT(shadowed, 5000);
  // Rounding decides if a ray grazes an edge.
  EXPECT_LE(different, compared / 20000);
}

/** \brief Renders a mesh that stands on a mirror, without lamps and before black, and
 * compares the view in the mirror with Embree's hits. */
void
expectEmbreesReflections(const std::string& name)
{
  SCOPED_TRACE(name);
  const HostMesh mesh = loadMesh(name);
  Eigen::AlignedBox3f box;
  for (const pcl::PointXYZ& v : mesh.vertices)
    box.extend(v.getVector3fMap());
  HostMesh floor;
  addFloor(floor, box);
  const float size = box.sizes().maxCoeff();
  const Vector3f eye = box.center() + size * Vector3f(0.8f, 0.7f, 1.6f);
  const Vector3f target = box.center() - size * Vector3f(0, 0.5f, 0);
  const CameraView view = squareView(256, 0.5f, lookAt(eye, target));
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(uploaded(mesh)));
  scene->addInstance(scene->addMesh(uploaded(floor)));
  MeshRenderer renderer;
  renderer.setScene(scene);
  change(renderer, [&](auto& p) { p.ambient = {Vector3f::Ones()}; });
  Material mirror;
  mirror.reflectivity = 1.0f;
  change(renderer, [&](auto& p) { p.instance_materials[1] = mirror; });
  const Image<LinearColor> image = linearPicture(renderer, view);

  const SeenTriangles seen(scene, view);
  const EmbreeScene embree(mesh);
  int compared = 0, mirrored = 0, different = 0;
  for (std::size_t i = 0; i < seen.triangles.data.size(); ++i) {
    const int id = seen.triangles.data[i] - mesh.triangleCount();
    if (id < 0)
      continue;
    const Vector3d point = seen.point(i, floor, id);
    Vector3d way = (point - eye.cast<double>()).normalized();
    way.y() = -way.y(); // the floor is level
    const Vector3d start = point + Vector3d(0, 1e-6 * size, 0);
    const bool hits = embree.isOccluded(rayBetween(start, start + 20.0 * size * way));
    ++compared;
    mirrored += hits;
    different += hits != (image.data[i].r > 0.0f);
  }
  EXPECT_GT(compared, 10000);
  EXPECT_GT(mirrored, 1000);
  // Rounding decides if a ray grazes an edge.
  EXPECT_LE(different, compared / 5000);
}

constexpr const char* mesh_names[] = {"bunny_69k.ply.xz",
                                      "horse_97k.ply.xz",
                                      "happy_99k.ply.xz",
                                      "armadillo_100k.ply.xz",
                                      "dragon_871k.ply.xz"};

} // namespace

TEST_P(RendererMeshes, ShadowsAreEmbrees)
{
  for (const char* name : mesh_names)
    expectEmbreesShadows(name);
}

TEST_P(RendererMeshes, ReflectionsAreEmbrees)
{
  for (const char* name : mesh_names)
    expectEmbreesReflections(name);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(RendererMeshes);
