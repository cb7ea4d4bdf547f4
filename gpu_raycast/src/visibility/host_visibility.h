// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "visibility/visibility.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Visibility casting on the host, in three steps that all threads take together:
//  1. projectVertices(): the pixels next to each vertex, once for all its triangles;
//  2. binTriangles(): of each chunk of triangles, those that can touch a pixel's
//     centre, ordered by the band of the image that they lie in;
//  3. castBand(): all triangles of one band against their pixels. A band belongs to one
//     thread, and its keys stay in the processor's cache until they are images.

namespace pcl::device::host {

/** \brief The pixels next to a vertex's place in the image, widened by the camera's
 * margin.
 *
 * Coordinate by coordinate, the bounds of a triangle are the maxima of its vertices'. A
 * vertex that is not before the camera or not usable has bounds that give a triangle of
 * such vertices alone no pixel, but bounds that are too large for any image if others
 * are among them. A vertex so far off that its triangle might not be usable has bounds
 * of that kind by itself.
 */
struct VertexBounds {
  std::int16_t minus_first_x, minus_first_y; ///< first column and row not before it
  std::int16_t last_x, last_y;               ///< last ones not behind it
};

/** \brief A triangle that can touch a pixel's centre, and its bounds. */
struct TouchingTriangle {
  std::uint32_t number; ///< within its chunk
  VertexBounds bounds;
};

/** \brief Consecutive rows of the image: as many to each band as a power of two
 * says. */
struct Bands {
  int row_shift;
  int count;

  int
  firstRow(int band) const
  {
    return band << row_shift;
  }
};

constexpr int max_bands = 128;

/** \brief The triangles of a band are ordered by the number of pixels that they can
 * touch: the less those of a SIMD register differ, the fewer of its lanes are idle.
 * There are two classes to a power of two, separated by a bit of the number's mantissa.
 * In the last class are those that reach into the next band, where they stand before
 * its own. */
constexpr int class_count = 16;
constexpr int reaching_class = class_count - 1;
constexpr int class_shift = 22;           ///< of the bits of a float
constexpr int first_class_bits = 127 * 2; ///< those of 1.0f, after the shift

/** \brief The bin of triangles that reach farther, touch more pixels or are partly not
 * before the camera. Before it come the classes of the first band, and so on. */
inline int
wideBin(const Bands& bands)
{
  return bands.count * class_count;
}

/** \brief End of each bin among a chunk's triangles. */
using BinEnds = std::uint16_t[max_bands * class_count + 1];

/** \brief Consecutive triangles of one instance, as one thread bins them. */
struct Chunk {
  const Instance* instance;
  VertexBounds* bounds; ///< of all vertices and, behind them, of one that is not seen
  TouchingTriangle* triangles;
  std::uint16_t* ends;    ///< BinEnds
  std::uint32_t first_id; ///< of its triangles
  int triangle_count;

  /** \brief Returns the vertex numbers of its triangles. */
  const int*
  indices() const
  {
    const std::uint32_t number = first_id - instance->first_triangle;
    return instance->mesh.indices + 3 * static_cast<std::size_t>(number);
  }
};

constexpr int max_chunk_triangles = 8192;

/** \brief A view, cut into bands, and the chunks that are cast for it. */
struct BandedView {
  const CameraModel& camera;
  Bands bands;
  const Chunk* chunks;
  std::size_t chunk_count;

  /** \brief Returns the row behind a band. */
  int
  endRow(int band) const
  {
    return std::min(camera.height, bands.firstRow(band + 1));
  }
};

/** \brief Fills a chunk's bounds of the vertices from \a first to before \a end. */
void
projectVertices(const CameraModel& camera, const Chunk& chunk, int first, int end);

/** \brief Fills a chunk's triangles and their order. */
void
binTriangles(const Bands& bands, const Chunk& chunk);

/** \brief Lowers the keys of a band to those of the nearest hits.
 * \param[in] keys of the band's first row and those that follow
 */
void
castBand(const BandedView& view, int band, HitKey* keys);

/** \brief Turns the keys of a view's rows into images, and sets them to no_hit.
 * \param[in] keys of \a first_row and those that follow
 */
void
resolveRows(const CastTask& task, int view, int first_row, int end_row, HitKey* keys);

} // namespace pcl::device::host
