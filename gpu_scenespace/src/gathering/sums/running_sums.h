// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/gathering_input.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>

#include <cstddef>

namespace pcl::gpu {

/** \brief Sums of an output's pixels that frames are added to, part by part.
 * \tparam Sum what a pixel has; all of its bytes are 0 to begin with
 */
template <typename Sum>
class RunningSums {
public:
  /** \brief Begins an output on the current device. */
  void
  begin(const SceneView& view, const Stream& stream)
  {
    view.validate();
    device_ = currentDevice();
    view_ = view;
    has_begun_ = true;
    const std::size_t pixels = std::size_t(view.camera.width) * view.camera.height;
    memory_.reserve(Workspace::bytesFor<Sum>(pixels));
    sums_ = memory_.take<Sum>(pixels);
    driver().clear(sums_, pixels * sizeof(Sum), stream.get());
  }

  /** \brief Has frames be added.
   * \param[in] add is given the task of gathering them, on the sums' device; not called if
   * no frame has weight
   * \throws as SceneSpaceAverage::add()
   */
  template <typename Add>
  void
  add(const std::vector<SceneFrame::ConstPtr>& frames,
      const std::vector<float>& weights,
      const QueryFrustum& frustum,
      const Stream& stream,
      Add add)
  {
    checkBegun();
    const Device device = deviceOfFrames(frames);
    checkArgument(
        device == device_, "device of frames", "another", "that of the output");
    WeightedFrames weighted; // not kept: what is held is not used for other frames
    weighted.assign(frames, weights);
    if (weighted.frames.empty())
      return;
    const ScopedDevice scope(device_);
    add(input_.prepare(
        device_, weighted.frames, view_, frustum, stream, weighted.weights));
  }

  void
  checkBegun() const
  {
    if (!has_begun_)
      PCL_THROW_EXCEPTION(InitFailedException, "no output has been begun");
  }

  const device::GatheringDriver&
  driver() const
  {
    return gatheringDriverFor(device_);
  }

  const Device&
  device() const
  {
    return device_;
  }

  const SceneView&
  view() const
  {
    return view_;
  }

  Sum*
  sums() const
  {
    return sums_;
  }

  PCL_MAKE_ALIGNED_OPERATOR_NEW

private:
  Device device_ = currentDevice();
  SceneView view_;
  bool has_begun_ = false;
  GatheringInput input_;
  Workspace memory_;
  Sum* sums_ = nullptr;
};

} // namespace pcl::gpu
