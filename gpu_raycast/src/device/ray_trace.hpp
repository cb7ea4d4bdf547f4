// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy.hpp"

#include <cstddef>

// What rays hit in a hierarchy, for kernels and loops that have rays to cast. The answers
// are those of hitsTriangle() with all triangles, whatever order these are visited in.

namespace pcl {
namespace device {

/** \brief A child that waits to be visited. */
struct PendingChild {
  std::uint32_t key;
  std::uint32_t number;
};

/** \brief A path down leaves at most seven children of every level behind. */
constexpr int max_pending_children = (node_width - 1) * max_levels + 1;

PCL_GPU_HOST_DEVICE void
orderPair(std::uint32_t& a, std::uint32_t& b)
{
  const std::uint32_t least = a < b ? a : b;
  b = a < b ? b : a;
  a = least;
}

/** \brief Sorts eight keys by a network of 19 comparisons, without a branch. */
PCL_GPU_HOST_DEVICE void
orderKeys(std::uint32_t (&k)[node_width])
{
  static_assert(node_width == 8, "the network is one for eight");
  orderPair(k[0], k[2]), orderPair(k[1], k[3]);
  orderPair(k[4], k[6]), orderPair(k[5], k[7]);
  orderPair(k[0], k[4]), orderPair(k[1], k[5]);
  orderPair(k[2], k[6]), orderPair(k[3], k[7]);
  orderPair(k[0], k[1]), orderPair(k[2], k[3]);
  orderPair(k[4], k[5]), orderPair(k[6], k[7]);
  orderPair(k[2], k[4]), orderPair(k[3], k[5]);
  orderPair(k[1], k[4]), orderPair(k[3], k[6]);
  orderPair(k[1], k[2]), orderPair(k[3], k[4]), orderPair(k[5], k[6]);
}

/** \brief Shows a visitor a leaf's triangles.
 * \return whether it has seen enough
 */
template <typename Visitor>
PCL_GPU_HOST_DEVICE bool
visitLeaf(const Hierarchy& hierarchy,
          std::uint32_t number,
          const RayFrame& frame,
          BoxRay& ray,
          Visitor& visitor)
{
  const LeafTriangle* const triangles =
      hierarchy.triangles +
      static_cast<std::size_t>(number - hierarchy.first_leaf) * leaf_size;
  for (int i = 0; i < leaf_size; ++i)
    if (visitor(frame, ray, triangles[i]))
      return true;
  return false;
}

/** \brief Shows a visitor the triangles that a ray may hit, near ones rather first.
 *
 * The visitor takes a frame, the box ray, whose bounds it may draw in, and a triangle. It
 * returns whether it has seen enough.
 */
template <typename Visitor>
PCL_GPU_HOST_DEVICE void
visitNearestFirst(const Hierarchy& hierarchy, const RayFrame& frame, Visitor& visitor)
{
  PendingChild pending[max_pending_children];
  BoxRay ray = makeBoxRay(frame);
  int count = 0;
  pending[count++] = {0u, 0u};
  for (;;) {
    // Down to a leaf, from the last child that waits.
    std::uint32_t number = 0;
    bool at_leaf = false;
    while (!at_leaf) {
      do {
        if (count == 0)
          return;
        --count;
      }
      while (isBeyond(ray, pending[count].key));
      number = pending[count].number;
      at_leaf = number >= hierarchy.first_leaf;
      if (!at_leaf) {
        std::uint32_t keys[node_width];
        testChildren(hierarchy.nodes[number], ray, keys);
        orderKeys(keys);
        const std::uint32_t first_child = node_width * number + 1;
        for (int i = node_width - 1; i >= 0; --i)
          if (keys[i] != missed_child)
            pending[count++] = {keys[i], first_child + (keys[i] & 7u)};
      }
    }
    if (visitLeaf(hierarchy, number, frame, ray, visitor))
      return;
  }
}

/** \brief Children of one node that wait to be visited: a bit for each. */
struct PendingChildren {
  std::uint32_t first_child;
  std::uint32_t bits;
};

PCL_GPU_HOST_DEVICE int
lowestBit(std::uint32_t bits)
{
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(bits)) - 1;
#else
  return __builtin_ctz(bits);
#endif
}

/** \brief Shows a visitor the triangles that a ray may hit, in the order of the curve.
 *
 * Without an order by distance a node is one entry of the stack, not up to eight.
 */
template <typename Visitor>
PCL_GPU_HOST_DEVICE void
visitInAnyOrder(const Hierarchy& hierarchy, const RayFrame& frame, Visitor& visitor)
{
  PendingChildren pending[max_levels];
  BoxRay ray = makeBoxRay(frame);
  int count = 0;
  PendingChildren current = {0u, 1u};
  for (;;) {
    std::uint32_t number = 0;
    bool at_leaf = false;
    while (!at_leaf) {
      while (current.bits == 0) {
        if (count == 0)
          return;
        current = pending[--count];
      }
      number = current.first_child + lowestBit(current.bits);
      current.bits &= current.bits - 1;
      at_leaf = number >= hierarchy.first_leaf;
      if (!at_leaf) {
        std::uint32_t keys[node_width];
        testChildren(hierarchy.nodes[number], ray, keys);
        if (current.bits != 0)
          pending[count++] = current;
        current = {node_width * number + 1, 0u};
        for (int i = 0; i < node_width; ++i)
          current.bits |= (keys[i] != missed_child ? 1u : 0u) << i;
      }
    }
    if (visitLeaf(hierarchy, number, frame, ray, visitor))
      return;
  }
}

PCL_GPU_HOST_DEVICE Triangle
cornersOf(const LeafTriangle& triangle)
{
  return {{triangle.a.x, triangle.a.y, triangle.a.z},
          {triangle.b.x, triangle.b.y, triangle.b.z},
          {triangle.c.x, triangle.c.y, triangle.c.z}};
}

/** \brief Keeps the nearest hit, and of several at one distance that of the lowest id. */
struct NearestHit {
  HitSides sides;
  TriangleHit hit;
  std::uint32_t triangle;

