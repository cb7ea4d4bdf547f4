// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/gathering/query_frustum.h>
#include <pcl/gpu/scenespace/gathering/sample_sets.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/utils/parameterized.h>
#include <pcl/gpu/utils/private_buffers.h>
#include <pcl/gpu/utils/stream.h>

#include <vector>

namespace pcl::gpu {

/** \brief Parameters of a SceneSpaceDenoising.
 *
 * \ingroup gpu_scenespace
 */
struct PCL_EXPORTS SceneSpaceDenoisingParameters {
  /** \brief Deviation of colours: levels of 0 to 255, in each component. */
  float sigma_rgb = 40.0f;
  /** \brief Deviation of positions, metres. */
  float sigma_xyz = 0.05f;
  /** \brief Deviation of times: frames, or infinity for no fall-off with time. */
  float sigma_frame = 6.0f;
  /** \brief Query volume of gathering without sets. */
  QueryFrustum frustum;

  /** \brief Rejects deviations that are not positive, or infinite but for sigma_frame;
   * a frustum that is none.
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  validate() const;
};

/** \brief Removes noise from a frame of an RGB-D video: the weighted sum of all
 * observations of the points that its pixels see.
 *
 * O(p) = 1/W sum w(s) s_rgb with w(s) = exp(-1/2 (s_ref - s)^T Sigma^-1 (s_ref - s)),
 * Sigma diagonal: eq. (1) and (2) of Klose et al. 2015, where the matrix of eq. (2)
 * lacks the square of sigma. s_ref is the pixel itself. Where it has no depth, colour
 * and time alone are compared. Weights are exact to 4e-6, relative; where none is above
 * 2^-100, nearly 12 deviations away, the pixel stays as it is.
 *
 * Two ways with the same result, bit for bit, as long as all samples have room: from
 * sets of samples, or gathered and summed in one go without sets. The same bits on
 * every device.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SceneSpaceDenoising
: public Parameterized<SceneSpaceDenoisingParameters> {
public:
  /** \brief Gathers and filters in one go (the running sum of section 5).
   * \param[in] reference the frame to remove noise from; also the output camera
   * \param[in] frames to gather from; with the reference, if it is to count
   * \param[out] color of the reference's size, on its device; may not be its own colour
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter: frames that are null, empty
   * or on different devices
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const SceneFrame& reference,
          const std::vector<SceneFrame::ConstPtr>& frames,
          DeviceArray2D<RGB>& color,
          const Stream& stream = {});

  /** \brief Filters sets of samples.
   * \param[in] reference the frame whose view they were gathered for
   * \param[in] frames those that they were gathered from, in any order
   * \param[in] sets made of them by SampleGathering
   * \param[in,out] color given the reference's size, on its device; pixels that there
   * are no sets of stay as they are; may not be its own colour
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter, as above; sets of pixels
   * beyond the reference
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const SceneFrame& reference,
          const std::vector<SceneFrame::ConstPtr>& frames,
          const SampleSets& sets,
          DeviceArray2D<RGB>& color,
          const Stream& stream = {});

private:
  struct Buffers;

  PrivateBuffers<Buffers> buffers_;
};

} // namespace pcl::gpu
