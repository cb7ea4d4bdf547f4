// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "articulated/module.h"
#include "common/path.h"

#include "articulated_doc.h"

#include <pcl/gpu/articulated/bvh.h>
#include <pcl/gpu/articulated/motion_view.h>
#include <pcl/gpu/articulated/skeleton_file.h>
#include <pcl/gpu/utils/pinhole_camera.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief A MotionClip whose poses are one array. */
struct BoundClip {
  ArrayArgument poses;
  double frame_time = 0.0;
};

BoundClip
makeClip(const ArrayArgument& poses, double frame_time)
{
  const ArrayView view = viewOf(poses, "poses");
  checkArray(view, "poses", nb::dtype<float>(), {any_length, any_length}, -1);
  return {poses, frame_time};
}

BoundClip
clipOf(const MotionClip& motion, int pose_size)
{
  std::vector<float> numbers;
  numbers.reserve(motion.poses.size() * pose_size);
  for (const std::vector<float>& pose : motion.poses)
    numbers.insert(numbers.end(), pose.begin(), pose.end());
  const auto count = static_cast<std::int64_t>(motion.poses.size());
  return {{toPython(std::move(numbers), {count, pose_size}).object}, motion.frame_time};
}

void
bindClip(nb::module_& module)
{
  nb::class_<BoundClip>(module, "MotionClip", DOC(pcl, gpu, MotionClip))
      .def(
          "__init__",
          [](BoundClip* self, const ArrayArgument& poses, double frame_time) {
            new (self) BoundClip(makeClip(poses, frame_time));
          },
          nb::arg("poses"),
          nb::arg("frame_time"),
          "Refers to an array of poses, float32 of shape (n, length of a pose), "
          "without "
          "a copy.")
      .def_prop_ro(
          "poses",
          [](const BoundClip& self) { return ArrayResult<float>{self.poses.object}; },
          DOC(pcl, gpu, MotionClip, poses))
      .def_rw(
          "frame_time", &BoundClip::frame_time, DOC(pcl, gpu, MotionClip, frame_time))
      .def("__len__", [](const BoundClip& self) { return nb::len(self.poses.object); })
      .def("__repr__",
           [](const BoundClip& self) {
             return "MotionClip(" + std::to_string(nb::len(self.poses.object)) +
                    " poses, frame_time=" +
                    nb::cast<std::string>(nb::repr(nb::cast(self.frame_time))) + ")";
           })
      .def(
          "__getstate__",
          [](const BoundClip& self) {
            return nb::make_tuple(self.poses.object, self.frame_time);
          },
          nb::sig("def __getstate__(self) -> tuple[typing.Any, float]"))
      .def(
          "__setstate__",
          [](BoundClip& self, const nb::tuple& state) {
            new (&self)
                BoundClip(makeClip({nb::object(state[0])}, nb::cast<double>(state[1])));
          },
          nb::sig(
              "def __setstate__(self, state: tuple[typing.Any, float], /) -> None"));
}

void
bindFiles(nb::module_& module)
{
  ParametersBinding<BvhOptions>(module, "BvhOptions", DOC(pcl, gpu, BvhOptions))
      .PCL_GPU_FIELD(BvhOptions, scale)
      .PCL_GPU_FIELD(BvhOptions, most_stretch)
      .finish();
  module.def(
      "load_bvh",
      [](const PathArgument& file, const BvhOptions& options) {
        Skeleton skeleton;
        MotionClip motion;
        {
          const nb::gil_scoped_release release;
          loadBvh(file.string(), skeleton, motion, options);
        }
        BoundClip clip = clipOf(motion, skeleton.poseSize());
        return std::make_pair(std::move(skeleton), std::move(clip));
      },
      nb::arg("file"),
      nb::arg("options") = BvhOptions(),
      DOC(pcl, gpu, loadBvh));
  module.def(
      "save_bvh",
      [](const PathArgument& file, const Skeleton& skeleton, const BoundClip& motion) {
        const MotionClip clip = {hostPosesFrom(motion.poses, "poses"),
                                 motion.frame_time};
        const nb::gil_scoped_release release;
        saveBvh(file.string(), skeleton, clip);
      },
      nb::arg("file"),
      nb::arg("skeleton"),
      nb::arg("motion"),
      DOC(pcl, gpu, saveBvh));
  module.def(
      "load_skeleton",
      [](const PathArgument& file, const BvhOptions& options) {
        return loadSkeleton(file.string(), options);
      },
      nb::arg("file"),
      nb::arg("options") = BvhOptions(),
      nb::call_guard<nb::gil_scoped_release>(),
      DOC(pcl, gpu, loadSkeleton));
  module.def(
      "save_skeleton",
      [](const PathArgument& file, const Skeleton& skeleton) {
        saveSkeleton(file.string(), skeleton);
      },
      nb::arg("file"),
      nb::arg("skeleton"),
      nb::call_guard<nb::gil_scoped_release>(),
      DOC(pcl, gpu, saveSkeleton));
}

} // namespace

void
bindMotions(nb::module_& module)
{
  bindClip(module);
  bindFiles(module);
  module.def(
      "center_of_motion",
      [](const ArrayArgument& poses) {
        return centerOfMotion(hostPosesFrom(poses, "poses"));
      },
      nb::arg("poses"),
      DOC(pcl, gpu, centerOfMotion));
  module.def(
      "view_of_motion",
      [](const PinholeCamera& camera,
         const ArrayArgument& poses,
         const MatrixArgument<Eigen::Vector3f>& target,
         float reach) {
        const auto rows = hostPosesFrom(poses, "poses");
        const nb::gil_scoped_release release;
        return viewOfMotion(camera, rows, target, reach);
      },
      nb::arg("camera"),
      nb::arg("poses"),
      nb::arg("target"),
      nb::arg("reach") = 1.1f,
      DOC(pcl, gpu, viewOfMotion));
}

} // namespace pcl_gpu_python
