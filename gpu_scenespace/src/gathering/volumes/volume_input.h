// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/volumes/volumes.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/scenespace/gathering/query_volume.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/utils/internal/mirrored_table.h>
#include <pcl/gpu/utils/workspace.h>

#include <vector>

namespace pcl::gpu {

/** \brief Tables that algorithms 1 to 3 read of a list of frames, in memory that
 * it keeps from one to the next. */
class VolumeInput {
public:
  /** \brief A task without reference depth and without storage for segments.
   * \param[in] device of the frames, which is current
   * \throws pcl::BadArgumentException for a frame that is a part of one
   */
  device::VolumeTask
  prepare(const Device& device,
          const std::vector<SceneFrame::ConstPtr>& frames,
          const SceneView& view,
          const QueryVolume& volume,
          const device::SampleStore& store,
          const Stream& stream);

  /** \brief Gives a task storage for segments.
   * \param[in] capacity r_max; no more than the tallest frame has rows are kept
   */
  void
  addStorage(const Device& device, int capacity, device::VolumeTask& task);

  /** \brief Bytes of device memory that tasks take, as much as is known without a
   * device: on the host segments take less.
   * \param[in] frames,height number of frames, and their rows
   * \param[in] region of the output
   * \param[in] segments of a pixel, 0 for none
   */
  static std::size_t
  estimateMemory(int frames, int height, const ImageRegion& region, int segments);

private:
  std::vector<device::VolumeFrame> frames_;
  MirroredTable<device::VolumeFrame> device_frames_;
  Workspace extents_, segments_;
};

} // namespace pcl::gpu
