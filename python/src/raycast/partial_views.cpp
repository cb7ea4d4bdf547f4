// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "raycast/module.h"

#include "raycast_doc.h"

#include <pcl/conversions.h>
#include <pcl/gpu/raycast/render_views_tesselated_sphere.h>

#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>

#include <functional>
#include <optional>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief The views of a mesh, on the device of its arrays. */
struct PartialViews : RenderViewsTesselatedSphere<pcl::PointXYZ> {
  Device device = Device::host();
};

/** \brief Copies a mesh to PCL's, on the host. */
pcl::PolygonMesh
polygonMeshOf(const TriangleMesh& mesh)
{
  const ScopedDevice scope(deviceOf(mesh.vertices));
  std::vector<pcl::PointXYZ> vertices;
  std::vector<int> triangles;
  mesh.vertices.download(vertices);
  mesh.triangles.download(triangles);
  pcl::PointCloud<pcl::PointXYZ> cloud;
  cloud.assign(vertices.begin(), vertices.end());
  pcl::PolygonMesh result;
  pcl::toPCLPointCloud2(cloud, result.cloud);
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
    pcl::Vertices polygon;
    for (std::size_t k = i; k < i + 3; ++k)
      polygon.vertices.push_back(static_cast<pcl::index_t>(triangles[k]));
    result.polygons.push_back(std::move(polygon));
  }
  return result;
}

/** \brief Returns the points of a view, which they keep. */
ArrayResult<float>
pointsOf(const pcl::PointCloud<pcl::PointXYZ>::Ptr& view)
{
  std::vector<std::int64_t> shape = {static_cast<std::int64_t>(view->size()), 4};
  if (view->isOrganized())
    shape = {view->height, view->width, 4};
  return denseToPython<float>(
      Device::host(), view->points.data(), std::move(shape), view);
}

void
bindSetters(nb::class_<PartialViews>& views)
{
  views
      .def("set_resolution",
           &PartialViews::setResolution,
           nb::arg("pixels"),
           DOC(pcl, gpu, RenderViewsTesselatedSphere, setResolution))
      .def("set_tesselation_level",
           &PartialViews::setTesselationLevel,
           nb::arg("level"),
           DOC(pcl, gpu, RenderViewsTesselatedSphere, setTesselationLevel))
      .def("set_use_vertices",
           &PartialViews::setUseVertices,
           nb::arg("use"),
           DOC(pcl, gpu, RenderViewsTesselatedSphere, setUseVertices))
      .def("set_view_angle",
           &PartialViews::setViewAngle,
           nb::arg("angle"),
           DOC(pcl, gpu, RenderViewsTesselatedSphere, setViewAngle))
      .def("set_radius_sphere",
           &PartialViews::setRadiusSphere,
           nb::arg("radius"),
           DOC(pcl, gpu, RenderViewsTesselatedSphere, setRadiusSphere))
      .def("set_gen_organized",
           &PartialViews::setGenOrganized,
           nb::arg("organized"),
           DOC(pcl, gpu, RenderViewsTesselatedSphere, setGenOrganized))
      .def("set_compute_entropies",
           &PartialViews::setComputeEntropies,
           nb::arg("compute"),
           DOC(pcl, gpu, RenderViewsTesselatedSphere, setComputeEntropies))
      .def("set_method",
           &PartialViews::setMethod,
           nb::arg("method"),
           DOC(pcl, gpu, RenderViewsTesselatedSphere, setMethod))
      .def(
          "set_cam_pos_constraints",
          [](PartialViews& self, std::function<bool(Eigen::Vector3f)> constraint) {
            if (constraint)
              self.setCamPosConstraints([constraint = std::move(constraint)](
                                            const Eigen::Vector3f& position) {
                return constraint(position);
              });
            else
              self.setCamPosConstraints({});
          },
          nb::arg("constraint").none(),
          nb::sig("def set_cam_pos_constraints(self, constraint: "
                  "collections.abc.Callable[[typing.Any], bool] | None) -> None"),
          DOC(pcl, gpu, RenderViewsTesselatedSphere, setCamPosConstraints));
}

} // namespace

void
bindPartialViews(nb::module_& module)
{
  nb::class_<PartialViews> views(
      module,
      "RenderViewsTesselatedSphere",
      "Partial views of an object from all around, as clouds of its points.\n\nCameras "
      "stand on a sphere around the centre of gravity of the object's surface and look "
      "at it: at the middles of the triangles of a tessellated icosahedron, or at its "
      "vertices. All views are cast at once on the device of the mesh. Methods and "
      "defaults are those of PCL's class.");
  views.def(nb::init<>());
  bindSetters(views);
  views
      .def(
          "set_input_mesh",
          [](PartialViews& self, const BoundMesh& mesh) {
            currentStream().synchronize();
            const nb::gil_scoped_release release;
            const pcl::PolygonMesh polygons = polygonMeshOf(mesh.mesh);
            self.device = deviceOf(mesh.mesh.vertices);
            const ScopedDevice scope(self.device);
            self.setInputMesh(polygons);
          },
          nb::arg("mesh"),
          "Copies the vertices and triangles of a mesh.")
      .def(
          "place_cameras",
          [](const PartialViews& self) { return self.placeCameras(); },
          DOC(pcl, gpu, RenderViewsTesselatedSphere, placeCameras))
      .def(
          "generate_views",
          [](PartialViews& self,
             const std::optional<std::vector<CameraView>>& cameras) {
            // The constraint may be Python's.
            const std::vector<CameraView> all =
                cameras ? *cameras : self.placeCameras();
            const nb::gil_scoped_release release;
            const ScopedDevice scope(self.device);
            self.generateViews(all);
          },
          nb::arg("cameras").none() = nb::none(),
          "Makes all views, or those of some of the cameras that place_cameras() "
          "returned. Waits for them.")
      .def_prop_ro(
          "views",
          [](const PartialViews& self) {
            PartialViews::Views clouds;
            self.getViews(clouds);
            std::vector<ArrayResult<float>> result;
            for (const auto& cloud : clouds)
              result.push_back(pointsOf(cloud));
            return result;
          },
          "Points of each view in its camera's frame, metres: (n, 4) float32, or "
          "(resolution, resolution, 4) if organized.")
      .def_prop_ro(
          "poses",
          [](const PartialViews& self) {
            PartialViews::Poses poses;
            self.getPoses(poses);
            return std::vector<Eigen::Matrix4f>(poses.begin(), poses.end());
          },
          "Matrices from the object's frame to that of each view's camera.")
      .def_prop_ro(
          "cameras",
          [](const PartialViews& self) {
            std::vector<CameraView> cameras;
            self.getCameras(cameras);
            return cameras;
          },
          "Cameras of the views. Their poses are the inverse of those of poses.")
      .def_prop_ro(
          "entropies",
          [](const PartialViews& self) {
            std::vector<float> entropies;
            self.getEntropies(entropies);
            return entropies;
          },
          "Part of the surface that each view shows, 0 to 1; empty without "
          "set_compute_entropies(True).");
}

} // namespace pcl_gpu_python
