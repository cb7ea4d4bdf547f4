// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/parameters.h"
#include "raycast/module.h"

#include <pcl/gpu/raycast/mesh_ray_query.h>
#include <pcl/gpu/raycast/ray_rows.h>
#include <pcl/gpu/utils/stream.h>

#include <limits>
#include <mutex>
#include <stdexcept>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief Rays of Python's: rows of six numbers, and the shape of their results. */
struct RayRows {
  DeviceArray<float> numbers;
  std::vector<std::int64_t> shape;
  Device device;
  nb::object owner;
};

/** \brief Takes rays of six numbers: shape (..., 6), their numbers together. */
RayRows
raysFrom(const ArrayArgument& rays)
{
  const ArrayView view = viewOf(rays, "rays");
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
  return {{static_cast<float*>(rows.data), static_cast<std::size_t>(6 * count)},
          {view.shape.begin(), view.shape.end() - 1},
          view.device,
          view.owner};
}

/** \brief Meshes that rays are cast at, with the methods of Open3D's class. */
class RaycastingScene {
public:
  std::uint32_t
  addTriangles(const ArrayArgument& positions, const ArrayArgument& indices)
  {
    const Positions vertices = positionsFrom(positions);
    const auto triangles = trianglesFrom(indices, "triangle_indices");
    Geometry geometry;
    geometry.mesh.triangles = triangles.array;
    return add(std::move(geometry),
               &vertices,
               {vertices.owner, triangles.owner},
               vertices.device);
  }

  std::uint32_t
  addMesh(const BoundMesh& mesh)
  {
    return add({mesh.mesh, false}, nullptr, mesh.owners, deviceOf(mesh.mesh.vertices));
  }

  void
  updateVertices(std::uint32_t id, const ArrayArgument& positions)
  {
    const Positions vertices = positionsFrom(positions);
    inTurn(vertices.device, [&](const Stream& stream) {
      if (id >= geometries_.size())
        throw std::invalid_argument("geometry_id is " + std::to_string(id) +
                                    ": expected less than " +
                                    std::to_string(geometries_.size()));
      Geometry changed = geometries_[id];
      take(vertices, changed, stream);
      scene_.scene->setMesh(static_cast<int>(id), changed.mesh);
      geometries_[id] = changed;
      is_built_ = false;
      const nb::gil_scoped_acquire acquire;
      scene_.owners[id].front() = vertices.owner;
    });
  }

  nb::dict
  castRays(const ArrayArgument& rays, int /*nthreads*/)
  {
    const RayRows rows = raysFrom(rays);
    const auto arrays = std::make_shared<RayHitArrays>();
    inTurn(rows.device, [&](const Stream& stream) {
      prepare(rows, 0.0f, infinity, stream);
      query_.castRays(rays_, hits_, stream);
      query_.splitHits(hits_, *arrays, stream);
    });
    nb::dict result;
    result["t_hit"] = shaped(arrays->distances, rows.shape, 1, arrays).object;
    result["geometry_ids"] = shaped(arrays->instances, rows.shape, 1, arrays).object;
    result["primitive_ids"] = shaped(arrays->triangles, rows.shape, 1, arrays).object;
    result["primitive_uvs"] =
        shaped(arrays->barycentrics, rows.shape, 2, arrays).object;
    result["primitive_normals"] = shaped(arrays->normals, rows.shape, 3, arrays).object;
    return result;
  }

  ArrayResult<bool>
  testOcclusions(const ArrayArgument& rays,
                 float nearest,
                 float farthest,
                 int /*nthreads*/)
  {
    const RayRows rows = raysFrom(rays);
    const auto occluded = std::make_shared<DeviceArray<std::uint8_t>>();
    inTurn(rows.device, [&](const Stream& stream) {
      prepare(rows, nearest, farthest, stream);
      query_.testOcclusion(rays_, *occluded, stream);
    });
    // Each byte is 0 or 1.
    return shaped<std::uint8_t, bool>(*occluded, rows.shape, 1, occluded);
  }

