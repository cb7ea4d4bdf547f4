// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "jump_scenes.h"

#include "testing/host_mesh.h"

#include <pcl/gpu/raycast/mesh_ray_caster.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

namespace benchmarks {

namespace {

using namespace pcl::gpu;
using namespace pcl::gpu::test;
using Eigen::Vector3f;

/** \brief Rays along a pixel's side; odd, so that one goes through its centre. */
constexpr int rays = 5;

class SceneBuilder {
public:
  SceneBuilder(const std::vector<std::string>& meshes, unsigned seed)
  : meshes_(meshes)
  , random_(seed)
  {
    const float wall = uniform(1.2f, 3.6f);
    normal_ = Vector3f(uniform(-0.6f, 0.6f), uniform(-0.2f, 0.2f), 1.0f).normalized();
    const Vector3f middle(0.0f, 0.0f, wall);
    addSheet(middle, 8.0f, 8.0f);
    addFloor(uniform(0.5f, 1.2f));
    for (int i = 0; i < 3; ++i)
      addObject(wall);
    for (int i = 0; i < 2; ++i)
      addPole(wall);
    // 3 cm to 30 cm before the wall.
    for (int i = 0; i < 2; ++i) {
      const Vector3f ray(uniform(-0.45f, 0.45f), uniform(-0.35f, 0.2f), 1.0f);
      const float height = 0.03f * std::pow(10.0f, uniform(0.0f, 1.0f));
      const float z = (wall * normal_.z() - height) / normal_.dot(ray);
      if (z > 0.5f)
        addSheet(z * ray, 0.12f * wall, 0.1f * wall);
    }
  }

  const HostMesh&
  mesh() const
  {
    return mesh_;
  }

private:
  float
  uniform(float least, float most)
  {
    return least + (most - least) * static_cast<float>(random_()) * 0x1p-32f;
  }

  void
  addQuad(const Vector3f& a, const Vector3f& b, const Vector3f& c, const Vector3f& d)
  {
    mesh_.addTriangle(a, b, c);
    mesh_.addTriangle(a, c, d);
  }

  /** \brief A sheet parallel to the wall. */
  void
  addSheet(const Vector3f& middle, float half_width, float half_height)
  {
    const Vector3f x = half_width * Vector3f::UnitY().cross(normal_).normalized();
    const Vector3f y = half_height * normal_.cross(x).normalized();
    addQuad(middle - x - y, middle + x - y, middle + x + y, middle - x + y);
  }

  void
  addFloor(float y)
  {
    addQuad({-9.0f, y, 0.1f}, {9.0f, y, 0.1f}, {9.0f, y, 9.0f}, {-9.0f, y, 9.0f});
  }

  Vector3f
  place(float wall)
  {
    const float z = uniform(0.5f, 0.9f * wall);
    return {uniform(-0.45f, 0.45f) * z, uniform(-0.35f, 0.25f) * z, z};
  }

  void
  addObject(float wall)
  {
    HostMesh object = readMesh(meshes_[random_() % meshes_.size()]);
    Eigen::AlignedBox3f box;
    for (const auto& p : object.vertices)
      box.extend(p.getVector3fMap());
    const Vector3f middle = place(wall);
    const float scale = uniform(0.2f, 0.5f) * middle.z() / box.diagonal().norm();
    Eigen::Quaternionf turn(uniform(-1.0f, 1.0f),
                            uniform(-1.0f, 1.0f),
                            uniform(-1.0f, 1.0f),
                            uniform(-1.0f, 1.0f));
    turn.normalize();
    for (auto& p : object.vertices)
      p.getVector3fMap() =
          middle + turn * (scale * (p.getVector3fMap() - box.center()));
    const int first = static_cast<int>(mesh_.vertices.size());
    mesh_.vertices.insert(
        mesh_.vertices.end(), object.vertices.begin(), object.vertices.end());
    for (int vertex : object.triangles)
      mesh_.triangles.push_back(first + vertex);
  }

  /** \brief A round pole, 2 to 6 pixels wide. */
  void
  addPole(float wall)
  {
    constexpr int sides = 24;
    const Vector3f middle = place(wall);
    const Vector3f axis =
        Vector3f(uniform(-0.5f, 0.5f), 1.0f, uniform(-0.5f, 0.5f)).normalized();
    const float radius = uniform(1.0f, 3.0f) * middle.z() / 525.0f;
    const Vector3f x = radius * axis.unitOrthogonal(), y = axis.cross(x);
    const Vector3f end = 0.3f * middle.z() * axis;
    for (int i = 0; i < sides; ++i) {
      const auto at = [&](int side) -> Vector3f {
        const float angle = 6.2831853f * side / sides;
        return middle + std::cos(angle) * x + std::sin(angle) * y;
      };
      addQuad(at(i) - end, at(i + 1) - end, at(i + 1) + end, at(i) + end);
    }
  }

