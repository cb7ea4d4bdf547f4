// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../../common/files/image_reader.h"

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>

#include <optional>
#include <string>

namespace pcl::gpu::apps {

/** \brief Image of a depth camera. */
struct DepthView {
  Image<float> depth;           ///< metres; NaN without a measurement
  ColorImage colors;            ///< of the same size; empty without colours
  PinholeCamera camera;         ///< with the image's size
  Pose pose = Pose::Identity(); ///< of the camera in the cloud's frame
};

/** \brief Reads an organized cloud as a depth map.
 *
 * Its points lie on the rays of a camera. They are in the sensor's frame, as in most of
 * PCL's files, or in the frame of the sensor's pose in the file, whichever fits.
 * \param[in] path a PCD file
 * \param[in] camera intrinsics of a cloud in the sensor's frame; none: fitted
 * \throws InputError if it cannot be read, is not organized, or fits no camera
 */
DepthView
readOrganizedView(const std::string& path, const std::optional<PinholeCamera>& camera);

/** \brief Reads any cloud as a depth map.
 *
 * A camera at the sensor's place looks at the middle of a cloud that is not organized.
 * \param[in] path a PCD file
 * \param[in] camera that camera, with its size
 * \throws InputError if it cannot be read, or fits no camera
 */
DepthView
readCloudView(const std::string& path, const PinholeCamera& camera);

/** \brief Reads a depth map.
 * \param[in] path a PNG or PGM file of 16 bits
 * \param[in] scale metres for one unit
 * \param[in] missing_depth see readDepthMap()
 * \param[in] camera intrinsics; none: usualCamera()
 * \throws InputError if it cannot be read, or its size is not the camera's
 */
DepthView
readDepthView(const std::string& path,
              float scale,
              std::optional<std::uint16_t> missing_depth,
              const std::optional<PinholeCamera>& camera);

} // namespace pcl::gpu::apps
