// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/algorithm.h"

#include "triangulation/module.h"

#include "triangulation_doc.h"

#include <pcl/gpu/triangulation/depth_map_triangulation.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

using Bound = Shared<DepthMapTriangulation>;

/** \brief Returns an image that the last run left. */
template <typename Get>
auto
resultOf(const Bound& self, const Get& get)
{
  return toPython((*self.last().*get)(), self.last());
}

} // namespace

ArrayResult<int>
facesOf(const OrganizedMesh& mesh, std::shared_ptr<void> owner)
{
  std::vector<int> count(1, 0);
  if (!mesh.polygon_count.empty()) {
    currentStream().synchronize();
    mesh.polygon_count.download(count);
  }
  if (!owner)
    owner = std::make_shared<DeviceArray<int>>(mesh.indices);
  const std::int64_t vertices = mesh.vertices_per_polygon;
  return denseToPython<int>(deviceOf(mesh.indices),
                            mesh.indices.ptr(),
                            {count[0], vertices},
                            std::move(owner));
}

void
bindDepthMapTriangulation(nb::module_& module)
{
  nb::class_<Bound> algorithm(
      module, "DepthMapTriangulation", DOC(pcl, gpu, DepthMapTriangulation));
  defineParameters<Bound, DepthMapTriangulationParameters>(algorithm);
  algorithm
      .def(
          "compute",
          [](Bound& self, const ArrayArgument& depth, std::optional<float> scale) {
            const Stream stream = currentStream();
            DepthMapTriangulation& next = self.next();
            withDepth(depth, scale, [&](const auto&... input) {
              next.compute(input..., stream);
            });
          },
          nb::arg("depth"),
          nb::arg("scale").none() = nb::none(),
          "Runs the chain on a depth map of metres (float32), or of raw units (uint16) "
          "with the metres of one unit.")
      .def_prop_ro(
          "filtered_depth",
          [](const Bound& self) {
            return resultOf(self, &DepthMapTriangulation::filteredDepth);
          },
          DOC(pcl, gpu, DepthMapTriangulation, filteredDepth))
      .def_prop_ro(
          "cloud",
          [](const Bound& self) {
            return resultOf(self, &DepthMapTriangulation::cloud);
          },
          DOC(pcl, gpu, DepthMapTriangulation, cloud))
      .def_prop_ro(
          "normals",
          [](const Bound& self) {
            return resultOf(self, &DepthMapTriangulation::normals);
          },
          DOC(pcl, gpu, DepthMapTriangulation, normals))
      .def_prop_ro(
          "faces",
          [](const Bound& self) { return facesOf(self.last()->mesh(), self.last()); },
          "Polygons of the last run: pixel numbers row * columns + column. Waits for "
          "their number.")
      .def_prop_ro(
          "statistics",
          [](const Bound& self) {
            std::vector<ResolutionStatistics> statistics;
            currentStream().synchronize();
            self.last()->statistics().download(statistics);
            return statistics.at(0);
          },
          "Resolution measured in the last run. Waits for it.");
}

} // namespace pcl_gpu_python
