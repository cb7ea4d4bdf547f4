// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/algorithm.h"

#include "scenespace/module.h"

#include "scenespace_doc.h"

#include <pcl/gpu/scenespace/gathering/scene_space_average.h>
#include <pcl/gpu/scenespace/gathering/scene_space_denoising.h>
#include <pcl/gpu/scenespace/gathering/scene_surface.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

struct Average : SceneSpaceAverage {
  Reused<SceneImage> images;
  nb::object reference; ///< owns the images that are shared until finish()
};

/** \brief Binds the sum of frames' samples that add() is. */
template <typename Bound>
void
defineAdd(nb::class_<Bound>& algorithm, const char* doc)
{
  algorithm.def(
      "add",
      [](Bound& self, const FramePointers& frames, const std::vector<float>& weights) {
        const Stream stream = currentStream();
        const nb::gil_scoped_release release;
        self.add(frames, weights, stream);
      },
      nb::arg("frames"),
      nb::arg("weights") = std::vector<float>(),
      doc);
}

/** \brief Returns an image of a picture; None if there is none. */
template <typename Pixel>
auto
imageOf(DeviceArray2D<Pixel> SceneImage::*image)
{
  return [image](const std::shared_ptr<SceneImage>& self) {
    return toPythonIfAny((*self).*image, self);
  };
}

void
bindAverage(nb::module_& module)
{
  nb::class_<SceneImage>(module, "SceneImage", DOC(pcl, gpu, SceneImage))
      .def_prop_ro(
          "color", imageOf(&SceneImage::color), DOC(pcl, gpu, SceneImage, color))
      .def_prop_ro(
          "depth", imageOf(&SceneImage::depth), DOC(pcl, gpu, SceneImage, depth))
      .def_prop_ro("variance",
                   imageOf(&SceneImage::variance),
                   DOC(pcl, gpu, SceneImage, variance));
  using Parameters = SceneSpaceAverageParameters;
  ParametersBinding<Parameters>(
      module, "SceneSpaceAverageParameters", DOC(pcl, gpu, SceneSpaceAverageParameters))
      .PCL_GPU_FIELD(SceneSpaceAverageParameters, sigma_rgb)
      .PCL_GPU_FIELD(SceneSpaceAverageParameters, sigma_xyz)
      .PCL_GPU_FIELD(SceneSpaceAverageParameters, sigma_xyz_in_front)
      .PCL_GPU_FIELD(SceneSpaceAverageParameters, sigma_pixel)
      .PCL_GPU_FIELD(SceneSpaceAverageParameters, noise)
      .PCL_GPU_FIELD(SceneSpaceAverageParameters, frustum)
      .finish()
      .def("validate",
           &Parameters::validate,
           DOC(pcl, gpu, SceneSpaceAverageParameters, validate));
  nb::class_<Average> average(
      module, "SceneSpaceAverage", DOC(pcl, gpu, SceneSpaceAverage));
  defineParameters<Average, Parameters>(average);
  defineAdd(average, DOC(pcl, gpu, SceneSpaceAverage, add));
  average
      .def(
          "begin",
          [](Average& self,
             const SceneView& view,
             const ArrayArgument& color,
             const ArrayArgument& depth) {
            const auto colors = imageFrom<pcl::RGB>(color, "color");
            const auto metres = imageFrom<float>(depth, "depth");
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              self.begin(view, {*colors, *metres}, stream);
            }
            self.reference = ownersOf(colors, metres);
          },
          nb::arg("view"),
          nb::arg("color").none() = nb::none(),
          nb::arg("depth").none() = nb::none(),
          "Begins the average of an output on the current device.\n\nSamples are "
          "compared with the reference: (rows, columns, 4) bytes of colour, and "
          "metres (float32) along the output camera's z axis, both of the output's "
          "size and shared until finish(). Without colours or depth these are not "
          "compared.")
      .def(
          "finish",
          [](Average& self) {
            const auto& image = self.images.next();
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              self.finish(*image, stream);
            }
            return image;
          },
          "Divides sums by weights. Where there are no samples the colour is that of "
          "the reference, or black.");
}

