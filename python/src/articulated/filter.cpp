// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "articulated/module.h"

#include "articulated_doc.h"

#include <pcl/gpu/articulated/pose_estimate.h>
#include <pcl/gpu/articulated/pose_particle_filter.h>
#include <pcl/gpu/utils/async_copy.h>

#include <nanobind/stl/function.h>
#include <nanobind/stl/shared_ptr.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief Returns a copy of an array of the filter, which the next frame changes. */
template <typename T>
std::shared_ptr<DeviceArray<T>>
copyOf(const DeviceArray<T>& array)
{
  const ScopedDevice scope(deviceOf(array));
  const auto copy = std::make_shared<DeviceArray<T>>(array.size());
  copyAsync(array.ptr(), copy->ptr(), array.sizeBytes(), currentStream());
  return copy;
}

// A function may refer to the filter that it belongs to: then Python's collector ends
// both.

int
visitObjects(PyObject* self, visitproc visit, void* arg)
{
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self))
    Py_VISIT(nb::inst_ptr<BoundFilter>(self)->motion_function.ptr());
  return 0;
}

int
clearObjects(PyObject* self)
{
  BoundFilter& filter = *nb::inst_ptr<BoundFilter>(self);
  filter.setMotionFunction({});
  filter.motion_function.reset();
  return 0;
}

PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(&visitObjects)},
                       {Py_tp_clear, reinterpret_cast<void*>(&clearObjects)},
                       {0, nullptr}};

void
bindEstimate(nb::module_& module)
{
  using Numbers = std::vector<float> PoseEstimate::*;
  const auto numbers = [](Numbers member) {
    return [member](const PoseEstimate& self) { return numbersToPython(self.*member); };
  };
  nb::class_<PoseEstimate>(module, "PoseEstimate", DOC(pcl, gpu, PoseEstimate))
      .def_prop_ro(
          "mean", numbers(&PoseEstimate::mean), DOC(pcl, gpu, PoseEstimate, mean))
      .def_prop_ro(
          "best", numbers(&PoseEstimate::best), DOC(pcl, gpu, PoseEstimate, best))
      .def_prop_ro("deviations",
                   numbers(&PoseEstimate::deviations),
                   DOC(pcl, gpu, PoseEstimate, deviations))
      .def_ro("best_log_likelihood",
              &PoseEstimate::best_log_likelihood,
              DOC(pcl, gpu, PoseEstimate, best_log_likelihood))
      .def_ro("log_evidence",
              &PoseEstimate::log_evidence,
              DOC(pcl, gpu, PoseEstimate, log_evidence))
      .def_ro("effective_sample_size",
              &PoseEstimate::effective_sample_size,
              DOC(pcl, gpu, PoseEstimate, effective_sample_size))
      .def_ro(
          "exponent", &PoseEstimate::exponent, DOC(pcl, gpu, PoseEstimate, exponent))
      .def_ro(
          "possible", &PoseEstimate::possible, DOC(pcl, gpu, PoseEstimate, possible))
      .def_ro(
          "resampled", &PoseEstimate::resampled, DOC(pcl, gpu, PoseEstimate, resampled))
      .def_ro("frame", &PoseEstimate::frame, DOC(pcl, gpu, PoseEstimate, frame));
}

using Filter = nb::class_<BoundFilter>;

void
bindSetup(Filter& filter)
{
  filter
      .def(
          "set_skeleton",
          [](BoundFilter& self, const std::shared_ptr<Skeleton>& skeleton) {
            self.setSkeleton(copyOfSkeleton(skeleton));
          },
          nb::arg("skeleton"),
          (std::string(DOC(pcl, gpu, PoseParticleFilter, setSkeleton)) + skeleton_doc)
              .c_str())
      .def_prop_ro(
          "skeleton",
          [](const BoundFilter& self) { return copyOfSkeleton(self.getSkeleton()); },
          nb::sig("def skeleton(self) -> Skeleton | None"),
          "A copy of the skeleton; None if none was set.")
      .def(
          "set_motion_function",
          [](BoundFilter& self, const nb::object& function) {
            if (!function.is_none() && !PyCallable_Check(function.ptr()))
              throwWrongType("function", function, "a function or None");
            self.setMotionFunction({});
            self.motion_function = function;
            if (!function.is_none())
              self.setMotionFunction(motionFunctionOf(self));
          },
          nb::arg("function").none(),
          nb::sig("def set_motion_function(self, function: "
                  "collections.abc.Callable[[typing.Any, float], "
                  "pcl_gpu.typing.Array] | None) -> None"),
          "Sets a function that moves the particles at the start of a frame, before "
          "the "
          "model does. Noise is the model's, and brings angles beyond limits back.\n\n"
          "It takes rows of poses, float32 of shape (n, length of a pose), and the "
          "time "
          "since the frame before, seconds. It returns the moved rows, on the same "
          "device; they may be the array that it got.")
      .def(
          "propose",
          [](BoundFilter& self, const PoseArgument& pose) {
            self.propose(numbersOf(pose.value));
          },
          nb::arg("pose"),
          DOC(pcl, gpu, PoseParticleFilter, propose))
      .def("set_devices",
           &PoseParticleFilter::setDevices,
           nb::arg("devices"),
           DOC(pcl, gpu, PoseParticleFilter, setDevices))
      .def_prop_ro(
          "devices",
          [](const BoundFilter& self) {
            return std::vector<Device>(self.getDevices());
          },
          DOC(pcl, gpu, PoseParticleFilter, getDevices))
      .def(
          "initialize",
          [](BoundFilter& self,
             const PoseArgument& pose,
             const std::optional<PoseArgument>& deviations) {
            const Stream stream = currentStream();
            const nb::gil_scoped_release release;
            if (deviations)
              self.initialize(
                  numbersOf(pose.value), numbersOf(deviations->value), stream);
            else
              self.initialize(numbersOf(pose.value), stream);
          },
          nb::arg("pose"),
          nb::arg("deviations").none() = nb::none(),
          (std::string(DOC(pcl, gpu, PoseParticleFilter, initialize)) +
           "\n\nOr they are those given, one a degree of freedom (see PoseEstimate).")
              .c_str())
      .def(
          "initialize",
          [](BoundFilter& self, const ArrayArgument& poses) {
            const auto rows = posesFrom(poses, "poses", self.getSkeleton().get());
            const Stream stream = currentStream();
            const nb::gil_scoped_release release;
            self.initialize(*rows, stream);
          },
          nb::arg("poses"),
          DOC(pcl, gpu, PoseParticleFilter, initialize_3))
      .def(
          "reset", &PoseParticleFilter::reset, DOC(pcl, gpu, PoseParticleFilter, reset))
      .def_prop_ro("is_initialized",
                   &PoseParticleFilter::isInitialized,
                   DOC(pcl, gpu, PoseParticleFilter, isInitialized))
      .def("estimate_memory",
           &PoseParticleFilter::estimateMemory,
           nb::arg("points"),
           DOC(pcl, gpu, PoseParticleFilter, estimateMemory));
}

