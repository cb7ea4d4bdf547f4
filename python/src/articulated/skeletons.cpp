// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "articulated/module.h"

#include "articulated_doc.h"

#include <pcl/gpu/articulated/hand_skeleton.h>
#include <pcl/gpu/articulated/human_skeleton.h>
#include <pcl/gpu/articulated/skeleton.h>
#include <pcl/gpu/articulated/skeleton_file.h>

#include <nanobind/stl/shared_ptr.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

using Joints = std::vector<SkeletonJoint>;
using Capsules = std::vector<SkeletonCapsule>;

Skeleton
makeSkeleton(const Joints& joints, const Capsules& capsules)
{
  Skeleton skeleton;
  for (const SkeletonJoint& joint : joints)
    skeleton.addJoint(joint);
  for (const SkeletonCapsule& capsule : capsules)
    skeleton.addCapsule(capsule);
  return skeleton;
}

nb::tuple
stateOf(const Skeleton& skeleton)
{
  return nb::make_tuple(skeleton.getJoints(), skeleton.getCapsules());
}

void
bindParts(nb::module_& module)
{
  ParametersBinding<JointAngle>(module, "JointAngle", DOC(pcl, gpu, JointAngle))
      .PCL_GPU_FIELD(JointAngle, axis)
      .PCL_GPU_FIELD(JointAngle, lower)
      .PCL_GPU_FIELD(JointAngle, upper)
      .PCL_GPU_FIELD(JointAngle, deviation)
      .finish();
  ParametersBinding<SkeletonJoint>(
      module, "SkeletonJoint", DOC(pcl, gpu, SkeletonJoint))
      .PCL_GPU_FIELD(SkeletonJoint, name)
      .PCL_GPU_FIELD(SkeletonJoint, parent)
      .PCL_GPU_FIELD(SkeletonJoint, offset)
      .field(
          "angles",
          "list[JointAngle]",
          [](const SkeletonJoint& joint) {
            return nb::cast(joint.angles, nb::rv_policy::copy);
          },
          [](SkeletonJoint& joint, nb::handle value) {
            std::vector<JointAngle> angles;
            if (!nb::try_cast(value, angles, false))
              throwWrongType("angles", value, "list[JointAngle]");
            joint.angles = std::move(angles);
          },
          "None, one, two or three. None for the root, which turns freely. The list is "
          "a copy: assign one to change it.")
      .finish();
  ParametersBinding<SkeletonCapsule>(
      module, "SkeletonCapsule", DOC(pcl, gpu, SkeletonCapsule))
      .PCL_GPU_FIELD(SkeletonCapsule, name)
      .PCL_GPU_FIELD(SkeletonCapsule, joint)
      .PCL_GPU_FIELD(SkeletonCapsule, a)
      .PCL_GPU_FIELD(SkeletonCapsule, b)
      .PCL_GPU_FIELD(SkeletonCapsule, radius_a)
      .PCL_GPU_FIELD(SkeletonCapsule, radius_b)
      .finish();
}

void
bindChanges(nb::class_<Skeleton>& skeleton)
{
  skeleton
      .def("add_joint",
           &Skeleton::addJoint,
           nb::arg("joint"),
           DOC(pcl, gpu, Skeleton, addJoint))
      .def("add_capsule",
           &Skeleton::addCapsule,
           nb::arg("capsule"),
           DOC(pcl, gpu, Skeleton, addCapsule))
      .def("set_joint",
           &Skeleton::setJoint,
           nb::arg("number"),
           nb::arg("joint"),
           DOC(pcl, gpu, Skeleton, setJoint))
      .def("set_capsule",
           &Skeleton::setCapsule,
           nb::arg("number"),
           nb::arg("capsule"),
           DOC(pcl, gpu, Skeleton, setCapsule));
}

