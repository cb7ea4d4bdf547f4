// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/algorithm.h"
#include "common/parameters.h"

#include "tensor/module.h"
#include "triangulation/module.h"

#include "tensor_doc.h"

#include <pcl/gpu/tensor/depth_map_tensor_extraction.h>
#include <pcl/gpu/triangulation/cloud_resolution.h>
#include <pcl/gpu/triangulation/organized_triangulation.h>

#include <nanobind/stl/shared_ptr.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

using Surface = Shared<DepthMapTriangulation>;

struct BoundPairs : PointPairEstimation {
  HeldOutput<HeldPairs> output;
};

struct BoundTensors : TensorExtraction {
  HeldOutput<HeldTensors> output;
};

struct BoundChain : Shared<DepthMapTensorExtraction> {
  Stream stream; ///< of the last run
};

void
bindPairEstimation(nb::module_& module)
{
  nb::class_<BoundPairs> algorithm(
      module, "PointPairEstimation", DOC(pcl, gpu, PointPairEstimation));
  defineParameters<BoundPairs, PointPairEstimationParameters>(algorithm);
  algorithm.def(
      "compute",
      [](BoundPairs& self,
         const ArrayArgument& cloud,
         const ArrayArgument& normals,
         const ResolutionStatistics* statistics,
         const ArrayArgument& keypoints) {
        const auto points = imageFrom<pcl::PointXYZ>(cloud, "cloud");
        const auto normal_map = imageFrom<pcl::PointXYZ>(normals, "normals");
        const auto chosen = listFrom<int>(keypoints, "keypoints");
        const bool all = keypoints.isNone();
        HeldPairs& result = self.output.next();
        {
          const nb::gil_scoped_release release;
          const auto measured = statisticsOn(deviceOf(*points), statistics);
          if (all)
            self.compute(*points, *normal_map, measured, result.pairs, result.stream);
          else
            self.compute(
                *points, *normal_map, measured, *chosen, result.pairs, result.stream);
          if (statistics || !all) // their memory is used until then
            result.stream.synchronize();
        }
        return self.output.last();
      },
      nb::arg("cloud"),
      nb::arg("normals"),
      nb::arg("statistics").none() = nb::none(),
      nb::arg("keypoints").none() = nb::none(),
      "Finds the pairs of an organized cloud, or those that some points choose.\n\n"
      "Keypoints are numbers row * columns + column (int32). Statistics are those of a "
      "CloudResolution; they may be left out if a resolution is set.");
}

/** \brief Connects the points of a cloud as TensorEstimation does. */
OrganizedMesh
meshOf(const OrganizedCloud& cloud,
       const NormalMap& normals,
       const OrganizedTriangulationParameters& parameters,
       DeviceArray<ResolutionStatistics>& statistics,
       const Stream& stream)
{
  OrganizedTriangulation triangulation;
  triangulation.setParameters(parameters);
  if (statistics.empty()) {
    CloudResolution resolution;
    CloudResolutionParameters measured;
    parameters.applyTo(measured);
    resolution.setParameters(measured);
    resolution.compute(cloud, normals, statistics, stream);
  }
  OrganizedMesh mesh;
  triangulation.compute(cloud, normals, statistics, mesh, stream);
  return mesh;
}

