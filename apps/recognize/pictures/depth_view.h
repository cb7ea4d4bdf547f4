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
  Image<float> depth;           ///< metres; NaN where nothing was measured
  ColorImage colors;            ///< of the same size; empty without colours
  PinholeCamera camera;         ///< with the image's size
  Pose pose = Pose::Identity(); ///< of the camera in the cloud's frame
};

/** \brief Reads an organized cloud as a depth map.
 *
 * Its points lie on the rays of a camera: in the sensor's frame, as most of PCL's files
 * have them, or in the frame that the sensor's pose in the file refers to. Whichever fits.
 * \param[in] path a PCD file
 * \param[in] camera intrinsics; the cloud is in the sensor's frame then. Without, they are
 * fitted
 * \throws InputError if it cannot be read, is not organized, or fits no camera
 */
DepthView
readOrganizedView(const std::string& path, const std::optional<PinholeCamera>& camera);

/** \brief Reads a cloud as a depth map, whether it is organized or not.
 *
 * One that is not is looked at from where its sensor was, towards its middle.
 * \param[in] path a PCD file
 * \param[in] camera looks at a cloud that is not organized; with its size
 * \throws InputError if it cannot be read, or fits no camera
 */
DepthView
readCloudView(const std::string& path, const PinholeCamera& camera);

/** \brief Reads a depth map.
 * \param[in] path a PNG or PGM file of 16 bits
 * \param[in] scale metres for one unit
 * \param[in] camera intrinsics; without, a Kinect's, scaled to the width
 * \throws InputError if it cannot be read, or has not the camera's size
 */
DepthView
readDepthView(const std::string& path,
              float scale,
              const std::optional<PinholeCamera>& camera);

} // namespace pcl::gpu::apps
