// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/algorithm.h"
#include "common/parameters.h"

#include "tensor/module.h"
#include "tensor/table.h"

#include "tensor_doc.h"

#include <pcl/gpu/tensor/depth_stream_recognition.h>
#include <pcl/gpu/tensor/tensor_recognition.h>

#include <nanobind/stl/shared_ptr.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

struct BoundMatching : TensorMatching {
  HeldOutput<HeldMatches> output;
};

struct BoundRecognition : Shared<TensorRecognition> {
  Stream stream; ///< of the last run
};

void
bindMatching(nb::module_& module)
{
  nb::class_<BoundMatching> algorithm(
      module, "TensorMatching", DOC(pcl, gpu, TensorMatching));
  defineParameters<BoundMatching, TensorMatchingParameters>(algorithm);
  algorithm.def(
      "compute",
      [](BoundMatching& self, HeldTensors& tensors, const HeldTable& table) {
        const std::int64_t count = tensors.count();
        HeldMatches& result = self.output.next();
        result.tensors = count;
        result.match_count = self.getParameters().match_count;
        {
          const nb::gil_scoped_release release;
          self.compute(tensors.tensors, table, result.matches, result.stream);
        }
        return self.output.last();
      },
      nb::arg("tensors"),
      nb::arg("table"),
      "Matches tensors with those of a table. Waits for the number of tensors.");
}

void
bindObjects(nb::module_& module)
{
  nb::class_<RecognitionEvidence>(
      module, "RecognitionEvidence", DOC(pcl, gpu, RecognitionEvidence))
      .def_ro("support",
              &RecognitionEvidence::support,
              DOC(pcl, gpu, RecognitionEvidence, support))
      .def_ro("fit", &RecognitionEvidence::fit, DOC(pcl, gpu, RecognitionEvidence, fit))
      .def_ro(
          "near", &RecognitionEvidence::near, DOC(pcl, gpu, RecognitionEvidence, near))
      .def_ro("aligned",
              &RecognitionEvidence::aligned,
              DOC(pcl, gpu, RecognitionEvidence, aligned))
      .def_ro(
          "free", &RecognitionEvidence::free, DOC(pcl, gpu, RecognitionEvidence, free))
      .def_ro("hidden",
              &RecognitionEvidence::hidden,
              DOC(pcl, gpu, RecognitionEvidence, hidden))
      .def_ro("unseen",
              &RecognitionEvidence::unseen,
              DOC(pcl, gpu, RecognitionEvidence, unseen))
      .def_ro("larger",
              &RecognitionEvidence::larger,
              DOC(pcl, gpu, RecognitionEvidence, larger))
      .def_ro("filled",
              &RecognitionEvidence::filled,
              DOC(pcl, gpu, RecognitionEvidence, filled));
  nb::class_<RecognizedObject>(
      module, "RecognizedObject", DOC(pcl, gpu, RecognizedObject))
      .def_ro("model", &RecognizedObject::model, DOC(pcl, gpu, RecognizedObject, model))
      .def_ro("inliers",
              &RecognizedObject::inliers,
              DOC(pcl, gpu, RecognizedObject, inliers))
      .def_prop_ro(
          "pose",
          [](const RecognizedObject& self) { return toPose(self.pose); },
          "Rigid transform (4 x 4) that maps the model's points into the frame of the "
          "scene's camera, metres.")
      .def_prop_ro(
          "matched_pose",
          [](const RecognizedObject& self) { return toPose(self.matched_pose); },
          DOC(pcl, gpu, RecognizedObject, matched_pose))
      .def_ro("visible",
              &RecognizedObject::visible,
              DOC(pcl, gpu, RecognizedObject, visible))
      .def_ro("evidence",
              &RecognizedObject::evidence,
              DOC(pcl, gpu, RecognizedObject, evidence))
      .def_ro("confidence",
              &RecognizedObject::confidence,
              DOC(pcl, gpu, RecognizedObject, confidence))
      .def("__repr__", [](const RecognizedObject& self) {
        return "<RecognizedObject of model " + std::to_string(self.model) +
               ", confidence " + std::to_string(self.confidence) + ">";
      });
}

