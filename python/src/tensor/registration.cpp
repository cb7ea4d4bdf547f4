// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/parameters.h"

#include "tensor/clouds.h"

#include "tensor_doc.h"

#include <pcl/gpu/tensor/tensor_view_registration.h>

#include <nanobind/stl/shared_ptr.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

using Vector = MatrixArgument<Eigen::Vector3f>;
using Numbers = MatrixArgument<Eigen::Vector4f>;

/** \brief Copies a cloud with the place of its sensor.
 * \param[in] orientation w, x, y and z, as files have it
 */
pcl::PointCloud<pcl::PointXYZ>
sensedCloudOf(const ArrayArgument& argument,
              const Vector& origin,
              const Numbers& orientation)
{
  auto cloud = cloudOf(argument, "cloud");
  cloud.sensor_origin_.head<3>() = origin.value;
  const Eigen::Vector4f& q = orientation.value;
  cloud.sensor_orientation_ = Eigen::Quaternionf(q[0], q[1], q[2], q[3]);
  return cloud;
}

const Numbers upright = {Eigen::Vector4f::UnitX()};
const Vector middle = {Eigen::Vector3f::Zero()};

void
bindRangeView(nb::module_& module)
{
  nb::class_<RangeView>(module, "RangeView", DOC(pcl, gpu, RangeView))
      .def(
          "__init__",
          [](RangeView* self,
             const ArrayArgument& depth,
             const PinholeCamera& camera,
             const PoseMatrix& pose) {
            const ArrayView image = hostViewOf(depth, "depth");
            checkArray(
                image, "depth", nb::dtype<float>(), {any_length, any_length}, -1);
            RangeView view;
            view.camera = camera;
            view.camera.height = static_cast<int>(image.shape[0]);
            view.camera.width = static_cast<int>(image.shape[1]);
            view.pose = poseOf(pose);
            const auto* const pixels = static_cast<const float*>(image.data);
            view.depth.assign(pixels, pixels + image.shape[0] * image.shape[1]);
            new (self) RangeView(std::move(view));
          },
          nb::arg("depth"),
          nb::arg("camera"),
          nb::arg("pose") = identityPose(),
          "Copies a depth map of metres (float32), which decides the width and height "
          "of "
          "the camera. The pose is camera-to-cloud.")
      .def_prop_ro(
          "depth",
          [](const std::shared_ptr<RangeView>& self) {
            return denseToPython<float>(Device::host(),
                                        self->depth.data(),
                                        {self->camera.height, self->camera.width},
                                        self);
          },
          DOC(pcl, gpu, RangeView, depth))
      .def_ro("camera", &RangeView::camera, DOC(pcl, gpu, RangeView, camera))
      .def_prop_ro(
          "pose",
          [](const RangeView& self) { return self.pose; },
          DOC(pcl, gpu, RangeView, pose));
  const auto add =
      [&](const char* name,
          std::optional<RangeView> (*find)(const pcl::PointCloud<pcl::PointXYZ>&),
          const char* doc) {
        module.def(
            name,
            [find](const ArrayArgument& cloud,
                   const Vector& origin,
                   const Numbers& orientation) {
              const auto points = sensedCloudOf(cloud, origin, orientation);
              const nb::gil_scoped_release release;
              return find(points);
            },
            nb::arg("cloud"),
            nb::arg("sensor_origin") = middle,
            nb::arg("sensor_orientation") = upright,
            doc);
      };
  add("organized_range_view", &organizedRangeView, DOC(pcl, gpu, organizedRangeView));
  add("to_range_view", &toRangeView, DOC(pcl, gpu, toRangeView));
  module.def(
      "projected_range_view",
      [](const ArrayArgument& cloud,
         const PinholeCamera& camera,
         const PoseMatrix& pose) {
        const auto points = cloudOf(cloud, "cloud");
        const nb::gil_scoped_release release;
        return projectedRangeView(points, camera, poseOf(pose));
      },
      nb::arg("cloud"),
      nb::arg("camera"),
      nb::arg("pose") = identityPose(),
      DOC(pcl, gpu, projectedRangeView));
}

