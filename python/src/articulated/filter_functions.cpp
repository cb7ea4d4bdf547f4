// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "articulated/module.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/utils/async_copy.h>

namespace pcl_gpu_python {

using namespace pcl::gpu;

namespace {

/** \brief Makes a stream the current one for a while. */
struct CurrentStream {
  explicit CurrentStream(const Stream& stream) { pushStream(stream); }
  ~CurrentStream() { popStream(); }
};

/** \brief Copies rows for Python, which may keep them. */
nb::object
copyRows(const DeviceArray<float>& poses, int pose_size, const Stream& stream)
{
  const auto copy = std::make_shared<DeviceArray<float>>(poses.size());
  copyAsync(poses.ptr(), copy->ptr(), poses.sizeBytes(), stream);
  return rowsToPython(*copy, pose_size, copy).object;
}

/** \brief Copies what a function returned to where the filter wants it. */
template <typename Number>
void
takeResult(const nb::object& result,
           const char* name,
           std::initializer_list<std::int64_t> shape,
           const Device& device,
           Number* destination,
           const Stream& stream)
{
  const ArrayView view = viewOf({result}, name);
  checkArray(view, name, nb::dtype<Number>(), shape, -1);
  if (view.device != device)
    throw nb::value_error((std::string(name) + ": got an array on " +
                           view.device.name() + "; expected one on " + device.name())
                              .c_str());
  std::size_t size = 1;
  for (const std::int64_t length : shape)
    size *= static_cast<std::size_t>(length);
  copyAsync(view.data, destination, size * sizeof(Number), stream);
  // The array may end with this call.
  if (device.isCuda())
    stream.synchronize();
}

} // namespace

PoseParticleFilter::LikelihoodFunction
likelihoodFunctionOf(const nb::object& function, const BoundFilter& filter)
{
  return [&function, &filter](const DeviceArray<float>& poses,
                              DeviceArray<double>& log_likelihoods,
                              const Stream& stream) {
    const nb::gil_scoped_acquire acquire;
    const Device device = deviceOf(poses);
    const ScopedDevice scope(device);
    const CurrentStream current(stream);
    const nb::object result = function(copyRows(poses, filter.poseSize(), stream));
    takeResult(result,
               "log_likelihoods",
               {static_cast<std::int64_t>(log_likelihoods.size())},
               device,
               log_likelihoods.ptr(),
               stream);
  };
}

PoseParticleFilter::MotionFunction
motionFunctionOf(const BoundFilter& filter)
{
  return [&filter](DeviceArray<float>& poses, float dt, const Stream& stream) {
    const nb::gil_scoped_acquire acquire;
    const Device device = deviceOf(poses);
    const ScopedDevice scope(device);
    const CurrentStream current(stream);
    const int pose_size = filter.poseSize();
    // It may set another one.
    const nb::object function = filter.motion_function;
    const nb::object result = function(copyRows(poses, pose_size, stream), dt);
    takeResult(result,
               "poses",
               {static_cast<std::int64_t>(poses.size()) / pose_size, pose_size},
               device,
               poses.ptr(),
               stream);
  };
}

} // namespace pcl_gpu_python
