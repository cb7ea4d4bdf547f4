// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "gathering/sums/running_sums.h"

#include <pcl/gpu/scenespace/scene_space_average.h>
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

} // namespace

class SceneSpaceAverage::Implementation {
public:
  float sigma_rgb = 14.0f, sigma_xyz = 0.05f, sigma_pixel = 0.4f, noise = 1.0f;
  float sigma_xyz_in_front = 0.0f; ///< 0: sigma_xyz
  QueryFrustum frustum;
  SceneReference reference;
  RunningSums<device::AverageSum> sums;

  device::WeightExponents
  exponents() const
  {
    const PinholeCamera& camera = sums.view().camera;
    return {exponentOf(sigma_rgb),
            exponentOf(sigma_xyz),
            exponentOf(sigma_xyz_in_front > 0.0f ? sigma_xyz_in_front : sigma_xyz),
            exponentOf(double(sigma_pixel) / camera.fx),
            exponentOf(double(sigma_pixel) / camera.fy)};
  }

  /** \brief A null pointer for an image that is not there. */
  device::ReferenceImages
  referenceImages() const
  {
    return {packedColors(reference.color),
            reference.depth.ptr(),
            strideOf(reference.color),
            strideOf(reference.depth)};
  }
};

SceneSpaceAverage::SceneSpaceAverage()
: implementation_(std::make_unique<Implementation>())
{}

SceneSpaceAverage::~SceneSpaceAverage() = default;

SceneSpaceAverage::SceneSpaceAverage(SceneSpaceAverage&& other) noexcept = default;

SceneSpaceAverage&
SceneSpaceAverage::operator=(SceneSpaceAverage&& other) noexcept = default;

void
SceneSpaceAverage::setSigmaRGB(float sigma)
{
  checkDeviation("sigma_rgb", sigma);
  implementation_->sigma_rgb = sigma;
}

float
SceneSpaceAverage::getSigmaRGB() const
{
  return implementation_->sigma_rgb;
}

void
SceneSpaceAverage::setSigmaXYZ(float sigma)
{
  checkDeviation("sigma_xyz", sigma);
  implementation_->sigma_xyz = sigma;
}

float
SceneSpaceAverage::getSigmaXYZ() const
{
  return implementation_->sigma_xyz;
}

void
SceneSpaceAverage::setSigmaXYZInFront(float sigma)
{
  checkArgument(
      sigma >= 0.0f, "sigma_xyz in front", sigma, "0, a positive number or infinity");
  implementation_->sigma_xyz_in_front = sigma;
}

float
SceneSpaceAverage::getSigmaXYZInFront() const
{
  return implementation_->sigma_xyz_in_front;
}

void
SceneSpaceAverage::setSigmaPixel(float sigma)
{
  checkDeviation("sigma_pixel", sigma);
  implementation_->sigma_pixel = sigma;
}

float
SceneSpaceAverage::getSigmaPixel() const
{
  return implementation_->sigma_pixel;
}

void
SceneSpaceAverage::setNoise(float sigma)
{
  checkNotNegative("noise", sigma);
  implementation_->noise = sigma;
}

float
SceneSpaceAverage::getNoise() const
{
  return implementation_->noise;
}

void
SceneSpaceAverage::setFrustum(const QueryFrustum& frustum)
{
  frustum.validate();
  implementation_->frustum = frustum;
}

const QueryFrustum&
SceneSpaceAverage::getFrustum() const
{
  return implementation_->frustum;
}

void
SceneSpaceAverage::begin(const SceneView& view,
                         const SceneReference& reference,
                         const Stream& stream)
{
  view.validate();
  checkReference("reference colour", reference.color, view, currentDevice());
  checkReference("reference depth", reference.depth, view, currentDevice());
  implementation_->sums.begin(view, stream);
  implementation_->reference = reference;
}

void
SceneSpaceAverage::add(const std::vector<SceneFrame::ConstPtr>& frames,
                       const std::vector<float>& weights,
                       const Stream& stream)
{
  Implementation& data = *implementation_;
  device::AverageTask task{};
  task.gathering = data.sums.prepare(frames, weights, data.frustum, stream);
  if (task.gathering.frame_count == 0)
    return;
  task.reference = data.referenceImages();
  task.exponents = data.exponents();
  if (!task.reference.color)
    task.exponents.color = 0.0f;
  task.sums = data.sums.sums();
  const ScopedDevice scope(data.sums.device());
  dispatch(data.sums.device(),
           &device::host::addToAverages,
           PCL_GPU_CUDA_ONLY(device::cuda::addToAverages),
           task,
           stream);
}

void
SceneSpaceAverage::finish(SceneImage& image, const Stream& stream)
{
  Implementation& data = *implementation_;
  data.sums.checkBegun();
  const Device& device = data.sums.device();
  const ScopedDevice scope(device);
  const PinholeCamera& camera = data.sums.view().camera;
  createOn(device, image, camera.height, camera.width);
  device::DivideAverage division{};
  division.sums = data.sums.sums();
  division.columns = camera.width;
  division.noise_variance = data.noise * data.noise;
  division.color = packedColors(image.color);
  division.other = packedColors(data.reference.color);
  division.depth = image.depth.ptr();
  division.variance = image.variance.ptr();
  division.color_stride = strideOf(image.color);
  division.other_stride = strideOf(data.reference.color);
  division.depth_stride = strideOf(image.depth);
  division.variance_stride = strideOf(image.variance);
  parallelFor2D(device, camera.width, camera.height, division, stream);
  data.reference = {};
}

} // namespace pcl::gpu
