// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "arrangement.h"

#include "../gpu_tensor/experiments/scene_shapes.h"
#include "sensor_noise.h"

#include <pcl/gpu/tensor/tensor_model_learning.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>

namespace benchmarks {

using namespace pcl::gpu;
using Eigen::Vector3f;
using pcl::gpu::test::Image;

namespace {

using Points = std::vector<Vector3f>;

float
uniform(Random& random, float from, float to)
{
  return std::uniform_real_distribution<float>(from, to)(random);
}

/** \brief Returns the height of the lowest point. */
float
lowestHeight(const Points& points, const Vector3f& up)
{
  float lowest = std::numeric_limits<float>::infinity();
  for (const Vector3f& point : points)
    lowest = std::min(lowest, up.dot(point));
  return lowest;
}

/** \brief Returns the number of objects that stand on the plane through the lowest
 * point of all; less than one for an object above it, 0 from 1.5 cm on. */
float
supportOf(const std::vector<Points>& objects, const Vector3f& up)
{
  constexpr float tolerance = 0.015f;
  std::vector<float> heights;
  for (const Points& object : objects)
    heights.push_back(lowestHeight(object, up));
  const float table = *std::min_element(heights.begin(), heights.end());
  float sum = 0.0f;
  for (const float height : heights)
    sum += std::max(0.0f, 1.0f - (height - table) / tolerance);
  return sum;
}

/** \brief Turns a normal in small steps as long as the support grows. */
void
refine(const std::vector<Points>& objects, Vector3f& up, float& support)
{
  for (float step = 0.03f; step > 0.0005f;) {
    const Vector3f x = up.unitOrthogonal(), y = up.cross(x);
    const float former = support;
    for (const Vector3f& turn : {x, Vector3f(-x), y, Vector3f(-y)}) {
      const Vector3f turned = (up + step * turn).normalized();
      const float its_support = supportOf(objects, turned);
      if (its_support > support) {
        up = turned;
        support = its_support;
      }
    }
    if (support == former)
      step *= 0.5f;
  }
}

/** \brief Returns the vertices that are farthest in some of many directions. */
Points
outermostVertices(const test::HostMesh& mesh)
{
  constexpr int directions = 400;
  std::set<std::size_t> numbers;
  for (const Vector3f& direction : evenDirections(directions)) {
    std::size_t farthest = 0;
    float most = -std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      const float height = direction.dot(mesh.vertices[i].getVector3fMap());
      if (height > most) {
        most = height;
        farthest = i;
      }
    }
    numbers.insert(farthest);
  }
  Points points;
  for (const std::size_t i : numbers)
    points.emplace_back(mesh.vertices[i].getVector3fMap());
  return points;
}

Points
transformed(const Pose& pose, const Points& points)
{
  Points result;
  for (const Vector3f& point : points)
    result.push_back(pose * point);
  return result;
}

/** \brief Returns whether something is in front of objects in a pixel of theirs. */
bool
hides(const Image<float>& thing, const Image<float>& objects)
{
  for (std::size_t i = 0; i < thing.data.size(); ++i)
    if (thing.data[i] < objects.data[i])
      return true;
  return false;
}

void
addBox(MeshScene& scene,
       const Pose& table,
       const Vector3f& middle,
       const Vector3f& size)
{
  scene.addInstance(scene.addMesh(test::uploaded(boxMesh(0.5f * size))),
                    table * Eigen::Translation3f(middle));
}

} // namespace

Pose
tableUnder(const std::vector<Points>& objects)
{
  Vector3f middle = Vector3f::Zero();
  float count = 0.0f;
  for (const Points& object : objects)
    for (const Vector3f& point : object) {
      middle += point;
      ++count;
    }
  middle /= count;

  // Normals that the camera sees from 10 degrees or more above the table.
  const Vector3f sight = middle.normalized();
  std::vector<std::pair<float, Vector3f>> candidates;
  for (const Vector3f& up : evenDirections(4000))
    if (up.dot(sight) < -0.17f)
      candidates.emplace_back(supportOf(objects, up), up);
  constexpr int refined = 20;
  std::partial_sort(candidates.begin(),
                    candidates.begin() + refined,
                    candidates.end(),
                    [](const auto& a, const auto& b) { return a.first > b.first; });
  std::pair<float, Vector3f> best(0.0f, Vector3f::Zero());
  for (int i = 0; i < refined; ++i) {
    refine(objects, candidates[i].second, candidates[i].first);
    if (candidates[i].first > best.first)
      best = candidates[i];
  }

  const Vector3f& up = best.second;
  float table = std::numeric_limits<float>::infinity();
  for (const Points& object : objects)
    table = std::min(table, lowestHeight(object, up));
  Pose pose = Pose::Identity();
  const Vector3f away = (sight - sight.dot(up) * up).stableNormalized();
  pose.linear().col(2) = up;
  pose.linear().col(1) = away;
  pose.linear().col(0) = away.cross(up);
  pose.translation() = middle - (up.dot(middle) - table) * up;
  return pose;
}