  ArrayResult<int>
  countIntersections(const ArrayArgument& rays, int /*nthreads*/)
  {
    const RayRows rows = raysFrom(rays);
    const auto counts = std::make_shared<DeviceArray<int>>();
    inTurn(rows.device, [&](const Stream& stream) {
      prepare(rows, 0.0f, infinity, stream);
      query_.countHits(rays_, *counts, stream);
    });
    return shaped(*counts, rows.shape, 1, counts);
  }

  nb::dict
  listIntersections(const ArrayArgument& rays, int /*nthreads*/)
  {
    const RayRows rows = raysFrom(rays);
    const auto list = std::make_shared<RayHitList>();
    const auto arrays = std::make_shared<RayHitArrays>();
    inTurn(rows.device, [&](const Stream& stream) {
      prepare(rows, 0.0f, infinity, stream);
      query_.listHits(rays_, *list, stream);
      query_.splitHits(list->hits, *arrays, stream);
    });
    const auto number = static_cast<std::int64_t>(list->hits.size());
    const auto splits = static_cast<std::int64_t>(list->starts.size());
    nb::dict result;
    result["ray_splits"] = shaped(list->starts, {splits}, 1, list).object;
    result["ray_ids"] = shaped(list->rays, {number}, 1, list).object;
    result["t_hit"] = shaped(arrays->distances, {number}, 1, arrays).object;
    result["geometry_ids"] = shaped(arrays->instances, {number}, 1, arrays).object;
    result["primitive_ids"] = shaped(arrays->triangles, {number}, 1, arrays).object;
    result["primitive_uvs"] = shaped(arrays->barycentrics, {number}, 2, arrays).object;
    return result;
  }

private:
  static constexpr float infinity = std::numeric_limits<float>::infinity();

  /** \brief A mesh in the scene. */
  struct Geometry {
    TriangleMesh mesh;
    bool owns_vertices = false; ///< else they are Python's
  };

  /** \brief Vertices of Python's: points that are shared, or rows that are copied. */
  struct Positions {
    DeviceArray<pcl::PointXYZ> points;
    DeviceArray<float> rows;
    bool is_shared;
    Device device;
    nb::object owner; ///< null if they are copied
  };

  static Positions
  positionsFrom(const ArrayArgument& argument)
  {
    const ArrayView view = viewOf(argument, "vertex_positions");
    if (view.shape.size() == 2 && view.shape[1] == 4) {
      const auto input = listFrom<pcl::PointXYZ>(view, "vertex_positions");
      return {input.array, {}, true, view.device, input.owner};
    }
    checkArray(view, "vertex_positions", nb::dtype<float>(), {any_length, 3}, -1);
    return {
        {},
        {static_cast<float*>(view.data), static_cast<std::size_t>(3 * view.shape[0])},
        false,
        view.device,
        nb::object()};
  }

  /** \brief Gives a mesh its vertices. */
  static void
  take(const Positions& positions, Geometry& geometry, const Stream& stream)
  {
    DeviceArray<pcl::PointXYZ>& vertices = geometry.mesh.vertices;
    // Memory of Python's is not written to. A copy goes where the last one was.
    if (!geometry.owns_vertices || positions.is_shared ||
        3 * vertices.size() != positions.rows.size() ||
        deviceOf(vertices) != positions.device)
      vertices = positions.points;
    if (!positions.is_shared)
      toPoints(positions.rows, vertices, stream);
    geometry.owns_vertices = !positions.is_shared;
  }

  std::uint32_t
  add(Geometry geometry,
      const Positions* positions,
      std::vector<nb::object> owners,
      const Device& device)
  {
    int number = 0;
    inTurn(device, [&](const Stream& stream) {
      if (positions)
        take(*positions, geometry, stream);
      number = scene_.scene->addMesh(geometry.mesh);
      scene_.scene->addInstance(number);
      geometries_.push_back(geometry);
      is_built_ = false;
      const nb::gil_scoped_acquire acquire;
      scene_.owners.push_back(std::move(owners));
    });
    return static_cast<std::uint32_t>(number);
  }

