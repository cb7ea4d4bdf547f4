// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/algorithm.h"

#include "scenespace/module.h"

#include "scenespace_doc.h"

#include <pcl/gpu/scenespace/collaborative_filter.h>
#include <pcl/gpu/scenespace/depth_filling.h>
#include <pcl/gpu/scenespace/non_local_means.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

void
bindDepthFilling(nb::module_& module)
{
  using Bound = WithOutputs<DepthFilling, DeviceArray2D<float>>;
  nb::class_<Bound>(module, "DepthFilling", DOC(pcl, gpu, DepthFilling))
      .def(nb::init<>())
      .def(
          "compute",
          [](Bound& self, const ArrayArgument& depth, const ArrayArgument& color) {
            const auto metres = imageFrom<float>(depth, "depth");
            const auto colors = imageFrom<pcl::RGB>(color, "color");
            DeviceArray2D<float>& filled = self.next();
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              const ScopedDevice scope(deviceOf(*metres));
              filled.create(metres->rows(), metres->cols());
              self.compute(*metres, *colors, filled, stream);
            }
            return self.result();
          },
          nb::arg("depth"),
          nb::arg("color"),
          DOC(pcl, gpu, DepthFilling, compute));
}

void
bindCollaborativeFilter(nb::module_& module)
{
  using Parameters = CollaborativeFilterParameters;
  ParametersBinding<Parameters>(module,
                                "CollaborativeFilterParameters",
                                DOC(pcl, gpu, CollaborativeFilterParameters))
      .PCL_GPU_FIELD(CollaborativeFilterParameters, group_size)
      .PCL_GPU_FIELD(CollaborativeFilterParameters, search_reach)
      .PCL_GPU_FIELD(CollaborativeFilterParameters, threshold)
      .PCL_GPU_FIELD(CollaborativeFilterParameters, clipped_noise)
      .finish()
      .def("validate",
           &Parameters::validate,
           DOC(pcl, gpu, CollaborativeFilterParameters, validate));
  using Bound = WithOutputs<CollaborativeFilter, DeviceArray2D<pcl::RGB>>;
  nb::class_<Bound> filter(
      module, "CollaborativeFilter", DOC(pcl, gpu, CollaborativeFilter));
  defineParameters<Bound, Parameters>(filter);
  filter
      .def(
          "compute",
          [](Bound& self, const ArrayArgument& color, const ArrayArgument& variance) {
            const auto colors = imageFrom<pcl::RGB>(color, "color");
            const auto variances = imageFrom<float>(variance, "variance");
            DeviceArray2D<pcl::RGB>& result = self.next();
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              self.compute(*colors, *variances, result, stream);
            }
            return self.result();
          },
          nb::arg("color"),
          nb::arg("variance"),
          DOC(pcl, gpu, CollaborativeFilter, compute))
      .def_static("estimate_memory",
                  &CollaborativeFilter::estimateMemory,
                  nb::arg("columns"),
                  nb::arg("rows"),
                  DOC(pcl, gpu, CollaborativeFilter, estimateMemory));
}

void
bindNonLocalMeans(nb::module_& module)
{
  using Parameters = NonLocalMeansParameters;
  ParametersBinding<Parameters>(
      module, "NonLocalMeansParameters", DOC(pcl, gpu, NonLocalMeansParameters))
      .PCL_GPU_FIELD(NonLocalMeansParameters, patch_reach)
      .PCL_GPU_FIELD(NonLocalMeansParameters, search_reach)
      .PCL_GPU_FIELD(NonLocalMeansParameters, strength)
      .finish()
      .def("validate",
           &Parameters::validate,
           DOC(pcl, gpu, NonLocalMeansParameters, validate));
  using Bound = WithOutputs<NonLocalMeans, DeviceArray2D<pcl::RGB>>;
  nb::class_<Bound> filter(module, "NonLocalMeans", DOC(pcl, gpu, NonLocalMeans));
  defineParameters<Bound, Parameters>(filter);
  filter.attr("MAX_VARIANCE") = static_cast<float>(NonLocalMeans::max_variance);
  filter.def(
      "compute",
      [](Bound& self,
         const ArrayArgument& color,
         std::optional<float> sigma,
         const ArrayArgument& variance) {
        if (sigma.has_value() != variance.isNone())
          throw nb::value_error(
              "sigma, variance: expected one of them, the noise of all pixels or that "
              "of each pixel");
        const auto colors = imageFrom<pcl::RGB>(color, "color");
        const auto variances = imageFrom<float>(variance, "variance");
        DeviceArray2D<pcl::RGB>& result = self.next();
        const Stream stream = currentStream();
        {
          const nb::gil_scoped_release release;
          if (sigma)
            self.compute(*colors, *sigma, result, stream);
          else
            self.compute(*colors, *variances, result, stream);
        }
        return self.result();
      },
      nb::arg("color"),
      nb::arg("sigma").none() = nb::none(),
      nb::arg("variance").none() = nb::none(),
      "Removes noise: of a deviation that is the same for all pixels, levels of 0 to "
      "255, or of a variance for each pixel (float32), levels^2.");
}

} // namespace

void
bindImageFilters(nb::module_& module)
{
  bindDepthFilling(module);
  bindCollaborativeFilter(module);
  bindNonLocalMeans(module);
}

} // namespace pcl_gpu_python
