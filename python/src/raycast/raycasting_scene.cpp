// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/parameters.h"
#include "raycast/module.h"

#include <pcl/gpu/raycast/mesh_ray_query.h>
#include <pcl/gpu/raycast/ray_rows.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief Returns the lengths of all axes but the last. */
std::vector<std::int64_t>
outerShape(const ArrayView& view)
{
  return {view.shape.begin(), view.shape.end() - 1};
}

/** \brief Meshes that rays are cast at, with the methods of Open3D's class. */
class RaycastingScene {
public:
  std::uint32_t
  addTriangles(const ArrayArgument& positions, const ArrayArgument& indices)
  {
    BoundMesh mesh;
    takeVertices(positions, mesh);
    const auto triangles = trianglesFrom(indices, "triangle_indices");
    mesh.mesh.triangles = triangles.array;
    mesh.owners.push_back(triangles.owner);
    const int number = scene_.scene->addMesh(mesh.mesh);
    scene_.scene->addInstance(number);
    scene_.owners.push_back(mesh.owners);
    meshes_.push_back(mesh.mesh);
    is_built_ = false;
    return static_cast<std::uint32_t>(number);
  }

  void
  updateVertices(std::uint32_t geometry, const ArrayArgument& positions)
  {
    if (geometry >= meshes_.size())
      throw nb::value_error(("geometry_id is " + std::to_string(geometry) +
                             ": expected less than " + std::to_string(meshes_.size()))
                                .c_str());
    BoundMesh changed;
    changed.mesh = meshes_[geometry];
    takeVertices(positions, changed);
    scene_.scene->setMesh(static_cast<int>(geometry), changed.mesh);
    // The triangles' owner is the last one.
    scene_.owners[geometry].front() =
        changed.owners.empty() ? nb::object() : changed.owners.front();
    meshes_[geometry] = changed.mesh;
    is_built_ = false;
  }

  nb::dict
  castRays(const ArrayArgument& rays)
  {
    const ArrayView view = prepare(rays);
    const auto arrays = std::make_shared<RayHitArrays>();
    {
      const Stream stream = currentStream();
      const nb::gil_scoped_release release;
      build(stream);
      query_.castRays(rays_, hits_, stream);
      query_.splitHits(hits_, *arrays, stream);
    }
    const std::vector<std::int64_t> shape = outerShape(view);
    nb::dict result;
    result["t_hit"] = shaped(arrays->distances, shape, 1, arrays);
    result["geometry_ids"] = shaped(arrays->instances, shape, 1, arrays);
    result["primitive_ids"] = shaped(arrays->triangles, shape, 1, arrays);
    result["primitive_uvs"] = shaped(arrays->barycentrics, shape, 2, arrays);
    result["primitive_normals"] = shaped(arrays->normals, shape, 3, arrays);
    return result;
  }

  ArrayResult
  testOcclusions(const ArrayArgument& rays, float nearest, float farthest)
  {
    const ArrayView view = prepare(rays, nearest, farthest);
    const auto occluded = std::make_shared<DeviceArray<std::uint8_t>>();
    {
      const Stream stream = currentStream();
      const nb::gil_scoped_release release;
      build(stream);
      query_.testOcclusion(rays_, *occluded, stream);
    }
    CudaArray array = described(*occluded, outerShape(view), 1, occluded);
    array.type = nb::dtype<bool>(); // each byte is 0 or 1
    return {toPython(deviceOf(*occluded), std::move(array))};
  }

  ArrayResult
  countIntersections(const ArrayArgument& rays)
  {
    const ArrayView view = prepare(rays);
    const auto counts = std::make_shared<DeviceArray<int>>();
    {
      const Stream stream = currentStream();
      const nb::gil_scoped_release release;
      build(stream);
      query_.countHits(rays_, *counts, stream);
    }
    return {shaped(*counts, outerShape(view), 1, counts)};
  }

private:
  /** \brief Takes points of three numbers, which it copies, or of four, which it
   * shares. */
  static void
  takeVertices(const ArrayArgument& positions, BoundMesh& mesh)
  {
    const ArrayView view = viewOf(positions, "vertex_positions");
    if (view.shape.size() == 2 && view.shape[1] == 4) {
      const auto input = listFrom<pcl::PointXYZ>(view, "vertex_positions");
      mesh.mesh.vertices = input.array;
      mesh.owners.push_back(input.owner);
      return;
    }
    checkArray(view, "vertex_positions", nb::dtype<float>(), {any_length, 3}, -1);
    const DeviceArray<float> rows(static_cast<float*>(view.data),
                                  static_cast<std::size_t>(3 * view.shape[0]));
    // The memory of the vertices before is still read by rays that are queued; they are
    // on the same stream, or else their caller waits.
    if (mesh.mesh.vertices.size() != static_cast<std::size_t>(view.shape[0]) ||
        deviceOf(mesh.mesh.vertices) != view.device)
      mesh.mesh.vertices.release();
    DeviceArray<pcl::PointXYZ> points = mesh.mesh.vertices;
    toPoints(rows, points, currentStream());
    mesh.mesh.vertices = points;
    mesh.owners.push_back(nb::none());
  }

