// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy/ray.hpp"

#include <cstdint>
// The triangles of a leaf, coordinate by coordinate: a ray takes the coordinates of its
// own frame's axes by their address, and looks at all triangles side by side.

namespace pcl::device {

constexpr int leaf_size = 4;

/** \brief One coordinate of one corner of each triangle. */
struct alignas(16) LeafRow {
  float of[leaf_size];
};

/** \brief Triangles in the world frame; all coordinates of an invisible one are NaN. */
struct Leaf {
  LeafRow corners[3][3]; ///< by axis; corner
  std::uint32_t ids[leaf_size];
};

static_assert(sizeof(Leaf) == 40 * leaf_size, "read and written in pieces of 16 bytes");

PCL_GPU_HOST_DEVICE void
setTriangle(Leaf& leaf, int i, const Triangle& triangle, std::uint32_t id)
{
  const Vector3 corners[3] = {triangle.a, triangle.b, triangle.c};
  for (int corner = 0; corner < 3; ++corner) {
    leaf.corners[0][corner].of[i] = corners[corner].x;
    leaf.corners[1][corner].of[i] = corners[corner].y;
    leaf.corners[2][corner].of[i] = corners[corner].z;
  }
  leaf.ids[i] = id;
}

/** \brief One triangle, axes in the order of a ray's frame. */
PCL_GPU_HOST_DEVICE Triangle
triangleOf(const LeafRow (&x)[3], const LeafRow (&y)[3], const LeafRow (&z)[3], int i)
{
  return {{x[0].of[i], y[0].of[i], z[0].of[i]},
          {x[1].of[i], y[1].of[i], z[1].of[i]},
          {x[2].of[i], y[2].of[i], z[2].of[i]}};
}

/** \brief The triangles that a ray may hit: a bit for each. */
PCL_GPU_HOST_DEVICE std::uint32_t
candidatesOf(const Leaf& leaf, const RayFrame& frame)
{
  LeafRow x[3], y[3], z[3];
  for (int corner = 0; corner < 3; ++corner) {
    x[corner] = leaf.corners[frame.x][corner];
    y[corner] = leaf.corners[frame.y][corner];
    z[corner] = leaf.corners[frame.z][corner];
  }
  std::uint32_t candidates = 0;
  for (int i = 0; i < leaf_size; ++i)
    candidates |= mayHitTriangle(shear(frame, triangleOf(x, y, z, i))) ? 1u << i : 0u;
  return candidates;
}

/** \brief The hit of a ray and one triangle of a leaf: hitsTriangle(). */
PCL_GPU_HOST_DEVICE bool
hitsTriangleOf(
    const Leaf& leaf, int i, const RayFrame& frame, Culling culling, TriangleHit& hit)
{
  const Triangle triangle = triangleOf(
      leaf.corners[frame.x], leaf.corners[frame.y], leaf.corners[frame.z], i);
  return hitsTriangle(frame, shear(frame, triangle), culling, hit);
}

} // namespace pcl::device

// A hierarchy of boxes over the triangles of a scene, in the world frame.
//
// The triangles are sorted along a Hilbert curve. Every four that follow each other are
// a leaf, every eight leaves that follow each other a node, every eight nodes a node of
// the level above, up to the root. The numbers alone say which node belongs to which:
// nodes are numbered level by level from the root, which is 0, and the children of node
// i are 8 i + 1 to 8 i + 8. So there is no topology to find: after the sort a level of
// boxes is a reduction of the level below, without atomic operations and in few
// kernels, where finding and fitting a binary radix tree (Karras 2012) takes longer
// than the sort does. Such a tree cuts where the curve makes its long steps; here the
// curve has to make none: in Hilbert's order rays visit 30 % fewer nodes than in
// Morton's (27 instead of 38 a ray between random points around the Stanford dragon,
// 871414 triangles). Eight bits an axis are enough for that mesh: with ten it is as
// many nodes, and 8 % fewer triangles.
//
// A node holds the boxes of its children in bytes: 64 bytes, half of a cache line.

// The children of a node are looked at in a loop: unrolled in a CUDA thread, and on the
// host in the lanes of vector registers.
#if defined(__CUDA_ARCH__)
#define PCL_GPU_FOR_ALL_CHILDREN _Pragma("unroll")
#else
#define PCL_GPU_FOR_ALL_CHILDREN _Pragma("omp simd")
#endif

