// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/gathering_input.h"
#include "gathering/volumes/volume_input.h"

#include <pcl/gpu/scenespace/sample_gathering.h>

namespace pcl::gpu {

class SampleGathering::Implementation {
public:
  /** \brief Tests the pixels of frames, and appends those that are samples. */
  using Test = void (*)(const Device& device,
                        const device::VolumeTask& task,
                        const Stream& stream);

  void
  gather(const std::vector<SceneFrame::ConstPtr>& frames,
         const SceneView& view,
         const DeviceArray2D<float>* reference_depth,
         SampleSets& sets,
         const Stream& stream);

  QueryVolume volume;
  device::QueryShape shape = queryShape({});
  Test test = nullptr; ///< is used in place of what suits the volume; for comparison
  bool test_has_segments = false; ///< whether it is that of algorithm 3
  int max_samples = 1024, max_segments = 512;
  ImageRegion region;

  /** \brief Whether each input pixel is projected into the output. */
  bool
  isProjected() const
  {
    return !test && volume.getShape() == QueryVolume::Shape::Frustum;
  }

  /** \brief Whether a producer writes row segments for a consumer. */
  bool
  hasSegments() const
  {
    return test ? test_has_segments : !isProjected();
  }

  /** \brief The region, or the whole output.
   * \throws pcl::BadArgumentException if it lies beyond
   */
  ImageRegion
  regionOf(const SceneView& view) const;

private:
  void
  project(const Device& device,
          const std::vector<SceneFrame::ConstPtr>& frames,
          const SceneView& view,
          const device::SampleStore& store,
          const Stream& stream);

  void
  testPixels(const Device& device,
             const std::vector<SceneFrame::ConstPtr>& frames,
             const SceneView& view,
             const DeviceArray2D<float>* reference_depth,
             const device::SampleStore& store,
             const Stream& stream);

  GatheringInput input_;
  VolumeInput volume_input_;
};

/** \brief Algorithm 3 of Klose et al. 2015. See SampleGathering::Implementation::Test. */
void
testSegments(const Device& device,
             const device::VolumeTask& task,
             const Stream& stream);

} // namespace pcl::gpu