void
bindAlignment(nb::module_& module)
{
  nb::class_<ViewAlignment>(module, "ViewAlignment", DOC(pcl, gpu, ViewAlignment))
      .def(
          "__init__",
          [](ViewAlignment* self,
             int source,
             int target,
             const PoseMatrix& pose,
             float score,
             float fit,
             float overlap,
             int inliers) {
            new (self) ViewAlignment();
            self->source = source;
            self->target = target;
            self->pose = poseOf(pose);
            self->score = score;
            self->fit = fit;
            self->overlap = overlap;
            self->inliers = inliers;
          },
          nb::arg("source"),
          nb::arg("target"),
          nb::arg("pose"),
          nb::arg("score"),
          nb::arg("fit") = 0.0f,
          nb::arg("overlap") = 0.0f,
          nb::arg("inliers") = 0,
          "Takes an alignment of another origin, for connect().")
      .def_ro("source", &ViewAlignment::source, DOC(pcl, gpu, ViewAlignment, source))
      .def_ro("target", &ViewAlignment::target, DOC(pcl, gpu, ViewAlignment, target))
      .def_prop_ro(
          "pose",
          [](const ViewAlignment& self) { return self.pose; },
          DOC(pcl, gpu, ViewAlignment, pose))
      .def_ro("fit", &ViewAlignment::fit, DOC(pcl, gpu, ViewAlignment, fit))
      .def_ro("overlap", &ViewAlignment::overlap, DOC(pcl, gpu, ViewAlignment, overlap))
      .def_ro("score", &ViewAlignment::score, DOC(pcl, gpu, ViewAlignment, score))
      .def_ro("inliers", &ViewAlignment::inliers, DOC(pcl, gpu, ViewAlignment, inliers))
      .def("__repr__", [](const ViewAlignment& self) {
        return "<ViewAlignment of view " + std::to_string(self.source) + " with view " +
               std::to_string(self.target) + ", fit " + std::to_string(self.fit) +
               ", overlap " + std::to_string(self.overlap) + ">";
      });
}

/** \brief Looks for every view in all that follow it, as
 * TensorViewRegistration::alignAll() does. */
std::vector<ViewAlignment>
alignAll(TensorViewRegistration& views, const nb::object& progress)
{
  std::vector<ViewAlignment> alignments;
  const int size = views.size(), pairs = size * (size - 1) / 2;
  int done = 0;
  const nb::gil_scoped_release release;
  for (int target = 1; target < size; ++target)
    for (int source = 0; source < target; ++source) {
      if (const auto found = views.align(source, target))
        alignments.push_back(*found);
      report(progress, ++done, pairs);
    }
  return alignments;
}

TensorViewRegistration::Poses
connect(const TensorViewRegistration& views,
        const std::vector<ViewAlignment>& alignments)
{
  const nb::gil_scoped_release release;
  return views.connect({alignments.begin(), alignments.end()});
}

void
addViewMethods(nb::class_<TensorViewRegistration>& registration)
{
  registration
      .def(
          "add_view",
          [](TensorViewRegistration& self, const RangeView& view) {
            const nb::gil_scoped_release release;
            return self.addView(view);
          },
          nb::arg("view"),
          DOC(pcl, gpu, TensorViewRegistration, addView))
      .def(
          "add_view",
          [](TensorViewRegistration& self,
             const ArrayArgument& cloud,
             const Vector& origin,
             const Numbers& orientation) {
            const auto points = sensedCloudOf(cloud, origin, orientation);
            const nb::gil_scoped_release release;
            return self.addView(points);
          },
          nb::arg("cloud"),
          nb::arg("sensor_origin") = middle,
          nb::arg("sensor_orientation") = upright,
          "Copies a cloud with or without a camera: the view that to_range_view() "
          "finds, "
          "or, if there is none, the cloud as add_cloud() does.\n\nRows or an image of "
          "points of four numbers (float32), metres. The sensor's orientation is a "
          "quaternion (w, x, y, z). Returns its number, counting from 0.")
      .def(
          "add_cloud",
          [](TensorViewRegistration& self, const ArrayArgument& cloud) {
            const auto points = cloudOf(cloud, "cloud");
            const nb::gil_scoped_release release;
            return self.addCloud(points);
          },
          nb::arg("cloud"),
          DOC(pcl, gpu, TensorViewRegistration, addCloud))
      .def("__len__", &TensorViewRegistration::size)
      .def_prop_ro("used_resolution",
                   &TensorViewRegistration::usedResolution,
                   DOC(pcl, gpu, TensorViewRegistration, usedResolution))
      .def("clear",
           &TensorViewRegistration::clear,
           DOC(pcl, gpu, TensorViewRegistration, clear));
}

} // namespace

void
bindRegistration(nb::module_& module)
{
  bindRangeView(module);
  bindAlignment(module);
  nb::class_<TensorViewRegistration> registration(
      module, "TensorViewRegistration", DOC(pcl, gpu, TensorViewRegistration));
  defineParameters<TensorViewRegistration, TensorViewRegistrationParameters>(
      registration);
  addViewMethods(registration);
  registration
      .def(
          "align",
          [](TensorViewRegistration& self, int source, int target) {
            const nb::gil_scoped_release release;
            return self.align(source, target);
          },
          nb::arg("source"),
          nb::arg("target"),
          DOC(pcl, gpu, TensorViewRegistration, align))
      .def(
          "align_all",
          &alignAll,
          nb::arg("progress").none() = nb::none(),
          nb::sig("def align_all(self, progress: collections.abc.Callable[[int, int], "
                  "object] | None = None) -> list[ViewAlignment]"),
          "Looks for every view in all views that were added after it. Waits for the "
          "device.\n\nReturns the surest alignment of each pair of views that has one. "
          "Calls progress with the number of pairs done, and of all.")
      .def("connect",
           &connect,
           nb::arg("alignments"),
           DOC(pcl, gpu, TensorViewRegistration, connect));
}

} // namespace pcl_gpu_python
