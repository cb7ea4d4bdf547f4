// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "articulated/module.h"

#include "articulated_doc.h"

#include <pcl/gpu/articulated/capsule_ray_caster.h>
#include <pcl/gpu/articulated/depth_sensor_simulation.h>

#include <nanobind/stl/shared_ptr.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

template <std::size_t output>
ArrayResult<float>
skinOf(BoundKinematics& self, const ArrayArgument& poses)
{
  const auto rows = posesFrom(poses, "poses", self.getSkeleton().get());
  auto& capsules = self.next<output>();
  const Stream stream = currentStream();
  {
    const nb::gil_scoped_release release;
    self.computeCapsules(*rows, capsules, stream);
  }
  return samplesToPython(std::get<output>(self.outputs).last(),
                         self.getSkeleton()->getCapsules().size());
}

void
bindForwardKinematics(nb::module_& module)
{
  nb::class_<BoundKinematics>(
      module, "ForwardKinematics", DOC(pcl, gpu, ForwardKinematics))
      .def(
          "__init__",
          [](BoundKinematics* self, const std::shared_ptr<Skeleton>& skeleton) {
            new (self) BoundKinematics();
            if (skeleton)
              self->setSkeleton(copyOfSkeleton(skeleton));
          },
          nb::arg("skeleton").none() = nb::none(),
          (std::string(DOC(pcl, gpu, ForwardKinematics, setSkeleton)) + skeleton_doc)
              .c_str())
      .def(
          "set_skeleton",
          [](BoundKinematics& self, const std::shared_ptr<Skeleton>& skeleton) {
            self.setSkeleton(copyOfSkeleton(skeleton));
          },
          nb::arg("skeleton"),
          (std::string(DOC(pcl, gpu, ForwardKinematics, setSkeleton)) + skeleton_doc)
              .c_str())
      .def_prop_ro(
          "skeleton",
          [](const BoundKinematics& self) {
            return copyOfSkeleton(self.getSkeleton());
          },
          nb::sig("def skeleton(self) -> Skeleton | None"),
          "A copy of the skeleton; None if none was set.")
      .def(
          "compute_capsules",
          [](BoundKinematics& self, const ArrayArgument& poses, bool tapered) {
            return tapered ? skinOf<0>(self, poses) : skinOf<1>(self, poses);
          },
          nb::arg("poses"),
          nb::arg("tapered") = true,
          "Computes the skin's capsules of each pose, float32 of shape (n, length of a "
          "pose).\n\nReturns float32 of shape (n, capsules, 8): centre and radius of "
          "one sphere, then of the other one. Without tapered, of shape (n, capsules, "
          "7): one end, the radius, and the other end. Metres, in the world. Raises if "
          "a capsule then has two radii.")
      .def(
          "compute_joints",
          [](BoundKinematics& self, const ArrayArgument& poses) {
            const auto rows = posesFrom(poses, "poses", self.getSkeleton().get());
            auto& positions = self.next<2>();
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              self.computeJoints(*rows, positions, stream);
            }
            return samplesToPython(std::get<2>(self.outputs).last(),
                                   self.getSkeleton()->getJoints().size());
          },
          nb::arg("poses"),
          "Computes the positions of the joints in each pose, float32 of shape (n, "
          "length of a pose).\n\nReturns points of shape (n, joints, 4), metres, in "
          "the "
          "world.");
}

