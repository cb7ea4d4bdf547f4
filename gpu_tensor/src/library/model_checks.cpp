// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/model_checks.h"

#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <cmath>

namespace pcl::gpu {

namespace {

using Vector = Eigen::Map<const Eigen::Vector3f>;

/** \brief Largest error of the lengths of unit vectors, of products of the axes of frames,
 * and, as a share, of voxel sizes. */
constexpr float tolerance = 1e-3f;

/** \brief Checks of numbered parts of an owner; the words are put together only if a part is
 * wrong. */
struct PartChecks {
  const std::string& owner;

  template <typename T>
  void
  operator()(bool valid,
             const char* what,
             std::size_t number,
             const T& value,
             const char* expectation) const
  {
    if (valid)
      return;
    const std::string name = what + (' ' + std::to_string(number)) + " of " + owner;
    checkArgument(false, name.c_str(), value, expectation);
  }
};

void
checkPoints(const TensorModel& model, const PartChecks& check)
{
  for (std::size_t i = 0; i < model.points.size(); ++i) {
    const Eigen::Vector3f point = model.points[i].getVector3fMap();
    const Eigen::Vector3f normal = model.points[i].getNormalVector3fMap();
    check(point.allFinite(),
          "point",
          i,
          point.transpose(),
          "finite coordinates, in metres");
    const bool no_normal = normal.array().isNaN().all();
    check(no_normal || std::abs(normal.squaredNorm() - 1.0f) <= 2.0f * tolerance,
          "normal",
          i,
          normal.transpose(),
          "a unit vector, or NaN");
  }
}

void
checkFrames(const TensorModel& model, float voxel_size, const PartChecks& check)
{
  for (std::size_t i = 0; i < model.frames.size(); ++i) {
    const TensorFrame& frame = model.frames[i];
    const Vector origin(frame.origin);
    check(origin.allFinite(),
          "origin of tensor",
          i,
          origin.transpose(),
          "finite coordinates, in metres");
    Eigen::Matrix3f axes;
    axes << Vector(frame.x_axis), Vector(frame.y_axis), Vector(frame.z_axis);
    const Eigen::Matrix3f products = axes.transpose() * axes;
    const bool orthonormal =
        axes.allFinite() &&
        (products - Eigen::Matrix3f::Identity()).cwiseAbs().maxCoeff() <= tolerance &&
        axes.determinant() > 0.0f;
    if (!orthonormal)
      check(false,
            "axes of tensor",
            i,
            axes.transpose().reshaped().transpose(),
            "a right-handed frame of unit vectors");
    check(frame.angle >= 0.0f && frame.angle <= 3.14159274f,
          "angle of tensor",
          i,
          frame.angle,
          "radians from 0 to pi");
    check(std::abs(frame.voxel_size - voxel_size) <= tolerance * voxel_size,
          "voxel size of tensor",
          i,
          frame.voxel_size,
          "that of the library's parameters");
    check(model.views[i] >= 0 && model.views[i] < model.view_count,
          "view of tensor",
          i,
          model.views[i],
          "0 or more, and less than there are views");
  }
}

void
checkEntries(const TensorModel& model, int grid_size, const PartChecks& check)
{
  const int voxels = grid_size * grid_size * grid_size;
  for (std::size_t i = 0; i < model.frames.size(); ++i) {
    int former = -1;
    for (std::size_t j = model.starts[i]; j < model.starts[i + 1]; ++j) {
      const int voxel = model.voxels[j];
      check(voxel > former && voxel < voxels,
            "voxel of entry",
            j,
            voxel,
            "a voxel of the grid, beyond those of the tensor's entries before");
      check(std::isfinite(model.areas[j]) && model.areas[j] > 0.0f,
            "area of entry",
            j,
            model.areas[j],
            "a positive number");
      former = voxel;
    }
  }
}

} // namespace

bool
isFinite(const TensorFrame& frame)
{
  return Vector(frame.x_axis).allFinite() && Vector(frame.y_axis).allFinite() &&
         Vector(frame.z_axis).allFinite() && Vector(frame.origin).allFinite() &&
         std::isfinite(frame.angle) && std::isfinite(frame.voxel_size);
}

template <typename Tensors>
void
validateEntries(const std::string& owner, const Tensors& tensors)
{
  const std::vector<std::uint32_t>& starts = tensors.starts;
  checkArgument(starts.size() == tensors.frames.size() + 1,
                ("number of first entries of " + owner).c_str(),
                starts.size(),
                "one more than there are tensors");
  checkArgument(tensors.voxels.size() == tensors.areas.size(),
                ("number of voxels of " + owner).c_str(),
                tensors.voxels.size(),
                "as many as there are areas");
  const PartChecks check{owner};
  check(starts[0] == 0, "first entry of tensor", 0, starts[0], "0");
  for (std::size_t i = 1; i < starts.size(); ++i)
    check(starts[i] >= starts[i - 1],
          "end of entries of tensor",
          i - 1,
          starts[i],
          "not less than their beginning");
  checkArgument(starts.back() == tensors.areas.size(),
                ("end of all entries of " + owner).c_str(),
                starts.back(),
                "the number of areas");
}

template void
validateEntries(const std::string&, const TensorModel&);
template void
validateEntries(const std::string&, const HostTensorSet&);

void
validateModel(const TensorModel& model, const TensorParameters& parameters)
{
  checkArgument(!model.name.empty(), "name of the model", "empty", "a name");
  const std::string owner = "model '" + model.name + "'";
  checkAtLeast(("number of views of " + owner).c_str(), model.view_count, 0);
  checkArgument(model.views.size() == model.frames.size(),
                ("number of view numbers of " + owner).c_str(),
                model.views.size(),
                "as many as there are tensors");
  validateEntries(owner, model);
  const PartChecks check{owner};
  checkPoints(model, check);
  checkFrames(model, parameters.voxel_size, check);
  checkEntries(model, parameters.grid_size, check);
}

} // namespace pcl::gpu
