// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/parameters.h"

#include "tensor/module.h"

#include "tensor_doc.h"

#include <pcl/gpu/raycast/mesh_scene.h>
#include <pcl/gpu/tensor/tensor_model_learning.h>

#include <nanobind/stl/string.h>

#include <cstring>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief Copies points and their normals. */
TensorModel::Points
pointsOf(const ArrayArgument& points, const ArrayArgument& normals)
{
  const auto places = listFrom<pcl::PointXYZ>(hostViewOf(points, "points"), "points");
  const auto directions =
      listFrom<pcl::PointXYZ>(hostViewOf(normals, "normals"), "normals");
  if (directions->size() != places->size())
    throw nb::value_error(("normals: got " + std::to_string(directions->size()) +
                           "; expected as many as points, " +
                           std::to_string(places->size()))
                              .c_str());
  TensorModel::Points result(places->size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i].getVector3fMap() = places->ptr()[i].getVector3fMap();
    result[i].getNormalVector3fMap() = directions->ptr()[i].getVector3fMap();
  }
  return result;
}

/** \brief Views a vector of a model, which it keeps as it is. */
template <typename Number, typename T>
ArrayResult<Number>
partOf(const HeldModel& self,
       const std::vector<T, Eigen::aligned_allocator<T>>& elements,
       std::size_t first,
       std::int64_t numbers)
{
  return {toPython(Device::host(),
                   {reinterpret_cast<char*>(const_cast<T*>(elements.data())) + first,
                    {static_cast<std::int64_t>(elements.size()), numbers},
                    {static_cast<std::int64_t>(sizeof(T) / sizeof(Number)), 1},
                    nb::dtype<Number>(),
                    0,
                    {},
                    self.model})};
}

template <typename T>
ArrayResult<typename Element<T>::Number>
allOf(const HeldModel& self, const std::vector<T>& elements)
{
  std::vector<std::int64_t> shape{static_cast<std::int64_t>(elements.size())};
  if (Element<T>::count > 1)
    shape.push_back(Element<T>::count);
  return denseToPython<typename Element<T>::Number>(
      Device::host(), elements.data(), std::move(shape), self.model);
}

void
bindModel(nb::module_& module)
{
  nb::class_<HeldModel> model(module, "TensorModel", DOC(pcl, gpu, TensorModel));
  model.def(
      "__init__",
      [](HeldModel* self,
         const std::string& name,
         const ArrayArgument& points,
         const ArrayArgument& normals) {
        HeldModel held;
        held.model->name = name;
        held.model->points = pointsOf(points, normals);
        new (self) HeldModel(std::move(held));
      },
      nb::arg("name") = "",
      nb::arg("points").none() = nb::none(),
      nb::arg("normals").none() = nb::none(),
      "Makes a model without tensors, with copies of points and their unit normals: "
      "rows of four numbers (float32). See append_tensors().");
  model.def_prop_rw(
      "name",
      [](const HeldModel& self) { return self.model->name; },
      [](HeldModel& self, const std::string& name) { self.change().name = name; },
      DOC(pcl, gpu, TensorModel, name));
  model.def_prop_ro(
      "points",
      [](const HeldModel& self) {
        return partOf<float>(self, self.model->points, 0, 4);
      },
      DOC(pcl, gpu, TensorModel, points));
  model.def_prop_ro(
      "normals",
      [](const HeldModel& self) {
        return partOf<float>(
            self, self.model->points, offsetof(pcl::PointNormal, normal_x), 4);
      },
      "Unit normals of the points.");
  model.def_prop_rw(
      "symmetries",
      [](const HeldModel& self) { return self.model->symmetries; },
      [](HeldModel& self, const std::vector<PoseMatrix>& symmetries) {
        TensorModel::Poses poses;
        for (const PoseMatrix& symmetry : symmetries)
          poses.push_back(poseOf(symmetry));
        self.change().symmetries = std::move(poses);
      },
      nb::for_setter(nb::sig("def symmetries(self, symmetries: "
                             "collections.abc.Sequence[numpy.typing.ArrayLike], /) -> "
                             "None")),
      DOC(pcl, gpu, TensorModel, symmetries));
  model.def_prop_ro(
      "view_count",
      [](const HeldModel& self) { return self.model->view_count; },
      DOC(pcl, gpu, TensorModel, view_count));
  model.def_prop_ro(
      "frames",
      [](const HeldModel& self) { return allOf(self, self.model->frames); },
      "Frames of all tensors, as TensorSet.frames.");
  model.def_prop_ro(
      "starts",
      [](const HeldModel& self) { return allOf(self, self.model->starts); },
      DOC(pcl, gpu, TensorModel, starts));
  model.def_prop_ro(
      "voxels",
      [](const HeldModel& self) { return allOf(self, self.model->voxels); },
      DOC(pcl, gpu, TensorModel, voxels));
  model.def_prop_ro(
      "areas",
      [](const HeldModel& self) { return allOf(self, self.model->areas); },
      DOC(pcl, gpu, TensorModel, areas));
  model.def_prop_ro(
      "views",
      [](const HeldModel& self) { return allOf(self, self.model->views); },
      DOC(pcl, gpu, TensorModel, views));
  model.def(
      "append_tensors",
      [](HeldModel& self,
         const HeldTensors& tensors,
         const PoseMatrix& pose,
         int view,
         int min_voxels) {
        TensorModel& changed = self.change();
        const nb::gil_scoped_release release;
        tensors.stream.synchronize();
        return appendTensors(tensors.tensors, poseOf(pose), view, changed, min_voxels);
      },
      nb::arg("tensors"),
      nb::arg("pose"),
      nb::arg("view"),
      nb::arg("min_voxels") = 0,
      DOC(pcl, gpu, appendTensors));
  model.def("__len__", [](const HeldModel& self) { return self.model->frames.size(); });
  model.def("__repr__", [](const HeldModel& self) {
    return "<TensorModel " + self.model->name + ": " +
           std::to_string(self.model->view_count) + " views, " +
           std::to_string(self.model->frames.size()) + " tensors, " +
           std::to_string(self.model->points.size()) + " points>";
  });
  module.def(
      "find_symmetries",
      [](const ArrayArgument& points, const ArrayArgument& normals) {
        const TensorModel::Points surface = pointsOf(points, normals);
        const nb::gil_scoped_release release;
        return findSymmetries(surface);
      },
      nb::arg("points"),
      nb::arg("normals"),
      DOC(pcl, gpu, findSymmetries));
}

