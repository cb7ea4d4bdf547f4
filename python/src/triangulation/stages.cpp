// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/algorithm.h"

#include "triangulation/module.h"

#include "triangulation_doc.h"

#include <pcl/gpu/triangulation/color_registration.h>
#include <pcl/gpu/triangulation/depth_map_triangulation.h>
#include <pcl/gpu/triangulation/kinect_disparity_converter.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief Binds a stage from a depth map to a depth map of metres. */
template <typename Stage, typename Parameters>
void
bindDepthStage(nb::module_& module, const char* name, const char* doc, const char* run)
{
  using Bound = WithOutputs<Stage, DepthMap>;
  nb::class_<Bound> stage(module, name, doc);
  defineParameters<Bound, Parameters>(stage);
  stage.def(
      "compute",
      [](Bound& self, const ArrayArgument& depth, std::optional<float> scale) {
        DepthMap& result = self.next();
        const Stream stream = currentStream();
        withDepth(depth, scale, [&](const auto&... input) {
          self.compute(input..., result, stream);
        });
        return self.result();
      },
      nb::arg("depth"),
      nb::arg("scale").none() = nb::none(),
      run);
}

void
bindProjection(nb::module_& module)
{
  using Bound =
      WithOutputs<DepthMapProjection, OrganizedCloud, DeviceArray2D<pcl::PointXYZRGB>>;
  nb::class_<Bound> stage(
      module, "DepthMapProjection", DOC(pcl, gpu, DepthMapProjection));
  defineParameters<Bound, DepthMapProjectionParameters>(stage);
  stage.def(
      "compute",
      [](Bound& self,
         const ArrayArgument& depth,
         std::optional<float> scale,
         const ArrayArgument& colors) {
        const Stream stream = currentStream();
        if (!colors.isNone()) {
          const auto metres = imageFrom<float>(depth, "depth");
          const auto image = imageFrom<pcl::RGB>(colors, "colors");
          auto& result = self.next<1>();
          {
            const nb::gil_scoped_release release;
            self.compute(*metres, *image, result, stream);
          }
          return self.result<1>();
        }
        OrganizedCloud& result = self.next();
        withDepth(depth, scale, [&](const auto&... input) {
          self.compute(input..., result, stream);
        });
        return self.result();
      },
      nb::arg("depth"),
      nb::arg("scale").none() = nb::none(),
      nb::arg("colors").none() = nb::none(),
      DOC(pcl, gpu, DepthMapProjection, compute));
}

void
bindColors(nb::module_& module)
{
  using Bound = WithOutputs<ColorRegistration, ColorMap>;
  nb::class_<Bound> stage(
      module, "ColorRegistration", DOC(pcl, gpu, ColorRegistration));
  defineParameters<Bound, ColorRegistrationParameters>(stage);
  stage.def(
      "compute",
      [](Bound& self, const ArrayArgument& depth, const ArrayArgument& image) {
        const Stream stream = currentStream();
        const auto metres = imageFrom<float>(depth, "depth");
        const auto colors = imageFrom<pcl::RGB>(image, "image");
        ColorMap& result = self.next();
        {
          const nb::gil_scoped_release release;
          self.compute(*metres, *colors, result, stream);
        }
        return self.result();
      },
      nb::arg("depth"),
      nb::arg("image"),
      DOC(pcl, gpu, ColorRegistration, compute));
}

/** \brief Binds a stage from an image to an image of the same size.
 * \param[in] argument name of the image
 */
template <typename Stage, typename Parameters, typename From, typename To>
void
bindImageStage(nb::module_& module,
               const char* name,
               const char* argument,
               const char* doc,
               const char* run)
{
  using Bound = WithOutputs<Stage, DeviceArray2D<To>>;
  nb::class_<Bound> stage(module, name, doc);
  defineParameters<Bound, Parameters>(stage);
  stage.def(
      "compute",
      [argument](Bound& self, const ArrayArgument& image) {
        const Stream stream = currentStream();
        const auto input = imageFrom<From>(image, argument);
        auto& result = self.next();
        {
          const nb::gil_scoped_release release;
          self.compute(*input, result, stream);
        }
        return self.result();
      },
      nb::arg(argument),
      run);
}

