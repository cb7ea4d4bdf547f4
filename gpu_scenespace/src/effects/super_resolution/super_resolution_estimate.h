// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "effects/super_resolution/learned_filter.h"
#include "effects/super_resolution/super_resolution.hpp"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/scenespace/gathering/scene_space_average.h>
#include <pcl/gpu/scenespace/scene_frame.h>
#include <pcl/gpu/utils/internal/dispatch.h>
#include <pcl/gpu/utils/workspace.h>

#include <cstddef>
#include <vector>

namespace pcl::gpu {

/** \brief The view with a multiple of the pixels along each side, and the same picture. */
SceneView
enlargedView(SceneView view, int scale);

/** \brief An estimate of a frame with more pixels, and its departures from frames.
 *
 * All calls between begin() and write() are for one output, on the device that was current at
 * begin(). Memory is kept from one output to the next.
 */
class SuperResolutionEstimate {
public:
  /** \brief The most frames whose residuals there is memory for. */
  static constexpr int most_residuals = 8;

  /** \brief Begins with an output, whose estimate is not there yet.
   * \param[in] own the output's frame, which must stay until the output is written
   * \param[in] sigma_smooth residuals of frames are without what a Gaussian so wide leaves,
   * pixels of the input; 0: as they are
   */
  void
  begin(const SceneFrame& own, int scale, float sigma_smooth, const Stream& stream);

  const SceneView&
  view() const
  {
    return view_;
  }

  /** \brief Depth of the own frame; differences of residuals from 0. */
  SceneReference
  reference() const
  {
    return {reference_color_, reference_depth_};
  }

  /** \brief Learns a filter from the own frame. Waits. */
  void
  learnFilter(const Stream& stream);

  /** \brief Sets the estimate to the own frame, enlarged.
   * \param[in] learned by the filter that was learned, else by Lanczos's
   */
  void
  enlargeOwn(bool learned, const Stream& stream);

  /** \brief Adds what the own frame's pixels differ from the estimate's means by, enlarged by
   * Lanczos's filter. */
  void
  stepTowardsOwn(const Stream& stream);

  /** \brief Writes the own frame's residuals.
   * \return a frame whose colours they are, until the next residuals are written
   */
  SceneFrame::ConstPtr
  ownResidual(const Stream& stream);

  /** \brief Returns how far frames depart. Waits.
   * \param[in] frames most_residuals at most, of the own frame's size
   * \param[in,out] errors mean squares of each one's residuals, levels^2, are appended
   */
  void
  measure(const std::vector<SceneFrame::ConstPtr>& frames,
          std::vector<float>& errors,
          const Stream& stream);

  /** \brief Writes residuals of frames.
   * \param[in] frames most_residuals at most, of the own frame's size
   * \return frames whose colours they are, until the next residuals are written
   */
  const std::vector<SceneFrame::ConstPtr>&
  residuals(const std::vector<SceneFrame::ConstPtr>& frames, const Stream& stream);

  /** \brief Adds a part of averaged residuals. */
  void
  add(const SceneImage& average, float step, const Stream& stream);

  /** \brief Writes the estimate.
   * \param[in,out] image whose depth holds averages, if there are any
   */
  void
  write(SceneImage& image, bool has_average, float noise, const Stream& stream) const;

  /** \brief Bytes of device memory for an output, and for what is shared with frames. */
  static std::size_t
  estimateMemory(const SceneView& output, int scale);

private:
  /** \brief Runs a step for each pixel of an image, or each column of sums. */
  template <typename Step>
  void
  run(const Step& step, int columns, int rows, const Stream& stream) const
  {
    parallelFor2D(device_, columns, rows, step, stream);
  }

  void
  reserve();

  /** \brief Writes the own frame's residuals to residual_. */
  void
  writeOwnResidual(const Stream& stream);

  /** \brief Writes another frame's residuals to residual_. */
  void
  writeResidual(const SceneFrame& frame, const Stream& stream);

  /** \brief Takes the mean of the squares of residual_. */
  void
  sumErrors(float* mean, const Stream& stream);

  /** \brief Encodes residual_ for a place among the frames. */
  SceneFrame::ConstPtr
  encode(const SceneFrame& frame, std::size_t place, const Stream& stream);

  Device device_ = currentDevice();
  const SceneFrame* own_ = nullptr;
  int scale_ = 0;
  int columns_ = 0, rows_ = 0; ///< of the input
  int wide_ = 0, high_ = 0;    ///< the same of the output
  SceneView view_;
  device::Enlargement enlargement_{};
  device::BlurWeights blur_{};
  DeviceArray2D<RGB> reference_color_;
  DeviceArray2D<float> reference_depth_;
  LearnedFilter filter_;
  Workspace memory_;
  device::Float4 *estimate_ = nullptr, *residual_ = nullptr, *part_ = nullptr;
  device::ErrorSum *sums_ = nullptr, *lane_sums_ = nullptr, *few_sums_ = nullptr;
  float* errors_ = nullptr;
  std::vector<DeviceArray2D<RGB>> colors_;
  std::vector<SceneFrame::Ptr> frames_;
  std::vector<SceneFrame::ConstPtr> results_;

public:
  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

} // namespace pcl::gpu