  const std::vector<std::string>& meshes_;
  std::mt19937 random_;
  Vector3f normal_;
  HostMesh mesh_;
};

RayCastImages
cast(const HostMesh& mesh, const PinholeCamera& camera, unsigned int outputs)
{
  MeshRayCaster caster;
  MeshRayCasterParameters parameters = caster.getParameters();
  parameters.outputs = outputs;
  caster.setParameters(parameters);
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(uploaded(mesh)));
  caster.setScene(scene);
  RayCastImages images;
  caster.cast(CameraView(camera), images);
  return images;
}

/** \brief Depth of rays^2 rays a pixel. */
Image<float>
fineDepth(const HostMesh& mesh, const PinholeCamera& camera)
{
  PinholeCamera fine = camera;
  fine.fx *= rays;
  fine.fy *= rays;
  // The middle ray goes through the pixel's centre.
  fine.cx = rays * camera.cx + rays / 2;
  fine.cy = rays * camera.cy + rays / 2;
  fine.width *= rays;
  fine.height *= rays;
  return downloaded(cast(mesh, fine, DepthOutput).depth);
}

/** \brief The greatest jump along the rays between two pixels' centres: a change of
 * depth from ray to ray that is more than three times those before and after it. */
float
jumpBetween(const Image<float>& fine, int u, int v, int du, int dv)
{
  const auto at = [&](int ray) {
    const int x = std::clamp(rays * u + rays / 2 + ray * du, 0, fine.columns - 1);
    const int y = std::clamp(rays * v + rays / 2 + ray * dv, 0, fine.rows - 1);
    return fine.at(y, x);
  };
  float jump = 0.0f;
  for (int i = 0; i < rays; ++i) {
    const float before = std::abs(at(i) - at(i - 1));
    const float change = std::abs(at(i + 1) - at(i));
    const float after = std::abs(at(i + 2) - at(i + 1));
    if (change > 3.0f * std::max(before, after))
      jump = std::max(jump, change);
  }
  return jump;
}

float
measured(Sensor sensor, float z, float gauss)
{
  if (!(z < 8.0f))
    return NAN;
  const float noise = noiseDeviation(sensor, z) * gauss;
  float result = z + noise;
  if (sensor == Sensor::Kinect) {
    constexpr float steps = 8.0f * 525.0f * 0.075f;
    result = steps / std::round(steps / result);
  }
  return 0.001f * std::round(1000.0f * result);
}

} // namespace

float
noiseDeviation(Sensor sensor, float z)
{
  if (sensor == Sensor::Kinect)
    return 0.0012f + 0.0019f * (z - 0.4f) * (z - 0.4f);
  return 0.05f * z * z / (525.0f * 0.05f);
}

JumpScene
renderJumpScene(const std::vector<std::string>& meshes, Sensor sensor, unsigned seed)
{
  JumpScene scene;
  scene.camera = {525.0f, 525.0f, 319.5f, 239.5f, 640, 480};
  const int rows = scene.camera.height, columns = scene.camera.width;
  const SceneBuilder builder(meshes, seed);
  const Image<float> fine = fineDepth(builder.mesh(), scene.camera);
  scene.normals = downloaded(cast(builder.mesh(), scene.camera, NormalsOutput).normals);
  scene.depth = scene.exact = scene.mixed = scene.range = Image<float>(rows, columns);
  for (auto& jumps : scene.jumps)
    jumps = Image<float>(rows, columns);
  std::mt19937 random(seed);
  std::normal_distribution<float> gauss;
  for (int v = 0; v < rows; ++v)
    for (int u = 0; u < columns; ++u) {
      float sum = 0.0f, least = INFINITY, most = 0.0f;
      for (int i = 0; i < rays * rays; ++i) {
        const float z = fine.at(rays * v + i / rays, rays * u + i % rays);
        sum += z;
        least = std::min(least, z);
        most = std::max(most, z);
      }
      scene.range.at(v, u) = most - least;
      scene.exact.at(v, u) = fine.at(rays * v + rays / 2, rays * u + rays / 2);
      scene.mixed.at(v, u) = sum / (rays * rays);
      scene.depth.at(v, u) = measured(sensor, scene.mixed.at(v, u), gauss(random));
      scene.jumps[0].at(v, u) = jumpBetween(fine, u, v, 1, 0);
      scene.jumps[1].at(v, u) = jumpBetween(fine, u, v, 0, 1);
      scene.jumps[2].at(v, u) = jumpBetween(fine, u + 1, v, -1, 1);
    }
  return scene;
}

void
truthOfQuad(const JumpScene& scene,
            Sensor sensor,
            float least_jump,
            const Image<float>& points,
            int u,
            int v,
            Truth& upper,
            Truth& lower)
{
  struct Part {
    bool jump = false, surface = true;
  };
  const auto least = [&](float z) {
    return std::max(least_jump, 10.0f * noiseDeviation(sensor, z));
  };
  const auto corner = [&](int du, int dv) {
    const float z = scene.exact.at(v + dv, u + du);
    const float off = std::abs(scene.mixed.at(v + dv, u + du) - z);
    const float vertex_off = std::abs(points.at(v + dv, u + du) - z);
    const float noise = std::max(0.01f, 3.0f * noiseDeviation(sensor, z));
    const bool is_large = scene.range.at(v + dv, u + du) >= least(z);
    // A vertex that was removed is NaN. It would have been off the surface.
    const bool is_off = !(vertex_off <= noise);
    return Part{off > noise && is_off && is_large && z < farthest,
                off < 0.001f && z < farthest};
  };
  const auto edge = [&](int direction, int du, int dv) {
    const float jump = scene.jumps[direction].at(v + dv, u + du);
    const float z = scene.exact.at(v + dv, u + du);
    return Part{jump >= least(z) && z < farthest, jump < 0.001f};
  };
  const auto truth = [](std::initializer_list<Part> parts) {
    Part all;
    for (const Part& part : parts) {
      all.jump = all.jump || part.jump;
      all.surface = all.surface && part.surface;
    }
    return all.jump ? Truth::Jump : (all.surface ? Truth::Surface : Truth::Unclear);
  };
  upper = truth({corner(0, 0),
                 corner(1, 0),
                 corner(0, 1),
                 edge(0, 0, 0),
                 edge(1, 0, 0),
                 edge(2, 0, 0)});
  lower = truth({corner(1, 0),
                 corner(0, 1),
                 corner(1, 1),
                 edge(0, 0, 1),
                 edge(1, 1, 0),
                 edge(2, 0, 0)});
}

} // namespace benchmarks