void
bindFrames(Filter& filter)
{
  filter
      .def(
          "process_frame",
          [](BoundFilter& self,
             const ArrayArgument& points,
             const MatrixArgument<Eigen::Vector3f>& viewpoint,
             float dt,
             const ArrayArgument& backgrounds) {
            const auto list = listFrom<pcl::PointXYZ>(points, "points");
            const auto background_list = listFrom<float>(backgrounds, "backgrounds");
            const Stream stream = currentStream();
            const nb::gil_scoped_release release;
            self.processFrame(*list, *background_list, viewpoint, dt, stream);
          },
          nb::arg("points"),
          nb::arg("viewpoint"),
          nb::arg("dt"),
          nb::arg("backgrounds").none() = nb::none(),
          DOC(pcl, gpu, PoseParticleFilter, processFrame_2))
      .def(
          "process_frame",
          [](BoundFilter& self, const nb::callable& likelihood, float dt) {
            const auto function = likelihoodFunctionOf(likelihood, self);
            const Stream stream = currentStream();
            const nb::gil_scoped_release release;
            self.processFrame(function, dt, stream);
          },
          nb::arg("likelihood"),
          nb::arg("dt"),
          nb::sig("def process_frame(self, likelihood: "
                  "collections.abc.Callable[[typing.Any], pcl_gpu.typing.Array], dt: "
                  "float) -> None"),
          "Processes one frame with a likelihood of the caller.\n\nIt is a function "
          "that takes rows of poses, float32 of shape (n, length of a pose), and "
          "returns their log-likelihoods, float64 of shape (n), on the same device, up "
          "to a common constant. A number that is not finite makes its pose "
          "impossible. "
          "It is called once a layer and partition.");
}

void
bindResults(Filter& filter)
{
  filter
      .def_prop_ro(
          "estimate",
          [](const BoundFilter& self) {
            PoseEstimate estimate;
            const Stream stream = currentStream();
            const nb::gil_scoped_release release;
            self.getEstimate(estimate, stream);
            return estimate;
          },
          "The estimate of the last frame. Waits for it.")
      .def_prop_ro(
          "covariance",
          [](BoundFilter& self) {
            Eigen::MatrixXf covariance;
            const Stream stream = currentStream();
            const nb::gil_scoped_release release;
            self.getCovariance(covariance, stream);
            return covariance;
          },
          "The covariance of the particles about the mean: square, one row a degree of "
          "freedom (see PoseEstimate). Waits for it. O(particles * freedoms^2).")
      .def_prop_ro(
          "particles",
          [](const BoundFilter& self) {
            const auto copy = copyOf(self.getParticles());
            return rowsToPython(*copy, self.poseSize(), copy);
          },
          "A copy of the particles of the last frame, or those of the leading island: "
          "rows "
          "of poses, float32 of shape (particles, length of a pose). They are weighted "
          "by "
          "log_weights. Drawing happens in the next frame.")
      .def_prop_ro(
          "log_weights",
          [](const BoundFilter& self) {
            const auto copy = copyOf(self.getLogWeights());
            return toPython(*copy, copy);
          },
          "A copy of the logarithms of the weights of the particles; the greatest is "
          "0.")
      .def_prop_ro(
          "ancestors",
          [](const BoundFilter& self) {
            const auto copy = copyOf(self.getAncestors());
            return toPython(*copy, copy);
          },
          "A copy of the number of the particle of the last frame that each of the "
          "next "
          "one comes from.");
}

} // namespace

void
bindFilter(nb::module_& module)
{
  bindEstimate(module);
  Filter filter(module,
                "PoseParticleFilter",
                nb::type_slots(slots),
                DOC(pcl, gpu, PoseParticleFilter));
  defineParameters<BoundFilter, PoseParticleFilterParameters>(filter);
  bindSetup(filter);
  bindFrames(filter);
  bindResults(filter);
}

} // namespace pcl_gpu_python