namespace pcl::device {

constexpr int node_width = 8;

/** \brief The levels of nodes over 2^31 triangles. */
constexpr int max_levels = 10;

/** \brief The grid of 256^3 that a node's boxes lie on.
 *
 * Along each axis the step is a power of two, 2^-54 at least, and the origin a multiple
 * of it that is exact in single precision.
 */
struct alignas(16) NodeGrid {
  float origin[3];
  /** \brief In the bytes from the lowest on: the exponents of 2^15 steps along x, y and
   * z, as the bits of a float have them; a bit for each child of the node that is not
   * empty. */
  std::uint32_t exponents_and_children;
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

// Rows are counted through all nodes, from the first one's grid on.
constexpr std::uint32_t first_row = sizeof(NodeGrid) / sizeof(PlaneRow);
constexpr std::uint32_t rows_of_node = sizeof(WideNode) / sizeof(PlaneRow);
static_assert(sizeof(PlaneRow) == node_width && rows_of_node == 8, "no gaps");

/** \brief A hierarchy that rays are cast at. */
struct Hierarchy {
  const WideNode* nodes;
  const Leaf* leaves;
  std::uint32_t first_leaf; ///< numbers from here on are those of leaves
};

/** \brief Heights are counted in units of 2^60 metres: floats then hold the inverse of
 * every slope that matters. */
constexpr float heights_per_metre = 0x1p-60f;

/** \brief A ray as boxes see it.
 *
 * Its z axis is the axis of the world that it runs along most, and points its way; x
 * and y are the two that follow. A plane across an axis is given by the height z at
 * which the ray passes through it: (p - o) / slope. A box is hit if the ray is between
 * its planes of all three axes at some height, and if the bounds of the ray leave
 * something of the box between its planes of z. The bounds say nothing of x and y: the
 * distance that hitsTriangle() computes can lie anywhere between those of the vertices.
 *
 * No box is left out in which hitsTriangle() finds a hit. Let X, Y and Z be the
 * coordinates of the vertices relative to the ray's origin, s and r the slopes of x and
 * y over z, and u = 2^-24.
 *
 * The sheared x of a vertex is fl(fl(X) - fl(s fl(Z))): it is X - s Z but for an error
 * below 2u |X| + 3u |s Z|. If the vertices have weights, not negative, whose weighted
 * sums of the sheared x and of y are 0, then at z, the weighted sum of Z, the ray is in
 * the triangle but for errors of that size. There are such weights: the areas, whose
 * signs are right where their magnitude is above 2^-150. If one of them is above
 * 2^-125, those with a wrong sign may be taken for 0: that moves x by less than u |x|.
 * If none is, either all |x| (or all
 * |y|) are below 2^-62, which is less than the margin of their axis, so that only y (or
 * x) matters, and has weights since it was found to straddle zero. Or the line between
 * the vertices with the least and the greatest x passes x = 0 at |y| < 2^-125 / 2^-62,
 * which is in the margin, too.
 *
 * So there is a z at which the ray is at most e = 4u |X| + 5u |s Z| away from the
 * triangle's box along x, and the same along y. |Z| is below |z| plus the triangle's
 * extent, by 2^-21 of which the box was made larger; and |s z| is at most |X| + e. What
 * is left of e is less than 10u |X|, with |X| < |d| + 257 g, where d is the distance to
 * the grid's origin and g its step. Rounding on the way to (d + q g) / s, where q is
 * the number of a plane, adds 7u |d| and, because q is counted from 2^15, 2^-8 g.
 * Margins of 2^-19 |d| and of g / 64, which the planes keep from the box, are more than
 * all this and 2^-62 together.
 *
 * The inverse of a slope is 2^138 / m at most. With a slope of 0 or next to it the ray
 * so leaves its way by less than 2^-138 2^38 m, which is in the margin. No number here
 * is above 2^126: d < 2^38 m (see max_coordinates), g <= 2^31 m; so none becomes
 * infinite or NaN. None that matters is so small that it underflows: g / 64 is 2^-120
 * units or more.
 */
struct BoxRay {
  int axis;                 ///< the world's axis that is z here
  std::uint32_t byte_order; ///< x, y and z of the world's axes, see permuteBytes()
  /** \brief Rows of a node that have the planes which the ray meets first, along x, y,
   * z. */
  std::uint32_t nearer[3];
  Vector3 origin;
  Vector3 inverse;   ///< slopes of z over x, y and z, in units of height by metre
  float least, most; ///< heights of all hits that count
};

/** \brief Coordinates in the order of a box ray's axes. */
PCL_GPU_HOST_DEVICE Vector3
inOrderOf(const BoxRay& ray, const Vector3& v)
{
  return {ray.axis == 0   ? v.y
          : ray.axis == 1 ? v.z
                          : v.x,
          ray.axis == 0   ? v.z
          : ray.axis == 1 ? v.x
                          : v.y,
          component(v, ray.axis)};
}

/** \brief The bytes of a word in an order of which each has four bits. */
PCL_GPU_HOST_DEVICE std::uint32_t
permuteBytes(std::uint32_t word, std::uint32_t order)
{
#if defined(__CUDA_ARCH__)
  return __byte_perm(word, 0, order);
#else
  std::uint32_t permuted = 0;
  for (int i = 0; i < 4; ++i)
    permuted |= (word >> 8 * (order >> 4 * i & 3u) & 0xffu) << 8 * i;
  return permuted;
#endif
}

/** \brief The height of a distance along a ray, in metres; those of triangles are less
 * than 1e12. */
PCL_GPU_HOST_DEVICE float
boundedHeight(const RayFrame& frame, float distance)
{
  return minimum(maximum(distance * frame.length, -1e30f), 1e30f);
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

/** \brief The inverse of a slope, of heights over metres. */
PCL_GPU_HOST_DEVICE float
boundedInverse(float slope)
{
  const float inverse = minimum(heights_per_metre / fabsf(slope), 0x1p78f);
  return slope < 0.0f ? -inverse : inverse;
}

/** \brief The row of planes across an axis that a ray meets first. */
PCL_GPU_HOST_DEVICE std::uint32_t
nearerRow(int axis, float inverse)
{
  return first_row + 2 * axis + (inverse < 0.0f ? 1 : 0);
}

PCL_GPU_HOST_DEVICE BoxRay
makeBoxRay(const RayFrame& frame)
{
  // Of a frame that looks down x and y follow z in the other order.
  const bool swapped = frame.z_sign < 0.0f;
  BoxRay ray;
  ray.axis = frame.z;
  ray.byte_order = frame.z == 0 ? 0x3021u : frame.z == 1 ? 0x3102u : 0x3210u;
  ray.origin =
      swapped ? Vector3{frame.origin.y, frame.origin.x, frame.origin.z} : frame.origin;
  const float x = swapped ? frame.slope_y : frame.slope_x;
  const float y = swapped ? frame.slope_x : frame.slope_y;
  ray.inverse = {boundedInverse(frame.z_sign * x),
                 boundedInverse(frame.z_sign * y),
                 boundedInverse(frame.z_sign)};
  ray.nearer[0] = nearerRow(frame.z == 2 ? 0 : frame.z + 1, ray.inverse.x);
  ray.nearer[1] = nearerRow(frame.z == 0 ? 2 : frame.z - 1, ray.inverse.y);
  ray.nearer[2] = nearerRow(frame.z, ray.inverse.z);
  ray.least = leastHeight(frame, frame.nearest);
  ray.most = mostHeight(frame, frame.farthest);
  return ray;
}

/** \brief The planes of eight boxes on one side, in registers. */
#if defined(__CUDA_ARCH__)
using LoadedPlanes = uint2;
#else
struct LoadedPlanes {
  float of[node_width];
};
#endif

PCL_GPU_HOST_DEVICE LoadedPlanes
loadPlanes(const PlaneRow& planes)
{
#if defined(__CUDA_ARCH__)
  return *reinterpret_cast<const uint2*>(planes.of);
#else
  // In two steps: a loop over bytes gets vectors of eight of them, and so of two
  // floats.
  LoadedPlanes loaded;
  std::int32_t numbers[node_width];
  for (int i = 0; i < node_width; ++i)
    numbers[i] = planes.of[i];
  PCL_GPU_FOR_ALL_CHILDREN
  for (int i = 0; i < node_width; ++i)
    loaded.of[i] = static_cast<float>(numbers[i]);
  return loaded;
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

/** \brief Heights at which a ray passes a node's planes across an axis. */
struct PlaneHeights {
  float many_steps;   ///< 2^15 steps, in metres
  float scale;        ///< factor of planeAt()
  float lower, upper; ///< heights that it counts from, less and more a margin
};

/**
 * \param[in] many_steps 2^15 of the grid, in metres
 * \param[in] origin of the grid, from the ray's
 * \param[in] inverse of the ray along this axis
 */
PCL_GPU_HOST_DEVICE PlaneHeights
planeHeights(float many_steps, float origin, float inverse)
{
  constexpr float margin = 0x1p-19f;
  const float height = origin * inverse;
  const float lower = multiplyAdd(fabsf(height), -margin, height);
  const float upper = multiplyAdd(fabsf(height), margin, height);
#if defined(__CUDA_ARCH__)
  return {many_steps,
          inverse,
          multiplyAdd(many_steps, -inverse, lower),
          multiplyAdd(many_steps, -inverse, upper)};
#else
  return {many_steps, 0x1p-15f * many_steps * inverse, lower, upper};
#endif
}

/** \brief The height of a plane, from \a lower or \a upper of \a heights. */
PCL_GPU_HOST_DEVICE float
planeAt(const PlaneHeights& heights, const LoadedPlanes& planes, int child, float from)
{
#if defined(__CUDA_ARCH__)
  // The number becomes bits 8 to 15 of 2^15 steps, which so are as many steps more: to
  // permute bytes is faster than to convert them.
  const std::uint32_t word = child < 4 ? planes.x : planes.y;
  const float steps = __uint_as_float(__byte_perm(
      word, __float_as_uint(heights.many_steps), 0x7604u | (child % 4) << 4));
#else
  const float steps = planes.of[child];
#endif
  return multiplyAdd(steps, heights.scale, from);
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
 * \param[in] number of the node
 * \param[out] heights at which the ray comes to their lower planes of z
 */
PCL_GPU_HOST_DEVICE std::uint32_t
hitChildren(const Hierarchy& hierarchy,
            std::uint32_t number,
            const BoxRay& ray,
            float (&heights)[node_width])
{
  const NodeGrid grid = hierarchy.nodes[number].grid;
  const auto* const rows = reinterpret_cast<const PlaneRow*>(hierarchy.nodes);
  LoadedPlanes nearer[3], farther[3];
  for (int i = 0; i < 3; ++i) {
    nearer[i] = loadPlanes(rows[rows_of_node * number + ray.nearer[i]]);
    farther[i] = loadPlanes(rows[rows_of_node * number + (ray.nearer[i] ^ 1u)]);
  }
  const std::uint32_t exponents =
      permuteBytes(grid.exponents_and_children, ray.byte_order);
  const Vector3 many_steps = {floatOf(exponents << 23 & 0x7f800000u),
                              floatOf(exponents << 15 & 0x7f800000u),
                              floatOf(exponents << 7 & 0x7f800000u)};
  const Vector3 origin =
      inOrderOf(ray, {grid.origin[0], grid.origin[1], grid.origin[2]}) - ray.origin;
  const PlaneHeights at[3] = {planeHeights(many_steps.x, origin.x, ray.inverse.x),
                              planeHeights(many_steps.y, origin.y, ray.inverse.y),
                              planeHeights(many_steps.z, origin.z, ray.inverse.z)};
  std::uint32_t missed[node_width]; // the sign bits
  PCL_GPU_FOR_ALL_CHILDREN
  for (int child = 0; child < node_width; ++child) {
    float from[3], to[3];
    for (int i = 0; i < 3; ++i) {
      from[i] = planeAt(at[i], nearer[i], child, at[i].lower);
      to[i] = planeAt(at[i], farther[i], child, at[i].upper);
    }
    const float first = maximum(maximum(from[0], from[1]), from[2]);
    const float last = minimum(minimum(to[0], to[1]), to[2]);
    // Signs of differences take fewer instructions than comparisons.
    missed[child] =
        bitsOf(last - first) | bitsOf(ray.most - from[2]) | bitsOf(to[2] - ray.least);
    heights[child] = from[2];
  }
  return ~signBits(missed) & (exponents >> 24);
}

/** \brief Sort key of a child, less for nearer ones: the bits of a height, as a signed
 * number, but for the last three, which are the child's number.
 *
 * Heights below zero are out of order. It does not matter: such a box is as good as
 * reached.
 */
using ChildKey = std::int32_t;

PCL_GPU_HOST_DEVICE ChildKey
childKey(float height, int child)
{
  return static_cast<ChildKey>((bitsOf(height) & ~7u) |
                               static_cast<std::uint32_t>(child));
}

/** \brief The key of a child that a ray misses. */
constexpr ChildKey missed_child = 0x7fffffff;

PCL_GPU_HOST_DEVICE std::uint32_t
childNumber(ChildKey key)
{
  return static_cast<std::uint32_t>(key) & 7u;
}

/** \brief Returns whether nothing in a child can count any more. */
PCL_GPU_HOST_DEVICE bool
isBeyond(const BoxRay& ray, ChildKey key)
{
  return key > 0 && floatOf(static_cast<std::uint32_t>(key) & ~7u) > ray.most;
}

} // namespace pcl::device
