// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/triangulation/cut.h>
#include <pcl/gpu/triangulation/statistics.h>
#include <pcl/point_types.h>

#include <cstdint>

namespace pcl::gpu {

/** \defgroup gpu_triangulation_types Types that the stages pass on
 * \ingroup gpu_triangulation
 * \{
 */

/** \brief Depth along the optical axis, one value a pixel, metres.
 *
 * The library writes NaN where there is no measurement. As input, NaN, infinity, zero,
 * negative values and those of 1e18 m or more all mean that.
 */
using DepthMap = DeviceArray2D<float>;

/** \brief Depth as most sensors deliver it, one value a pixel; 0 is no measurement.
 *
 * clearMissingDepth() sets other markers of sensors to 0.
 */
using RawDepthMap = DeviceArray2D<std::uint16_t>;

/** \brief An organized cloud: row v, column u holds the point seen at that pixel,
 * metres.
 *
 * A point with a coordinate that is not finite is missing; the library writes NaN in
 * all three. (0, 0, 0) is a point, as it is for PCL's classes, and also for the
 * wrappers that replace them; programs, and readers of files, take it for missing.
 */
using OrganizedCloud = DeviceArray2D<PointXYZ>;

/** \brief Unit normals of an organized cloud, with the curvature in `data[3]`.
 *
 * The layout of PCL's GPU features. NaN in all four where there is no normal.
 */
using NormalMap = DeviceArray2D<PointXYZ>;

/** \brief Colours of an image, one a pixel; alpha 0 marks a pixel without colour. */
using ColorMap = DeviceArray2D<RGB>;

/** \brief A mesh over the pixels of an organized cloud, in device memory.
 *
 * Polygons are ordered by their quad's row, then column, the upper triangle before the
 * lower. Their vertices run so that the polygon's normal points at the viewer.
 */
struct OrganizedMesh {
  /** \brief Vertices of the polygons, vertices_per_polygon each, as row-major pixel
   * numbers row * columns + column. Holds room for every quad; see polygon_count. */
  DeviceArray<int> indices;
  /** \brief One element: the number of polygons. */
  DeviceArray<int> polygon_count;
  /** \brief One byte a pixel: which polygons the quad to its right and below has
   * (QuadValidity), 0 outside the grid of quads. */
  DeviceArray2D<std::uint8_t> validity;
  /** \brief 3, or 4 for Cut::Quad. */
  int vertices_per_polygon = 3;
};

/** \} */

} // namespace pcl::gpu
