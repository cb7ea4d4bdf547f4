// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "rendered_room.h"

#include <pcl/gpu/utils/image_file.h>
#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>

#include <cstdint>
#include <vector>

namespace pcl::gpu::test {

/** \brief Mean of pictures of the room, which is what blurs and filters of all kinds are
 * known by. Levels are averaged as they are, as a filter of pictures does. */
class PictureSum {
public:
  /** \brief Adds what is seen at the pixels' centres. */
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

  /** \brief Red, green and blue of all pixels, row by row. */
  std::vector<float>
  mean() const;

private:
  int count_ = 0;
  std::vector<float> sums_;
};

/** \brief Levels rounded to 8 bit. */
ColorImage
toColorImage(const std::vector<float>& levels, int width, int height);

/** \brief The room as a camera without noise sees it.
 * \param[in] camera any one, with its size
 * \param[in] pose any one within the room, camera-to-world
 * \param[in] supersampling samples along a row and along a column of a pixel, averaged
 * \param[in] contents what is in the room
 */
ColorImage
renderColor(const PinholeCamera& camera,
            const Pose& pose,
            int supersampling = 1,
            const RoomContents& contents = {});

/** \brief Depth at the pixels' centres, metres along the camera's z axis, exact. */
gpu::Image<float>
renderDepth(const PinholeCamera& camera,
            const Pose& pose,
            const RoomContents& contents = {});

/** \brief The room through a thin lens: the mean over places on the lens, of samples
 * spread over each pixel.
 * \param[in] camera that the picture would be of, had the lens no size
 * \param[in] pose of its centre, camera-to-world
 * \param[in] radius of the aperture, metres
 * \param[in] focus distance of the plane that is sharp, metres along the z axis
 * \param[in] samples number of places, 1 or more
 * \param[in] contents what is in the room
 */
ColorImage
renderThinLens(const PinholeCamera& camera,
               const Pose& pose,
               float radius,
               float focus,
               int samples,
               const RoomContents& contents = {});

/** \brief Where an object is seen.
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

/** \brief Peak signal-to-noise ratio of red, green and blue, decibels; infinite for the
 * same images.
 * \param[in] a, b images of one size
 * \param[in] mask the pixels that count are not 0; empty: all count
 */
double
psnr(const ColorImage& a,
     const ColorImage& b,
     const gpu::Image<std::uint8_t>& mask = {});

} // namespace pcl::gpu::test
