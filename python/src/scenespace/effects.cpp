// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scenespace/effects.h"

#include "scenespace_doc.h"

#include <pcl/gpu/scenespace/effects/computational_shutter_effect.h>
#include <pcl/gpu/scenespace/effects/deblurring_effect.h>
#include <pcl/gpu/scenespace/effects/denoising_effect.h>
#include <pcl/gpu/scenespace/effects/inpainting_effect.h>
#include <pcl/gpu/scenespace/effects/super_resolution_effect.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

void
bindBase(nb::module_& module)
{
  ParametersBinding<EffectMemory>(module, "EffectMemory", DOC(pcl, gpu, EffectMemory))
      .PCL_GPU_FIELD(EffectMemory, averages)
      .PCL_GPU_FIELD(EffectMemory, surfaces)
      .PCL_GPU_FIELD(EffectMemory, images)
      .PCL_GPU_FIELD(EffectMemory, other)
      .finish()
      .def("bytes",
           &EffectMemory::bytes,
           nb::arg("view"),
           DOC(pcl, gpu, EffectMemory, bytes));
  nb::class_<SceneSpaceEffect>(
      module,
      "SceneSpaceEffect",
      "Makes the frames of one video from those of another: the base of all effects.")
      .def("view",
           &SceneSpaceEffect::view,
           nb::arg("video"),
           nb::arg("number"),
           DOC(pcl, gpu, SceneSpaceEffect, view))
      .def("working_memory",
           &SceneSpaceEffect::workingMemory,
           nb::arg("view"),
           DOC(pcl, gpu, SceneSpaceEffect, workingMemory));
  module.def("frame_window",
             &frameWindow,
             nb::arg("video"),
             nb::arg("number"),
             nb::arg("reach"),
             nb::arg("step") = 1,
             DOC(pcl, gpu, frameWindow));
  module.def("time_weights",
             &timeWeights,
             nb::arg("numbers"),
             nb::arg("number"),
             nb::arg("sigma"),
             DOC(pcl, gpu, timeWeights));
}

void
bindDenoising(nb::module_& module)
{
  ParametersBinding<DenoisingEffectParameters>(
      module, "DenoisingEffectParameters", DOC(pcl, gpu, DenoisingEffectParameters))
      .PCL_GPU_FIELD(DenoisingEffectParameters, reach)
      .PCL_GPU_FIELD(DenoisingEffectParameters, sigma_rgb)
      .PCL_GPU_FIELD(DenoisingEffectParameters, sigma_xyz)
      .PCL_GPU_FIELD(DenoisingEffectParameters, sigma_frame)
      .finish()
      .def("validate",
           &DenoisingEffectParameters::validate,
           DOC(pcl, gpu, DenoisingEffectParameters, validate));
  bindEffect<DenoisingEffect, DenoisingEffectParameters>(
      module, "DenoisingEffect", DOC(pcl, gpu, DenoisingEffect));
}

void
bindDeblurring(nb::module_& module)
{
  ParametersBinding<DeblurringEffectParameters>(
      module, "DeblurringEffectParameters", DOC(pcl, gpu, DeblurringEffectParameters))
      .PCL_GPU_FIELD(DeblurringEffectParameters, reach)
      .PCL_GPU_FIELD(DeblurringEffectParameters, sharpness_power)
      .PCL_GPU_FIELD(DeblurringEffectParameters, own_lead)
      .PCL_GPU_FIELD(DeblurringEffectParameters, sigma_rgb)
      .PCL_GPU_FIELD(DeblurringEffectParameters, sigma_xyz)
      .PCL_GPU_FIELD(DeblurringEffectParameters, sigma_frame)
      .finish()
      .def("validate",
           &DeblurringEffectParameters::validate,
           DOC(pcl, gpu, DeblurringEffectParameters, validate));
  bindEffect<DeblurringEffect, DeblurringEffectParameters>(
      module, "DeblurringEffect", DOC(pcl, gpu, DeblurringEffect));
}

void
bindInpainting(nb::module_& module)
{
  ParametersBinding<InpaintingEffectParameters>(
      module, "InpaintingEffectParameters", DOC(pcl, gpu, InpaintingEffectParameters))
      .PCL_GPU_FIELD(InpaintingEffectParameters, reach)
      .PCL_GPU_FIELD(InpaintingEffectParameters, step)
      .PCL_GPU_FIELD(InpaintingEffectParameters, sigma_rgb)
      .PCL_GPU_FIELD(InpaintingEffectParameters, sigma_xyz)
      .PCL_GPU_FIELD(InpaintingEffectParameters, sigma_frame)
      .PCL_GPU_FIELD(InpaintingEffectParameters, opacity)
      .finish()
      .def("validate",
           &InpaintingEffectParameters::validate,
           DOC(pcl, gpu, InpaintingEffectParameters, validate));
  bindEffect<InpaintingEffect, InpaintingEffectParameters>(
      module, "InpaintingEffect", DOC(pcl, gpu, InpaintingEffect));
}

