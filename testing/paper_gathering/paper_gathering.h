// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/gathering/sample_gathering.h>

namespace pcl::gpu {

/** \brief Algorithms that find the samples of output pixels. All find the same ones,
 * those of a frame in orders of their own. */
enum class GatheringAlgorithm {
  /** \brief As SampleGathering does: each input pixel is projected into the output, for
   * frustums; for other volumes algorithm 3. */
  Projection,
  /** \brief Algorithm 1 of Klose et al. 2015: each output pixel looks at all input
   * pixels. */
  Naive,
  /** \brief Algorithm 2: each output pixel looks at the input pixels in the convex hull
   * of its projected volume, one kernel a frame. */
  ConvexBounds,
  /** \brief Algorithm 3: a producer writes the rows of these hulls, a consumer looks at
   * them. */
  ProducerConsumer
};

/** \brief Gathers samples by the algorithms of Klose et al. 2015, to compare with. */
class PaperGathering : public Parameterized<SampleGatheringParameters> {
public:
  /** \brief Sets the algorithm that finds samples.
   * \param[in] algorithm the algorithm, Projection by default
   * \throws pcl::BadArgumentException if it is none
   */
  void
  setAlgorithm(GatheringAlgorithm algorithm);

  /** \return the algorithm that finds samples */
  GatheringAlgorithm
  getAlgorithm() const;

  /** \brief Returns bytes as SampleGathering::estimateMemory(). */
  std::size_t
  estimateMemory(int frames, int width, int height, const SceneView& view) const;

  /** \brief Gathers as SampleGathering::gather(), for frustums only. */
  void
  gather(const std::vector<SceneFrame::ConstPtr>& frames,
         const SceneView& view,
         SampleSets& sets,
         const Stream& stream = {});

  /** \brief Gathers as SampleGathering::gather(), in any volumes. */
  void
  gather(const std::vector<SceneFrame::ConstPtr>& frames,
         const SceneView& view,
         const DeviceArray2D<float>& reference_depth,
         SampleSets& sets,
         const Stream& stream = {});

private:
  /** \brief Gathers by algorithm 1, 2 or 3.
   * \param[in] reference_depth of the output's size; none for frustums
   */
  void
  gatherByVolumes(const std::vector<SceneFrame::ConstPtr>& frames,
                  const SceneView& view,
                  const DeviceArray2D<float>& reference_depth,
                  SampleSets& sets,
                  const Stream& stream);

  struct Buffers;

  PrivateBuffers<Buffers> buffers_;
  GatheringAlgorithm algorithm_ = GatheringAlgorithm::Projection;
};

} // namespace pcl::gpu
