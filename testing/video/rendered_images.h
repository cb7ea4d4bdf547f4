// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/video/rendered_room.h"

#include <pcl/gpu/utils/image_file.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>

#include <cstdint>
#include <vector>

namespace pcl::gpu::test {

/** \brief Mean of pictures of the room: the truth for blurs and filters of all kinds.
 * Averages the levels themselves, as filters of pictures do. */
class PictureSum {
public:
  /** \brief Adds a picture sampled at the pixels' centres. */
  void
  add(const PinholeCamera& camera, const Pose& pose, const RoomContents& contents);

  /** \brief Adds an even grid of samples within each pixel.
   * \param[in] samples along a row and along a column
   */
  void
  add(const PinholeCamera& camera,
      const Pose& pose,
      int samples,
      const RoomContents& contents);

  /** \brief Returns red, green and blue of all pixels, row by row. */
  std::vector<float>
  mean() const;

private:
  int count_ = 0;
  std::vector<float> sums_;
};

/** \brief Rounds levels to 8 bits. */
ColorImage
toColorImage(const std::vector<float>& levels, int width, int height);

/** \brief Renders the room as a camera without noise sees it.
 * \param[in] camera any camera with a size
 * \param[in] pose any pose within the room, camera-to-world
 * \param[in] supersampling samples along a row and along a column of a pixel, averaged
 * \param[in] contents the contents of the room
 */
ColorImage
renderColor(const PinholeCamera& camera,
            const Pose& pose,
            int supersampling = 1,
            const RoomContents& contents = {});

/** \brief Renders the exact depth at the pixels' centres, metres along the camera's z
 * axis. */
gpu::Image<float>
renderDepth(const PinholeCamera& camera,
            const Pose& pose,
            const RoomContents& contents = {});

/** \brief Renders the room through a thin lens: the mean over points of the lens, with
 * samples spread over each pixel.
 * \param[in] camera that of the picture if the lens had no size
 * \param[in] pose of its centre, camera-to-world
 * \param[in] radius of the aperture, metres
 * \param[in] focus distance of the plane that is sharp, metres along the z axis
 * \param[in] samples number of points, 1 or more
 * \param[in] contents the contents of the room
 */
ColorImage
renderThinLens(const PinholeCamera& camera,
               const Pose& pose,
               float radius,
               float focus,
               int samples,
               const RoomContents& contents = {});

/** \brief Renders a mask of the pixels that see an object.
 * \param[in] camera, pose, supersampling, contents of a picture
 * \param[in] object the object
 * \return 255 where any sample of the pixel sees the object, else 0
 */
gpu::Image<std::uint8_t>
renderMask(const PinholeCamera& camera,
           const Pose& pose,
           RoomObject object,
           int supersampling = 1,
           const RoomContents& contents = {});

/** \brief Returns the peak signal-to-noise ratio of red, green and blue, decibels;
 * infinite for the same images.
 * \param[in] a, b images of one size
 * \param[in] mask not 0 at the pixels that count; empty: all count
 */
double
psnr(const ColorImage& a,
     const ColorImage& b,
     const gpu::Image<std::uint8_t>& mask = {});

} // namespace pcl::gpu::test
