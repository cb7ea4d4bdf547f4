// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "triangulation/module.h"

#include "common/parameters.h"

#include "triangulation_doc.h"

#include <pcl/gpu/triangulation/cut.h>
#include <pcl/gpu/triangulation/statistics.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

NB_MODULE(triangulation, module)
{
  nb::module_::import_("pcl_gpu.utils");
  module.doc() = "From a depth map to a filtered cloud, normals and a mesh.";
  nb::enum_<Cut>(module, "Cut", DOC(pcl, gpu, Cut))
      .value("LEFT", Cut::Left, DOC(pcl, gpu, Cut, Left))
      .value("RIGHT", Cut::Right, DOC(pcl, gpu, Cut, Right))
      .value("ADAPTIVE", Cut::Adaptive, DOC(pcl, gpu, Cut, Adaptive))
      .value("QUAD", Cut::Quad, DOC(pcl, gpu, Cut, Quad));
  nb::class_<ResolutionStatistics>(
      module, "ResolutionStatistics", DOC(pcl, gpu, ResolutionStatistics))
      .def_ro("mean_spacing",
              &ResolutionStatistics::mean_spacing,
              DOC(pcl, gpu, ResolutionStatistics, mean_spacing))
      .def_ro("spacing_deviation",
              &ResolutionStatistics::spacing_deviation,
              DOC(pcl, gpu, ResolutionStatistics, spacing_deviation))
      .def_ro("nearest_distance",
              &ResolutionStatistics::nearest_distance,
              DOC(pcl, gpu, ResolutionStatistics, nearest_distance))
      .def_ro("mean_angle",
              &ResolutionStatistics::mean_angle,
              DOC(pcl, gpu, ResolutionStatistics, mean_angle))
      .def_ro("angle_deviation",
              &ResolutionStatistics::angle_deviation,
              DOC(pcl, gpu, ResolutionStatistics, angle_deviation))
      .def_ro("points",
              &ResolutionStatistics::points,
              DOC(pcl, gpu, ResolutionStatistics, points))
      .def_ro("normals",
              &ResolutionStatistics::normals,
              DOC(pcl, gpu, ResolutionStatistics, normals));
  bindParameters(module);
  bindStages(module);
  bindDepthMapTriangulation(module);
}

} // namespace pcl_gpu_python
