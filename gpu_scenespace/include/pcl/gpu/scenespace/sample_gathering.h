// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/query_frustum.h>
#include <pcl/gpu/scenespace/sample_sets.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/utils/stream.h>

#include <memory>
#include <vector>

namespace pcl {
namespace gpu {

/** \brief Gathers the samples S(p) of every pixel of an output: all pixels of input frames
 * whose points lie in the pixel's query volume.
 *
 * Klose et al. 2015 look for the pixels of each frame that each output pixel's volume may
 * cover. Here each input pixel is projected once into the output camera, which tells what few
 * output pixels it belongs to: the same sets, exactly those of double precision, with a
 * fraction of the work. Blocks of input pixels whose bounds of depth keep them off a tile of
 * the output are not looked at.
 *
 * O(input pixels + samples). Steady state neither allocates nor waits. Frames must live until
 * the stream has come to the end of a call's work.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SampleGathering {
public:
  SampleGathering();
  ~SampleGathering();

  /** \brief Takes settings and memory over.
   * \param[in,out] other may only be assigned to afterwards
   */
  SampleGathering(SampleGathering&& other) noexcept;

  /** \brief Takes settings and memory over.
   * \param[in,out] other may only be assigned to afterwards
   * \return this object
   */
  SampleGathering&
  operator=(SampleGathering&& other) noexcept;

  /** \brief Sets the query volume.
   * \param[in] frustum 3 pixels wide and of any depth by default
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  setFrustum(const QueryFrustum& frustum);

  /** \return the query volume */
  const QueryFrustum&
  getFrustum() const;

  /** \brief Sets u_s, the most samples of a pixel. See SampleSets for what becomes of more.
   * \param[in] samples 1 or more; 1024 by default
   * \throws pcl::BadArgumentException if below 1
   */
  void
  setMaxSamples(int samples);

  /** \return the most samples of a pixel */
  int
  getMaxSamples() const;

  /** \brief Gathers from frames.
   * \param[in] frames in the order that their samples come in; all on one device
   * \param[in] view the output
   * \param[out] sets of the output's size, on the frames' device
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter: frames that are null, empty or on
   * different devices, a view that is none
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  gather(const std::vector<SceneFrame::ConstPtr>& frames,
         const SceneView& view,
         SampleSets& sets,
         const Stream& stream = {});

private:
  class Implementation;

  std::unique_ptr<Implementation> implementation_;
};

} // namespace gpu
} // namespace pcl
