// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "visibility/hit_key.hpp"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

#include <cstdint>

// A warp's triangles touch few pixels or many: its threads share the pixels evenly.

namespace pcl::device::cuda {

/** \brief A triangle, and the pixels that it may touch. */
struct alignas(16) TriangleRow {
  Triangle triangle;
  int first_x;
  int first_y;
  float inverse_columns;
  int columns;
  int start; ///< pixels of the warp's rows before
  std::uint32_t id;
  int padding[5]; ///< 20 words: lanes that read rows side by side use different banks
};

__device__ inline unsigned int
orOverWarp(unsigned int value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_or_sync(all_lanes, value);
#else
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    value |= __shfl_xor_sync(all_lanes, value, distance);
  return value;
#endif
}

/** \brief The i-th pixel of a rectangle, row by row.
 *
 * Half a pixel more keeps the quotient clear of all rounding for the first million
 * pixels.
 */
__device__ inline int2
pixelOf(int i, int columns, float inverse_columns)
{
  const int row = static_cast<int>((static_cast<float>(i) + 0.5f) * inverse_columns);
  return make_int2(i - row * columns, row);
}

/** \brief Tests each of a warp's triangles against its pixels. All threads of the warp
 * must call.
 * \param[out] rows shared memory for a row a thread, the warp's own
 * \param[in] triangle of the calling thread
 * \param[in] count of its pixels; may be 0
 * \param[in] keyAt returns the address of a pixel's key, which is lowered to that of a
 * hit
 */
template <typename KeyAt>
__device__ void
testPixelsOfWarp(const CameraModel& camera,
                 TriangleRow* rows,
                 const Triangle& triangle,
                 std::uint32_t id,
                 const PixelRectangle& pixels,
                 int count,
                 const KeyAt& keyAt)
{
  const int lane = threadIdx.x % warp_size;
  const unsigned int busy = __ballot_sync(all_lanes, count > 0);
  if (busy == 0)
    return;
  const int end = inclusiveSumOverWarp(count, lane);
  const int start = end - count;
  const int total = __shfl_sync(all_lanes, end, warp_size - 1);
  const unsigned int lanes_before = (1u << lane) - 1u;
  if (count > 0) {
    const int columns = pixels.last_x - pixels.first_x + 1;
    rows[__popc(busy & lanes_before)] = {triangle,
                                         pixels.first_x,
                                         pixels.first_y,
                                         roughReciprocal(static_cast<float>(columns)),
                                         columns,
                                         start,
                                         id,
                                         {}};
  }
  __syncwarp();
  int rows_before = 0;
  for (int base = 0; base < total; base += warp_size) {
    // Every thread finds its row from the pixels that are the first of a row.
    const unsigned int offset = start - base;
    const unsigned int starts =
        orOverWarp(count > 0 && offset < warp_size ? 1u << offset : 0u);
    const int row_number = rows_before + __popc(starts & (lanes_before << 1 | 1u)) - 1;
    rows_before += __popc(starts);
    if (base + lane < total) {
      const TriangleRow row = rows[row_number];
      const int2 pixel =
          pixelOf(base + lane - row.start, row.columns, row.inverse_columns);
      const int x = row.first_x + pixel.x;
      const int y = row.first_y + pixel.y;
      TriangleHit hit;
      // Looking first whether the hit is near enough to count would only wait for the
      // answer.
      if (hitsTriangle(camera, pixelSlopes(camera, x, y), row.triangle, hit))
        atomicMin(keyAt(x, y), hitKey(hit.t, row.id));
    }
  }
  __syncwarp();
}

} // namespace pcl::device::cuda