  PCL_GPU_HOST_DEVICE bool
  operator()(const RayFrame& frame, BoxRay& ray, const LeafTriangle& candidate)
  {
    TriangleHit found;
    if (!hitsTriangle(frame, cornersOf(candidate), sides, found) || found.t > hit.t)
      return false;
    const std::uint32_t id = asBits(candidate.a.w);
    if (found.t < hit.t || id < triangle) {
      hit = found;
      triangle = id;
      ray.most = mostHeight(frame, found.t);
    }
    return false;
  }
};

struct SomeHit {
  HitSides sides;
  bool found;

  PCL_GPU_HOST_DEVICE bool
  operator()(const RayFrame& frame, BoxRay&, const LeafTriangle& candidate)
  {
    TriangleHit hit;
    found = hitsTriangle(frame, cornersOf(candidate), sides, hit);
    return found;
  }
};

struct HitCount {
  HitSides sides;
  int count;

  PCL_GPU_HOST_DEVICE bool
  operator()(const RayFrame& frame, BoxRay&, const LeafTriangle& candidate)
  {
    TriangleHit hit;
    if (hitsTriangle(frame, cornersOf(candidate), sides, hit))
      ++count;
    return false;
  }
};

/** \brief The nearest hit of a ray; triangle -1 and NaN if there is none. */
PCL_GPU_HOST_DEVICE RayHit
closestHit(const Hierarchy& hierarchy, const Ray& ray, HitSides sides)
{
  constexpr std::uint32_t none = 0xffffffffu;
  NearestHit nearest = {sides, {HUGE_VALF, NAN, NAN}, none};
  RayFrame frame;
  if (makeRayFrame(ray, frame))
    visitNearestFirst(hierarchy, frame, nearest);
  return {nearest.triangle == none ? NAN : nearest.hit.t,
          static_cast<int>(nearest.triangle),
          nearest.hit.u,
          nearest.hit.v};
}

/** \brief Whether a ray hits anything. */
PCL_GPU_HOST_DEVICE bool
anyHit(const Hierarchy& hierarchy, const Ray& ray, HitSides sides)
{
  SomeHit some = {sides, false};
  RayFrame frame;
  if (makeRayFrame(ray, frame))
    visitInAnyOrder(hierarchy, frame, some);
  return some.found;
}

/** \brief The number of triangles that a ray hits. */
PCL_GPU_HOST_DEVICE int
countHits(const Hierarchy& hierarchy, const Ray& ray, HitSides sides)
{
  HitCount hits = {sides, 0};
  RayFrame frame;
  if (makeRayFrame(ray, frame))
    visitInAnyOrder(hierarchy, frame, hits);
  return hits.count;
}

} // namespace device
} // namespace pcl
