// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scenespace/module.h"

#include "scenespace_doc.h"

#include <pcl/gpu/scenespace/gathering/sample_sets.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

using Pointer = std::shared_ptr<SampleSets>;

/** \brief Returns an array of sets, which it keeps alive. */
template <typename Get>
auto
arrayOf(const Get& get)
{
  return [get](const Pointer& sets) { return toPython(((*sets).*get)(), sets); };
}

void
bindSample(nb::module_& module)
{
  nb::class_<SceneSample>(module, "SceneSample", DOC(pcl, gpu, SceneSample))
      .def_ro("column", &SceneSample::column, DOC(pcl, gpu, SceneSample, column))
      .def_ro("row", &SceneSample::row, DOC(pcl, gpu, SceneSample, row))
      .def_ro("depth", &SceneSample::depth, DOC(pcl, gpu, SceneSample, depth))
      .def_ro("red", &SceneSample::red, DOC(pcl, gpu, SceneSample, red))
      .def_ro("green", &SceneSample::green, DOC(pcl, gpu, SceneSample, green))
      .def_ro("blue", &SceneSample::blue, DOC(pcl, gpu, SceneSample, blue))
      .def_ro("frame", &SceneSample::frame, DOC(pcl, gpu, SceneSample, frame))
      .def("__repr__", [](const SceneSample& self) {
        return "<SceneSample of frame " + std::to_string(self.frame) + ", column " +
               std::to_string(self.column) + ", row " + std::to_string(self.row) +
               ", " + std::to_string(self.depth) + " m>";
      });
}

} // namespace

void
bindSampleSets(nb::module_& module)
{
  bindSample(module);
  nb::class_<SampleSets> sets(module, "SampleSets", DOC(pcl, gpu, SampleSets));
  sets.attr("SAMPLE_BYTES") = static_cast<std::size_t>(SampleSets::sample_bytes);
  sets.attr("GROUP_SIZE") = static_cast<std::size_t>(SampleSets::group_size);
  sets.attr("IS_FULL") = static_cast<std::uint32_t>(SampleSets::is_full);
  sets.def_static("estimate_memory",
                  &SampleSets::estimateMemory,
                  nb::arg("pixels"),
                  nb::arg("capacity"),
                  DOC(pcl, gpu, SampleSets, estimateMemory))
      .def_prop_ro(
          "region",
          [](const SampleSets& self) { return self.getRegion(); },
          DOC(pcl, gpu, SampleSets, getRegion))
      .def_prop_ro(
          "columns", &SampleSets::getColumns, DOC(pcl, gpu, SampleSets, getColumns))
      .def_prop_ro("rows", &SampleSets::getRows, DOC(pcl, gpu, SampleSets, getRows))
      .def_prop_ro(
          "capacity", &SampleSets::getCapacity, DOC(pcl, gpu, SampleSets, getCapacity))
      .def_prop_ro("counts",
                   arrayOf(&SampleSets::getCounts),
                   DOC(pcl, gpu, SampleSets, getCounts))
      .def_prop_ro("positions",
                   arrayOf(&SampleSets::getPositions),
                   DOC(pcl, gpu, SampleSets, getPositions))
      .def_prop_ro("depths",
                   arrayOf(&SampleSets::getDepths),
                   DOC(pcl, gpu, SampleSets, getDepths))
      .def_prop_ro("colors",
                   arrayOf(&SampleSets::getColors),
                   DOC(pcl, gpu, SampleSets, getColors))
      .def_prop_ro("frame_high_bytes",
                   arrayOf(&SampleSets::getFrameHighBytes),
                   DOC(pcl, gpu, SampleSets, getFrameHighBytes))
      .def("place",
           &SampleSets::place,
           nb::arg("pixel"),
           nb::arg("number"),
           DOC(pcl, gpu, SampleSets, place))
      .def(
          "download",
          [](const SampleSets& self, int column, int row) {
            const nb::gil_scoped_release release;
            return self.download(column, row);
          },
          nb::arg("column"),
          nb::arg("row"),
          DOC(pcl, gpu, SampleSets, download));
}

} // namespace pcl_gpu_python