void
bindCopies(nb::class_<Skeleton>& skeleton)
{
  skeleton
      .def("__repr__",
           [](const Skeleton& self) {
             return "Skeleton(" + std::to_string(self.getJoints().size()) +
                    " joints, " + std::to_string(self.getCapsules().size()) +
                    " capsules, " + std::to_string(self.poseSize()) +
                    " numbers a pose)";
           })
      .def(
          "__eq__",
          [](const Skeleton& self, nb::handle other) {
            return nb::isinstance<Skeleton>(other) &&
                   stateOf(self).equal(stateOf(nb::cast<const Skeleton&>(other)));
          },
          nb::arg("other").none())
      .def("__copy__", [](const Skeleton& self) { return Skeleton(self); })
      .def(
          "__deepcopy__",
          [](const Skeleton& self, nb::handle) { return Skeleton(self); },
          nb::arg("memo"))
      .def("__getstate__",
           &stateOf,
           nb::sig("def __getstate__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__setstate__",
          [](Skeleton& self, const nb::tuple& state) {
            new (&self) Skeleton(
                makeSkeleton(nb::cast<Joints>(state[0]), nb::cast<Capsules>(state[1])));
          },
          nb::sig("def __setstate__(self, state: tuple[typing.Any, ...], /) -> None"));
}

void
bindSkeleton(nb::module_& module)
{
  nb::class_<Skeleton> skeleton(module, "Skeleton", DOC(pcl, gpu, Skeleton));
  skeleton.attr("ROOT_SIZE") = static_cast<int>(Skeleton::root_size);
  skeleton.def(
      "__init__",
      [](Skeleton* self, const Joints& joints, const Capsules& capsules) {
        new (self) Skeleton(makeSkeleton(joints, capsules));
      },
      nb::arg("joints") = Joints(),
      nb::arg("capsules") = Capsules(),
      "Adds the joints, then the capsules.");
  bindChanges(skeleton);
  skeleton
      .def_prop_ro(
          "joints",
          [](const Skeleton& self) { return Joints(self.getJoints()); },
          "Copies of all joints; parents come before their children. set_joint() "
          "changes one.")
      .def_prop_ro(
          "capsules",
          [](const Skeleton& self) { return Capsules(self.getCapsules()); },
          "Copies of all pieces of skin. set_capsule() changes one.")
      .def("find_joint",
           &Skeleton::findJoint,
           nb::arg("name"),
           DOC(pcl, gpu, Skeleton, findJoint))
      .def_prop_ro("pose_size", &Skeleton::poseSize, DOC(pcl, gpu, Skeleton, poseSize))
      .def("angle_index",
           &Skeleton::angleIndex,
           nb::arg("joint"),
           DOC(pcl, gpu, Skeleton, angleIndex))
      .def_prop_ro(
          "rest_pose",
          [](const Skeleton& self) { return numbersToPython(self.restPose()); },
          DOC(pcl, gpu, Skeleton, restPose))
      .def_prop_ro("has_plain_capsules",
                   &Skeleton::hasPlainCapsules,
                   DOC(pcl, gpu, Skeleton, hasPlainCapsules));
  bindCopies(skeleton);
}

} // namespace

void
bindSkeletons(nb::module_& module)
{
  bindParts(module);
  bindSkeleton(module);
  nb::enum_<HandSide>(module, "HandSide", DOC(pcl, gpu, HandSide))
      .value("LEFT", HandSide::Left, DOC(pcl, gpu, HandSide, Left))
      .value("RIGHT", HandSide::Right, DOC(pcl, gpu, HandSide, Right));
  module.def("make_human_skeleton",
             &makeHumanSkeleton,
             nb::arg("height") = 1.75f,
             DOC(pcl, gpu, makeHumanSkeleton));
  module.def("make_hand_skeleton",
             &makeHandSkeleton,
             nb::arg("length") = 0.19f,
             nb::arg("side") = HandSide::Right,
             DOC(pcl, gpu, makeHandSkeleton));
  module.def(
      "without_legs", &withoutLegs, nb::arg("skeleton"), DOC(pcl, gpu, withoutLegs));
  module.def("add_body_capsules",
             &addBodyCapsules,
             nb::arg("skeleton"),
             DOC(pcl, gpu, addBodyCapsules));
  module.def("find_unknown_joints",
             &findUnknownJoints,
             nb::arg("skeleton"),
             DOC(pcl, gpu, findUnknownJoints));
  module.def("set_body_limits",
             &setBodyLimits,
             nb::arg("skeleton"),
             DOC(pcl, gpu, setBodyLimits));
}

} // namespace pcl_gpu_python
