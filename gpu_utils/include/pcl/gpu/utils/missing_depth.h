// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/device/missing_depth.hpp>
#include <pcl/gpu/utils/image_file.h>
#include <pcl/pcl_exports.h>

#include <cstdint>
#include <optional>

/** \file
 * \brief The one rule of what counts as not measured.
 *
 * - Depth is missing where it is 0, negative, NaN or infinite: isMeasuredDepth().
 * - A point is missing where a coordinate is not finite, or all are 0:
 *   isMeasuredPoint().
 * - In 16-bit maps, a value that the sensor uses as a marker is missing as well:
 *   findMissingDepthMarker().
 */

namespace pcl::gpu {

/** \brief Finds the value, beside 0, that a depth map holds where nothing was measured.
 *
 * 65535 is a marker if more pixels hold it than hold the 255 values below it. A surface
 * at the end of the range has values on both sides of any of its own; a marker, and a
 * measurement that does not fit into 16 bits, stands alone. O(pixels).
 * \param[in] image raw depth
 * \return 65535, or 0 if there is no such value
 * \ingroup gpu_utils
 */
PCL_EXPORTS std::uint16_t
findMissingDepthMarker(const DepthImage& image);

/** \brief Sets pixels that hold a marker to 0. O(pixels).
 * \param[in,out] image raw depth; 0 stands for a missing measurement
 * \param[in] marker value of pixels without a measurement; none: that of
 * findMissingDepthMarker()
 * \return the marker if it was not 0 and there were such pixels, else 0
 * \ingroup gpu_utils
 */
PCL_EXPORTS std::uint16_t
clearMissingDepth(DepthImage& image,
                  std::optional<std::uint16_t> marker = std::nullopt);

} // namespace pcl::gpu
