// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/colors.hpp"

#include <algorithm>
#include <cstdint>

// Types that the host and CUDA share. Input images are cut into blocks of pixels and
// groups of blocks, the output into tiles. Tiles see cells: the pixel of the output
// that the middle of a footprint falls on, which a sample has one of, though as many
// pixels see it as its footprint covers.

namespace pcl::device {

constexpr int block_columns = 8, block_rows = 4;
constexpr int block_pixels = block_columns * block_rows;
constexpr int group_block_columns = 4, group_block_rows = 8;
constexpr int group_blocks = group_block_columns * group_block_rows;
constexpr int group_columns = group_block_columns * block_columns;
constexpr int group_rows = group_block_rows * block_rows;
constexpr int grouped_groups = 32;

constexpr int tile_columns = 32, tile_rows = 16;

/** \brief A tile's samples of a frame are sorted by their cells this many blocks at a
 * time, which makes their order the same on every device. */
constexpr int chunk_blocks = 64;

/** \brief The same for samples that take more memory for their guides. */
constexpr int guided_chunk_blocks = 48;

constexpr int max_footprint = 15;

/** \brief Pixels that a projection may lie beyond the edge of a footprint. */
constexpr double cell_tolerance = 1e-6;

/** \brief The column of no cell. */
constexpr int no_cell = -(1 << 20);

/** \brief Depths of a block, metres; nearest is larger than farthest if it has none. */
struct DepthRange {
  float nearest, farthest;
};

/** \brief Tiles from (x0, y0) to (x1, y1), both included; none if an end lies before
 * its beginning. */
struct alignas(8) TileRange {
  std::int16_t x0, y0, x1, y1;
};

PCL_GPU_HOST_DEVICE bool
contains(const TileRange& range, int x, int y)
{
  return x >= range.x0 && x <= range.x1 && y >= range.y0 && y <= range.y1;
}

/** \brief The images of an input frame, or of a part of it: pointers are to where the
 * frame's first pixel is or would be. */
struct FrameImages {
  const PackedColor* color;
  const float* depth; ///< metres
  int color_stride;   ///< pixels from row to row
  int depth_stride;
  int columns, rows;              ///< of the frame, up to the last existing ones
  const DepthRange* block_depths; ///< of the first group's blocks, of the second's...
  const PackedColor* guide;       ///< colours that are compared
  int guide_stride;
  std::int16_t first_column, first_row; ///< existing ones; of a group

  PCL_GPU_HOST_DEVICE int
  groupsAcross() const
  {
    return (columns - first_column + group_columns - 1) / group_columns;
  }

  PCL_GPU_HOST_DEVICE int
  groups() const
  {
    return groupsAcross() * ((rows - first_row + group_rows - 1) / group_rows);
  }

