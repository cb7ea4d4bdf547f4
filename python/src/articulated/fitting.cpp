// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "articulated/module.h"
#include "common/errors.h"

#include "articulated_doc.h"

#include <pcl/gpu/articulated/pose_regression.h>
#include <pcl/gpu/articulated/pose_search.h>
#include <pcl/gpu/articulated/skeleton_fit.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

constexpr const char* room_text = "\n\nParameter ``room``: ";

/** \brief Adds a function that compares a body in some pose with points. */
template <typename Options, typename Result>
void
bindPointsFunction(nb::module_& module,
                   const char* name,
                   Result (*function)(const Skeleton&,
                                      const std::vector<float>&,
                                      const DeviceArray<pcl::PointXYZ>&,
                                      const Eigen::Vector3f&,
                                      const Options&,
                                      const Stream&),
                   const std::string& doc)
{
  module.def(
      name,
      [function](const Skeleton& skeleton,
                 const PoseArgument& pose,
                 const ArrayArgument& points,
                 const MatrixArgument<Eigen::Vector3f>& viewpoint,
                 const Options* options,
                 const ArrayArgument& room) {
        const auto list = listFrom<pcl::PointXYZ>(points, "points");
        const auto room_list = listFrom<pcl::PointXYZ>(room, "room");
        Options all = parametersOf(options);
        all.room = *room_list;
        all.check_interruption = checkSignals;
        const Stream stream = currentStream();
        const nb::gil_scoped_release release;
        return function(skeleton, numbersOf(pose.value), *list, viewpoint, all, stream);
      },
      nb::arg("skeleton"),
      nb::arg("pose"),
      nb::arg("points"),
      nb::arg("viewpoint"),
      nb::arg("options").none() = nb::none(),
      nb::arg("room").none() = nb::none(),
      doc.c_str());
}

void
bindRegression(nb::module_& module)
{
  ParametersBinding<PoseRegressionOptions>(
      module, "PoseRegressionOptions", DOC(pcl, gpu, PoseRegressionOptions))
      .PCL_GPU_FIELD(PoseRegressionOptions, floor)
      .PCL_GPU_FIELD(PoseRegressionOptions, fit_lengths)
      .finish();
  nb::class_<PoseRegression>(module, "PoseRegression", DOC(pcl, gpu, PoseRegression))
      .def_ro("skeleton",
              &PoseRegression::skeleton,
              DOC(pcl, gpu, PoseRegression, skeleton))
      .def_prop_ro(
          "pose",
          [](const PoseRegression& self) { return numbersToPython(self.pose); },
          DOC(pcl, gpu, PoseRegression, pose))
      .def_ro("joints", &PoseRegression::joints, DOC(pcl, gpu, PoseRegression, joints));
  module.def(
      "regress_pose",
      [](const Skeleton& skeleton,
         const PoseArgument& pose,
         const ArrayArgument& points,
         const MatrixArgument<Eigen::Vector3f>& viewpoint,
         const PoseRegressionOptions* options) {
        const auto list = listFrom<pcl::PointXYZ>(points, "points");
        const PoseRegressionOptions all = parametersOf(options);
        const Stream stream = currentStream();
        const nb::gil_scoped_release release;
        return regressPose(
            skeleton, numbersOf(pose.value), *list, viewpoint, all, stream);
      },
      nb::arg("skeleton"),
      nb::arg("pose"),
      nb::arg("points"),
      nb::arg("viewpoint"),
      nb::arg("options").none() = nb::none(),
      DOC(pcl, gpu, regressPose));
}

void
bindSearch(nb::module_& module)
{
  ParametersBinding<PoseSearchOptions>(
      module, "PoseSearchOptions", DOC(pcl, gpu, PoseSearchOptions))
      .PCL_GPU_FIELD(PoseSearchOptions, particles)
      .PCL_GPU_FIELD(PoseSearchOptions, directions)
      .PCL_GPU_FIELD(PoseSearchOptions, seed)
      .PCL_GPU_FIELD(PoseSearchOptions, root_deviation)
      .PCL_GPU_FIELD(PoseSearchOptions, turn_deviation)
      .PCL_GPU_FIELD(PoseSearchOptions, sigma)
      .PCL_GPU_FIELD(PoseSearchOptions, truncation_distance)
      .PCL_GPU_FIELD(PoseSearchOptions, is_whole)
      .finish();
  nb::class_<PoseSearchResult>(
      module, "PoseSearchResult", DOC(pcl, gpu, PoseSearchResult))
      .def_prop_ro(
          "pose",
          [](const PoseSearchResult& self) { return numbersToPython(self.pose); },
          DOC(pcl, gpu, PoseSearchResult, pose))
      .def_ro("log_likelihood",
              &PoseSearchResult::log_likelihood,
              DOC(pcl, gpu, PoseSearchResult, log_likelihood));
  bindPointsFunction(module,
                     "search_pose",
                     &searchPose,
                     std::string(DOC(pcl, gpu, searchPose)) + room_text +
                         DOC(pcl, gpu, PoseSearchOptions, room));
}

void
bindFit(nb::module_& module)
{
  ParametersBinding<SkeletonFitOptions>(
      module, "SkeletonFitOptions", DOC(pcl, gpu, SkeletonFitOptions))
      .PCL_GPU_FIELD(SkeletonFitOptions, fit_pose)
      .PCL_GPU_FIELD(SkeletonFitOptions, fit_lengths)
      .PCL_GPU_FIELD(SkeletonFitOptions, fit_radii)
      .PCL_GPU_FIELD(SkeletonFitOptions, is_whole)
      .PCL_GPU_FIELD(SkeletonFitOptions, floor)
      .PCL_GPU_FIELD(SkeletonFitOptions, sigma)
      .PCL_GPU_FIELD(SkeletonFitOptions, truncation_distance)
      .PCL_GPU_FIELD(SkeletonFitOptions, shape_deviation)
      .PCL_GPU_FIELD(SkeletonFitOptions, largest_factor)
      .PCL_GPU_FIELD(SkeletonFitOptions, most_rounds)
      .finish();
  nb::class_<SkeletonFit>(module, "SkeletonFit", DOC(pcl, gpu, SkeletonFit))
      .def_ro("skeleton", &SkeletonFit::skeleton, DOC(pcl, gpu, SkeletonFit, skeleton))
      .def_prop_ro(
          "pose",
          [](const SkeletonFit& self) { return numbersToPython(self.pose); },
          DOC(pcl, gpu, SkeletonFit, pose))
      .def_ro("log_likelihood",
              &SkeletonFit::log_likelihood,
              DOC(pcl, gpu, SkeletonFit, log_likelihood));
  bindPointsFunction(module,
                     "fit_skeleton",
                     &fitSkeleton,
                     std::string(DOC(pcl, gpu, fitSkeleton)) + room_text +
                         DOC(pcl, gpu, SkeletonFitOptions, room));
}

} // namespace

void
bindFitting(nb::module_& module)
{
  bindRegression(module);
  bindSearch(module);
  bindFit(module);
}

} // namespace pcl_gpu_python
