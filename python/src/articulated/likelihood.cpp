// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "articulated/module.h"

#include "articulated_doc.h"

#include <pcl/gpu/articulated/capsule_likelihood.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

using Bound = WithOutputs<CapsuleLikelihood, DeviceArray<double>>;

/** \brief Compares samples with the observation.
 * \tparam T Capsule or TaperedCapsule
 */
template <typename T>
ArrayResult
compare(Bound& self, const ArrayView& view)
{
  checkArray(view,
             "capsules",
             nb::dtype<float>(),
             {any_length, any_length, Element<T>::count},
             -1);
  const auto size = static_cast<std::size_t>(view.shape[0] * view.shape[1]);
  const DeviceArray<T> capsules =
      size == 0 ? DeviceArray<T>() : DeviceArray<T>(static_cast<T*>(view.data), size);
  auto& result = self.next();
  const Stream stream = currentStream();
  {
    const nb::gil_scoped_release release;
    self.compute(capsules, static_cast<int>(view.shape[1]), result, stream);
  }
  return self.result();
}

void
bindParameters(nb::module_& module)
{
  nb::enum_<CapsuleDistance>(module, "CapsuleDistance", DOC(pcl, gpu, CapsuleDistance))
      .value(
          "SQUARED", CapsuleDistance::Squared, DOC(pcl, gpu, CapsuleDistance, Squared))
      .value("ABSOLUTE",
             CapsuleDistance::Absolute,
             DOC(pcl, gpu, CapsuleDistance, Absolute));
  nb::enum_<CapsuleVisibility>(
      module, "CapsuleVisibility", DOC(pcl, gpu, CapsuleVisibility))
      .value("EACH_CAPSULE",
             CapsuleVisibility::EachCapsule,
             DOC(pcl, gpu, CapsuleVisibility, EachCapsule))
      .value("OCCLUDING",
             CapsuleVisibility::Occluding,
             DOC(pcl, gpu, CapsuleVisibility, Occluding));
  nb::enum_<CapsuleSearch>(module, "CapsuleSearch", DOC(pcl, gpu, CapsuleSearch))
      .value("CULLED", CapsuleSearch::Culled, DOC(pcl, gpu, CapsuleSearch, Culled))
      .value("BRUTE_FORCE",
             CapsuleSearch::BruteForce,
             DOC(pcl, gpu, CapsuleSearch, BruteForce));
  ParametersBinding<CapsuleLikelihoodParameters>(
      module, "CapsuleLikelihoodParameters", DOC(pcl, gpu, CapsuleLikelihoodParameters))
      .PCL_GPU_FIELD(CapsuleLikelihoodParameters, sigma)
      .PCL_GPU_FIELD(CapsuleLikelihoodParameters, truncation_distance)
      .PCL_GPU_FIELD(CapsuleLikelihoodParameters, distance)
      .PCL_GPU_FIELD(CapsuleLikelihoodParameters, visibility)
      .PCL_GPU_FIELD(CapsuleLikelihoodParameters, miss_distance)
      .PCL_GPU_FIELD(CapsuleLikelihoodParameters, search)
      .PCL_GPU_FIELD(CapsuleLikelihoodParameters, scratch_limit)
      .finish();
}

} // namespace

void
bindLikelihood(nb::module_& module)
{
  bindParameters(module);
  nb::class_<Bound> likelihood(
      module, "CapsuleLikelihood", DOC(pcl, gpu, CapsuleLikelihood));
  defineParameters<Bound, CapsuleLikelihoodParameters>(likelihood);
  likelihood
      .def(
          "set_points",
          [](Bound& self,
             const ArrayArgument& points,
             const MatrixArgument<Eigen::Vector3f>& viewpoint,
             const ArrayArgument& weights,
             const ArrayArgument& backgrounds) {
            const auto list = listFrom<pcl::PointXYZ>(points, "points");
            const auto weight_list = listFrom<float>(weights, "weights");
            const auto background_list = listFrom<float>(backgrounds, "backgrounds");
            const Stream stream = currentStream();
            const nb::gil_scoped_release release;
            if (!backgrounds.isNone())
              self.setPoints(*list, *weight_list, *background_list, viewpoint, stream);
            else if (!weights.isNone())
              self.setPoints(*list, *weight_list, viewpoint, stream);
            else
              self.setPoints(*list, viewpoint, stream);
          },
          nb::arg("points"),
          nb::arg("viewpoint"),
          nb::arg("weights").none() = nb::none(),
          nb::arg("backgrounds").none() = nb::none(),
          DOC(pcl, gpu, CapsuleLikelihood, setPoints_3))
      .def(
          "share_observation",
          [](Bound& self, const Bound& other) { self.shareObservation(other); },
          nb::arg("other"),
          nb::keep_alive<1, 2>(),
          DOC(pcl, gpu, CapsuleLikelihood, shareObservation))
      .def(
          "count_skipped_points",
          [](const Bound& self) {
            const Stream stream = currentStream();
            const nb::gil_scoped_release release;
            return self.countSkippedPoints(stream);
          },
          DOC(pcl, gpu, CapsuleLikelihood, countSkippedPoints))
      .def(
          "compute",
          [](Bound& self, const ArrayArgument& capsules) {
            const ArrayView view = viewOf(capsules, "capsules");
            const bool is_plain = view.shape.size() == 3 && view.shape[2] == 7;
            return is_plain ? compare<Capsule>(self, view)
                            : compare<TaperedCapsule>(self, view);
          },
          nb::arg("capsules"),
          "Computes the log-likelihood of every sample, up to the constant.\n\nTakes "
          "float32 of shape (samples, capsules, 8), as "
          "ForwardKinematics.compute_capsules() returns it, or of shape (samples, "
          "capsules, 7). Returns one float64 a sample, 0 or less: sums of many points "
          "are large, and their small differences decide.")
      .def("estimate_memory",
           &CapsuleLikelihood::estimateMemory,
           nb::arg("points"),
           nb::arg("samples"),
           nb::arg("capsules_per_sample"),
           DOC(pcl, gpu, CapsuleLikelihood, estimateMemory));
}

} // namespace pcl_gpu_python
