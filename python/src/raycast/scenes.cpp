// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/parameters.h"
#include "raycast/module.h"

#include "raycast_doc.h"

#include <pcl/gpu/raycast/camera_view.h>
#include <pcl/gpu/raycast/mesh_deformation.h>
#include <pcl/gpu/raycast/tesselated_sphere.h>

#include <cstring>

namespace pcl_gpu_python {

using namespace pcl::gpu;

Input<DeviceArray<int>>
trianglesFrom(const ArrayArgument& argument, const char* name)
{
  const ArrayView view = viewOf(argument, name);
  if (!hasNumbers<std::uint32_t>(view))
    return rowsFrom<int>(view, name, 3);
  // Vertex numbers are below 2^31.
  const auto rows = rowsFrom<std::uint32_t>(view, name, 3);
  return {
      {reinterpret_cast<int*>(const_cast<std::uint32_t*>(rows->ptr())), rows->size()},
      rows.owner};
}

namespace {

/** \brief Adds an array of a mesh that may be left out. */
template <typename T>
void
take(BoundMesh& mesh,
     DeviceArray<T> TriangleMesh::*member,
     const ArrayArgument& argument,
     const char* name)
{
  const auto input = listFrom<T>(argument, name);
  mesh.mesh.*member = input.array;
  mesh.owners.push_back(input.owner);
}

/** \brief Returns a mesh for arrays of it that Python gets: it keeps their memory,
 * which may be Python's. The last of them may go without Python's lock. */
std::shared_ptr<BoundMesh>
ownerOf(const BoundMesh& mesh)
{
  return {new BoundMesh(mesh), [](BoundMesh* owner) {
            const nb::gil_scoped_acquire acquire;
            delete owner;
          }};
}

void
bindMesh(nb::module_& module)
{
  nb::class_<BoundMesh>(module, "TriangleMesh", DOC(pcl, gpu, TriangleMesh))
      .def(
          "__init__",
          [](BoundMesh* self,
             const ArrayArgument& vertices,
             const ArrayArgument& triangles,
             const ArrayArgument& normals,
             const ArrayArgument& colors,
             const ArrayArgument& texture_coordinates,
             const ArrayArgument& triangle_count) {
            BoundMesh mesh;
            take(mesh, &TriangleMesh::vertices, vertices, "vertices");
            const auto numbers = trianglesFrom(triangles, "triangles");
            mesh.mesh.triangles = numbers.array;
            mesh.owners.push_back(numbers.owner);
            take(mesh, &TriangleMesh::normals, normals, "normals");
            take(mesh, &TriangleMesh::colors, colors, "colors");
            take(mesh,
                 &TriangleMesh::texture_coordinates,
                 texture_coordinates,
                 "texture_coordinates");
            take(mesh, &TriangleMesh::triangle_count, triangle_count, "triangle_count");
            new (self) BoundMesh(std::move(mesh));
          },
          nb::arg("vertices"),
          nb::arg("triangles"),
          nb::arg("normals").none() = nb::none(),
          nb::arg("colors").none() = nb::none(),
          nb::arg("texture_coordinates").none() = nb::none(),
          nb::arg("triangle_count").none() = nb::none(),
          "Takes arrays, which it shares: points of four float32, three vertex numbers "
          "a "
          "triangle (int32 or uint32), and for each vertex, if they are given, normals "
          "of four float32, colours of four uint8 (blue, green, red, alpha), and two "
          "float32. triangle_count is one int32: the number of triangles that exist.")
      .def_prop_ro(
          "vertices",
          [](const BoundMesh& self) {
            return toPython(self.mesh.vertices, ownerOf(self));
          },
          DOC(pcl, gpu, TriangleMesh, vertices))
      .def_prop_ro(
          "triangles",
          [](const BoundMesh& self) {
            return rowsToPython(self.mesh.triangles, 3, ownerOf(self));
          },
          DOC(pcl, gpu, TriangleMesh, triangles))
      .def_prop_ro(
          "normals",
          [](const BoundMesh& self) {
            return toPythonIfAny(self.mesh.normals, ownerOf(self));
          },
          DOC(pcl, gpu, TriangleMesh, normals))
      .def_prop_ro(
          "colors",
          [](const BoundMesh& self) {
            return toPythonIfAny(self.mesh.colors, ownerOf(self));
          },
          DOC(pcl, gpu, TriangleMesh, colors))
      .def_prop_ro(
          "texture_coordinates",
          [](const BoundMesh& self) {
            return toPythonIfAny(self.mesh.texture_coordinates, ownerOf(self));
          },
          DOC(pcl, gpu, TriangleMesh, texture_coordinates))
      .def_prop_ro(
          "triangle_count",
          [](const BoundMesh& self) {
            return toPythonIfAny(self.mesh.triangle_count, ownerOf(self));
          },
          DOC(pcl, gpu, TriangleMesh, triangle_count));
}

void
bindScene(nb::module_& module)
{
  nb::class_<BoundScene>(module, "MeshScene", DOC(pcl, gpu, MeshScene))
      .def(nb::init<>())
      .def(
          "add_mesh",
          [](BoundScene& self, const BoundMesh& mesh) {
            const int number = self.scene->addMesh(mesh.mesh);
            self.owners.push_back(mesh.owners);
            return number;
          },
          nb::arg("mesh"),
          DOC(pcl, gpu, MeshScene, addMesh))
      .def(
          "set_mesh",
          [](BoundScene& self, int mesh, const BoundMesh& replacement) {
            self.scene->setMesh(mesh, replacement.mesh);
            self.owners.at(mesh) = replacement.owners;
          },
          nb::arg("mesh"),
          nb::arg("replacement"),
          DOC(pcl, gpu, MeshScene, setMesh))
      .def(
          "get_mesh",
          [](const BoundScene& self, int mesh) {
            const TriangleMesh& found = self.scene->getMesh(mesh);
            return BoundMesh{found, self.owners.at(mesh)};
          },
          nb::arg("mesh"),
          DOC(pcl, gpu, MeshScene, getMesh))
      .def(
          "add_instance",
          [](BoundScene& self, int mesh, const PoseMatrix& pose) {
            return self.scene->addInstance(mesh, poseOf(pose));
          },
          nb::arg("mesh"),
          nb::arg("pose") = identityPose(),
          DOC(pcl, gpu, MeshScene, addInstance))
      .def(
          "set_pose",
          [](BoundScene& self, int instance, const PoseMatrix& pose) {
            self.scene->setPose(instance, poseOf(pose));
          },
          nb::arg("instance"),
          nb::arg("pose"),
          DOC(pcl, gpu, MeshScene, setPose))
      .def(
          "get_pose",
          [](const BoundScene& self, int instance) {
            return self.scene->getPose(instance);
          },
          nb::arg("instance"),
          DOC(pcl, gpu, MeshScene, getPose))
      .def(
          "get_mesh_of",
          [](const BoundScene& self, int instance) {
            return self.scene->getMeshOf(instance);
          },
          nb::arg("instance"),
          DOC(pcl, gpu, MeshScene, getMeshOf))
      .def(
          "get_first_triangle",
          [](const BoundScene& self, int instance) {
            return self.scene->getFirstTriangle(instance);
          },
          nb::arg("instance"),
          DOC(pcl, gpu, MeshScene, getFirstTriangle))
      .def(
          "find_triangle",
          [](const BoundScene& self, std::size_t id) {
            const MeshScene::TriangleReference found = self.scene->findTriangle(id);
            return nb::make_tuple(found.instance, found.mesh, found.triangle);
          },
          nb::arg("id"),
          nb::sig("def find_triangle(self, id: int) -> tuple[int, int, int]"),
          DOC(pcl, gpu, MeshScene, findTriangle))
      .def_prop_ro(
          "number_of_meshes",
          [](const BoundScene& self) { return self.scene->getNumberOfMeshes(); },
          DOC(pcl, gpu, MeshScene, getNumberOfMeshes))
      .def_prop_ro(
          "number_of_instances",
          [](const BoundScene& self) { return self.scene->getNumberOfInstances(); },
          DOC(pcl, gpu, MeshScene, getNumberOfInstances))
      .def_prop_ro(
          "number_of_triangles",
          [](const BoundScene& self) { return self.scene->getNumberOfTriangles(); },
          DOC(pcl, gpu, MeshScene, getNumberOfTriangles));
}

void
bindCameras(nb::module_& module)
{
  ParametersBinding<OrthographicCamera>(
      module, "OrthographicCamera", DOC(pcl, gpu, OrthographicCamera))
      .PCL_GPU_FIELD(OrthographicCamera, scale_x)
      .PCL_GPU_FIELD(OrthographicCamera, scale_y)
      .PCL_GPU_FIELD(OrthographicCamera, cx)
      .PCL_GPU_FIELD(OrthographicCamera, cy)
      .PCL_GPU_FIELD(OrthographicCamera, width)
      .PCL_GPU_FIELD(OrthographicCamera, height)
      .finish();
  nb::class_<CameraView>(module, "CameraView", DOC(pcl, gpu, CameraView))
      .def(
          "__init__",
          [](CameraView* self, const PinholeCamera& camera, const PoseMatrix& pose) {
            new (self) CameraView(camera, poseOf(pose));
          },
          nb::arg("camera"),
          nb::arg("pose") = identityPose(),
          "Places a pinhole camera.")
      .def(
          "__init__",
          [](CameraView* self,
             const OrthographicCamera& camera,
             const PoseMatrix& pose) { new (self) CameraView(camera, poseOf(pose)); },
          nb::arg("camera"),
          nb::arg("pose") = identityPose(),
          "Places an orthographic camera.")
      .def_prop_ro("width", &CameraView::getWidth, DOC(pcl, gpu, CameraView, getWidth))
      .def_prop_ro(
          "height", &CameraView::getHeight, DOC(pcl, gpu, CameraView, getHeight))
      .def_prop_ro("fx", &CameraView::getFx, DOC(pcl, gpu, CameraView, getFx))
      .def_prop_ro("fy", &CameraView::getFy, DOC(pcl, gpu, CameraView, getFy))
      .def_prop_ro("cx", &CameraView::getCx, DOC(pcl, gpu, CameraView, getCx))
      .def_prop_ro("cy", &CameraView::getCy, DOC(pcl, gpu, CameraView, getCy))
      .def_prop_ro("pose", &CameraView::getPose, DOC(pcl, gpu, CameraView, getPose))
      .def_prop_ro("is_orthographic",
                   &CameraView::isOrthographic,
                   DOC(pcl, gpu, CameraView, isOrthographic));
}

void
bindDeformation(nb::module_& module)
{
  nb::enum_<Deformation>(module, "Deformation", DOC(pcl, gpu, Deformation))
      .value("WAVE", Deformation::Wave, DOC(pcl, gpu, Deformation, Wave))
      .value("TWIST", Deformation::Twist, DOC(pcl, gpu, Deformation, Twist))
      .value("BEND", Deformation::Bend, DOC(pcl, gpu, Deformation, Bend))
      .value("NOISE", Deformation::Noise, DOC(pcl, gpu, Deformation, Noise));
  ParametersBinding<MeshDeformationParameters>(
      module, "MeshDeformationParameters", DOC(pcl, gpu, MeshDeformationParameters))
      .PCL_GPU_FIELD(MeshDeformationParameters, kind)
      .PCL_GPU_FIELD(MeshDeformationParameters, center)
      .PCL_GPU_FIELD(MeshDeformationParameters, radius)
      .PCL_GPU_FIELD(MeshDeformationParameters, strength)
      .finish();
  nb::class_<MeshDeformation> deformation(
      module, "MeshDeformation", DOC(pcl, gpu, MeshDeformation));
  defineParameters<MeshDeformation, MeshDeformationParameters>(deformation);
  deformation.def(
      "compute",
      [](const MeshDeformation& self, const BoundMesh& rest, float phase) {
        BoundMesh deformed;
        deformed.owners = rest.owners; // the triangles are shared
        {
          const Stream stream = currentStream();
          const nb::gil_scoped_release release;
          self.compute(rest.mesh, phase, deformed.mesh, stream);
        }
        return deformed;
      },
      nb::arg("rest"),
      nb::arg("phase"),
      DOC(pcl, gpu, MeshDeformation, compute));
  module.def(
      "make_tesselated_sphere",
      [](int level) {
        const TesselatedSphere sphere = makeTesselatedSphere(level);
        std::vector<float> points;
        for (const Eigen::Vector3f& vertex : sphere.vertices)
          points.insert(points.end(), {vertex.x(), vertex.y(), vertex.z(), 1.0f});
        std::vector<int> triangles;
        for (const std::array<int, 3>& triangle : sphere.triangles)
          triangles.insert(triangles.end(), triangle.begin(), triangle.end());
        const auto vertex_count = static_cast<std::int64_t>(sphere.vertices.size());
        const auto triangle_count = static_cast<std::int64_t>(sphere.triangles.size());
        return std::make_pair(toPython(std::move(points), {vertex_count, 4}),
                              toPython(std::move(triangles), {triangle_count, 3}));
      },
      nb::arg("level"),
      DOC(pcl, gpu, makeTesselatedSphere));
}

} // namespace

void
bindScenes(nb::module_& module)
{
  bindMesh(module);
  bindScene(module);
  bindCameras(module);
  bindDeformation(module);
}

} // namespace pcl_gpu_python
