// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/scenespace/gathering/query_volume.h>
#include <pcl/gpu/scenespace/gathering/sample_sets.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/scenespace/scene_view.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/private_buffers.h>
#include <pcl/gpu/utils/stream.h>

#include <vector>

namespace pcl::device {
struct VolumeTask;
}

namespace pcl::gpu {

/** \brief Parameters of a SampleGathering.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS SampleGatheringParameters {
  /** \brief Query volume. */
  QueryVolume volume;
  /** \brief The most row segments of a pixel that the producer writes before the
   * consumer reads them, r_max; for volumes that are no frustums. They take six bytes
   * each, half a gigabyte in all on a GPU for as many rows of the output at a time as
   * that has room for. */
  int max_segments = 512;
  /** \brief The most samples of a pixel, u_s. See SampleSets about further ones. */
  int max_samples = 1024;
  /** \brief Part of the output that sets are made of: a tile of it, where sets of the
   * whole have no room. Their contents do not depend on it. Without columns and rows it
   * stands for the whole output. */
  ImageRegion region;

  /** \brief Rejects numbers below 1, a region that begins before the output or has
   * negative sizes.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Gathers the samples S(p) of every pixel of an output: all pixels of input
 * frames whose points lie in the pixel's query volume.
 *
 * Klose et al. 2015 look for the pixels of each frame that each output pixel's volume
 * may cover. Here each input pixel is projected once into the output camera, which
 * shows the few output pixels it belongs to: the same sets, exactly those of double
 * precision, with a fraction of the work. Blocks of input pixels whose bounds of depth
 * keep them off a tile of the output are not looked at. That takes O(input pixels +
 * samples). For volumes that are no frustums, algorithm 3 of the paper is used: a
 * producer writes rows of the convex hulls of projected volumes, a consumer looks at
 * their pixels.
 *
 * Steady state neither allocates nor waits. Frames must live until the stream has come
 * to the end of a call's work.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SampleGathering : public Parameterized<SampleGatheringParameters> {
public:
  /** \brief Returns the bytes of device memory that gathering takes beside frames: the
   * sets, as table 1 of Klose et al. 2015 has them, and the memory of the algorithm.
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
   * \throws pcl::BadArgumentException naming the parameter: frames that are null, empty
   * or on different devices, an invalid view, a region beyond it, a volume that is no
   * frustum
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
   * \param[in] reference_depth metres along the output camera's z axis, of the output's
   * size and on the frames' device: where a pixel's own point is. Pixels have no
   * samples where it is not a positive number, but for frustums, which do without
   * \param[out] sets of the region, on the frames' device
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter: frames that are null, empty
   * or on different devices, an invalid view, a region beyond it, a reference depth of
   * another size or elsewhere
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  gather(const std::vector<SceneFrame::ConstPtr>& frames,
         const SceneView& view,
         const DeviceArray2D<float>& reference_depth,
         SampleSets& sets,
         const Stream& stream = {});

private:
  friend class PaperGathering; ///< the paper's algorithms, for tests and benchmarks

  struct Buffers;

  /** \brief Tests the pixels of frames, and appends those that are samples. */
  using Test = void (*)(const Device& device,
                        const pcl::device::VolumeTask& task,
                        const Stream& stream);

  /** \brief Returns whether each input pixel is projected into the output. */
  bool
  isProjected() const;

  /** \brief Returns whether a producer writes row segments for a consumer. */
  bool
  hasSegments() const;

  void
  gather(const std::vector<SceneFrame::ConstPtr>& frames,
         const SceneView& view,
         const DeviceArray2D<float>* reference_depth,
         SampleSets& sets,
         const Stream& stream);

  Test test_ = nullptr; ///< in place of the one that suits the volume
  bool test_has_segments_ = false;
  PrivateBuffers<Buffers> buffers_;
};

} // namespace pcl::gpu