  /** \brief Copies rays of six numbers to those of the library, with bounds. */
  ArrayView
  prepare(const ArrayArgument& rays,
          float nearest = 0.0f,
          float farthest = std::numeric_limits<float>::infinity())
  {
    ArrayView view = viewOf(rays, "rays");
    if (view.shape.empty())
      throw nb::value_error("rays: got a number; expected float32 of shape (..., 6)");
    std::int64_t count = 1, together = 1;
    bool is_dense = true;
    for (std::size_t i = view.shape.size(); i-- > 0;) {
      is_dense = is_dense && (view.shape[i] < 2 || view.strides[i] == together);
      together *= view.shape[i];
      count *= i + 1 < view.shape.size() ? view.shape[i] : 1;
    }
    ArrayView rows = view;
    if (is_dense) {
      rows.shape = {count, view.shape.back()};
      rows.strides = {view.shape.back(), 1};
    }
    checkArray(rows, "rays", nb::dtype<float>(), {any_length, 6}, -1);
    const DeviceArray<float> numbers(static_cast<float*>(rows.data),
                                     static_cast<std::size_t>(6 * count));
    toRays(numbers, rays_, nearest, farthest, currentStream());
    return view;
  }

  void
  build(const Stream& stream)
  {
    if (is_built_)
      return;
    query_.setScene(scene_.scene);
    query_.build(stream);
    is_built_ = true;
  }

  /** \brief Describes an array in the shape of the rays. */
  template <typename T>
  static CudaArray
  described(const DeviceArray<T>& array,
            std::vector<std::int64_t> shape,
            std::int64_t numbers,
            std::shared_ptr<void> owner)
  {
    if (numbers > 1)
      shape.push_back(numbers);
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
      strides[i - 1] = strides[i] * shape[i];
    return {const_cast<T*>(array.ptr()),
            std::move(shape),
            std::move(strides),
            nb::dtype<T>(),
            0,
            currentStream(),
            std::move(owner)};
  }

  template <typename T>
  static nb::object
  shaped(const DeviceArray<T>& array,
         const std::vector<std::int64_t>& shape,
         std::int64_t numbers,
         const std::shared_ptr<void>& owner)
  {
    return toPython(deviceOf(array), described(array, shape, numbers, owner));
  }

  BoundScene scene_;
  std::vector<TriangleMesh> meshes_;
  MeshRayQuery query_;
  DeviceArray<Ray> rays_;
  DeviceArray<RayHit> hits_;
  bool is_built_ = false;
};

/** \brief Adds a method of Open3D's class that this one lacks. */
void
refuse(nb::class_<RaycastingScene>& scene, const char* name)
{
  const std::string text = std::string("RaycastingScene.") + name +
                           "() is not there: this class has rays, not distances to "
                           "surfaces";
  scene.def(
      name,
      [text](const RaycastingScene&, const nb::args&, const nb::kwargs&) {
        PyErr_SetString(PyExc_NotImplementedError, text.c_str());
        throw nb::python_error();
      },
      nb::sig(("def " + std::string(name) +
               "(self, *args: typing.Any, **kwargs: typing.Any) -> typing.NoReturn")
                  .c_str()),
      "Raises NotImplementedError.");
}

} // namespace

void
bindRaycastingScene(nb::module_& module)
{
  nb::class_<RaycastingScene> scene(
      module,
      "RaycastingScene",
      "Meshes that rays are cast at, with the methods of Open3D's RaycastingScene, on "
      "the processor and on GPUs. Meshes may deform: see update_vertices().");
  scene.def(nb::init<>())
      .def(
          "add_triangles",
          &RaycastingScene::addTriangles,
          nb::arg("vertex_positions"),
          nb::arg("triangle_indices"),
          "Adds a mesh.\n\nPositions are float32 of shape (n, 3), which are copied, or "
          "(n, 4), which are shared, as PCL keeps points. Indices are uint32 or int32 "
          "of shape (m, 3), which are shared. Returns the number of the geometry.")
      .def("update_vertices",
           &RaycastingScene::updateVertices,
           nb::arg("geometry_id"),
           nb::arg("vertex_positions"),
           "Moves the vertices of a mesh. The next rays see it as it is then. Open3D's "
           "class has no such method.")
      .def("cast_rays",
           &RaycastingScene::castRays,
           nb::arg("rays"),
           nb::sig("def cast_rays(self, rays: pcl_gpu.typing.Array) -> dict[str, "
                   "typing.Any]"),
           "Finds the first hit of each ray.\n\nRays are float32 of shape (..., 6): "
           "origin and direction of any length. Returns arrays of shape (...): t_hit, "
           "in lengths of the direction, infinity if nothing is hit; geometry_ids and "
           "primitive_ids, INVALID_ID if nothing is hit; primitive_uvs of shape (..., "
           "2) and primitive_normals of shape (..., 3).")
      .def("test_occlusions",
           &RaycastingScene::testOcclusions,
           nb::arg("rays"),
           nb::arg("tnear") = 0.0f,
           nb::arg("tfar") = std::numeric_limits<float>::infinity(),
           "Returns whether each ray hits anything between two distances, as bool of "
           "shape (...).")
      .def("count_intersections",
           &RaycastingScene::countIntersections,
           nb::arg("rays"),
           "Counts all triangles that each ray hits, as int32 of shape (...). A ray "
           "through an edge hits both triangles.");
  for (const char* const name : {"compute_distance",
                                 "compute_signed_distance",
                                 "compute_closest_points",
                                 "compute_occupancy",
                                 "list_intersections"})
    refuse(scene, name);
  scene.attr("INVALID_ID") = std::numeric_limits<std::uint32_t>::max();
}

} // namespace pcl_gpu_python
