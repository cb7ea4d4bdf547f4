// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "articulated/module.h"

#include "articulated_doc.h"

#include <pcl/gpu/articulated/capsule_likelihood.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief A likelihood whose observation others may share. They need it as it was. */
struct Bound {
  std::shared_ptr<CapsuleLikelihood> algorithm = std::make_shared<CapsuleLikelihood>();
  std::shared_ptr<CapsuleLikelihood> lender; ///< null: the observation is its own
  Output<DeviceArray<double>> log_likelihoods;

  /** \brief Returns the algorithm for the next observation. */
  std::shared_ptr<CapsuleLikelihood>
  next() const
  {
    if (algorithm.use_count() == 1)
      return algorithm;
    auto fresh = std::make_shared<CapsuleLikelihood>();
    fresh->setParameters(algorithm->getParameters());
    return fresh;
  }

  void
  share(const Bound& other)
  {
    algorithm->shareObservation(*other.algorithm);
    const auto& owner = other.lender ? other.lender : other.algorithm;
    lender = owner == algorithm ? nullptr : owner;
  }

  void
  setParameters(const CapsuleLikelihoodParameters& parameters)
  {
    algorithm->setParameters(parameters);
  }

  const CapsuleLikelihoodParameters&
  getParameters() const
  {
    return algorithm->getParameters();
  }
};

/** \brief Compares samples with the observation.
 * \tparam T Capsule or TaperedCapsule
 */
template <typename T>
ArrayResult<double>
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
  auto& result = self.log_likelihoods.next();
  const Stream stream = currentStream();
  {
    const nb::gil_scoped_release release;
    self.algorithm->compute(capsules, static_cast<int>(view.shape[1]), result, stream);
  }
  return self.log_likelihoods.result();
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
            const auto algorithm = self.next();
            const nb::gil_scoped_release release;
            if (!backgrounds.isNone())
              algorithm->setPoints(
                  *list, *weight_list, *background_list, viewpoint, stream);
            else if (!weights.isNone())
              algorithm->setPoints(*list, *weight_list, viewpoint, stream);
            else
              algorithm->setPoints(*list, viewpoint, stream);
            self.algorithm = algorithm;
            self.lender = nullptr;
          },
          nb::arg("points"),
          nb::arg("viewpoint"),
          nb::arg("weights").none() = nb::none(),
          nb::arg("backgrounds").none() = nb::none(),
          DOC(pcl, gpu, CapsuleLikelihood, setPoints_3))
      .def("share_observation",
           &Bound::share,
           nb::arg("other"),
           "Compares with the observation that another object has now, without a copy "
           "of it. Several streams can so compare with one observation at a time.")
      .def(
          "count_skipped_points",
          [](const Bound& self) {
            const Stream stream = currentStream();
            const nb::gil_scoped_release release;
            return self.algorithm->countSkippedPoints(stream);
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
      .def(
          "estimate_memory",
          [](const Bound& self,
             std::size_t points,
             std::size_t samples,
             int capsules_per_sample) {
            return self.algorithm->estimateMemory(points, samples, capsules_per_sample);
          },
          nb::arg("points"),
          nb::arg("samples"),
          nb::arg("capsules_per_sample"),
          DOC(pcl, gpu, CapsuleLikelihood, estimateMemory));
}

} // namespace pcl_gpu_python
