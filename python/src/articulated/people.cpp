// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "articulated/module.h"
#include "common/errors.h"

#include "articulated_doc.h"

#include <pcl/gpu/articulated/people_detection.h>
#include <pcl/gpu/articulated/people_tracker.h>
#include <pcl/point_cloud.h>

#include <nanobind/stl/shared_ptr.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

using Cloud = pcl::PointCloud<pcl::PointXYZ>;

constexpr const char* cloud_doc =
    "\n\nThe cloud is float32 of shape (rows, columns, 4), on any device; it is copied "
    "to the host.";

/** \brief Copies an organized cloud to PCL's. Waits for it. */
Cloud
cloudFrom(const ArrayArgument& argument, const char* name)
{
  const auto image = imageFrom<pcl::PointXYZ>(viewOf(argument, name), name);
  currentStream().synchronize();
  Cloud cloud(static_cast<std::uint32_t>(image->cols()),
              static_cast<std::uint32_t>(image->rows()));
  if (!image->empty())
    image->download(cloud.points.data(), image->cols() * sizeof(pcl::PointXYZ));
  cloud.is_dense = false;
  return cloud;
}

void
bindDetection(nb::module_& module)
{
  ParametersBinding<PeopleDetectionParameters>(
      module, "PeopleDetectionParameters", DOC(pcl, gpu, PeopleDetectionParameters))
      .PCL_GPU_FIELD(PeopleDetectionParameters, farthest)
      .PCL_GPU_FIELD(PeopleDetectionParameters, statures)
      .PCL_GPU_FIELD(PeopleDetectionParameters, min_area)
      .PCL_GPU_FIELD(PeopleDetectionParameters, min_confidence)
      .PCL_GPU_FIELD(PeopleDetectionParameters, max_people)
      .finish();
  nb::class_<DetectedPerson>(module, "DetectedPerson", DOC(pcl, gpu, DetectedPerson))
      .def_ro("skeleton",
              &DetectedPerson::skeleton,
              DOC(pcl, gpu, DetectedPerson, skeleton))
      .def_prop_ro(
          "pose",
          [](const DetectedPerson& self) { return numbersToPython(self.pose); },
          DOC(pcl, gpu, DetectedPerson, pose))
      .def_ro("area", &DetectedPerson::area, DOC(pcl, gpu, DetectedPerson, area))
      .def_ro("confidence",
              &DetectedPerson::confidence,
              DOC(pcl, gpu, DetectedPerson, confidence));
  nb::class_<PeopleDetection> detection(
      module, "PeopleDetection", DOC(pcl, gpu, PeopleDetection));
  defineParameters<PeopleDetection, PeopleDetectionParameters>(detection);
  detection.def(
      "detect",
      [](const PeopleDetection& self, const ArrayArgument& cloud) {
        const Cloud copy = cloudFrom(cloud, "cloud");
        PeopleDetection detection;
        PeopleDetectionParameters parameters = self.getParameters();
        parameters.check_interruption = checkSignals;
        detection.setParameters(parameters);
        const nb::gil_scoped_release release;
        return detection.detect(copy);
      },
      nb::arg("cloud"),
      (std::string(DOC(pcl, gpu, PeopleDetection, detect)) + cloud_doc).c_str());
}

void
bindTracker(nb::module_& module)
{
  ParametersBinding<PeopleTrackerParameters>(
      module, "PeopleTrackerParameters", DOC(pcl, gpu, PeopleTrackerParameters))
      .PCL_GPU_FIELD(PeopleTrackerParameters, detection)
      .PCL_GPU_FIELD(PeopleTrackerParameters, filter)
      .PCL_GPU_FIELD(PeopleTrackerParameters, search_interval)
      .PCL_GPU_FIELD(PeopleTrackerParameters, min_new_area)
      .PCL_GPU_FIELD(PeopleTrackerParameters, patience)
      .PCL_GPU_FIELD(PeopleTrackerParameters, memory)
      .finish();
  nb::class_<TrackedPerson>(module, "TrackedPerson", DOC(pcl, gpu, TrackedPerson))
      .def_ro("number", &TrackedPerson::number, DOC(pcl, gpu, TrackedPerson, number))
      .def_prop_ro(
          "skeleton",
          // The tracker goes on with its own one.
          [](const TrackedPerson& self) {
            return std::make_shared<Skeleton>(*self.skeleton);
          },
          DOC(pcl, gpu, TrackedPerson, skeleton))
      .def_ro(
          "estimate", &TrackedPerson::estimate, DOC(pcl, gpu, TrackedPerson, estimate))
      .def_prop_ro(
          "joints",
          [](const TrackedPerson& self) {
            return std::vector<JointEstimate>(self.joints);
          },
          DOC(pcl, gpu, TrackedPerson, joints))
      .def_ro("confidence",
              &TrackedPerson::confidence,
              DOC(pcl, gpu, TrackedPerson, confidence));
  nb::class_<PeopleTracker> tracker(
      module, "PeopleTracker", DOC(pcl, gpu, PeopleTracker));
  defineParameters<PeopleTracker, PeopleTrackerParameters>(tracker);
  tracker
      .def(
          "process_frame",
          [](PeopleTracker& self, const ArrayArgument& cloud, float dt) {
            const Cloud copy = cloudFrom(cloud, "cloud");
            PeopleTrackerParameters parameters = self.getParameters();
            parameters.detection.check_interruption = checkSignals;
            self.setParameters(parameters);
            const nb::gil_scoped_release release;
            return self.processFrame(copy, dt);
          },
          nb::arg("cloud"),
          nb::arg("dt"),
          (std::string(DOC(pcl, gpu, PeopleTracker, processFrame)) + cloud_doc).c_str())
      .def("reset", &PeopleTracker::reset, DOC(pcl, gpu, PeopleTracker, reset));
}

} // namespace

void
bindPeople(nb::module_& module)
{
  bindDetection(module);
  bindTracker(module);
}

} // namespace pcl_gpu_python