void
bindTensorExtraction(nb::module_& module)
{
  nb::class_<BoundTensors> algorithm(
      module, "TensorExtraction", DOC(pcl, gpu, TensorExtraction));
  defineParameters<BoundTensors, TensorExtractionParameters>(algorithm);
  algorithm.def(
      "compute",
      [](BoundTensors& self, const Surface& surface, const HeldPairs& pairs) {
        HeldTensors& result = self.output.next();
        {
          const DepthMapTriangulation& last = *surface.last();
          const nb::gil_scoped_release release;
          self.compute(last.cloud(),
                       last.normals(),
                       last.mesh(),
                       last.statistics(),
                       pairs.pairs,
                       result.tensors,
                       result.stream);
        }
        return self.output.last();
      },
      nb::arg("surface"),
      nb::arg("pairs"),
      nb::sig("def compute(self, surface: "
              "pcl_gpu.triangulation.DepthMapTriangulation, pairs: PointPairs) -> "
              "TensorSet"),
      "Computes the tensors of pairs of the surface that a DepthMapTriangulation "
      "computed last.");
  algorithm.def(
      "compute_organized",
      [](BoundTensors& self,
         const ArrayArgument& cloud,
         const ArrayArgument& normals,
         const HeldPairs& pairs,
         const OrganizedTriangulationParameters* triangulation,
         const ResolutionStatistics* statistics) {
        const auto points = imageFrom<pcl::PointXYZ>(cloud, "cloud");
        const auto normal_map = imageFrom<pcl::PointXYZ>(normals, "normals");
        const auto parameters = parametersOf(triangulation);
        HeldTensors& result = self.output.next();
        {
          const nb::gil_scoped_release release;
          const ScopedDevice scope(deviceOf(*points));
          auto measured = statisticsOn(deviceOf(*points), statistics);
          const OrganizedMesh mesh =
              meshOf(*points, *normal_map, parameters, measured, result.stream);
          self.compute(*points,
                       *normal_map,
                       mesh,
                       measured,
                       pairs.pairs,
                       result.tensors,
                       result.stream);
          result.stream.synchronize();
        }
        return self.output.last();
      },
      nb::arg("cloud"),
      nb::arg("normals"),
      nb::arg("pairs"),
      nb::arg("triangulation").none() = nb::none(),
      nb::arg("statistics").none() = nb::none(),
      nb::sig("def compute_organized(self, cloud: pcl_gpu.typing.Array, normals: "
              "pcl_gpu.typing.Array, pairs: PointPairs, triangulation: "
              "pcl_gpu.triangulation.OrganizedTriangulationParameters | None = None, "
              "statistics: pcl_gpu.triangulation.ResolutionStatistics | None = None) "
              "-> TensorSet"),
      "Connects the points of an organized cloud, and computes the tensors of pairs of "
      "them. Without statistics measures the cloud's resolution first. Waits for the "
      "result.");
  algorithm.def(
      "compute_mesh",
      [](BoundTensors& self,
         const ArrayArgument& vertices,
         const ArrayArgument& normals,
         const ArrayArgument& triangles,
         const HeldPairs& pairs) {
        const auto points = listFrom<pcl::PointXYZ>(vertices, "vertices");
        const auto normal_list = listFrom<pcl::PointXYZ>(normals, "normals");
        const auto corners =
            rowsFrom<int>(viewOf(triangles, "triangles"), "triangles", 3);
        HeldTensors& result = self.output.next();
        {
          const nb::gil_scoped_release release;
          self.compute(*points,
                       *normal_list,
                       *corners,
                       pairs.pairs,
                       result.tensors,
                       result.stream);
        }
        return self.output.last();
      },
      nb::arg("vertices"),
      nb::arg("normals"),
      nb::arg("triangles"),
      nb::arg("pairs"),
      "Computes the tensors of pairs of vertices of any triangle mesh. The voxel size "
      "has to be in metres.");
}

void
bindChain(nb::module_& module)
{
  nb::class_<BoundChain> algorithm(
      module, "DepthMapTensorExtraction", DOC(pcl, gpu, DepthMapTensorExtraction));
  defineParameters<BoundChain, DepthMapTensorExtractionParameters>(algorithm);
  algorithm
      .def(
          "compute",
          [](BoundChain& self, const ArrayArgument& depth, std::optional<float> scale) {
            self.stream = currentStream();
            DepthMapTensorExtraction& next = self.next();
            withDepth(depth, scale, [&](const auto&... input) {
              next.compute(input..., self.stream);
            });
          },
          nb::arg("depth"),
          nb::arg("scale").none() = nb::none(),
          "Runs the chain on a depth map of metres (float32), or of raw units (uint16) "
          "with the metres of one unit.")
      .def_prop_ro(
          "cloud_camera",
          [](const BoundChain& self) { return self.last()->getCloudCamera(); },
          "Intrinsics that the pixels of the cloud have.")
      .def_prop_ro(
          "surface",
          [](const BoundChain& self) {
            const auto& last = self.last();
            return Surface(std::shared_ptr<DepthMapTriangulation>(
                last, const_cast<DepthMapTriangulation*>(&last->surface())));
          },
          nb::sig("def surface(self) -> pcl_gpu.triangulation.DepthMapTriangulation"),
          "The surface of the last run.")
      .def_prop_ro(
          "pairs",
          [](const BoundChain& self) {
            return HeldPairs{self.last()->pairs(), self.stream, self.last()};
          },
          "The pairs of the last run.")
      .def_prop_ro(
          "tensors",
          [](const BoundChain& self) {
            return HeldTensors{self.last()->tensors(), self.stream, self.last()};
          },
          "The tensors of the last run.");
}

} // namespace

void
bindExtraction(nb::module_& module)
{
  bindPairEstimation(module);
  bindTensorExtraction(module);
  bindChain(module);
}

} // namespace pcl_gpu_python