void
bindRayCaster(nb::module_& module)
{
  ParametersBinding<CapsuleRayCasterParameters>(
      module, "CapsuleRayCasterParameters", DOC(pcl, gpu, CapsuleRayCasterParameters))
      .PCL_GPU_FIELD(CapsuleRayCasterParameters, camera)
      .PCL_GPU_FIELD(CapsuleRayCasterParameters, pose)
      .finish();
  using Bound = WithOutputs<CapsuleRayCaster,
                            DeviceArray2D<float>,
                            DeviceArray2D<int>,
                            DeviceArray2D<pcl::PointXYZ>>;
  nb::class_<Bound> caster(module, "CapsuleRayCaster", DOC(pcl, gpu, CapsuleRayCaster));
  defineParameters<Bound, CapsuleRayCasterParameters>(caster);
  caster
      .def(
          "cast",
          [](Bound& self, const ArrayArgument& capsules) {
            const auto list = listFrom<TaperedCapsule>(capsules, "capsules");
            auto& depth = self.next<0>();
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              self.cast(*list, depth, stream);
            }
            return self.result<0>();
          },
          nb::arg("capsules"),
          DOC(pcl, gpu, CapsuleRayCaster, cast))
      .def(
          "cast_with_normals",
          [](Bound& self, const ArrayArgument& capsules) {
            const auto list = listFrom<TaperedCapsule>(capsules, "capsules");
            auto& depth = self.next<0>();
            auto& ids = self.next<1>();
            auto& normals = self.next<2>();
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              self.cast(*list, depth, ids, normals, stream);
            }
            return std::make_tuple(
                self.result<0>(), self.result<1>(), self.result<2>());
          },
          nb::arg("capsules"),
          "Casts the rays and identifies the capsules that they hit.\n\nReturns the "
          "depth map as cast() does; the number of the capsule that each ray hits, -1 "
          "for none; and the normals of the skin there, outwards, unit length, in the "
          "camera's frame, NaN for none.");
}

void
bindSensor(nb::module_& module)
{
  ParametersBinding<DepthNoise>(module, "DepthNoise", DOC(pcl, gpu, DepthNoise))
      .PCL_GPU_FIELD(DepthNoise, deviation)
      .PCL_GPU_FIELD(DepthNoise, deviation_growth)
      .PCL_GPU_FIELD(DepthNoise, outlier_fraction)
      .PCL_GPU_FIELD(DepthNoise, nearest_outlier)
      .PCL_GPU_FIELD(DepthNoise, farthest_outlier)
      .PCL_GPU_FIELD(DepthNoise, missing_fraction)
      .PCL_GPU_FIELD(DepthNoise, quantization)
      .PCL_GPU_FIELD(DepthNoise, seed)
      .finish();
  ParametersBinding<DepthSensorSimulationParameters>(
      module,
      "DepthSensorSimulationParameters",
      DOC(pcl, gpu, DepthSensorSimulationParameters))
      .PCL_GPU_FIELD(DepthSensorSimulationParameters, camera)
      .PCL_GPU_FIELD(DepthSensorSimulationParameters, pose)
      .PCL_GPU_FIELD(DepthSensorSimulationParameters, noise)
      .finish();
  using Bound = WithOutputs<DepthSensorSimulation,
                            DeviceArray2D<float>,
                            DeviceArray<pcl::PointXYZ>>;
  nb::class_<Bound> sensor(
      module, "DepthSensorSimulation", DOC(pcl, gpu, DepthSensorSimulation));
  defineParameters<Bound, DepthSensorSimulationParameters>(sensor);
  sensor
      .def(
          "add_noise",
          [](Bound& self, const ArrayArgument& depth_map, std::uint32_t frame) {
            const auto image = imageFrom<float>(depth_map, "depth_map");
            auto& measured = self.next<0>();
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              self.addNoise(*image, frame, measured, stream);
            }
            return self.result<0>();
          },
          nb::arg("depth_map"),
          nb::arg("frame"),
          DOC(pcl, gpu, DepthSensorSimulation, addNoise))
      .def(
          "compute_points",
          [](Bound& self, const ArrayArgument& depth_map) {
            const auto image = imageFrom<float>(depth_map, "depth_map");
            auto& points = self.next<1>();
            const Stream stream = currentStream();
            {
              const nb::gil_scoped_release release;
              self.computePoints(*image, points, stream);
            }
            return self.result<1>();
          },
          nb::arg("depth_map"),
          DOC(pcl, gpu, DepthSensorSimulation, computePoints));
}

} // namespace

void
bindKinematics(nb::module_& module)
{
  bindForwardKinematics(module);
  bindRayCaster(module);
  bindSensor(module);
}

} // namespace pcl_gpu_python
