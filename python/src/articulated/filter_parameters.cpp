// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "articulated/module.h"

#include "articulated_doc.h"

#include <pcl/gpu/articulated/body_tracking.h>
#include <pcl/gpu/articulated/pose_particle_filter.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

using Parameters = PoseParticleFilterParameters;

// Lists that are empty by default say nothing of the type of their elements.

template <typename List>
std::function<nb::object(const Parameters&)>
getterOf(List Parameters::*member)
{
  return
      [member](const Parameters& parameters) { return nb::cast(parameters.*member); };
}

template <typename List>
std::function<void(Parameters&, nb::handle)>
setterOf(List Parameters::*member, const char* name, const char* type)
{
  return [=](Parameters& parameters, nb::handle value) {
    List list;
    if (!nb::try_cast(value, list, true))
      throwWrongType(name, value, type);
    parameters.*member = std::move(list);
  };
}

void
bindEnums(nb::module_& module)
{
  nb::enum_<Resampling>(module, "Resampling", DOC(pcl, gpu, Resampling))
      .value(
          "SYSTEMATIC", Resampling::Systematic, DOC(pcl, gpu, Resampling, Systematic))
      .value(
          "STRATIFIED", Resampling::Stratified, DOC(pcl, gpu, Resampling, Stratified))
      .value("RESIDUAL", Resampling::Residual, DOC(pcl, gpu, Resampling, Residual));
  nb::enum_<MotionModel>(module, "MotionModel", DOC(pcl, gpu, MotionModel))
      .value("RANDOM_WALK",
             MotionModel::RandomWalk,
             DOC(pcl, gpu, MotionModel, RandomWalk))
      .value("CONSTANT_VELOCITY",
             MotionModel::ConstantVelocity,
             DOC(pcl, gpu, MotionModel, ConstantVelocity));
  nb::enum_<LayerNoise>(module, "LayerNoise", DOC(pcl, gpu, LayerNoise))
      .value("MOTION", LayerNoise::Motion, DOC(pcl, gpu, LayerNoise, Motion))
      .value("SPREAD", LayerNoise::Spread, DOC(pcl, gpu, LayerNoise, Spread));
}

} // namespace

void
bindFilterParameters(nb::module_& module)
{
  bindEnums(module);
  nb::class_<Parameters>& parameters =
      ParametersBinding<Parameters>(module,
                                    "PoseParticleFilterParameters",
                                    DOC(pcl, gpu, PoseParticleFilterParameters))
          .PCL_GPU_FIELD(PoseParticleFilterParameters, particle_count)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, seed)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, motion_model)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, velocity_damping)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, root_translation_deviation)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, root_rotation_deviation)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, wide_motion)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, wide_limb_motion)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, resampling)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, resample_threshold)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, layers)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, layer_decay)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, layer_noise)
          .field(
              "layer_exponents",
              "list[float]",
              getterOf(&Parameters::layer_exponents),
              setterOf(&Parameters::layer_exponents, "layer_exponents", "list[float]"),
              DOC(pcl, gpu, PoseParticleFilterParameters, layer_exponents))
          .PCL_GPU_FIELD(PoseParticleFilterParameters, survival_rate)
          .field("partitions",
                 "list[list[int]]",
                 getterOf(&Parameters::partitions),
                 setterOf(&Parameters::partitions, "partitions", "list[list[int]]"),
                 DOC(pcl, gpu, PoseParticleFilterParameters, partitions))
          .field("rest_pose",
                 "list[float]",
                 getterOf(&Parameters::rest_pose),
                 setterOf(&Parameters::rest_pose, "rest_pose", "list[float]"),
                 DOC(pcl, gpu, PoseParticleFilterParameters, rest_pose))
          .PCL_GPU_FIELD(PoseParticleFilterParameters, rest_rate)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, proposal_share)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, islands)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, island_margin)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, island_patience)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, max_points)
          .PCL_GPU_FIELD(PoseParticleFilterParameters, likelihood)
          .finish();
  parameters.attr("MAX_PARTICLE_COUNT") =
      static_cast<std::size_t>(Parameters::max_particle_count);
  module.def("find_limbs", &findLimbs, nb::arg("skeleton"), DOC(pcl, gpu, findLimbs));
  module.def(
      "body_tracking_parameters",
      [](const Skeleton* skeleton) {
        return skeleton ? bodyTrackingParameters(*skeleton) : bodyTrackingParameters();
      },
      nb::arg("skeleton").none() = nb::none(),
      (std::string(DOC(pcl, gpu, bodyTrackingParameters)) +
       "\n\nWith a skeleton: " + DOC(pcl, gpu, bodyTrackingParameters_2))
          .c_str());
  module.def(
      "guided_body_tracking_parameters",
      [](const Device* device) {
        return guidedBodyTrackingParameters(device ? *device : currentDevice());
      },
      nb::arg("device").none() = nb::none(),
      DOC(pcl, gpu, guidedBodyTrackingParameters));
  module.def(
      "hand_tracking_parameters",
      [](const Skeleton* skeleton) {
        return skeleton ? handTrackingParameters(*skeleton) : handTrackingParameters();
      },
      nb::arg("skeleton").none() = nb::none(),
      (std::string(DOC(pcl, gpu, handTrackingParameters)) +
       "\n\nWith a skeleton: " + DOC(pcl, gpu, handTrackingParameters_2))
          .c_str());
}

} // namespace pcl_gpu_python