void
bindResolution(nb::module_& module)
{
  using Bound = WithOutputs<CloudResolution, DeviceArray<ResolutionStatistics>>;
  nb::class_<Bound> stage(module, "CloudResolution", DOC(pcl, gpu, CloudResolution));
  defineParameters<Bound, CloudResolutionParameters>(stage);
  stage.def(
      "compute",
      [](Bound& self, const ArrayArgument& cloud, const ArrayArgument& normals) {
        const Stream stream = currentStream();
        const auto points = imageFrom<pcl::PointXYZ>(cloud, "cloud");
        const auto normal_map = imageFrom<pcl::PointXYZ>(normals, "normals");
        std::vector<ResolutionStatistics> host;
        {
          const nb::gil_scoped_release release;
          auto& result = self.next();
          self.compute(*points, *normal_map, result, stream);
          stream.synchronize();
          result.download(host);
        }
        return host.at(0);
      },
      nb::arg("cloud"),
      nb::arg("normals").none() = nb::none(),
      "Measures one cloud, whose normals may be left out. Waits for the result.");
}

void
bindMesh(nb::module_& module)
{
  using Bound = OrganizedTriangulation;
  nb::class_<Bound> stage(
      module, "OrganizedTriangulation", DOC(pcl, gpu, OrganizedTriangulation));
  defineParameters<Bound, OrganizedTriangulationParameters>(stage);
  stage.def(
      "compute",
      [](Bound& self,
         const ArrayArgument& cloud,
         const ArrayArgument& normals,
         const ResolutionStatistics* statistics) {
        const Stream stream = currentStream();
        const auto points = imageFrom<pcl::PointXYZ>(cloud, "cloud");
        const auto normal_map = imageFrom<pcl::PointXYZ>(normals, "normals");
        OrganizedMesh mesh;
        {
          const nb::gil_scoped_release release;
          const ScopedDevice scope(deviceOf(*points));
          DeviceArray<ResolutionStatistics> measured;
          if (statistics)
            measured.upload(statistics, 1);
          self.compute(*points, *normal_map, measured, mesh, stream);
          stream.synchronize();
        }
        return facesOf(mesh, nullptr);
      },
      nb::arg("cloud"),
      nb::arg("normals").none() = nb::none(),
      nb::arg("statistics").none() = nb::none(),
      "Connects the points of an organized cloud.\n\nReturns the vertices of each "
      "polygon as pixel numbers row * columns + column. Statistics are those of a "
      "CloudResolution; without them both thresholds must be numbers. Waits for the "
      "result.");
}

} // namespace

void
bindStages(nb::module_& module)
{
  bindDepthStage<FlyingPixelRemoval, FlyingPixelRemovalParameters>(
      module,
      "FlyingPixelRemoval",
      DOC(pcl, gpu, FlyingPixelRemoval),
      DOC(pcl, gpu, FlyingPixelRemoval, compute));
  bindDepthStage<DepthBilateralFilter, DepthBilateralFilterParameters>(
      module,
      "DepthBilateralFilter",
      DOC(pcl, gpu, DepthBilateralFilter),
      DOC(pcl, gpu, DepthBilateralFilter, compute));
  bindProjection(module);
  bindColors(module);
  bindImageStage<KinectDisparityConverter,
                 KinectDisparityConverterParameters,
                 std::uint16_t,
                 float>(module,
                        "KinectDisparityConverter",
                        "disparity",
                        DOC(pcl, gpu, KinectDisparityConverter),
                        DOC(pcl, gpu, KinectDisparityConverter, compute));
  bindImageStage<NormalMapEstimation,
                 NormalMapEstimationParameters,
                 pcl::PointXYZ,
                 pcl::PointXYZ>(module,
                                "NormalMapEstimation",
                                "cloud",
                                DOC(pcl, gpu, NormalMapEstimation),
                                DOC(pcl, gpu, NormalMapEstimation, compute));
  bindResolution(module);
  bindMesh(module);
}

} // namespace pcl_gpu_python
