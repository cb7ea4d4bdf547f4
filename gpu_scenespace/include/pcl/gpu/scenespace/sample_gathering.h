// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/query_volume.h>
#include <pcl/gpu/scenespace/sample_sets.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/utils/stream.h>

#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief Gathers the samples S(p) of every pixel of an output: all pixels of input frames
 * whose points lie in the pixel's query volume.
 *
 * Klose et al. 2015 look for the pixels of each frame that each output pixel's volume may
 * cover. Here each input pixel is projected once into the output camera, which tells what few
 * output pixels it belongs to: the same sets, exactly those of double precision, with a
 * fraction of the work. Blocks of input pixels whose bounds of depth keep them off a tile of
 * the output are not looked at.
 * That takes O(input pixels + samples). For volumes that are no frustums, algorithm 3 of the
 * paper is used: a producer writes rows of the convex hulls of projected volumes, a consumer
 * looks at their pixels.
 *
 * Steady state neither allocates nor waits. Frames must live until the stream has come to the
 * end of a call's work.
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

  /** \brief Sets the query volume to a frustum.
   * \param[in] frustum 3 pixels wide and of any depth by default
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  setFrustum(const QueryFrustum& frustum);

  /** \return the query volume; a frustum of the default if it is none */
  const QueryFrustum&
  getFrustum() const;

  /** \brief Sets the query volume.
   * \param[in] volume the default frustum by default
   */
  void
  setVolume(const QueryVolume& volume);

  /** \return the query volume */
  const QueryVolume&
  getVolume() const;

  /** \brief Sets r_max, the most row segments of a pixel that the producer writes before the
   * consumer reads them. They take six bytes each, half a gigabyte in all on a GPU for as many
   * rows of the output at a time as that has room for.
   * \param[in] segments 1 or more; 512 by default
   * \throws pcl::BadArgumentException if below 1
   */
  void
  setMaxSegments(int segments);

  /** \return the most row segments of a pixel */
  int
  getMaxSegments() const;

  /** \brief Sets u_s, the most samples of a pixel. See SampleSets for what becomes of more.
   * \param[in] samples 1 or more; 1024 by default
   * \throws pcl::BadArgumentException if below 1
   */
  void
  setMaxSamples(int samples);

  /** \return the most samples of a pixel */
  int
  getMaxSamples() const;

  /** \brief Sets the part of the output that sets are made of: a tile of it, where sets of the
   * whole have no room. What is in them does not depend on it.
   * \param[in] region one of no columns and rows, as by default, stands for the whole output
   * \throws pcl::BadArgumentException naming the parameter if a number is negative
   */
  void
  setRegion(const ImageRegion& region);

  /** \return the part of the output that sets are made of */
  const ImageRegion&
  getRegion() const;

  /** \brief Bytes of device memory that gathering takes, besides frames: the sets, as
   * table 1 of Klose et al. 2015 has them, and what the algorithm needs for itself.
   * \param[in] frames numbers of frames
   * \param[in] width,height of the frames, pixels
   * \param[in] view the output
   * \return bytes, large arrays as a GPU hands them out: in pieces of two million
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  std::size_t
  estimateMemory(int frames, int width, int height, const SceneView& view) const;

  /** \brief Gathers from frames; for frustums only.
   * \param[in] frames in the order that their samples come in; all on one device
   * \param[in] view the output
   * \param[out] sets of the region, on the frames' device
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter: frames that are null, empty or on
   * different devices, a view that is none, a region beyond it, a volume that is no frustum
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  gather(const std::vector<SceneFrame::ConstPtr>& frames,
         const SceneView& view,
         SampleSets& sets,
         const Stream& stream = {});

  /** \brief Gathers from frames, in any volumes.
   * \param[in] frames in the order that their samples come in; all on one device
   * \param[in] view the output
   * \param[in] reference_depth metres along the output camera's z axis, of the output's size
   * and on the frames' device: where a pixel's own point is. Pixels have no samples where it is
   * not a positive number, but for frustums, which do without
   * \param[out] sets of the region, on the frames' device
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter: frames that are null, empty or on
   * different devices, a view that is none, a region beyond it, a reference depth of another size or elsewhere
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  gather(const std::vector<SceneFrame::ConstPtr>& frames,
         const SceneView& view,
         const DeviceArray2D<float>& reference_depth,
         SampleSets& sets,
         const Stream& stream = {});

private:
  class Implementation;

  friend class PaperGathering; ///< the paper's algorithms, for tests and benchmarks

  std::unique_ptr<Implementation> implementation_;
};

} // namespace pcl::gpu
