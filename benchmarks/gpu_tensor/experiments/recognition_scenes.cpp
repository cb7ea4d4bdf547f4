// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "recognition_scenes.h"

#include "scene_shapes.h"
#include <pcl/gpu/utils/internal/kinect_noise.h>

#include <pcl/gpu/raycast/mesh_ray_caster.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace benchmarks {

using namespace pcl::gpu;
using Eigen::Vector3f;
using pcl::gpu::test::Image;

namespace {

float
uniform(Random& random, float from, float to)
{
  return std::uniform_real_distribution<float>(from, to)(random);
}

/** \brief Returns a pose of the camera; the table is at z = 0. */
Pose
cameraAboveTable(Random& random)
{
  constexpr float degree = 0.0174532925f;
  const float pitch = uniform(random, 30.0f, 55.0f) * degree;
  const float distance = uniform(random, 0.85f, 1.0f);
  const float roll = uniform(random, -0.05f, 0.05f);
  const Vector3f eye = distance * Vector3f(0.0f, -std::cos(pitch), std::sin(pitch));
  return lookAt(eye, Vector3f::Zero(), Vector3f::UnitZ()) *
         Eigen::AngleAxisf(roll, Vector3f::UnitZ());
}

/** \brief The area that a pixel shows of the surface it sees. */
double
areaOfPixel(
    const PinholeCamera& camera, int v, int u, float depth, const pcl::PointXYZ& normal)
{
  const Vector3f ray((static_cast<float>(u) - camera.cx) / camera.fx,
                     (static_cast<float>(v) - camera.cy) / camera.fy,
                     1.0f);
  // A surface that is seen from its edge covers pixels that it does not fill.
  const double along = std::max(std::abs(normal.getVector3fMap().dot(ray)), 0.05f);
  return static_cast<double>(depth) * depth / (camera.fx * camera.fy) / along;
}

} // namespace

PinholeCamera
kinectCamera()
{
  PinholeCamera camera;
  camera.fx = camera.fy = 525.0f;
  camera.cx = 319.5f;
  camera.cy = 239.5f;
  camera.width = 640;
  camera.height = 480;
  return camera;
}

Eigen::Matrix3f
randomRotation(Random& random)
{
  std::normal_distribution<float> normal;
  Eigen::Quaternionf rotation;
  for (int i = 0; i < 4; ++i)
    rotation.coeffs()[i] = normal(random);
  return rotation.normalized().toRotationMatrix();
}

Image<float>
withKinectNoise(const Image<float>& depth, Random& random, double factor)
{
  Image<float> noisy(depth.rows, depth.columns);
  noisy.data = KinectNoise(factor, random()).apply(depth.data, depth.columns);
  return noisy;
}

Image<float>
renderedDepth(const std::shared_ptr<MeshScene>& scene, const CameraView& view)
{
  MeshRayCaster caster;
  caster.setScene(scene);
  MeshRayCasterParameters parameters;
  parameters.outputs = DepthOutput;
  caster.setParameters(parameters);
  RayCastImages images;
  caster.cast(view, images);
  return test::downloaded(images.depth);
}

Image<float>
renderedDepth(const SceneMesh& mesh, const Pose& pose)
{
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(mesh.mesh), pose);
  return renderedDepth(scene, CameraView(kinectCamera()));
}

struct SceneMaker::Placement {
  std::vector<Vector3f> samples;
};

SceneMaker::SceneMaker(const std::vector<SceneMesh>& library,
                       const std::vector<SceneMesh>& distractors)
: library_(library)
, distractors_(distractors)
, table_(test::uploaded(boxMesh({0.6f, 0.5f, 0.01f})))
, floor_(test::uploaded(boxMesh({3.0f, 3.0f, 0.01f})))
{}

