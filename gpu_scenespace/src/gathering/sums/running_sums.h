// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/gathering_input.h"
#include "gathering/sums/sums.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/internal/workspace_pieces.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace pcl::gpu {

/** \brief Sums of an output's pixels that frames are added to, part by part.
 * \tparam Sum sums of a pixel; all of its bytes are 0 to begin with
 */
template <typename Sum>
struct RunningSums {
  /** \brief Begins an output on the current device. */
  void
  begin(const SceneView& output, const Stream& stream)
  {
    output.validate();
    device = currentDevice();
    view = output;
    const std::size_t pixels = std::size_t(view.camera.width) * view.camera.height;
    takePieces(memory, Piece{sums, pixels});
    fillAsync(device, sums, 0, pixels * sizeof(Sum), stream);
  }

  /** \brief Makes the task of gathering the samples of frames, on the sums' device.
   * \return the task; without frames if none has weight
   * \throws as SceneSpaceAverage::add()
   */
  device::GatheringTask
  prepare(const std::vector<SceneFrame::ConstPtr>& frames,
          const std::vector<float>& weights,
          const QueryFrustum& frustum,
          const Stream& stream)
  {
    checkBegun();
    checkArgument(deviceOfFrames(frames) == device,
                  "device of frames",
                  "another",
                  "that of the output");
    checkArgument(weights.empty() || weights.size() == frames.size(),
                  "number of weights",
                  weights.size(),
                  "that of the frames, or 0");
    std::vector<float> exponents;
    for (const float weight : weights) {
      checkArgument(weight >= 0.0f && std::isfinite(weight),
                    "weight of a frame",
                    weight,
                    "0 or a positive number");
      exponents.push_back(std::log2(weight));
    }
    const ScopedDevice scope(device);
    return input.prepare(device, frames, exponents, view, frustum, {}, stream);
  }

  void
  checkBegun() const
  {
    if (!sums)
      PCL_THROW_EXCEPTION(InitFailedException, "no output has been begun");
  }

  Device device = currentDevice();
  SceneView view;
  Sum* sums = nullptr; ///< null before an output has begun
  GatheringInput input;
  Workspace memory;

  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

} // namespace pcl::gpu
