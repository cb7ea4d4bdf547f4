// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/image_file.h>

namespace pcl::gpu {

/** \brief Estimates the noise of an image, by the high-pass filter of J. Immerkaer, "Fast noise
 * variance estimation" (1996), which is 0 where levels change evenly.
 *
 * Taken is the median of its absolute values, which edges and textures change less than the
 * paper's mean. Pixels of the darkest and of the brightest level, and those beside them, do not
 * count, since their noise is cut off.
 *
 * Supposed is noise that is normal, and independent from pixel to pixel and from channel to
 * channel. Where a camera or JPEG have smoothed it, less is found than there is; where most of
 * the image is finely textured, more.
 *
 * \param[in] image any one
 * \return deviation of red, green and blue together, levels; 0 if no pixel counts
 * \ingroup gpu_utils
 */
PCL_EXPORTS float
estimateNoise(const ColorImage& image);

} // namespace pcl::gpu
