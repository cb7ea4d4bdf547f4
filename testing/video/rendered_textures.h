// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <Eigen/Core>

#include <cstdint>

namespace pcl::gpu::test {

/** \brief Red, green and blue, levels of 255. */
using Color = Eigen::Array3f;

/** \brief A point of a surface, as textures see it. */
struct SurfacePoint {
  float s = 0.0f;     ///< metres to the right, as seen from outside; from the left edge
  float t = 0.0f;     ///< metres downwards from the upper edge, or along z
  float width = 0.0f; ///< of the face, metres
  float height = 0.0f; ///< of the face, metres
  int face = 0;        ///< 0 to 5: -x, +x, -y, +y, -z, +z; a round side is 0
  Eigen::Vector3f unit =
      Eigen::Vector3f::Zero(); ///< from the centre of a ball, length 1
  std::uint32_t seed = 0;      ///< distinguishes parts of one texture
};

/** \brief Function that returns the colour of a surface in white light. No texture has
 * edges sharper than 3 mm, about a pixel of a camera with 1280 columns at 3 m. */
using Texture = Color (*)(const SurfacePoint&);

/** \name Of the room
 * @{ */
Color
wallpaper(const SurfacePoint& point);
Color
parquet(const SurfacePoint& point);
Color
plaster(const SurfacePoint& point);
Color
tiles(const SurfacePoint& point);
/** @} */

/** \name Of furniture
 * @{ */
Color
wood(const SurfacePoint& point);
Color
darkWood(const SurfacePoint& point);
Color
fabric(const SurfacePoint& point);
Color
rug(const SurfacePoint& point);
Color
drawers(const SurfacePoint& point);
Color
metal(const SurfacePoint& point);
Color
oven(const SurfacePoint& point);
Color
glow(const SurfacePoint& point);
/** @} */

/** \name Of what hangs on walls
 * @{ */
Color
textPoster(const SurfacePoint& point);
Color
landscape(const SurfacePoint& point);
Color
testChart(const SurfacePoint& point);
Color
window(const SurfacePoint& point);
/** @} */

/** \name Of small things
 * @{ */
Color
carton(const SurfacePoint& point);
Color
cereals(const SurfacePoint& point);
Color
bookSpines(const SurfacePoint& point);
Color
label(const SurfacePoint& point);
Color
globe(const SurfacePoint& point);
Color
beachBall(const SurfacePoint& point);
Color
leaves(const SurfacePoint& point);
Color
fruit(const SurfacePoint& point);
/** @} */

} // namespace pcl::gpu::test
