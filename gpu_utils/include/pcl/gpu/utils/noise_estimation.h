// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/image_file.h>

namespace pcl::gpu {

/** \brief Estimates the noise of an image by the high-pass filter of J. Immerkaer,
 * "Fast noise variance estimation" (1996), which is 0 where levels change evenly.
 *
 * Takes the median of the filter's absolute values, which edges and textures change
 * less than the paper's mean. Ignores pixels of the darkest and of the brightest level
 * and their neighbours, because their noise is clipped.
 *
 * Assumes that noise is normal, and independent between pixels and between channels.
 * Underestimates noise that a camera or JPEG has smoothed. Overestimates it if most of
 * the image is finely textured.
 *
 * \param[in] image any image
 * \return standard deviation of red, green and blue together, levels; 0 if all pixels
 * are ignored
 * \ingroup gpu_utils
 */
PCL_EXPORTS float
estimateNoise(const ColorImage& image);

} // namespace pcl::gpu