ArrangementMaker::ArrangementMaker(const std::vector<BopMesh>& meshes,
                                   const std::string& clutter)
{
  constexpr int samples = 1500;
  for (const BopMesh& mesh : meshes)
    objects_[mesh.object] = {test::uploaded(mesh.mesh),
                             surfaceSamples(mesh.mesh, samples),
                             outermostVertices(mesh.mesh)};
  if (!std::filesystem::is_directory(clutter))
    throw std::runtime_error("there is no folder " + clutter);
  std::set<std::string> files; // in the same order everywhere
  for (const auto& entry : std::filesystem::directory_iterator(clutter))
    if (entry.path().extension() == ".ply")
      files.insert(entry.path().string());
  if (files.empty())
    throw std::runtime_error(clutter + " has no .ply file");
  for (const std::string& file : files)
    clutter_.push_back(test::readMesh(file));
}

ArrangementMaker::Body
ArrangementMaker::bodyOf(const Points& samples, const Pose& pose)
{
  Body body = {transformed(pose, samples), Vector3f::Zero(), 0.0f};
  for (const Vector3f& sample : body.samples)
    body.middle += sample / static_cast<float>(samples.size());
  for (const Vector3f& sample : body.samples)
    body.radius = std::max(body.radius, (sample - body.middle).norm());
  return body;
}

bool
ArrangementMaker::touches(const Body& a, const Body& b)
{
  constexpr float least_distance = 0.015f;
  for (const Vector3f& p : a.samples) {
    if ((p - b.middle).norm() > b.radius + least_distance)
      continue;
    for (const Vector3f& q : b.samples)
      if ((p - q).squaredNorm() < least_distance * least_distance)
        return true;
  }
  return false;
}

SceneMesh
ArrangementMaker::randomThing(Random& random, Pose& pose) const
{
  const auto length = [&](float from, float to) { return uniform(random, from, to); };
  pose = Pose::Identity();
  pose.linear() = randomRotation(random);
  const auto kind = random() % 4;
  if (kind > 1)
    return sceneMesh(
        "mesh", clutter_[random() % clutter_.size()], length(0.06f, 0.25f));
  if (random() % 3 != 0)
    pose.linear() =
        Eigen::AngleAxisf(length(0.0f, 6.28f), Vector3f::UnitZ()).toRotationMatrix();
  if (kind == 0) {
    const float x = length(0.015f, 0.15f), y = length(0.015f, 0.125f);
    return sceneMesh("box", boxMesh({x, y, length(0.005f, 0.1f)}), 0.0f);
  }
  const float radius = length(0.015f, 0.08f);
  return sceneMesh("cylinder", cylinderMesh(radius, length(0.03f, 0.25f)), 0.0f);
}

void
ArrangementMaker::addClutter(const Pose& table,
                             const PinholeCamera& camera,
                             const Image<float>& objects,
                             std::vector<Body>& bodies,
                             Random& random,
                             MeshScene& scene) const
{
  constexpr int most = 16, trials = 200;
  int placed = 0;
  for (int trial = 0; trial < trials && placed < most; ++trial) {
    Pose pose;
    const SceneMesh thing = randomThing(random, pose);
    const float x = uniform(random, -0.55f, 0.55f), y = uniform(random, -0.45f, 0.45f);
    pose.translation() = Vector3f(
        x, y, -lowestHeight(transformed(pose, thing.vertices), Vector3f::UnitZ()));
    pose = table * pose;
    const Body body = bodyOf(thing.samples, pose);
    if (std::any_of(bodies.begin(), bodies.end(), [&](const Body& other) {
          return touches(body, other);
        }))
      continue;
    const auto alone = std::make_shared<MeshScene>();
    alone->addInstance(alone->addMesh(thing.mesh), pose);
    if (hides(renderedDepth(alone, CameraView(camera)), objects))
      continue;
    scene.addInstance(scene.addMesh(thing.mesh), pose);
    bodies.push_back(body);
    ++placed;
  }
}

Image<float>
ArrangementMaker::render(const BopImage& image,
                         const PinholeCamera& camera,
                         double noise,
                         std::uint64_t seed) const
{
  const auto scene = std::make_shared<MeshScene>();
  std::vector<Points> outermost;
  std::vector<Body> bodies;
  for (const BopInstance& instance : image.instances) {
    const Object& object = objects_.at(instance.object);
    scene->addInstance(scene->addMesh(object.mesh), instance.pose);
    outermost.push_back(transformed(instance.pose, object.outermost));
    bodies.push_back(bodyOf(object.samples, instance.pose));
  }
  const Image<float> objects = renderedDepth(scene, CameraView(camera));
  const Pose table = tableUnder(outermost);
  constexpr float thickness = 0.02f, floor = -0.75f;
  const Vector3f lower(0.0f, 0.0f, -0.5f * thickness);
  addBox(*scene, table, lower, {1.3f, 1.0f, thickness});
  addBox(*scene, table, {0.0f, 0.0f, floor}, {5.0f, 5.0f, thickness});
  addBox(*scene, table, {0.0f, 0.9f, 0.25f}, {5.0f, 0.05f, 2.0f});
  Random random(seed);
  addClutter(table, camera, objects, bodies, random, *scene);
  return withSensorNoise(renderedDepth(scene, CameraView(camera)), random, noise);
}

} // namespace benchmarks
