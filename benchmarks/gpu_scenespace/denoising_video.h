// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/video/rendered_video.h"

#include <pcl/gpu/scenespace/video/rgbd_video.h>

#include <Eigen/Core>

#include <string>
#include <vector>

namespace benchmarks {

/** \brief Red, green and blue, levels. */
using Levels = pcl::gpu::Image<Eigen::Array3f>;

/** \brief A frame whose colour has noise, and depth as its colour camera sees it. */
struct NoisyFrame {
  pcl::gpu::PinholeCamera camera;
  pcl::gpu::Pose pose = pcl::gpu::Pose::Identity();
  pcl::gpu::ColorImage truth;
  pcl::gpu::ColorImage noisy;
  pcl::gpu::Image<float> depth; ///< metres; NaN where there is none
  float gain = 1.0f;            ///< makes colours of frames comparable

  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

using NoisyFrames = std::vector<NoisyFrame>;

/** \brief Adds normal noise to the levels of a frame of a video.
 * \param[in] number of the frame, which the noise depends on
 */
pcl::gpu::ColorImage
withNoise(const pcl::gpu::ColorImage& color, float sigma, int number);

Levels
toLevels(const pcl::gpu::ColorImage& color);

/** \brief Rounded to 8 bit. */
pcl::gpu::ColorImage
toColorImage(const Levels& levels);

/** \brief Frames of a rendered video.
 * \param[in] settings whose noise of colour is that of the noisy images
 */
NoisyFrames
renderFrames(const pcl::gpu::test::RenderedVideoSettings& settings);

/** \brief Frames of a recorded video.
 * \param[in] video as it is
 * \param[in] sigma of the noise that is added, levels
 */
NoisyFrames
readFrames(const pcl::gpu::RGBDVideo& video, float sigma);

/** \brief 255 where there is depth. */
pcl::gpu::Image<std::uint8_t>
depthMask(const pcl::gpu::Image<float>& depth);

/** \brief 255 where a mask is 0. */
pcl::gpu::Image<std::uint8_t>
inverted(pcl::gpu::Image<std::uint8_t> mask);

/** \brief Blurs by a Gaussian.
 * \param[in] sigma pixels
 */
Levels
blurred(const Levels& levels, float sigma);

} // namespace benchmarks