void
bindLearning(nb::module_& module)
{
  nb::class_<TensorModelLearning> learning(
      module, "TensorModelLearning", DOC(pcl, gpu, TensorModelLearning));
  defineParameters<TensorModelLearning, TensorModelLearningParameters>(learning);
  learning
      .def(
          "add_view",
          [](TensorModelLearning& self,
             const ArrayArgument& depth,
             const PoseMatrix& pose) {
            const auto metres = imageFrom<float>(depth, "depth");
            const Stream stream = currentStream();
            const nb::gil_scoped_release release;
            const ScopedDevice scope(deviceOf(*metres));
            stream.synchronize();
            self.addView(*metres, poseOf(pose));
          },
          nb::arg("depth"),
          nb::arg("pose"),
          DOC(pcl, gpu, TensorModelLearning, addView))
      .def(
          "add_views",
          [](TensorModelLearning& self,
             const ArrayArgument& vertices,
             const ArrayArgument& triangles,
             int views,
             float distance,
             std::uint64_t seed,
             const nb::object& progress) {
            const auto points = listFrom<pcl::PointXYZ>(vertices, "vertices");
            const auto corners =
                rowsFrom<int>(viewOf(triangles, "triangles"), "triangles", 3);
            TriangleMesh mesh;
            mesh.vertices = *points;
            mesh.triangles = *corners;
            const Stream stream = currentStream();
            const nb::gil_scoped_release release;
            const ScopedDevice scope(deviceOf(*points));
            stream.synchronize();
            self.addViews(mesh, views, distance, seed, [&](int done) {
              report(progress, done, views);
            });
          },
          nb::arg("vertices"),
          nb::arg("triangles"),
          nb::arg("views"),
          nb::arg("distance"),
          nb::arg("seed") = 0,
          nb::arg("progress").none() = nb::none(),
          nb::sig("def add_views(self, vertices: pcl_gpu.typing.Array, triangles: "
                  "pcl_gpu.typing.Array, views: int, distance: float, seed: int = 0, "
                  "progress: collections.abc.Callable[[int, int], object] | None = "
                  "None) -> None"),
          "Adds views of a mesh, rendered by the camera of the parameters from "
          "directions that are spread evenly over the sphere.\n\nVertices are rows of "
          "four numbers (float32), metres; triangles rows of three numbers of vertices "
          "(int32). The camera is at a distance from the middle of the mesh, which "
          "should be that of the objects in scenes. Other seeds turn cameras "
          "otherwise. "
          "Calls progress with the number of views done, and of all.")
      .def(
          "get_model",
          [](const TensorModelLearning& self, const std::string& name) {
            const nb::gil_scoped_release release;
            return HeldModel{std::make_shared<TensorModel>(self.getModel(name))};
          },
          nb::arg("name"),
          DOC(pcl, gpu, TensorModelLearning, getModel))
      .def("clear",
           &TensorModelLearning::clear,
           DOC(pcl, gpu, TensorModelLearning, clear));
  module.def(
      "even_directions",
      [](int count) {
        const std::vector<Eigen::Vector3f> directions = evenDirections(count);
        std::vector<float> numbers(3 * directions.size());
        std::memcpy(numbers.data(), directions.data(), numbers.size() * sizeof(float));
        return toPython(std::move(numbers), {count, 3});
      },
      nb::arg("count"),
      DOC(pcl, gpu, evenDirections));
}

} // namespace

void
bindModels(nb::module_& module)
{
  bindModel(module);
  bindLearning(module);
}

} // namespace pcl_gpu_python
