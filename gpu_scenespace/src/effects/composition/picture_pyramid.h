// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "effects/composition/picture_pyramid.hpp"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/utils/stream.h>

#include <pcl/gpu/utils/workspace.h>

#include <cstddef>
#include <vector>

namespace pcl::gpu {

/** \brief Memory for filling holes of pictures of any size from what is around them: pull-push
 * (Gortler et al. 1996, The Lumigraph). */
class PicturePyramid {
public:
  /** \brief Takes a size; the current device has the memory. */
  void
  resize(int columns, int rows);

  /** \return levels, from that of the picture's size to one of a pixel */
  const std::vector<device::PyramidLevel>&
  levels() const
  {
    return levels_;
  }

  /** \brief Fills the holes of the first level. */
  void
  fillHoles(const Device& device, const Stream& stream) const;

  /** \brief Bytes that a pyramid takes. */
  static std::size_t
  estimateMemory(int columns, int rows);

private:
  std::vector<device::PyramidLevel> levels_;
  Workspace memory_;
};

} // namespace pcl::gpu
