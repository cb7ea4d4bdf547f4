// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/sums/running_sums.h"

#include <pcl/gpu/scenespace/gathering/scene_space_average.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

struct SceneSpaceAverage::Buffers {
  SceneReference reference;
  RunningSums<device::AverageSum> sums;
};

void
SceneSpaceAverageParameters::validate() const
{
  checkDeviation("sigma_rgb", sigma_rgb);
  checkDeviation("sigma_xyz", sigma_xyz);
  checkArgument(sigma_xyz_in_front >= 0.0f,
                "sigma_xyz in front",
                sigma_xyz_in_front,
                "0, a positive number or infinity");
  checkDeviation("sigma_pixel", sigma_pixel);
  checkNotNegative("noise", noise);
  frustum.validate();
}

void
SceneSpaceAverage::begin(const SceneView& view,
                         const SceneReference& reference,
                         const Stream& stream)
{
  view.validate();
  if (!reference.color.empty())
    checkReference("reference colour", reference.color, view, currentDevice());
  if (!reference.depth.empty())
    checkReference("reference depth", reference.depth, view, currentDevice());
  Buffers& data = buffers_.get();
  data.sums.begin(view, stream);
  data.reference = reference;
}

void
SceneSpaceAverage::add(const std::vector<SceneFrame::ConstPtr>& frames,
                       const std::vector<float>& weights,
                       const Stream& stream)
{
  Buffers& data = buffers_.get();
  device::AverageTask task{};
  task.gathering = data.sums.prepare(frames, weights, parameters_.frustum, stream);
  if (task.gathering.frame_count == 0)
    return;
  // Null pointers for missing images.
  task.reference = {inputView<device::PackedColor>(data.reference.color),
                    inputView<float>(data.reference.depth),
                    {}};
  const PinholeCamera& camera = data.sums.view.camera;
  const float in_front = parameters_.sigma_xyz_in_front;
  task.exponents = {task.reference.color.data ? exponentOf(parameters_.sigma_rgb)
                                              : 0.0f,
                    exponentOf(parameters_.sigma_xyz),
                    exponentOf(in_front > 0.0f ? in_front : parameters_.sigma_xyz),
                    exponentOf(double(parameters_.sigma_pixel) / camera.fx),
                    exponentOf(double(parameters_.sigma_pixel) / camera.fy)};
  task.sums = data.sums.sums;
  const ScopedDevice scope(data.sums.device);
  dispatch(data.sums.device, PCL_GPU_BOTH(addToAverages), task, stream);
}

void
SceneSpaceAverage::finish(SceneImage& image, const Stream& stream)
{
  Buffers& data = buffers_.get();
  data.sums.checkBegun();
  const Device& device = data.sums.device;
  const ScopedDevice scope(device);
  const PinholeCamera& camera = data.sums.view.camera;
  const device::DivideAverage division{
      data.sums.sums,
      camera.width,
      inputView<device::PackedColor>(data.reference.color),
      parameters_.noise * parameters_.noise,
      createdPicture(device, image, camera.height, camera.width)};
  parallelFor2D(device, camera.width, camera.height, division, stream);
  data.reference = {};
}

} // namespace pcl::gpu
