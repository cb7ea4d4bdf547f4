// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/gathering/sample_sets.h>
#include <pcl/gpu/scenespace/gathering/sample_sets_view.hpp>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/utils/private_buffers.h>
#include <pcl/gpu/utils/stream.h>

#include <vector>

namespace pcl::gpu {

/** \brief Lets filters of your own read sets of samples: see
 * pcl::device::forEachSampleSet().
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SampleSetReader {
public:
  /** \brief Returns a view of sets for kernels.
   * \param[in] sets made by SampleGathering; must outlive the result
   * \param[in] frames those that they were gathered from, in any order
   * \param[in] view the output that they were gathered for
   * \param[in] stream the queue to join, in which the result may be used
   * \return pointers into the memory of the sets and of this object; good until the
   * next call
   * \throws pcl::BadArgumentException naming the parameter: sets that are empty or not
   * on the frames' device, frames that are null, empty or on different devices, an
   * invalid view
   * \throws DeviceException if the device fails or runs out of memory
   */
  pcl::device::SampleSetsView
  read(const SampleSets& sets,
       const std::vector<SceneFrame::ConstPtr>& frames,
       const SceneView& view,
       const Stream& stream = {});

private:
  struct Buffers;

  PrivateBuffers<Buffers> buffers_;
};

} // namespace pcl::gpu