  PCL_GPU_HOST_DEVICE int
  groupRanges() const
  {
    return (groups() + grouped_groups - 1) / grouped_groups;
  }
};

/** \brief The place of a block's first pixel. */
struct BlockPlace {
  int column, row;
};

PCL_GPU_HOST_DEVICE BlockPlace
placeOfBlock(const FrameImages& images, int block)
{
  const int group = block / group_blocks, in_group = block % group_blocks,
            groups_across = images.groupsAcross();
  return {images.first_column + group % groups_across * group_columns +
              in_group % group_block_columns * block_columns,
          images.first_row + group / groups_across * group_rows +
              in_group / group_block_columns * block_rows};
}

constexpr DepthRange no_depths = {3.402823466e38f, 0.0f};

constexpr TileRange no_tiles = {0, 0, -1, -1};

/** \brief A range of whole numbers, none of them large. */
template <typename Number>
PCL_GPU_HOST_DEVICE TileRange
tileRange(Number x0, Number y0, Number x1, Number y1)
{
  if (x0 > x1 || y0 > y1)
    return no_tiles;
  return {static_cast<std::int16_t>(x0),
          static_cast<std::int16_t>(y0),
          static_cast<std::int16_t>(x1),
          static_cast<std::int16_t>(y1)};
}

PCL_GPU_HOST_DEVICE bool
isEmpty(const TileRange& range)
{
  return range.x0 > range.x1;
}

/** \brief Extends a range so that it has the tiles of another, too. */
inline void
include(TileRange& all, const TileRange& more)
{
  if (isEmpty(more))
    return;
  if (isEmpty(all))
    all = more;
  all = {std::min(all.x0, more.x0),
         std::min(all.y0, more.y0),
         std::max(all.x1, more.x1),
         std::max(all.y1, more.y1)};
}

/** \brief The projection of an input frame's pixels to points. */
struct PointProjection {
  /** \brief ((x - center_column) d, (y - center_row) d, d, 1) to a point in the output
   * camera's frame; errors are smaller for pixels counted from the centre. */
  float to_point[3][4];
  float center_column, center_row; ///< whole numbers
};

/** \brief The projection of an input frame into an output camera. */
struct FrameProjection : PointProjection {
  double to_image[3][4]; ///< (x d, y d, d, 1) to (u z, v z, z)
  /** \brief Bounds of single precision's errors: of u and v (depth_ratio_margin d / z +
   * ratio_margin / z + pixel_margin) pixels, of z (slope_margin d + point_margin)
   * metres. */
  float depth_ratio_margin, ratio_margin, pixel_margin, slope_margin, point_margin;
};

/** \brief An input frame, for one output. */
struct Frame {
  FrameImages images;
  FrameProjection projection;
  int number;            ///< that samples have
  float weight_exponent; ///< log2 of a factor of its samples' weights
  int first_group;       ///< among those of all frames of a task
  int first_range;       ///< of grouped_groups groups, in the same way
};

// Threads look up different frames at once: 256 bytes apart, all would meet in one
// bank.
static_assert(sizeof(Frame) % 256 != 0, "frames take twice as long to look up");

/** \brief The output camera and its query volumes. */
struct ViewGeometry {
  float fx, fy, cx, cy;
  int columns, rows;
  float near_depth, far_depth; ///< metres
  int footprint;               ///< pixels, l of the paper

  /** \brief Cells that a pixel sees before its own, and after it. */
  PCL_GPU_HOST_DEVICE int
  cellsBefore() const
  {
    return (footprint - 1) / 2;
  }

  PCL_GPU_HOST_DEVICE int
  cellsAfter() const
  {
    return footprint / 2;
  }

  /** \brief Offset that is subtracted from u so that its cell is the next whole
   * number. */
  PCL_GPU_HOST_DEVICE float
  cellOffset() const
  {
    return footprint % 2 == 0 ? 0.0f : 0.5f;
  }

  PCL_GPU_HOST_DEVICE int
  tileColumns() const
  {
    return (columns + tile_columns - 1) / tile_columns;
  }

  PCL_GPU_HOST_DEVICE int
  tileRows() const
  {
    return (rows + tile_rows - 1) / tile_rows;
  }

  /** \brief Columns of cells that a tile sees. */
  PCL_GPU_HOST_DEVICE int
  tileCellColumns() const
  {
    return tile_columns + footprint - 1;
  }

  /** \brief Rows of cells that a tile sees. */
  PCL_GPU_HOST_DEVICE int
  tileCellRows() const
  {
    return tile_rows + footprint - 1;
  }
};

/** \brief Tiles of an output. */
struct TileArea {
  int x0, y0, columns, rows;
};

/** \brief Tiles of an output, cut into areas of one size; smaller ones at the end. */
struct TileAreas {
  TileArea all;
  int columns, rows; ///< of an area

  int
  across() const
  {
    return (all.columns + columns - 1) / columns;
  }

  int
  size() const
  {
    return across() * ((all.rows + rows - 1) / rows);
  }

  TileArea
  operator[](int number) const
  {
    const int x = number % across() * columns, y = number / across() * rows;
    return {all.x0 + x,
            all.y0 + y,
            std::min(columns, all.columns - x),
            std::min(rows, all.rows - y)};
  }
};

} // namespace pcl::device