  /** \brief Runs the work of one call, without Python's lock. Calls of several threads
   * come one after the other, and so does their work in several streams, because they
   * share the memory of the scene. */
  template <typename Work>
  void
  inTurn(const Device& device, const Work& work)
  {
    const Stream stream = currentStream();
    // A thread that waits for its turn must not hold Python's lock.
    const nb::gil_scoped_release release;
    const std::lock_guard<std::mutex> turn(turn_);
    const ScopedDevice scope(device);
    if (device.isCuda())
      stream.waitFor(last_);
    work(stream);
    if (device.isCuda()) {
      if (!last_.get())
        last_ = Event::create();
      last_.record(stream);
    }
  }

  /** \brief Copies rays to those of the library, with bounds, and builds the hierarchy
   * if a mesh is new or changed. */
  void
  prepare(const RayRows& rows, float nearest, float farthest, const Stream& stream)
  {
    toRays(rows.numbers, rays_, nearest, farthest, stream);
    if (is_built_)
      return;
    query_.setScene(scene_.scene);
    query_.build(stream);
    is_built_ = true;
  }

  /** \brief Returns an array to Python in the shape of the rays. */
  template <typename T, typename Number = T>
  static ArrayResult<Number>
  shaped(const DeviceArray<T>& array,
         std::vector<std::int64_t> shape,
         std::int64_t numbers,
         const std::shared_ptr<void>& owner)
  {
    if (numbers > 1)
      shape.push_back(numbers);
    return denseToPython<Number>(deviceOf(array), array.ptr(), std::move(shape), owner);
  }

  BoundScene scene_;
  std::vector<Geometry> geometries_;
  MeshRayQuery query_;
  DeviceArray<Ray> rays_;
  DeviceArray<RayHit> hits_;
  bool is_built_ = false;
  std::mutex turn_;
  Event last_; ///< after the work of the last call
};

/** \brief Adds a method of Open3D's class that this one lacks. */
void
refuse(nb::class_<RaycastingScene>& scene, const char* name, const char* reason)
{
  const std::string text =
      std::string("RaycastingScene.") + name + "() is not there: " + reason;
  scene.def(
      name,
      [text](const RaycastingScene&, const nb::args&, const nb::kwargs&) {
        PyErr_SetString(PyExc_NotImplementedError, text.c_str());
        throw nb::python_error();
      },
      nb::sig(("def " + std::string(name) +
               "(self, *args: typing.Any, **kwargs: typing.Any) -> typing.NoReturn")
                  .c_str()),
      ("Raises NotImplementedError: " + std::string(reason) + ".").c_str());
}

} // namespace

