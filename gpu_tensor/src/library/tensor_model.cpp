// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/model_checks.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/tensor/tensor_model.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device/trigonometry.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pcl::gpu {

namespace {

using Vector = Eigen::Map<const Eigen::Vector3f>;

/** \brief Largest error of the lengths of unit vectors, of products of the axes of
 * frames, and, as a share, of voxel sizes. */
constexpr float tolerance = 1e-3f;

constexpr const char* finite_place = "finite coordinates, in metres";

/** \brief Checks numbered parts of an owner. Makes the text of a message only if a part
 * is wrong. */
struct PartCheck {
  const std::string& owner;
  std::size_t number;

  template <typename T>
  void
  operator()(bool valid,
             const char* what,
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
checkPoints(const TensorModel& model, const std::string& owner)
{
  for (std::size_t i = 0; i < model.points.size(); ++i) {
    const PartCheck check{owner, i};
    const Eigen::Vector3f point = model.points[i].getVector3fMap();
    const Eigen::Vector3f normal = model.points[i].getNormalVector3fMap();
    check(point.allFinite(), "point", point.transpose(), finite_place);
    const bool no_normal = normal.array().isNaN().all();
    check(no_normal || std::abs(normal.squaredNorm() - 1.0f) <= 2.0f * tolerance,
          "normal",
          normal.transpose(),
          "a unit vector, or NaN");
  }
}

void
checkFrames(const TensorModel& model, float voxel_size, const std::string& owner)
{
  for (std::size_t i = 0; i < model.frames.size(); ++i) {
    const PartCheck check{owner, i};
    const TensorFrame& frame = model.frames[i];
    const Vector origin(frame.origin);
    check(origin.allFinite(), "origin of tensor", origin.transpose(), finite_place);
    Eigen::Matrix3f axes;
    axes << Vector(frame.x_axis), Vector(frame.y_axis), Vector(frame.z_axis);
    const Eigen::Matrix3f products = axes.transpose() * axes;
    const bool orthonormal =
        axes.allFinite() &&
        (products - Eigen::Matrix3f::Identity()).cwiseAbs().maxCoeff() <= tolerance &&
        axes.determinant() > 0.0f;
    check(orthonormal,
          "axes of tensor",
          axes.transpose().reshaped().transpose(),
          "a right-handed frame of unit vectors");
    check(frame.angle >= 0.0f && frame.angle <= device::pi,
          "angle of tensor",
          frame.angle,
          "radians from 0 to pi");
    check(std::abs(frame.voxel_size - voxel_size) <= tolerance * voxel_size,
          "voxel size of tensor",
          frame.voxel_size,
          "that of the library's parameters");
    check(model.views[i] >= 0 && model.views[i] < model.view_count,
          "view of tensor",
          model.views[i],
          "0 or more, and less than there are views");
  }
}

void
checkEntries(const TensorModel& model, int grid_size, const std::string& owner)
{
  const int voxels = grid_size * grid_size * grid_size;
  for (std::size_t i = 0; i < model.frames.size(); ++i) {
    int former = -1;
    for (std::size_t j = model.starts[i]; j < model.starts[i + 1]; ++j) {
      const PartCheck check{owner, j};
      const int voxel = model.voxels[j];
      check(voxel > former && voxel < voxels,
            "voxel of entry",
            voxel,
            "a voxel of the grid, beyond those of the tensor's entries before");
      const float area = model.areas[j];
      const bool valid = std::isfinite(area) && area > 0.0f;
      check(valid, "area of entry", area, "a positive number");
      former = voxel;
    }
  }
}

/** \brief Returns whether all numbers of a frame are finite. */
bool
isFinite(const TensorFrame& frame)
{
  return Vector(frame.x_axis).allFinite() && Vector(frame.y_axis).allFinite() &&
         Vector(frame.z_axis).allFinite() && Vector(frame.origin).allFinite() &&
         std::isfinite(frame.angle) && std::isfinite(frame.voxel_size);
}

/** \brief Checks that the arrays of compressed tensors fit together.
 * \param[in] owner their owner, for messages
 * \tparam Tensors TensorModel or HostTensorSet
 * \throws pcl::BadArgumentException naming the one that does not
 */
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
  const PartCheck first{owner, 0};
  first(starts[0] == 0, "first entry of tensor", starts[0], "0");
  for (std::size_t i = 1; i < starts.size(); ++i) {
    const PartCheck check{owner, i - 1};
    check(starts[i] >= starts[i - 1],
          "end of entries of tensor",
          starts[i],
          "not less than their beginning");
  }
  checkArgument(starts.back() == tensors.areas.size(),
                ("end of all entries of " + owner).c_str(),
                starts.back(),
                "the number of areas");
}

/** \brief Moves a frame. Poses are rotations to within 1e-3 only; here the rotation is
 * exact, so that frames stay orthonormal. */
TensorFrame
moved(const TensorFrame& frame,
      const Eigen::Matrix3d& rotation,
      const Eigen::Vector3d& translation)
{
  TensorFrame result = frame;
  for (float* vector : {result.x_axis, result.y_axis, result.z_axis, result.origin}) {
    Eigen::Map<Eigen::Vector3f> values(vector);
    Eigen::Vector3d turned = rotation * values.cast<double>();
    if (vector == result.origin)
      turned += translation;
    values = turned.cast<float>();
  }
  return result;
}

template <typename T>
void
downloadFirst(const DeviceArray<T>& array,
              std::size_t count,
              const char* name,
              std::vector<T>& result)
{
  checkArgument(array.size() >= count, name, array.size(), "as many as tensors need");
  result.resize(count);
  array.download(result.data(), 0, count);
}

} // namespace

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
  checkPoints(model, owner);
  for (std::size_t i = 0; i < model.symmetries.size(); ++i)
    validatePose(model.symmetries[i],
                 ("symmetry " + std::to_string(i) + " of " + owner).c_str());
  checkFrames(model, parameters.voxel_size, owner);
  checkEntries(model, parameters.grid_size, owner);
}

