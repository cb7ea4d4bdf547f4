// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "object_scene.h"

#include <pcl/gpu/raycast/mesh_ray_caster.h>
#include <pcl/gpu/tensor/tensor_model_learning.h>
#include <pcl/gpu/utils/internal/device/trigonometry.hpp>

#include <Eigen/Geometry>

#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace benchmarks {

namespace {

using namespace pcl::gpu;
using Eigen::Vector3f;

constexpr float distance_of_camera = 1.0f;
constexpr int objects_of_scene = 5;

PinholeCamera
kinect()
{
  return {525.0f, 525.0f, 319.5f, 239.5f, 640, 480};
}

/** \brief Numbers from -1 to 1, the same with every standard library. */
class Random {
public:
  explicit Random(int seed) : engine_(static_cast<std::uint32_t>(seed)) {}

  float
  operator()()
  {
    return static_cast<float>(engine_()) * 0x1p-31f - 1.0f;
  }

  Vector3f
  direction()
  {
    for (;;) {
      const float x = (*this)(), y = (*this)(), z = (*this)();
      const Vector3f v(x, y, z);
      if (v.squaredNorm() > 0.01f && v.squaredNorm() < 1.0f)
        return v.normalized();
    }
  }

  /** \brief About normally distributed, of deviation 1. */
  float
  normal()
  {
    float sum = 0.0f;
    for (int i = 0; i < 12; ++i)
      sum += 0.5f * (*this)();
    return sum;
  }

private:
  std::mt19937 engine_;
};

/** \brief Distance of an object's surface from its middle, in every direction. */
class BumpySphere {
public:
  explicit BumpySphere(int number)
  {
    Random random(1000 + number);
    for (Bump& bump : bumps_)
      bump = {random.direction(), 0.3f * random(), 12.0f + 8.0f * random()};
    for (int i = 0; i < 3; ++i)
      scale_[i] = 0.09f + 0.03f * random();
  }

  Vector3f
  at(const Vector3f& direction) const
  {
    float radius = 1.0f;
    for (const Bump& bump : bumps_)
      radius += bump.height *
                std::exp(bump.sharpness * (bump.direction.dot(direction) - 1.0f));
    return radius * scale_.cwiseProduct(direction);
  }

private:
  struct Bump {
    Vector3f direction;
    float height, sharpness;
  };

  Bump bumps_[24];
  Vector3f scale_;
};

TriangleMesh
uploadedMesh(const std::vector<pcl::PointXYZ>& vertices,
             const std::vector<int>& triangles)
{
  TriangleMesh mesh;
  mesh.vertices.upload(vertices);
  mesh.triangles.upload(triangles);
  return mesh;
}

TriangleMesh
makeObject(int number)
{
  constexpr int rings = 96, sectors = 192;
  using pcl::device::pi;
  const BumpySphere surface(number);
  std::vector<pcl::PointXYZ> vertices;
  std::vector<int> triangles;
  for (int ring = 0; ring <= rings; ++ring)
    for (int sector = 0; sector < sectors; ++sector) {
      const float polar = pi * ring / rings, azimuth = 2.0f * pi * sector / sectors;
      const Vector3f p = surface.at({std::sin(polar) * std::cos(azimuth),
                                     std::sin(polar) * std::sin(azimuth),
                                     std::cos(polar)});
      vertices.emplace_back(p.x(), p.y(), p.z());
    }
  for (int ring = 0; ring < rings; ++ring)
    for (int sector = 0; sector < sectors; ++sector) {
      const int a = ring * sectors + sector;
      const int b = ring * sectors + (sector + 1) % sectors;
      triangles.insert(triangles.end(),
                       {a, a + sectors, b, b, a + sectors, b + sectors});
    }
  return uploadedMesh(vertices, triangles);
}

/** \brief A square of 3 m about the origin. */
TriangleMesh
makeTable()
{
  return uploadedMesh({{-1.5f, -1.5f, 0.0f},
                       {1.5f, -1.5f, 0.0f},
                       {1.5f, 1.5f, 0.0f},
                       {-1.5f, 1.5f, 0.0f}},
                      {0, 1, 2, 0, 2, 3});
}

std::shared_ptr<TensorLibrary>
learnObjects(int objects, int views)
{
  const auto library = std::make_shared<TensorLibrary>();
  library->setParameters(recognitionParameters());
  TensorModelLearning learning;
  TensorModelLearningParameters parameters;
  parameters.extraction.surface.projection.camera = kinect();
  parameters.extraction.tensors = library->getParameters();
  learning.setParameters(parameters);
  for (int i = 0; i < objects; ++i) {
    std::fprintf(stderr, "\rlearning object %d of %d", i + 1, objects);
    learning.clear();
    learning.addViews(makeObject(i), views, distance_of_camera);
    library->addModel(learning.getModel("object " + std::to_string(i)));
  }
  std::fprintf(stderr, "\n");
  return library;
}

} // namespace

std::shared_ptr<TensorLibrary>
objectLibrary(const LibrarySource& source)
{
  std::shared_ptr<TensorLibrary> library;
  if (source.file.empty())
    library = learnObjects(source.models, source.views);
  else {
    library = std::make_shared<TensorLibrary>();
    library->load(source.file);
  }
  if (!source.save.empty())
    library->save(source.save);
  return library;
}

RawDepth
renderObjects(float turn)
{
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(makeTable()));
  const float places[objects_of_scene][2] = {{-0.25f, -0.12f},
                                             {0.0f, -0.15f},
                                             {0.26f, -0.1f},
                                             {-0.13f, 0.14f},
                                             {0.15f, 0.15f}};
  Random random(1);
  for (int i = 0; i < objects_of_scene; ++i) {
    Pose pose = Pose::Identity();
    pose.translate(Vector3f(places[i][0], places[i][1], 0.09f));
    const Vector3f axis = random.direction();
    pose.rotate(Eigen::AngleAxisf(3.0f * random(), axis));
    scene->addInstance(scene->addMesh(makeObject(i)), pose);
  }
  MeshRayCaster caster;
  caster.setScene(scene);
  MeshRayCasterParameters parameters;
  parameters.outputs = DepthOutput;
  caster.setParameters(parameters);
  RayCastImages images;
  const Vector3f eye =
      Eigen::AngleAxisf(turn, Vector3f::UnitZ()) * Vector3f(0.0f, -0.6f, 0.85f);
  const Pose camera = lookAt(eye, Vector3f(0.0f, 0.0f, 0.05f));
  caster.cast(CameraView(kinect(), camera), images);

  RawDepth result{"rendered objects", kinect(), {}};
  std::vector<float> depth;
  int columns = 0;
  images.depth.download(depth, columns);
  for (const float z : depth) {
    // Disparity is measured in eighths of a pixel; half a step is its noise.
    constexpr float steps = 8.0f * 525.0f * 0.075f;
    const float disparity = std::round(steps / z + 0.5f * random.normal());
    result.millimetres.push_back(
        disparity > 10.0f
            ? static_cast<std::uint16_t>(1000.0f * steps / disparity + 0.5f)
            : 0);
  }
  return result;
}

} // namespace benchmarks
