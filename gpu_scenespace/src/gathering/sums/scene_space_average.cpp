// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/sums/running_sums.h"

#include <pcl/gpu/scenespace/gathering/scene_space_average.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

namespace pcl::gpu {

namespace {

template <typename T>
void
checkReference(const char* name,
               const DeviceArray2D<T>& image,
               const SceneView& view,
               const Device& device)
{
  if (image.empty())
    return;
  checkDevice(name, image, "the output", device);
  const bool fits =
      image.cols() == view.camera.width && image.rows() == view.camera.height;
  checkArgument(fits, name, "of another size", "an image of the output's size");
}

device::WeightExponents
exponentsOf(const SceneSpaceAverageParameters& parameters, const PinholeCamera& camera)
{
  const float in_front = parameters.sigma_xyz_in_front;
  return {exponentOf(parameters.sigma_rgb),
          exponentOf(parameters.sigma_xyz),
          exponentOf(in_front > 0.0f ? in_front : parameters.sigma_xyz),
          exponentOf(double(parameters.sigma_pixel) / camera.fx),
          exponentOf(double(parameters.sigma_pixel) / camera.fy)};
}

} // namespace

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
  checkReference("reference colour", reference.color, view, currentDevice());
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
  task.exponents = exponentsOf(parameters_, data.sums.view.camera);
  if (!task.reference.color.data)
    task.exponents.color = 0.0f;
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
