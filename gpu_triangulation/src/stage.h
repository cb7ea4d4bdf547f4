// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "device/driver.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/containers/device_exception.h>
#include <pcl/gpu/triangulation/depth_bilateral_filter.h>
#include <pcl/gpu/triangulation/types.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/device_views.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/workspace.h>

#include <sstream>

// What the module's API classes have in common.

namespace pcl::gpu {

/** \brief The driver for memory that lives on \a device. */
const device::TriangulationDriver&
driverFor(const Device& device);

/** \brief Runs a stage where its first input lives, and holds the others to it. */
class Stage {
public:
  /** \param[in] name what \a input is called in messages */
  template <typename Memory>
  Stage(const char* name, const Memory& input)
  : name_(name)
  , device_(deviceOf(input))
  , scope_(device_)
  {}

  /** \brief Rejects an input from another device.
   * \throws pcl::BadArgumentException that names both
   */
  template <typename Memory>
  void
  require(const char* name, const Memory& input) const
  {
    checkDevice(name, input, name_, device_);
  }

  const device::TriangulationDriver&
  driver() const
  {
    return driverFor(device_);
  }

  const Device&
  device() const
  {
    return device_;
  }

private:
  const char* name_;
  Device device_;
  ScopedDevice scope_;
};

/** \brief Scratch memory: zero when it is new, else as the last run left it. */
inline void*
scratchOn(const Stage& stage,
          Workspace& workspace,
          std::size_t bytes,
          const Stream& stream)
{
  const bool is_new = workspace.reserve(Workspace::bytesFor<char>(bytes));
  void* const scratch = workspace.take<char>(bytes);
  if (is_new)
    stage.driver().clear(scratch, bytes, stream.get());
  return scratch;
}

/** \brief Rejects a camera that was not set or whose image has another size. */
template <typename T>
void
checkCamera(const char* name,
            const PinholeCamera& camera,
            const DeviceArray2D<T>& image)
{
  checkArgument(camera.fx > 0.0f, name, "not set", "setCamera() before compute()");
  const bool fits = (camera.width == 0 || camera.width == image.cols()) &&
                    (camera.height == 0 || camera.height == image.rows());
  if (!fits)
    PCL_THROW_EXCEPTION(BadArgumentException,
                        name << " has " << camera.width << " x " << camera.height
                             << " pixels: expected those of its image, " << image.cols()
                             << " x " << image.rows());
}

inline device::Intrinsics
intrinsicsOf(const PinholeCamera& camera)
{
  return {camera.cx, camera.cy, 1.0f / camera.fx, 1.0f / camera.fy};
}

inline device::DepthInput
depthInput(const RawDepthMap& depth, float scale)
{
  return {depth.ptr(), depth.step(), depth.rows(), depth.cols(), true, scale};
}

inline device::DepthInput
depthInput(const DepthMap& depth, float scale)
{
  return {depth.ptr(), depth.step(), depth.rows(), depth.cols(), false, scale};
}

inline device::FilterParameters
filterParameters(const DepthBilateralFilter& filter)
{
  return {filter.getSigmaS(),
          filter.getSigmaR(),
          filter.getSigmaRGrowth(),
          filter.getWindowRadius()};
}

/** \brief Number of quads of \a step pixels along a side of \a pixels. */
inline int
quadsAlong(int pixels, int step)
{
  return pixels > step ? (pixels - 1) / step : 0;
}

} // namespace pcl::gpu
