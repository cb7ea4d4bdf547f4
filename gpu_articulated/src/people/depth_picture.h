// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <cstdint>

namespace pcl::gpu {

/** \brief A depth image in as many rows and columns as matter to people. */
struct DepthPicture {
  /** \brief Takes every n-th row and column.
   * \param[in] all organized; not finite or 0 where nothing was measured
   * \param[in] most_columns of the picture
   * \param[in] farthest points beyond it are left out, metres
   */
  DepthPicture(const PointCloud<PointXYZ>& all,
               std::uint32_t most_columns,
               float farthest);

  PointCloud<PointXYZ>::Ptr cloud; ///< NaN where nothing was measured
  std::uint32_t step;              ///< from one of its columns to the next
  /** \brief Camera whose rays its points lie on; of width 0 if there are too few. */
  PinholeCamera camera;
  float pixel_angle = 0.0f; ///< between neighbouring pixels, radians
};

/** \brief Calls visit(number) for the pixels beside one, on four sides.
 * \param[in] cloud organized
 * \param[in] pixel number of a pixel
 */
template <typename Visit>
void
forEachNeighbor(const PointCloud<PointXYZ>& cloud, int pixel, const Visit& visit)
{
  const int columns = static_cast<int>(cloud.width), column = pixel % columns;
  if (column > 0)
    visit(pixel - 1);
  if (column + 1 < columns)
    visit(pixel + 1);
  if (pixel >= columns)
    visit(pixel - columns);
  if (pixel + columns < static_cast<int>(cloud.size()))
    visit(pixel + columns);
}

} // namespace pcl::gpu
