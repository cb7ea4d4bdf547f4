// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "leaf.hpp"

#include <cstdint>
#include <cstring>

// A hierarchy of boxes over the triangles of a scene, in the world frame.
//
// The triangles are sorted along a Hilbert curve. Every four that follow each other are a
// leaf, every eight leaves that follow each other a node, every eight nodes a node of the
// level above, up to the root. What belongs to what is given by the numbers alone: nodes
// are numbered level by level from the root, which is 0, and the children of node i are
// 8 i + 1 to 8 i + 8. So there is no topology to find: after the sort a level of boxes is a
// reduction of the level below, without atomic operations and in few kernels, where finding
// and fitting a binary radix tree (Karras 2012) takes longer than the sort does. Such a
// tree cuts where the curve makes its long steps; here the curve has to make none: in
// Hilbert's order rays visit 30 % fewer nodes than in Morton's (27 instead of 38 a ray
// between random points around the Stanford dragon, 871414 triangles). Eight bits an axis
// are enough for that mesh: with ten it is as many nodes, and 8 % fewer triangles.
//
// A node holds the boxes of its children in bytes: 64 bytes, half of a cache line.

namespace pcl {
namespace device {

constexpr int node_width = 8;

/** \brief The levels of nodes over 2^31 triangles. */
constexpr int max_levels = 10;

/** \brief The grid of 256^3 that a node's boxes lie on.
 *
 * Along each axis the step is a power of two, 2^-54 at least, and the origin a multiple of
 * it that is exact in single precision.
 */
struct alignas(16) NodeGrid {
  float origin[3];
  std::uint8_t exponent[3]; ///< of the steps, as the bits of a float have it
  std::uint8_t children;    ///< of the node: a bit for each that there is
};

/** \brief The planes of eight boxes on one side, as numbers of the grid's steps. */
struct alignas(8) PlaneRow {
  std::uint8_t of[8];
};

/** \brief The boxes of eight children.
 *
 * The planes lie 1/64 of a step or more away from the box, and the box of a triangle is
 * larger than the triangle by 2^-21 of its extent: see BoxRay.
 */
struct alignas(64) WideNode {
  NodeGrid grid;
  PlaneRow planes[6]; ///< lower and upper along x, y, and z
};

static_assert(sizeof(PlaneRow) == node_width && sizeof(WideNode) == 64, "see above");

/** \brief What rays are cast at. */
struct Hierarchy {
  const WideNode* nodes;
  const Leaf* leaves;
  std::uint32_t first_leaf; ///< numbers from here on are those of leaves
};

PCL_GPU_HOST_DEVICE float
asFloat(std::uint32_t bits)
{
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

PCL_GPU_HOST_DEVICE std::uint32_t
asBits(float value)
{
  std::uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/** \brief Heights are counted in units of 2^60 metres: floats then hold the inverse of every
 * slope that matters. */
constexpr float heights_per_metre = 0x1p-60f;

/** \brief A ray as boxes see it.
 *
 * Its z axis is the axis of the world that it runs along most, and points its way; x and y
 * are the two that follow. A plane across an axis is told by the height z at which the ray
 * passes through it: (p - o) / slope. A box is hit if the ray is between its planes of all
 * three axes at some height, and if the bounds of the ray leave something of the box
 * between its planes of z. The bounds say nothing of x and y: the distance that
 * hitsTriangle() computes can lie anywhere between those of the vertices.
 *
 * No box is left out in which hitsTriangle() finds a hit. Let X, Y and Z be the coordinates
 * of the vertices relative to the ray's origin, s and r the slopes of x and y over z, and
 * u = 2^-24.
 *
 * The sheared x of a vertex is fl(fl(X) - fl(s fl(Z))): it is X - s Z but for an error below
 * 2u |X| + 3u |s Z|. If the vertices have weights, not negative, whose weighted sums of the
 * sheared x and of y are 0, then at z, the weighted sum of Z, the ray is in the triangle but
 * for errors of that size. There are such weights: the areas, whose signs are right where
 * their magnitude is above 2^-150. If one of them is above 2^-125, those with a wrong sign
 * may be taken for 0: that moves x by less than u |x|. If none is, either all |x| (or all
 * |y|) are below 2^-62, which is less than the margin of their axis, so that only y (or x)
 * matters, and has weights since it was found to straddle zero. Or the line between the
 * vertices with the least and the greatest x passes x = 0 at |y| < 2^-125 / 2^-62, which is
 * in the margin, too.
 *
 * So there is a z at which the ray is at most e = 4u |X| + 5u |s Z| away from the triangle's
 * box along x, and likewise along y. |Z| is below |z| plus the triangle's extent, by 2^-21
 * of which the box was made larger; and |s z| is at most |X| + e. What is left of e is less
 * than 10u |X|, with |X| < |d| + 257 g, where d is the distance to the grid's origin and g
 * its step. Rounding on the way to (d + q g) / s, where q is the number of a plane, adds
 * 7u |d| and, because q is counted from 2^15, 2^-8 g. Margins of 2^-19 |d| and of g / 64,
 * which the planes keep from the box, are more than all this and 2^-62 together.
 *
 * The inverse of a slope is 2^138 / m at most. With a slope of 0 or next to it the ray so
 * leaves its way by less than 2^-138 2^38 m, which is in the margin. No number here is above
 * 2^126: d < 2^38 m (see max_coordinates), g <= 2^31 m; so none becomes infinite or NaN. None
 * that matters is so small that it underflows: g / 64 is 2^-120 units or more.
 */
struct BoxRay {
  int axis;      ///< the world's axis that is z here
  int nearer[3]; ///< the rows of planes that the ray meets first, along x, y and z
  float origin[3];
  float inverse[3];  ///< slopes of z over x, y and z, in units of height by metre
  float least, most; ///< heights of all hits that count
};

/** \brief The world's axis that is one of a box ray's. */
PCL_GPU_HOST_DEVICE int
worldAxis(int z_axis, int i)
{
  return (z_axis + 1 + i) % 3;
}

/** \brief What an array has for a box ray's axis i, a constant. */
PCL_GPU_HOST_DEVICE float
along(const BoxRay& ray, int i, const float (&of_world)[3])
{
  // Selected, not indexed: they stay in registers.
  return ray.axis == 0   ? of_world[(1 + i) % 3]
         : ray.axis == 1 ? of_world[(2 + i) % 3]
                         : of_world[i];
}

/** \brief The height of a distance along a ray, in metres; those of triangles are less than
 * 1e12. */
PCL_GPU_HOST_DEVICE float
boundedHeight(const RayFrame& frame, float distance)
{
  return lesser(greater(distance * frame.length, -1e30f), 1e30f);
}

/** \brief The height above which all hits have more than a distance. */
PCL_GPU_HOST_DEVICE float
leastHeight(const RayFrame& frame, float distance)
{
  const float z = boundedHeight(frame, distance);
  return (z - (fabsf(z) * 0x1p-21f + 1e-37f)) * heights_per_metre;
}

/** \brief The height below which all hits have at most a distance. */
PCL_GPU_HOST_DEVICE float
mostHeight(const RayFrame& frame, float distance)
{
  const float z = boundedHeight(frame, distance);
  return (z + (fabsf(z) * 0x1p-21f + 1e-37f)) * heights_per_metre;
}

PCL_GPU_HOST_DEVICE BoxRay
makeBoxRay(const RayFrame& frame)
{
  constexpr float largest_inverse = 0x1p78f;
  const float slopes[3] = {
      frame.slope_x * frame.z_sign, frame.slope_y * frame.z_sign, frame.z_sign};
  const float origin[3] = {frame.origin.x, frame.origin.y, frame.origin.z};
  // x and y of the ray's frame follow z in either order.
  const bool swapped = frame.z_sign < 0.0f;
  BoxRay ray;
  ray.axis = frame.z;
  for (int i = 0; i < 3; ++i) {
    const int from = i == 2 || !swapped ? i : 1 - i;
    const float inverse =
        lesser(heights_per_metre / fabsf(slopes[from]), largest_inverse);
    const bool mirrored = slopes[from] < 0.0f;
    ray.nearer[i] = 2 * worldAxis(frame.z, i) + (mirrored ? 1 : 0);
    ray.origin[i] = origin[from];
    ray.inverse[i] = mirrored ? -inverse : inverse;
  }
  ray.least = leastHeight(frame, frame.nearest);
  ray.most = mostHeight(frame, frame.farthest);
  return ray;
}

/** \brief What planeNumber() returns for plane 0. */
#if defined(__CUDA_ARCH__)
constexpr float first_plane = 32768.0f;
#else
constexpr float first_plane = 0.0f;
#endif

/** \brief A byte as a float that is larger by first_plane. */
PCL_GPU_HOST_DEVICE float
planeNumber(const PlaneRow& planes, int child)
{
#if defined(__CUDA_ARCH__)
  // In the middle of the bits of 2^15: a permutation is faster than a conversion.
  const auto* const words = reinterpret_cast<const std::uint32_t*>(planes.of);
  return __uint_as_float(
      __byte_perm(words[child / 4], 0x47000000u, 0x7404u | (child % 4) << 4));
#else
  return static_cast<float>(planes.of[child]);
#endif
}

/** \brief a * b + c, rounded once on a CUDA device. */
PCL_GPU_HOST_DEVICE float
multiplyAdd(float a, float b, float c)
{
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return a * b + c;
#endif
}

/** \brief Heights at which a ray passes a node's planes across an axis: a step for each
 * number, and what the numbers count from, less and more a margin. */
struct PlaneHeights {
  float step, lower, upper;
};

PCL_GPU_HOST_DEVICE PlaneHeights
planeHeights(const NodeGrid& grid, const BoxRay& ray, int i)
{
  std::uint32_t exponents;
  memcpy(&exponents, grid.exponent, sizeof(exponents));
  const float steps[3] = {asFloat(exponents << 23 & 0x7f800000u),
                          asFloat(exponents << 15 & 0x7f800000u),
                          asFloat(exponents << 7 & 0x7f800000u)};
  constexpr float margin = 0x1p-19f;
  const float step = along(ray, i, steps) * ray.inverse[i];
  const float height = (along(ray, i, grid.origin) - ray.origin[i]) * ray.inverse[i];
  const float lower = multiplyAdd(fabsf(height), -margin, height);
  const float upper = multiplyAdd(fabsf(height), margin, height);
  return {step,
          multiplyAdd(step, -first_plane, lower),
          multiplyAdd(step, -first_plane, upper)};
}

/** \brief The sign bits of eight numbers, the first one last. */
PCL_GPU_HOST_DEVICE std::uint32_t
signBits(const std::uint32_t (&numbers)[node_width])
{
  std::uint32_t bits = 0;
#if defined(__CUDA_ARCH__)
  for (int i = node_width - 1; i >= 0; --i)
    bits = __funnelshift_l(numbers[i], bits, 1);
#else
  for (int i = 0; i < node_width; ++i)
    bits |= numbers[i] >> 31 << i;
#endif
  return bits;
}

/** \brief The children that a ray may hit something in: a bit for each.
 * \param[out] heights at which the ray comes to their lower planes of z
 */
PCL_GPU_HOST_DEVICE std::uint32_t
hitChildren(const WideNode& node, const BoxRay& ray, float (&heights)[node_width])
{
  const NodeGrid grid = node.grid;
  PlaneHeights at[3];
  PlaneRow nearer[3], farther[3];
  for (int i = 0; i < 3; ++i) {
    at[i] = planeHeights(grid, ray, i);
    nearer[i] = node.planes[ray.nearer[i]];
    farther[i] = node.planes[ray.nearer[i] ^ 1];
  }
  std::uint32_t missed[node_width]; // the sign bits
  PCL_GPU_SIDE_BY_SIDE
  for (int child = 0; child < node_width; ++child) {
    float from[3], to[3];
    for (int i = 0; i < 3; ++i) {
      from[i] = multiplyAdd(at[i].step, planeNumber(nearer[i], child), at[i].lower);
      to[i] = multiplyAdd(at[i].step, planeNumber(farther[i], child), at[i].upper);
    }
    const float first = greater(greater(from[0], from[1]), from[2]);
    const float last = lesser(lesser(to[0], to[1]), to[2]);
    // Signs of differences take fewer instructions than comparisons.
    missed[child] =
        asBits(last - first) | asBits(ray.most - from[2]) | asBits(to[2] - ray.least);
    heights[child] = from[2];
  }
  return ~signBits(missed) & grid.children;
}

/** \brief The key of a child that a ray misses. */
constexpr std::uint32_t missed_child = 0xffffffffu;

/** \brief What children are ordered by: the height, rounded down to some bits. */
PCL_GPU_HOST_DEVICE std::uint32_t
childKey(float height, int child)
{
  // Below zero the order does not matter: such a box is as good as reached.
  return (asBits(greater(height, 0.0f)) & ~7u) | static_cast<std::uint32_t>(child);
}

/** \brief Whether nothing in a child can count any more. */
PCL_GPU_HOST_DEVICE bool
isBeyond(const BoxRay& ray, std::uint32_t key)
{
  return asFloat(key & ~7u) > greater(ray.most, 0.0f);
}

} // namespace device
} // namespace pcl
