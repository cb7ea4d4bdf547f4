// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/model_checks.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/tensor/tensor_model.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <limits>

namespace pcl::gpu {

namespace {

/** \brief Moves a frame. Poses are rotations to within 1e-3 only: here they are exact ones,
 * so that frames stay orthonormal. */
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
  if (count > 0)
    array.download(result.data(), 0, count);
}

} // namespace

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
  checkArgument(view >= 0 && view < std::numeric_limits<int>::max(),
                "number of the view",
                view,
                "0 or more");
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
