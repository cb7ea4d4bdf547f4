// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "articulated/module.h"

#include "articulated_doc.h"

#include <pcl/gpu/articulated/body_tracking.h>
#include <pcl/gpu/articulated/joint_convention.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

void
bindJoints(nb::module_& module)
{
  nb::class_<JointEstimate>(module, "JointEstimate", DOC(pcl, gpu, JointEstimate))
      .def_prop_ro(
          "position",
          [](const JointEstimate& self) { return Eigen::Vector3f(self.position); },
          DOC(pcl, gpu, JointEstimate, position))
      .def_ro("deviation",
              &JointEstimate::deviation,
              DOC(pcl, gpu, JointEstimate, deviation));
  module.def(
      "estimate_joints",
      [](const BoundFilter& filter, BoundKinematics& kinematics) {
        const nb::gil_scoped_release release;
        return estimateJoints(filter, kinematics);
      },
      nb::arg("filter"),
      nb::arg("kinematics"),
      DOC(pcl, gpu, estimateJoints));
  nb::enum_<JointConvention>(module, "JointConvention", DOC(pcl, gpu, JointConvention))
      .value("ITOP", JointConvention::Itop, DOC(pcl, gpu, JointConvention, Itop))
      .value("COCO", JointConvention::Coco, DOC(pcl, gpu, JointConvention, Coco));
  nb::class_<NamedJoint>(module, "NamedJoint", DOC(pcl, gpu, NamedJoint))
      .def_ro("name", &NamedJoint::name, DOC(pcl, gpu, NamedJoint, name))
      .def_prop_ro(
          "position",
          [](const NamedJoint& self) { return Eigen::Vector3f(self.position); },
          DOC(pcl, gpu, NamedJoint, position))
      .def_ro(
          "deviation", &NamedJoint::deviation, DOC(pcl, gpu, NamedJoint, deviation));
  module.def(
      "name_joints",
      [](JointConvention convention,
         const Skeleton& skeleton,
         const PoseArgument& pose,
         const std::vector<JointEstimate>& estimates) {
        const nb::gil_scoped_release release;
        return nameJoints(convention, skeleton, numbersOf(pose.value), estimates);
      },
      nb::arg("convention"),
      nb::arg("skeleton"),
      nb::arg("pose"),
      nb::arg("estimates") = std::vector<JointEstimate>(),
      DOC(pcl, gpu, nameJoints));
}

} // namespace pcl_gpu_python
