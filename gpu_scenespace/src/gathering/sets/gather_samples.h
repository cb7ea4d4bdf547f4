// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/gathering_input.h"
#include "gathering/volumes/volume_input.h"

#include <pcl/gpu/scenespace/gathering/sample_gathering.h>

namespace pcl::gpu {

/** \brief Memory that gathering keeps from one call to the next. */
struct GatheringBuffers {
  GatheringInput input;
  VolumeInput volume_input;
};

/** \brief Algorithm that tests the pixels of frames, and appends those that are
 * samples. */
struct VolumeTest {
  /** \brief Function of the algorithm. Null: each input pixel is projected into the
   * output, which is for frustums only. */
  void (*run)(const Device& device,
              const device::VolumeTask& task,
              const Stream& stream) = nullptr;
  bool has_segments = false; ///< a producer writes row segments for a consumer
};

/** \brief Returns the fastest algorithm for a volume. */
VolumeTest
testFor(const QueryVolume& volume);

/** \brief Gathers samples as SampleGathering::gather() says.
 * \param[in] reference_depth null: none
 */
void
gatherSamples(const SampleGatheringParameters& parameters,
              const VolumeTest& test,
              GatheringBuffers& buffers,
              const std::vector<SceneFrame::ConstPtr>& frames,
              const SceneView& view,
              const DeviceArray2D<float>* reference_depth,
              SampleSets& sets,
              const Stream& stream);

/** \brief Returns memory as SampleGathering::estimateMemory() says. */
std::size_t
gatheringMemory(const SampleGatheringParameters& parameters,
                const VolumeTest& test,
                int frames,
                int width,
                int height,
                const SceneView& view);

} // namespace pcl::gpu