void
bindTensorRecognition(nb::module_& module)
{
  nb::class_<BoundRecognition> algorithm(
      module, "TensorRecognition", DOC(pcl, gpu, TensorRecognition));
  defineParameters<BoundRecognition, TensorRecognitionParameters>(algorithm);
  algorithm
      .def(
          "set_library",
          [](BoundRecognition& self, const std::shared_ptr<TensorLibrary>& library) {
            self.next().setLibrary(library);
          },
          nb::arg("library"),
          DOC(pcl, gpu, TensorRecognition, setLibrary))
      .def_prop_ro(
          "library",
          [](const BoundRecognition& self) { return self.last()->getLibrary(); },
          nb::sig("def library(self) -> TensorLibrary | None"),
          "The objects to look for; None if they were not set.")
      .def(
          "compute",
          [](BoundRecognition& self,
             const ArrayArgument& cloud,
             const ArrayArgument& normals,
             const PinholeCamera& camera,
             const HeldTensors& tensors) {
            const auto points = imageFrom<pcl::PointXYZ>(cloud, "cloud");
            const auto normal_map = imageFrom<pcl::PointXYZ>(normals, "normals");
            self.stream = currentStream();
            TensorRecognition& next = self.next();
            const nb::gil_scoped_release release;
            next.compute(*points, *normal_map, camera, tensors.tensors, self.stream);
          },
          nb::arg("cloud"),
          nb::arg("normals"),
          nb::arg("camera"),
          nb::arg("tensors"),
          DOC(pcl, gpu, TensorRecognition, compute))
      .def_prop_ro(
          "objects",
          [](const BoundRecognition& self) {
            const nb::gil_scoped_release release;
            self.stream.synchronize();
            return self.last()->downloadObjects();
          },
          "The objects that the last run found, the surest first. Waits for them.")
      .def_prop_ro(
          "pixel_objects",
          [](const BoundRecognition& self) {
            return toPython(self.last()->pixelObjects(), self.last());
          },
          DOC(pcl, gpu, TensorRecognition, pixelObjects));
}

void
bindStream(nb::module_& module)
{
  using Recognition = DepthStreamRecognition;
  nb::class_<Recognition> algorithm(
      module, "DepthStreamRecognition", DOC(pcl, gpu, DepthStreamRecognition));
  algorithm.def(
      "__init__",
      [](Recognition* self,
         const TensorLibrary& library,
         const std::vector<Device>& devices,
         int frames_per_device) {
        const nb::gil_scoped_release release;
        new (self) Recognition(library, devices, frames_per_device);
      },
      nb::arg("library"),
      nb::arg("devices") = std::vector<Device>(),
      nb::arg("frames_per_device") = 2,
      DOC(pcl, gpu, DepthStreamRecognition, DepthStreamRecognition));
  defineParameterAccess<Recognition, DepthStreamRecognitionParameters>(algorithm);
  algorithm
      .def_prop_ro("capacity",
                   &Recognition::capacity,
                   "The largest number of frames that can be under way.")
      .def_prop_ro("pending",
                   &Recognition::pending,
                   "The number of frames that are under way or done, and that next() "
                   "has not returned.")
      .def(
          "submit",
          [](Recognition& self, const ArrayArgument& depth, float scale) {
            const ArrayView view = hostViewOf(depth, "depth");
            checkArray(view,
                       "depth",
                       nb::dtype<std::uint16_t>(),
                       {any_length, any_length},
                       -1);
            const nb::gil_scoped_release release;
            self.submit(static_cast<const std::uint16_t*>(view.data),
                        static_cast<int>(view.shape[1]),
                        static_cast<int>(view.shape[0]),
                        scale);
          },
          nb::arg("depth"),
          nb::arg("scale"),
          "Starts to compute a frame: raw depth (uint16) on the host, and the metres "
          "of "
          "one unit. Copies it first, and returns before it is done.")
      .def(
          "next",
          [](Recognition& self) {
            const nb::gil_scoped_release release;
            return self.next();
          },
          DOC(pcl, gpu, DepthStreamRecognition, next));
}

} // namespace

void
bindRecognition(nb::module_& module)
{
  bindMatching(module);
  bindObjects(module);
  bindTensorRecognition(module);
  bindStream(module);
}

} // namespace pcl_gpu_python
