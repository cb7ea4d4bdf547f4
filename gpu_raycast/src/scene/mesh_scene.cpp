// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <limits>

namespace pcl::gpu {

namespace {

/** \brief Holds an array that may be absent to one element a vertex. */
template <typename T>
void
checkOnePerVertex(const char* name,
                  const DeviceArray<T>& array,
                  const TriangleMesh& mesh)
{
  checkArgument(array.empty() || array.size() == mesh.vertices.size(),
                name,
                array.size(),
                "one for each vertex, or none");
  checkDevice(name, array, "vertices", deviceOf(mesh.vertices));
}

std::size_t
triangleCount(const TriangleMesh& mesh)
{
  return mesh.triangles.size() / 3;
}

void
checkTriangles(std::size_t triangles)
{
  checkArgument(triangles <= MeshScene::max_triangles,
                "number of triangles in the scene",
                triangles,
                "fewer than 2^31");
}

} // namespace

void
MeshScene::checkMesh(const TriangleMesh& mesh, int number) const
{
  constexpr std::size_t most = std::numeric_limits<int>::max();
  checkArgument(mesh.vertices.size() <= most,
                "number of vertices",
                mesh.vertices.size(),
                "fewer than 2^31");
  checkArgument(mesh.triangles.size() % 3 == 0,
                "number of triangle indices",
                mesh.triangles.size(),
                "a multiple of 3");
  checkArgument(mesh.triangle_count.size() <= 1,
                "size of the triangle count",
                mesh.triangle_count.size(),
                "1, or 0 if all triangles exist");
  checkDevice("triangles", mesh.triangles, "vertices", deviceOf(mesh.vertices));
  checkDevice(
      "triangle count", mesh.triangle_count, "vertices", deviceOf(mesh.vertices));
  checkOnePerVertex("number of normals", mesh.normals, mesh);
  checkOnePerVertex("number of colors", mesh.colors, mesh);
  checkOnePerVertex("number of texture coordinates", mesh.texture_coordinates, mesh);
  for (int i = 0; i < getNumberOfMeshes(); ++i)
    if (i != number && !meshes_[i].vertices.empty())
      checkDevice("vertices",
                  mesh.vertices,
                  "another mesh of the scene",
                  deviceOf(meshes_[i].vertices));
}

int
MeshScene::addMesh(const TriangleMesh& mesh)
{
  checkMesh(mesh, getNumberOfMeshes());
  meshes_.push_back(mesh);
  return getNumberOfMeshes() - 1;
}

void
MeshScene::setMesh(int mesh, const TriangleMesh& replacement)
{
  const std::size_t before = triangleCount(getMesh(mesh));
  checkMesh(replacement, mesh);
  std::size_t instances = 0;
  for (const Instance& instance : instances_)
    instances += instance.mesh == mesh ? 1 : 0;
  checkTriangles(getNumberOfTriangles() + instances * triangleCount(replacement) -
                 instances * before);
  meshes_[mesh] = replacement;
}

int
MeshScene::addInstance(int mesh, const Pose& pose)
{
  validatePose(pose, "instance pose");
  checkTriangles(getNumberOfTriangles() + triangleCount(getMesh(mesh)));
  instances_.push_back({mesh, decltype(Instance::pose)(pose)});
  return getNumberOfInstances() - 1;
}

void
MeshScene::setPose(int instance, const Pose& pose)
{
  instanceAt(instance);
  validatePose(pose, "instance pose");
  instances_[instance].pose = pose;
}

const TriangleMesh&
MeshScene::getMesh(int mesh) const
{
  checkArgument(
      mesh >= 0 && mesh < getNumberOfMeshes(), "mesh", mesh, "one of the scene's");
  return meshes_[mesh];
}

std::size_t
MeshScene::getNumberOfTriangles() const
{
  std::size_t triangles = 0;
  for (const Instance& instance : instances_)
    triangles += triangleCount(meshes_[instance.mesh]);
  return triangles;
}

std::size_t
MeshScene::getFirstTriangle(int instance) const
{
  instanceAt(instance);
  std::size_t triangles = 0;
  for (int i = 0; i < instance; ++i)
    triangles += triangleCount(meshes_[instances_[i].mesh]);
  return triangles;
}

MeshScene::TriangleReference
MeshScene::findTriangle(std::size_t id) const
{
  std::size_t first = 0;
  for (int i = 0; i < getNumberOfInstances(); ++i) {
    const int mesh = instances_[i].mesh;
    const std::size_t count = triangleCount(meshes_[mesh]);
    if (id < first + count)
      return {i, mesh, static_cast<int>(id - first)};
    first += count;
  }
  checkArgument(false, "triangle id", id, "a triangle of the scene");
  return {};
}

const MeshScene::Instance&
MeshScene::instanceAt(int instance) const
{
  checkArgument(instance >= 0 && instance < getNumberOfInstances(),
                "instance",
                instance,
                "one of the scene's");
  return instances_[instance];
}

void
MeshSceneInput::setScene(const MeshScene::ConstPtr& scene)
{
  checkArgument(scene != nullptr, "scene", "null", "a scene");
  scene_ = scene;
}

void
MeshSceneInput::setInputMesh(const TriangleMesh& mesh)
{
  const auto scene = std::make_shared<MeshScene>();
  scene->addInstance(scene->addMesh(mesh));
  scene_ = scene;
}

} // namespace pcl::gpu
