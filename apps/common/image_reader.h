// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/point_types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pcl {
namespace gpu {
namespace apps {

/** \brief An image in memory, rows from top to bottom without gaps. */
template <typename Pixel>
struct Image {
  int width = 0;             ///< columns
  int height = 0;            ///< rows
  std::vector<Pixel> pixels; ///< width x height

  /** \brief Sets the size; contents are undefined. */
  void
  resize(int new_width, int new_height)
  {
    width = new_width;
    height = new_height;
    pixels.resize(static_cast<std::size_t>(width) * height);
  }

  /** \brief Whether there is no pixel. */
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
 * \throws InputError if it is missing, truncated or damaged, no PNG, or of other depth
 */
DepthImage
readDepthImage(const std::string& path);

/** \brief Reads an 8-bit PNG or a JPEG, by its contents; grey becomes colour.
 * \param[in] path the file
 * \throws InputError if it is missing, truncated or damaged, or of another kind
 */
ColorImage
readColorImage(const std::string& path);

} // namespace apps
} // namespace gpu
} // namespace pcl
