// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "denoising_video.h"

#include <pcl/gpu/scenespace/video/rgbd_video.h>

namespace benchmarks {

/** \brief A camera with half as many pixels along a side, and the same picture. */
pcl::gpu::PinholeCamera
halved(const pcl::gpu::PinholeCamera& camera);

/** \brief Means of 2x2 pixels. */
Levels
halved(const Levels& levels);

pcl::gpu::ColorImage
halved(const pcl::gpu::ColorImage& color);

/** \brief Twice as large, by Lanczos's filter.
 * \param[in] lobes of its window
 */
Levels
doubled(const Levels& levels, int lobes = 3);

/** \brief A video whose colour images are half as large. */
class HalvedVideo : public pcl::gpu::RGBDVideo {
public:
  explicit HalvedVideo(ConstPtr video);

  int
  size() const override;

  pcl::gpu::RGBDView
  view(int number) const override;

  pcl::gpu::RGBDFrame
  read(int number) const override;

private:
  ConstPtr video_;
};

/** \brief Structural similarity (Wang et al. 2004) of brightness, with a Gaussian
 * window of 1.5 pixels. */
double
ssim(const pcl::gpu::ColorImage& a, const pcl::gpu::ColorImage& b);

} // namespace benchmarks