void
bindSuperResolution(nb::module_& module)
{
  using Parameters = SuperResolutionEffectParameters;
  nb::enum_<EnlargementFilter>(
      module, "EnlargementFilter", DOC(pcl, gpu, EnlargementFilter))
      .value("LANCZOS",
             EnlargementFilter::Lanczos,
             DOC(pcl, gpu, EnlargementFilter, Lanczos))
      .value("LEARNED",
             EnlargementFilter::Learned,
             DOC(pcl, gpu, EnlargementFilter, Learned))
      .value("BETTER",
             EnlargementFilter::Better,
             DOC(pcl, gpu, EnlargementFilter, Better));
  ParametersBinding<Parameters>(module,
                                "SuperResolutionEffectParameters",
                                DOC(pcl, gpu, SuperResolutionEffectParameters))
      .PCL_GPU_FIELD(SuperResolutionEffectParameters, scale)
      .PCL_GPU_FIELD(SuperResolutionEffectParameters, reach)
      .PCL_GPU_FIELD(SuperResolutionEffectParameters, iterations)
      .PCL_GPU_FIELD(SuperResolutionEffectParameters, step)
      .PCL_GPU_FIELD(SuperResolutionEffectParameters, filter)
      .PCL_GPU_FIELD(SuperResolutionEffectParameters, own_steps_before)
      .PCL_GPU_FIELD(SuperResolutionEffectParameters, own_steps_behind)
      .PCL_GPU_FIELD(SuperResolutionEffectParameters, sigma_residual)
      .PCL_GPU_FIELD(SuperResolutionEffectParameters, sigma_xyz)
      .PCL_GPU_FIELD(SuperResolutionEffectParameters, sigma_pixel)
      .PCL_GPU_FIELD(SuperResolutionEffectParameters, sigma_frame_error)
      .PCL_GPU_FIELD(SuperResolutionEffectParameters, sigma_smooth)
      .finish()
      .def("validate",
           &Parameters::validate,
           DOC(pcl, gpu, SuperResolutionEffectParameters, validate));
  bindEffect<SuperResolutionEffect, Parameters>(
      module, "SuperResolutionEffect", DOC(pcl, gpu, SuperResolutionEffect));
}

void
bindShutter(nb::module_& module)
{
  ParametersBinding<Shutter>(module, "Shutter", DOC(pcl, gpu, Shutter))
      .PCL_GPU_FIELD(Shutter, first)
      .PCL_GPU_FIELD(Shutter, weights)
      .finish()
      .def_static("box", &Shutter::box, nb::arg("frames"), DOC(pcl, gpu, Shutter, box))
      .def_static("gaussian",
                  &Shutter::gaussian,
                  nb::arg("sigma"),
                  DOC(pcl, gpu, Shutter, gaussian))
      .def_static("exponential",
                  &Shutter::exponential,
                  nb::arg("frames"),
                  DOC(pcl, gpu, Shutter, exponential))
      .def_static("strobe",
                  &Shutter::strobe,
                  nb::arg("flashes"),
                  nb::arg("distance"),
                  DOC(pcl, gpu, Shutter, strobe))
      .def_static("sampled",
                  &Shutter::sampled,
                  nb::arg("weight"),
                  nb::arg("first"),
                  nb::arg("last"),
                  DOC(pcl, gpu, Shutter, sampled))
      .def("validate", &Shutter::validate, DOC(pcl, gpu, Shutter, validate));
  ParametersBinding<ComputationalShutterEffectParameters>(
      module,
      "ComputationalShutterEffectParameters",
      DOC(pcl, gpu, ComputationalShutterEffectParameters))
      .PCL_GPU_FIELD(ComputationalShutterEffectParameters, shutter)
      .PCL_GPU_FIELD(ComputationalShutterEffectParameters, sigma_xyz)
      .finish()
      .def("validate",
           &ComputationalShutterEffectParameters::validate,
           DOC(pcl, gpu, ComputationalShutterEffectParameters, validate));
  bindEffect<ComputationalShutterEffect, ComputationalShutterEffectParameters>(
      module, "ComputationalShutterEffect", DOC(pcl, gpu, ComputationalShutterEffect));
}

} // namespace

void
bindEffects(nb::module_& module)
{
  bindBase(module);
  bindDenoising(module);
  bindDeblurring(module);
  bindInpainting(module);
  bindSuperResolution(module);
  bindShutter(module);
}

} // namespace pcl_gpu_python
