// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "ray_cast_sequence.h"

#include <string>

namespace pcl::gpu::apps {

/** \brief Writes a picture as PNG.
 * \param[in] picture any size
 * \param[in] path the file
 * \throws InputError, std::runtime_error if it cannot be written
 */
void
writeColorImage(const ColorImage& picture, const std::string& path);

/** \brief Writes a depth map as 16-bit PNG; 0 is no hit.
 * \param[in] frame its depth
 * \param[in] scale metres for one unit
 * \param[in] path the file
 * \throws InputError if depths are beyond 65534 units, or the file cannot be written
 * \throws std::runtime_error if writing fails
 */
void
writeDepthImage(const RayCastFrame& frame, float scale, const std::string& path);

/** \brief Returns a picture with a colour for each triangle, which encodes its id;
 * black without a triangle.
 * \param[in] frame its triangles
 * \throws InputError if there are too many triangles for 24 bits
 */
ColorImage
trianglePicture(const RayCastFrame& frame);

/** \brief Returns depth as grey, near ones bright; a dark blue without a hit.
 * \param[in] frame its depth
 */
ColorImage
depthPicture(const RayCastFrame& frame);

/** \brief Writes a cloud as compressed PCD.
 * \param[in] cloud organized or not
 * \param[in] path the file
 * \throws InputError, std::runtime_error if it cannot be written
 */
void
writeCloud(const PointCloud<PointXYZRGBNormal>& cloud, const std::string& path);

} // namespace pcl::gpu::apps
