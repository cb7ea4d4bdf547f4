// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/sets/sets.h"
#include "gathering/volumes/volume_input.h"

#include <pcl/gpu/scenespace/gathering/sample_gathering.h>

#include <cstddef>
#include <vector>

namespace pcl::gpu {

/** \brief Returns the region of an output that sets are wanted of.
 * \throws pcl::BadArgumentException if it lies beyond the output
 */
ImageRegion
wantedRegion(const SampleGatheringParameters& parameters, const SceneView& view);

/** \brief Empties sets, and prepares a task that fills them by algorithm 1, 2 or 3, on
 * the current device.
 * \param[in] reference_depth of the output's size; none for frustums
 * \param[in,out] input keeps what the task reads
 * \return the task, without storage for segments
 * \throws pcl::BadArgumentException as wantedRegion(), and as VolumeInput::prepare()
 */
device::VolumeTask
volumeTask(const SampleGatheringParameters& parameters,
           const std::vector<SceneFrame::ConstPtr>& frames,
           const SceneView& view,
           const DeviceArray2D<float>& reference_depth,
           VolumeInput& input,
           SampleSets& sets,
           const Stream& stream);

/** \brief Rejects frames and views that no memory can be estimated for.
 * \throws pcl::BadArgumentException naming what is wrong
 */
void
checkEstimated(int frames, int width, int height, const SceneView& view);

/** \brief Returns the bytes of device memory that sets take. */
std::size_t
setsMemory(const ImageRegion& region, int max_samples);

} // namespace pcl::gpu