HostTensorSet
downloadTensors(const TensorSet& tensors)
{
  const ScopedDevice scope(deviceOf(tensors.frames));
  HostTensorSet result;
  result.grid_size = tensors.grid_size;
  std::vector<int> count;
  downloadFirst(tensors.count, tensors.count.empty() ? 0 : 1, "counts", count);
  if (count.empty() || count[0] == 0)
    return result;
  checkAtLeast("number of tensors", count[0], 0);
  const std::size_t size = static_cast<std::size_t>(count[0]);
  downloadFirst(tensors.frames, size, "number of frames", result.frames);
  downloadFirst(tensors.starts, size + 1, "number of first entries", result.starts);
  const std::size_t entries = result.starts.back();
  checkArgument(
      entries <= tensors.areas.size(),
      "number of entries there is room for",
      tensors.areas.size(),
      "as many as the tensors have; see TensorExtractionParameters::max_entries");
  downloadFirst(tensors.voxels, entries, "number of voxels", result.voxels);
  downloadFirst(tensors.areas, entries, "number of areas", result.areas);
  return result;
}

int
appendTensors(const HostTensorSet& tensors,
              const Pose& pose,
              int view,
              TensorModel& model,
              int min_voxels)
{
  validatePose(pose, "pose of the view");
  checkBetween(
      "number of the view", view, 0, std::numeric_limits<int>::max() - 1, "0 or more");
  validateEntries("tensors of the view", tensors);
  validateEntries("model", model);
  checkArgument(model.views.size() == model.frames.size(),
                "number of the model's view numbers",
                model.views.size(),
                "as many as there are tensors");
  const std::uint64_t entries = model.areas.size() + tensors.areas.size();
  checkArgument(entries <= std::numeric_limits<std::uint32_t>::max(),
                "number of entries of the model",
                entries,
                "less than 2^32");
  model.frames.reserve(model.frames.size() + tensors.frames.size());
  model.starts.reserve(model.starts.size() + tensors.frames.size());
  model.views.reserve(model.views.size() + tensors.frames.size());
  model.voxels.reserve(entries);
  model.areas.reserve(entries);

  const Eigen::Quaterniond turn(Eigen::Matrix3d(pose.linear().cast<double>()));
  const Eigen::Matrix3d rotation = turn.normalized().toRotationMatrix();
  const Eigen::Vector3d translation = pose.translation().cast<double>();
  int added = 0;
  for (std::size_t i = 0; i < tensors.frames.size(); ++i) {
    const auto first = static_cast<std::ptrdiff_t>(tensors.starts[i]);
    const auto last = static_cast<std::ptrdiff_t>(tensors.starts[i + 1]);
    if (!isFinite(tensors.frames[i]) || last - first < min_voxels)
      continue;
    model.frames.push_back(moved(tensors.frames[i], rotation, translation));
    model.views.push_back(view);
    model.voxels.insert(model.voxels.end(),
                        tensors.voxels.begin() + first,
                        tensors.voxels.begin() + last);
    model.areas.insert(
        model.areas.end(), tensors.areas.begin() + first, tensors.areas.begin() + last);
    model.starts.push_back(static_cast<std::uint32_t>(model.areas.size()));
    ++added;
  }
  model.view_count = std::max(model.view_count, view + 1);
  return added;
}

int
appendTensors(const TensorSet& tensors,
              const Pose& pose,
              int view,
              TensorModel& model,
              int min_voxels)
{
  return appendTensors(downloadTensors(tensors), pose, view, model, min_voxels);
}

} // namespace pcl::gpu