void
bindSurface(nb::module_& module)
{
  using Parameters = SceneSurfaceParameters;
  nb::enum_<SurfaceChoice>(module, "SurfaceChoice", DOC(pcl, gpu, SurfaceChoice))
      .value("NEAREST", SurfaceChoice::Nearest, DOC(pcl, gpu, SurfaceChoice, Nearest))
      .value(
          "MOST_SEEN", SurfaceChoice::MostSeen, DOC(pcl, gpu, SurfaceChoice, MostSeen));
  ParametersBinding<Parameters>(
      module, "SceneSurfaceParameters", DOC(pcl, gpu, SceneSurfaceParameters))
      .PCL_GPU_FIELD(SceneSurfaceParameters, choice)
      .PCL_GPU_FIELD(SceneSurfaceParameters, tolerance)
      .PCL_GPU_FIELD(SceneSurfaceParameters, least_support)
      .PCL_GPU_FIELD(SceneSurfaceParameters, sigma_pixel)
      .PCL_GPU_FIELD(SceneSurfaceParameters, frustum)
      .finish()
      .def("validate",
           &Parameters::validate,
           DOC(pcl, gpu, SceneSurfaceParameters, validate));
  using Bound = WithOutputs<SceneSurface, DeviceArray2D<float>>;
  nb::class_<Bound> surface(module, "SceneSurface", DOC(pcl, gpu, SceneSurface));
  defineParameters<Bound, Parameters>(surface);
  defineAdd(surface, DOC(pcl, gpu, SceneSurface, add));
  surface
      .def(
          "begin",
          [](Bound& self, const SceneView& view) {
            const Stream stream = currentStream();
            const nb::gil_scoped_release release;
            self.begin(view, stream);
          },
          nb::arg("view"),
          DOC(pcl, gpu, SceneSurface, begin))
      .def(
          "finish",
          [](Bound& self) {
            DeviceArray2D<float>& depth = self.next();
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              self.finish(depth, stream);
            }
            return self.result();
          },
          DOC(pcl, gpu, SceneSurface, finish));
}

using Denoising = WithOutputs<SceneSpaceDenoising, DeviceArray2D<pcl::RGB>>;

/** \brief Filters sets into an image that the caller has. */
ArrayResult<std::uint8_t>
denoiseSets(Denoising& self,
            const SceneFrame& reference,
            const FramePointers& frames,
            const SampleSets& sets,
            const ArrayArgument& color)
{
  const DeviceArray2D<pcl::RGB>& input = reference.getColor();
  const bool is_whole =
      sets.getColumns() == input.cols() && sets.getRows() == input.rows();
  if (color.isNone() && !is_whole)
    throw nb::value_error("color is None: expected an image whose other pixels stay, "
                          "for sets of a part of the output");
  const auto given = imageFrom<pcl::RGB>(color, "color");
  DeviceArray2D<pcl::RGB> image = *given;
  DeviceArray2D<pcl::RGB>& result = color.isNone() ? self.next() : image;
  const Stream stream = currentStream();
  {
    const nb::gil_scoped_release release;
    if (color.isNone()) {
      const ScopedDevice scope(deviceOf(input));
      result.create(input.rows(), input.cols());
    }
    self.compute(reference, frames, sets, result, stream);
  }
  return color.isNone() ? self.result() : ArrayResult<std::uint8_t>{color.object};
}

void
bindAverageDenoising(nb::module_& module)
{
  using Parameters = SceneSpaceDenoisingParameters;
  ParametersBinding<Parameters>(module,
                                "SceneSpaceDenoisingParameters",
                                DOC(pcl, gpu, SceneSpaceDenoisingParameters))
      .PCL_GPU_FIELD(SceneSpaceDenoisingParameters, sigma_rgb)
      .PCL_GPU_FIELD(SceneSpaceDenoisingParameters, sigma_xyz)
      .PCL_GPU_FIELD(SceneSpaceDenoisingParameters, sigma_frame)
      .PCL_GPU_FIELD(SceneSpaceDenoisingParameters, frustum)
      .finish()
      .def("validate",
           &Parameters::validate,
           DOC(pcl, gpu, SceneSpaceDenoisingParameters, validate));
  nb::class_<Denoising> denoising(
      module, "SceneSpaceDenoising", DOC(pcl, gpu, SceneSpaceDenoising));
  defineParameters<Denoising, Parameters>(denoising);
  denoising.def(
      "compute",
      [](Denoising& self,
         const SceneFrame& reference,
         const FramePointers& frames,
         const SampleSets* sets,
         const ArrayArgument& color) {
        if (sets)
          return denoiseSets(self, reference, frames, *sets, color);
        if (!color.isNone())
          throw nb::value_error("color: expected None without sets");
        DeviceArray2D<pcl::RGB>& result = self.next();
        const Stream stream = currentStream();
        {
          const nb::gil_scoped_release release;
          self.compute(reference, frames, result, stream);
        }
        return self.result();
      },
      nb::arg("reference"),
      nb::arg("frames"),
      nb::arg("sets").none() = nb::none(),
      nb::arg("color").none() = nb::none(),
      "Removes the noise of the reference frame by the samples of frames: gathers and "
      "filters in one go, or filters sets of samples that were gathered from these "
      "frames for its view.\n\nSets of a part of the frame are filtered into an image "
      "of the reference's size that is given, whose other pixels stay; it is "
      "returned.");
}

} // namespace

void
bindAverages(nb::module_& module)
{
  bindAverage(module);
  bindSurface(module);
  bindAverageDenoising(module);
}

} // namespace pcl_gpu_python
