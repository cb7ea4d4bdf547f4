// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "effects/composition/composition.hpp"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/scenespace/gathering/scene_space_average.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/utils/stream.h>
#include <pcl/gpu/utils/workspace.h>

#include <cstddef>

namespace pcl::gpu {

/** \brief A pinhole's place on the lens, pixels times metres: of the focal length. */
struct LensShift {
  float right, down;
};

/** \brief The weighted mean of pictures through places of a lens, on the current device. Pixels
 * of a picture that show nothing do not count. */
class PictureMean {
public:
  /** \brief Begins a mean.
   * \param[in,out] memory for the sums, kept from one mean to the next
   * \param[in] middle what is seen from the middle of the lens: its colours stand where
   * pictures are in focus, and where none shows anything; its depth is the mean's. Must
   * outlive the mean
   * \param[in] focus distance, metres
   */
  PictureMean(Workspace& memory, const SceneFrame& middle, float focus);

  void
  add(const SceneImage& picture,
      const LensShift& shift,
      float weight,
      const Stream& stream);

  /** \brief Divides. */
  void
  finish(SceneImage& mean, const Stream& stream);

  /** \brief Bytes of device memory that the sums take. */
  static std::size_t
  estimateMemory(const SceneView& view);

private:
  const SceneFrame& middle_;
  float focus_;
  device::PictureSum* sums_ = nullptr;
  Device device_;
  int columns_, rows_;
  bool is_empty_ = true;
};

} // namespace pcl::gpu