bool
SceneMaker::findPlace(const SceneMesh& mesh,
                      const std::vector<Placement>& others,
                      Random& random,
                      Pose& pose) const
{
  constexpr float radius = 0.17f, least_distance = 0.012f;
  constexpr int trials = 400, trials_within_radius = 100;
  const auto touches = [&](const Vector3f& point) {
    for (const Placement& other : others)
      for (const Vector3f& sample : other.samples)
        if ((sample - point).squaredNorm() < least_distance * least_distance)
          return true;
    return false;
  };
  for (int trial = 0; trial < trials; ++trial) {
    const float growth =
        1.0f + static_cast<float>(std::max(trial - trials_within_radius, 0)) / 200.0f;
    pose = Pose::Identity();
    pose.linear() = randomRotation(random);
    const float r = radius * growth * std::sqrt(uniform(random, 0.0f, 1.0f));
    const float angle = uniform(random, 0.0f, 6.28318531f);
    float lowest = std::numeric_limits<float>::infinity();
    for (const Vector3f& vertex : mesh.vertices)
      lowest = std::min(lowest, (pose.linear() * vertex).z());
    pose.translation() = Vector3f(r * std::cos(angle), r * std::sin(angle), -lowest);
    const bool is_free =
        std::none_of(mesh.samples.begin(),
                     mesh.samples.end(),
                     [&](const Vector3f& sample) { return touches(pose * sample); });
    if (is_free)
      return true;
  }
  return false;
}

ClutterScene
SceneMaker::make(const SceneMix& mix, std::uint64_t seed) const
{
  Random random(seed);
  const Pose camera = cameraAboveTable(random);
  const auto meshes = std::make_shared<MeshScene>();
  Pose at = Pose::Identity();
  at.translation() = Vector3f(0.0f, 0.05f, -0.01f);
  meshes->addInstance(meshes->addMesh(table_), at);
  at.translation() = Vector3f(0.0f, 2.0f, -0.7f);
  meshes->addInstance(meshes->addMesh(floor_), at);
  const int first_object = meshes->getNumberOfInstances();

  ClutterScene scene;
  std::vector<Placement> placements;
  std::vector<const SceneMesh*> placed;
  std::vector<int> numbers(library_.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<int>(i);
  std::shuffle(numbers.begin(), numbers.end(), random);
  for (int i = 0; i < mix.library + mix.distractors; ++i) {
    const bool is_known = i < mix.library;
    const int object = is_known ? numbers[std::max(i - std::max(mix.same - 1, 0), 0)]
                                : static_cast<int>(random() % distractors_.size());
    const SceneMesh& mesh = is_known ? library_[object] : distractors_[object];
    if (!findPlace(mesh, placements, random, at))
      continue;
    placements.emplace_back();
    for (const Vector3f& sample : mesh.samples)
      placements.back().samples.push_back(at * sample);
    placed.push_back(&mesh);
    scene.objects.push_back({is_known ? object : -1, camera.inverse() * at, 1.0});
    meshes->addInstance(meshes->addMesh(mesh.mesh), at);
  }

  MeshRayCaster caster;
  caster.setScene(meshes);
  MeshRayCasterParameters parameters;
  parameters.outputs = DepthOutput | TrianglesOutput | NormalsOutput;
  parameters.smooth_normals = false;
  caster.setParameters(parameters);
  RayCastImages images;
  caster.cast(CameraView(kinectCamera(), camera), images);
  const Image<float> depth = test::downloaded(images.depth);
  const Image<int> triangles = test::downloaded(images.triangles);
  const Image<pcl::PointXYZ> normals = test::downloaded(images.normals);
  const int objects = static_cast<int>(placed.size());
  std::vector<int> first_triangles;
  for (int i = 0; i < objects; ++i)
    first_triangles.push_back(
        static_cast<int>(meshes->getFirstTriangle(first_object + i)));
  std::vector<double> areas(placed.size(), 0.0);
  for (int v = 0; v < depth.rows; ++v)
    for (int u = 0; u < depth.columns; ++u) {
      const auto behind = std::upper_bound(
          first_triangles.begin(), first_triangles.end(), triangles.at(v, u));
      if (triangles.at(v, u) >= 0 && behind != first_triangles.begin())
        areas[behind - first_triangles.begin() - 1] +=
            areaOfPixel(kinectCamera(), v, u, depth.at(v, u), normals.at(v, u));
    }
  for (int i = 0; i < objects; ++i)
    scene.objects[i].occlusion = 1.0 - areas[i] / placed[i]->area;
  scene.depth = withKinectNoise(depth, random);
  return scene;
}

} // namespace benchmarks
