// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>
#include <pcl/point_types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief An image in memory, rows from top to bottom without gaps.
 *
 * \ingroup gpu_utils
 */
template <typename Pixel>
struct Image {
  int width = 0;             ///< columns
  int height = 0;            ///< rows
  std::vector<Pixel> pixels; ///< width x height

  /** \brief Sets the size. The contents are undefined afterwards.
   * \param[in] new_width columns
   * \param[in] new_height rows
   */
  void
  resize(int new_width, int new_height)
  {
    width = new_width;
    height = new_height;
    pixels.resize(static_cast<std::size_t>(width) * height);
  }

  /** \brief Returns whether there are no pixels.
   * \return true if empty
   */
  bool
  empty() const
  {
    return pixels.empty();
  }
};

using DepthImage = Image<std::uint16_t>; ///< raw depth or disparity
using ColorImage = Image<RGB>;           ///< alpha is 255

/** \brief Reads a 16-bit grey PNG.
 * \param[in] path the file
 * \return the image
 * \throws pcl::IOException naming the file, if it is missing, truncated or damaged, not
 * a PNG, not 16-bit grey, or larger than 16384 x 16384
 * \ingroup gpu_utils
 */
PCL_EXPORTS DepthImage
readDepthImage(const std::string& path);

/** \brief Reads a PNG or a JPEG, recognized by its contents. Converts grey and palettes
 * to colour, and 16 bits to 8. Ignores alpha.
 * \param[in] path the file
 * \return the image
 * \throws pcl::IOException naming the file, if it is missing, truncated or damaged, of
 * another kind, or larger than 16384 x 16384, or a JPEG of more than 100 scans
 * \ingroup gpu_utils
 */
PCL_EXPORTS ColorImage
readColorImage(const std::string& path);

/** \brief Writes a 16-bit grey PNG. The file appears under its name only when it is
 * complete, and replaces an existing one.
 * \param[in] path the file
 * \param[in] image its pixels
 * \throws pcl::BadArgumentException naming the size, if the image is empty, has another
 * number of pixels than width x height, or is larger than 16384 x 16384
 * \throws pcl::IOException naming the file and the reason, if it cannot be written
 * \ingroup gpu_utils
 */
PCL_EXPORTS void
writeDepthImage(const std::string& path, const DepthImage& image);

/** \brief Writes an 8-bit PNG of red, green and blue, as writeDepthImage() does.
 * \param[in] path the file
 * \param[in] image its pixels, whose alpha is not written
 * \throws pcl::BadArgumentException naming the size, as writeDepthImage()
 * \throws pcl::IOException naming the file and the reason, if it cannot be written
 * \ingroup gpu_utils
 */
PCL_EXPORTS void
writeColorImage(const std::string& path, const ColorImage& image);

} // namespace pcl::gpu
