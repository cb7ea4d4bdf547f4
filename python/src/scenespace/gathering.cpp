// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/algorithm.h"

#include "scenespace/module.h"

#include "scenespace_doc.h"

#include <pcl/gpu/scenespace/gathering/out_of_core_gathering.h>
#include <pcl/gpu/scenespace/gathering/sample_gathering.h>
#include <pcl/gpu/scenespace/scene_space_resources.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

struct Gathering : SampleGathering {
  Reused<SampleSets> sets;
};

void
bindSampleGathering(nb::module_& module)
{
  using Parameters = SampleGatheringParameters;
  ParametersBinding<Parameters>(
      module, "SampleGatheringParameters", DOC(pcl, gpu, SampleGatheringParameters))
      .PCL_GPU_FIELD(SampleGatheringParameters, volume)
      .PCL_GPU_FIELD(SampleGatheringParameters, max_segments)
      .PCL_GPU_FIELD(SampleGatheringParameters, max_samples)
      .PCL_GPU_FIELD(SampleGatheringParameters, region)
      .finish()
      .def("validate",
           &Parameters::validate,
           DOC(pcl, gpu, SampleGatheringParameters, validate));
  nb::class_<Gathering> gathering(
      module, "SampleGathering", DOC(pcl, gpu, SampleGathering));
  defineParameters<Gathering, Parameters>(gathering);
  gathering
      .def("estimate_memory",
           &Gathering::estimateMemory,
           nb::arg("frames"),
           nb::arg("width"),
           nb::arg("height"),
           nb::arg("view"),
           DOC(pcl, gpu, SampleGathering, estimateMemory))
      .def(
          "gather",
          [](Gathering& self,
             const FramePointers& frames,
             const SceneView& view,
             const ArrayArgument& reference_depth) {
            const auto depth = imageFrom<float>(reference_depth, "reference_depth");
            const Stream stream = currentStream();
            const auto& sets = self.sets.next();
            const nb::gil_scoped_release release;
            if (depth->empty())
              self.gather(frames, view, *sets, stream);
            else
              self.gather(frames, view, *depth, *sets, stream);
            return sets;
          },
          nb::arg("frames"),
          nb::arg("view"),
          nb::arg("reference_depth").none() = nb::none(),
          "Gathers the samples of an output from frames, in their order.\n\nVolumes "
          "that are no frustums need the reference depth: metres (float32) along the "
          "output camera's z axis, of the output's size. Pixels without it have no "
          "samples.");
}

void
bindOutOfCore(nb::module_& module)
{
  using Parameters = OutOfCoreGatheringParameters;
  using Bound = Waiting<OutOfCoreGathering>;
  using Work =
      std::function<void(SampleSets, std::vector<std::shared_ptr<SceneFrame>>)>;
  ParametersBinding<Parameters>(module,
                                "OutOfCoreGatheringParameters",
                                DOC(pcl, gpu, OutOfCoreGatheringParameters))
      .PCL_GPU_FIELD(OutOfCoreGatheringParameters, frustum)
      .PCL_GPU_FIELD(OutOfCoreGatheringParameters, max_samples)
      .finish()
      .def("validate",
           &Parameters::validate,
           DOC(pcl, gpu, OutOfCoreGatheringParameters, validate));
  using Statistics = OutOfCoreStatistics;
  nb::class_<Statistics>(
      module, "OutOfCoreStatistics", DOC(pcl, gpu, OutOfCoreStatistics))
      .def_ro("region_columns",
              &Statistics::region_columns,
              DOC(pcl, gpu, OutOfCoreStatistics, region_columns))
      .def_ro("region_rows",
              &Statistics::region_rows,
              DOC(pcl, gpu, OutOfCoreStatistics, region_rows))
      .def_ro(
          "regions", &Statistics::regions, DOC(pcl, gpu, OutOfCoreStatistics, regions))
      .def_ro("uploaded_bytes",
              &Statistics::uploaded_bytes,
              DOC(pcl, gpu, OutOfCoreStatistics, uploaded_bytes))
      .def_ro(
          "memory", &Statistics::memory, DOC(pcl, gpu, OutOfCoreStatistics, memory));
  const std::string constructor =
      "def __init__(self, video: RGBDVideo, resources: SceneSpaceResources | None = "
      "None, parameters: OutOfCoreGatheringParameters | None = None, *" +
      keywordsOf<Parameters>() + ") -> None";
  nb::class_<Bound>(module, "OutOfCoreGathering", DOC(pcl, gpu, OutOfCoreGathering))
      .def(
          "__init__",
          [](Bound* self,
             const VideoPointer& video,
             const SceneSpaceResources* resources,
             const Parameters* parameters,
             const nb::kwargs& values) {
            Parameters changed = parametersOf(parameters);
            setFields(changed, values);
            new (self) Bound(video, parametersOf(resources));
            try {
              (*self)->setParameters(changed);
            }
            catch (...) {
              self->~Bound();
              throw;
            }
          },
          nb::arg("video"),
          nb::arg("resources").none() = nb::none(),
          nb::arg("parameters").none() = nb::none(),
          nb::arg("values"),
          nb::sig(constructor.c_str()),
          DOC(pcl, gpu, OutOfCoreGathering, OutOfCoreGathering))
      .def("get_parameters",
           [](const Bound& self) { return Parameters(self->getParameters()); })
      .def(
          "set_parameters",
          [](Bound& self, const Parameters& parameters) {
            self->setParameters(parameters);
          },
          nb::arg("parameters"))
      .def(
          "gather",
          [](Bound& self,
             const std::vector<int>& numbers,
             const SceneView& view,
             const Work& work) {
            const nb::gil_scoped_release release;
            return self->gather(numbers,
                                view,
                                [&](const SampleSets& sets,
                                    const FramePointers& frames,
                                    const Stream& stream) {
                                  std::vector<std::shared_ptr<SceneFrame>> held;
                                  for (const SceneFrame::ConstPtr& frame : frames)
                                    held.push_back(
                                        std::const_pointer_cast<SceneFrame>(frame));
                                  pushStream(stream);
                                  try {
                                    const nb::gil_scoped_acquire acquire;
                                    if (PyErr_CheckSignals() != 0)
                                      throw nb::python_error();
                                    work(sets, std::move(held));
                                  }
                                  catch (...) {
                                    popStream();
                                    throw;
                                  }
                                  popStream();
                                });
          },
          nb::arg("numbers"),
          nb::arg("view"),
          nb::arg("work"),
          "Gathers the samples of an output from the frames of these numbers, region "
          "by region.\n\nThe function is called with the sets of each region and the "
          "parts of frames that it sees, which must not be kept. The current stream "
          "is the region's meanwhile. With several devices their threads call it.");
}

} // namespace

void
bindGathering(nb::module_& module)
{
  bindSampleGathering(module);
  bindOutOfCore(module);
}

} // namespace pcl_gpu_python