void
bindRaycastingScene(nb::module_& module)
{
  nb::class_<RaycastingScene> scene(
      module,
      "RaycastingScene",
      "Meshes that rays are cast at, with the methods of Open3D's RaycastingScene, on "
      "the processor and on GPUs. Meshes may deform: see update_vertices().\n\nThe "
      "arrays of one scene are on one device. Several threads may use a scene. Their "
      "calls come one after the other. nthreads is taken for Open3D's sake, and has no "
      "effect: OMP_NUM_THREADS sets the number of threads.");
  scene
      .def(
          "__init__",
          [](RaycastingScene* self, int) { new (self) RaycastingScene(); },
          nb::arg("nthreads") = 0,
          "Makes a scene without a mesh.")
      .def(
          "add_triangles",
          &RaycastingScene::addTriangles,
          nb::arg("vertex_positions"),
          nb::arg("triangle_indices"),
          "Adds a mesh.\n\nPositions are float32 of shape (n, 3), which are copied, or "
          "(n, 4), which are shared, as PCL keeps points. Indices are uint32 or int32 "
          "of shape (m, 3), which are shared. Returns the number of the geometry.")
      .def("add_triangles",
           &RaycastingScene::addMesh,
           nb::arg("mesh"),
           "Adds a mesh, whose arrays are shared. Returns the number of the geometry.")
      .def("update_vertices",
           &RaycastingScene::updateVertices,
           nb::arg("geometry_id"),
           nb::arg("vertex_positions"),
           "Moves the vertices of a mesh.\n\nTakes positions as add_triangles() does. "
           "The next rays see the mesh as it is then. Call it also after a change of "
           "the numbers of an array that is shared. Open3D's class has no such method.")
      .def("cast_rays",
           &RaycastingScene::castRays,
           nb::arg("rays"),
           nb::arg("nthreads") = 0,
           nb::sig("def cast_rays(self, rays: pcl_gpu.typing.Array, nthreads: int = 0) "
                   "-> dict[str, numpy.typing.NDArray[typing.Any] | typing.Any]"),
           "Finds the first hit of each ray.\n\nRays are float32 of shape (..., 6): "
           "origin and direction of any length. They are copied on their device to the "
           "eight numbers that MeshRayQuery takes without a copy. Returns arrays of "
           "shape (...): t_hit, in lengths of the direction, infinity if nothing is "
           "hit; geometry_ids and primitive_ids, INVALID_ID if nothing is hit; "
           "primitive_uvs of shape (..., 2) and primitive_normals of shape (..., 3), 0 "
           "if nothing is hit.")
      .def("test_occlusions",
           &RaycastingScene::testOcclusions,
           nb::arg("rays"),
           nb::arg("tnear") = 0.0f,
           nb::arg("tfar") = std::numeric_limits<float>::infinity(),
           nb::arg("nthreads") = 0,
           "Returns whether each ray hits anything between two distances, as bool of "
           "shape (...). A hit at tnear does not count, a hit at tfar does.")
      .def("count_intersections",
           &RaycastingScene::countIntersections,
           nb::arg("rays"),
           nb::arg("nthreads") = 0,
           "Counts all triangles that each ray hits, as int32 of shape (...). A ray "
           "through an edge hits both triangles; Open3D's class may count one.")
      .def(
          "list_intersections",
          &RaycastingScene::listIntersections,
          nb::arg("rays"),
          nb::arg("nthreads") = 0,
          nb::sig("def list_intersections(self, rays: pcl_gpu.typing.Array, nthreads: "
                  "int = 0) -> dict[str, numpy.typing.NDArray[typing.Any] | "
                  "typing.Any]"),
          "Lists all triangles that each ray hits, ray by ray, near ones first.\n\n"
          "Returns ray_splits, the place of each ray's first hit and the number of all "
          "hits; and for each hit ray_ids, t_hit, geometry_ids, primitive_ids and "
          "primitive_uvs, as in cast_rays(). Waits for the number of hits.")
      .def_static("create_rays_pinhole",
                  &raysOfMatrices,
                  nb::arg("intrinsic_matrix"),
                  nb::arg("extrinsic_matrix"),
                  nb::arg("width_px"),
                  nb::arg("height_px"),
                  "Makes the rays of a camera, of shape (height, width, 6), on the "
                  "host.\n\nThe extrinsic matrix maps the world's frame to the "
                  "camera's. As in Open3D, the middle of the first pixel is at (0.5, "
                  "0.5); PinholeCamera has it at (0, 0).")
      .def_static("create_rays_pinhole",
                  &raysOfFieldOfView,
                  nb::arg("fov_deg"),
                  nb::arg("center"),
                  nb::arg("eye"),
                  nb::arg("up"),
                  nb::arg("width_px"),
                  nb::arg("height_px"),
                  "Makes the rays of a camera at a point (eye) that looks at another "
                  "one (center). The field of view is that from left to right, "
                  "degrees. As in Open3D, rows follow one another towards up: the "
                  "picture is upside down.");
  for (const char* const name : {"compute_distance",
                                 "compute_signed_distance",
                                 "compute_closest_points",
                                 "compute_occupancy"})
    refuse(scene, name, "this class casts rays, and finds no distances to surfaces");
  scene.attr("INVALID_ID") = std::numeric_limits<std::uint32_t>::max();
}

} // namespace pcl_gpu_python
