// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gathering/sets/sets.h"
#include "gathering/volumes/row_segments.hpp"

namespace pcl::device {

constexpr int max_half_spaces = 16;

/** \brief Largest numbers of edges and vertices of a polyhedron with three faces at
 * each vertex. */
constexpr int max_volume_vertices = 2 * max_half_spaces - 4;
constexpr int max_volume_edges = 3 * max_half_spaces - 6;

/** \brief Clipping leaves each edge two ends at most. */
constexpr int max_hull_points = 2 * max_volume_edges;

enum class VolumeKind { Frustum, Polyhedron, Sphere };

/** \brief The query volumes of an output's pixels.
 *
 * All lie in a polyhedron that bounds the places where input frames may see them. Its
 * vertices are in metres from the pixel's own point, along the output camera's axes;
 * those of a frustum have -1 or 1 for the sides of the footprint and for the near and
 * the far end.
 */
struct QueryShape {
  VolumeKind kind;
  int half_space_count;
  double half_spaces[max_half_spaces][4]; ///< n and d of n x <= d
  double square_radius;
  int vertex_count, edge_count;
  double vertices[max_volume_vertices][3];
  std::uint8_t edges[max_volume_edges][2];
};

/** \brief An input frame, for one output. */
struct VolumeFrame {
  Frame frame;
  double to_point[3][4]; ///< (x d, y d, d, 1) to a point in the output camera's frame
  double to_pixel[3][4]; ///< such a point and 1 to (x d, y d, d)
};

/** \brief Depths, metres. */
struct DepthInterval {
  double nearest, farthest;
};

/** \brief Between which depths a frame has samples, as it sees them itself and as the
 * output camera does; a little more. */
struct FrameExtent {
  DepthInterval own, view;
};

/** \brief Segments of a pixel, and the start of the next ones. */
struct ProducerState {
  std::uint16_t next_row, segment_count;
};

/** \brief Memory that producer and consumer share, for a band of rows of the output at
 * a time. */
struct SegmentStorage {
  RowSegment* segments; ///< the first one of all pixels, then the second of all...
  ProducerState* states;
  std::uint32_t* counts_before_frame; ///< samples of each pixel
  int capacity;                       ///< r_max, segments a pixel
  int band_rows;
};

/** \brief Frames to test the pixels of, in this order. All arrays live on the
 * device. */
struct VolumeTask {
  const VolumeFrame* frames;
  FrameExtent* extents; ///< scratch: one a frame
  int frame_count;
  int most_rows; ///< of a frame
  ViewGeometry view;
  QueryShape shape;
  PtrStep<const float> reference_depth; ///< metres; null for frustums, which want none
  SegmentStorage storage;               ///< only for testSegments()
  SampleStore store;
};

/** \brief Bytes of the segments of a band: enough output pixels to keep a device
 * busy. */
constexpr std::size_t host_band_bytes = std::size_t(1) << 24,
                      cuda_band_bytes = std::size_t(1) << 29;

namespace host {

/** \brief Finds the extents of frames. */
void
boundFrames(const VolumeTask& task);

/** \brief Algorithm 3 of Klose et al. 2015: a producer writes the rows of the convex
 * hulls of pixels' projected volumes, a consumer tests their pixels and appends samples
 * to sets. */
void
testSegments(const VolumeTask& task);

} // namespace host

namespace cuda {

void
boundFrames(const VolumeTask& task, CUstream_st* stream);

void
testSegments(const VolumeTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
