// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "light_grid/light_grid.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/utils/page_locked_memory.h>
#include <pcl/gpu/utils/stream.h>

#include <cstdint>
#include <vector>

namespace pcl::gpu {

/** \brief Decides which lights' shadow rays ask a grid, and which the hierarchy.
 *
 * Both give the same shadows. The faster way is known once the light's grid is made.
 * The grid of the frame before decides, so that only the first frame waits.
 */
class LightGridChoice {
public:
  /** \brief Begins a frame. Other numbers of lights or triangles, and another device,
   * are another scene. */
  void
  beginFrame(const Device& device, std::size_t lights, std::size_t triangles)
  {
    ++frame_;
    if (device == device_ && lights == is_known_.size() && triangles == triangles_)
      return;
    counts_ = {}; // of another device, or still written to
    counts_.reserve(lights * sizeof(device::LightGridCounts));
    is_known_.assign(lights, false);
    device_ = device;
    triangles_ = triangles;
  }

  /** \brief Returns whether the grid of a light is to be asked in this frame.
   * \param[in] make makes the grid and writes its counts to the given place
   */
  template <typename Make>
  bool
  usesGrid(int light, const Make& make, const Stream& stream)
  {
    if (!is_known_[light]) {
      make(counts(light));
      stream.synchronize();
      is_known_[light] = true;
    }
    const bool is_crowded = device::isCrowded(*counts(light), triangles_);
    // A later frame may be less crowded.
    if (is_crowded && frame_ % frames_between_looks == 0)
      make(counts(light));
    return !is_crowded;
  }

  /** \brief Returns the place for the counts of a light's grid. */
  device::LightGridCounts*
  counts(int light)
  {
    return static_cast<device::LightGridCounts*>(counts_.get()) + light;
  }

private:
  static constexpr std::uint32_t frames_between_looks = 64;

  Device device_ = Device::host();
  std::size_t triangles_ = 0;
  std::uint32_t frame_ = 0;
  std::vector<bool> is_known_;
  PageLockedMemory counts_;
};

} // namespace pcl::gpu
