// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/scenespace/query_frustum.h>
#include <pcl/gpu/scenespace/sample_sets.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/utils/stream.h>

#include <memory>
#include <vector>

namespace pcl::gpu {

/** \brief Removes noise from a frame of an RGB-D video: the weighted sum of all observations
 * of the points that its pixels see.
 *
 * O(p) = 1/W sum w(s) s_rgb with w(s) = exp(-1/2 (s_ref - s)^T Sigma^-1 (s_ref - s)), Sigma
 * diagonal: eq. (1) and (2) of Klose et al. 2015, where the matrix of eq. (2) lacks the square
 * of sigma. s_ref is the pixel itself. Where it has no depth, colour and time alone are
 * compared. Weights are exact to 4e-6, relative; where none is above 2^-100, nearly 12
 * deviations away, the pixel stays as it is.
 *
 * Two ways with the same result, bit for bit, as long as all samples have room: from sets of
 * samples, or gathered and summed in one go without sets. The same bits on every device.
 *
 * \ingroup gpu_scenespace
 */
class PCL_EXPORTS SceneSpaceDenoising {
public:
  SceneSpaceDenoising();
  ~SceneSpaceDenoising();

  /** \brief Takes settings and memory over.
   * \param[in,out] other may only be assigned to afterwards
   */
  SceneSpaceDenoising(SceneSpaceDenoising&& other) noexcept;

  /** \brief Takes settings and memory over.
   * \param[in,out] other may only be assigned to afterwards
   * \return this object
   */
  SceneSpaceDenoising&
  operator=(SceneSpaceDenoising&& other) noexcept;

  /** \brief Sets the deviation of colours.
   * \param[in] sigma levels of 0 to 255, in each component; 40 by default
   * \throws pcl::BadArgumentException unless finite and positive
   */
  void
  setSigmaRGB(float sigma);

  /** \return the deviation of colours, levels */
  float
  getSigmaRGB() const;

  /** \brief Sets the deviation of positions.
   * \param[in] sigma metres; 0.05 by default
   * \throws pcl::BadArgumentException unless finite and positive
   */
  void
  setSigmaXYZ(float sigma);

  /** \return the deviation of positions, metres */
  float
  getSigmaXYZ() const;

  /** \brief Sets the deviation of times.
   * \param[in] sigma frames, or infinity for no fall-off with time; 6 by default
   * \throws pcl::BadArgumentException unless positive
   */
  void
  setSigmaFrame(float sigma);

  /** \return the deviation of times, frames */
  float
  getSigmaFrame() const;

  /** \brief Sets the query volume of gathering without sets.
   * \param[in] frustum 3 pixels wide and of any depth by default
   * \throws pcl::BadArgumentException naming the parameter and its value
   */
  void
  setFrustum(const QueryFrustum& frustum);

  /** \return the query volume */
  const QueryFrustum&
  getFrustum() const;

  /** \brief Gathers and filters in one go (the running sum of section 5).
   * \param[in] reference the frame to remove noise from; also the output camera
   * \param[in] frames to gather from; with the reference, if it is to count
   * \param[out] color of the reference's size, on its device; may not be its own colour
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter: frames that are null, empty or on
   * different devices
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
   * \param[in] sets what SampleGathering made of them
   * \param[in,out] color given the reference's size, on its device; pixels that there are no
   * sets of stay as they are; may not be its own colour
   * \param[in] stream the queue to join
   * \throws pcl::BadArgumentException naming the parameter, as above; sets of pixels beyond the
   * reference
   * \throws DeviceException if the device fails or runs out of memory
   */
  void
  compute(const SceneFrame& reference,
          const std::vector<SceneFrame::ConstPtr>& frames,
          const SampleSets& sets,
          DeviceArray2D<RGB>& color,
          const Stream& stream = {});

private:
  class Implementation;

  std::unique_ptr<Implementation> implementation_;
};

} // namespace pcl::gpu
