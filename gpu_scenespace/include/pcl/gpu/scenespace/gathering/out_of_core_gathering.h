// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/gathering/query_frustum.h>
#include <pcl/gpu/scenespace/gathering/sample_sets.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/scenespace/scene_space_resources.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/scenespace/video/rgbd_video.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/stream.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief Resources that gathering out of core took.
 *
 * \ingroup gpu_scenespace
 */
struct OutOfCoreStatistics {
  int region_columns = 0;         ///< pixels, of most regions
  int region_rows = 0;            ///< pixels, of most regions
  int regions = 0;                ///< that the output was cut into
  std::size_t uploaded_bytes = 0; ///< of all parts of frames, to all devices
  std::size_t memory = 0;         ///< bytes of each device's memory, at most
};

/** \brief Parameters of an OutOfCoreGathering.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS OutOfCoreGatheringParameters {
  /** \brief Query volume. */
  QueryFrustum frustum;
  /** \brief The most samples of a pixel, u_s; see SampleGatheringParameters. */
  int max_samples = 1024;

  /** \brief Rejects an invalid frustum, a number of samples below 1.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Gathers samples with less memory than their sets and the frames take: section
 * 5 of Klose et al. 2015.
 *
 * The output is cut into regions so small that there is memory for the sets of one and
 * for the parts of all frames that its pixels need, twice: while one region is worked
 * on, the frames' parts for the next are copied. A dry run finds these parts, the
 * bounding boxes of the pixels that may be seen from a region. The paper takes them
 * from hulls of query volumes; ours come from the depths that the frames have, and are
 * smaller. Several devices take regions in turn. Sets are those of SampleGathering,
 * sample by sample and in the same order, with any memory.
 *
 * \code
 * OutOfCoreGathering gathering(video, resources);
 * gathering.gather(numbers, view, [&](const auto& sets, const auto& frames, const auto&
 * stream) {   filter.compute(reference, frames, sets, picture, stream);
 * });
 * \endcode
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS OutOfCoreGathering
: public Parameterized<OutOfCoreGatheringParameters> {
public:
  /** \brief Work on the sets of a region, on the device that they are on, which is
   * current. SampleSets::getRegion() returns the region. The frames are parts of those
   * that the region sees, see SceneFrame::getRegion(). Sets and frames must not be
   * kept; work that is queued in the stream may use them. */
  using Work = std::function<void(const SampleSets& sets,
                                  const std::vector<SceneFrame::ConstPtr>& frames,
                                  const Stream& stream)>;

  /** \brief Takes a video; reads nothing yet.
   * \param[in] video whose depth is registered to colour, see RegisteredRGBDVideo
   * \param[in] resources devices, memory, threads; frames are read again for every
   * region if the host's memory has not room for all. As much page-locked memory of the
   * host is taken as parts of frames take on devices
   * \throws pcl::BadArgumentException naming the parameter and its value: no video, one
   * of more than SceneFrame::max_number + 1 frames, reading threads
   * \throws DeviceException if a device fails
   */
  explicit OutOfCoreGathering(RGBDVideo::ConstPtr video,
                              const SceneSpaceResources& resources = {});

  ~OutOfCoreGathering();

  OutOfCoreGathering(const OutOfCoreGathering&) = delete;
  OutOfCoreGathering&
  operator=(const OutOfCoreGathering&) = delete;

  /** \brief Gathers the samples of an output.
   * \param[in] numbers of the frames in the video, in the order that samples are in
   * \param[in] view the output
   * \param[in] work is given the sets of each region once; with several devices from as
   * many threads at a time, else in this one
   * \return sizes of regions, and bytes
   * \throws pcl::BadArgumentException naming the parameter and its value: no frames or
   * such that there are not, an invalid view, memory too little for a region of 32 x 16
   * pixels
   * \throws as RGBDVideo::read(), SceneFrame::upload() and \a work
   * \throws DeviceException if a device fails or runs out of memory
   */
  OutOfCoreStatistics
  gather(const std::vector<int>& numbers, const SceneView& view, const Work& work);

private:
  struct Implementation;

  std::unique_ptr<Implementation> implementation_;
};

} // namespace pcl::gpu
