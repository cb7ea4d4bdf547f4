// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy/hierarchy.h"
#include "hierarchy/hierarchy.hpp"

#include <pcl/gpu/utils/internal/device/whole_numbers.hpp>

#include <cstddef>

// Finds the hits of rays in a hierarchy, for kernels and loops that cast them. The
// answers are those of hitsTriangle() with all triangles, whatever order these are
// visited in.

/** \brief Compiles a host function with all that it calls for any processor and for
 * those with wider registers; which one runs is chosen when the library is loaded.
 *
 * Rays are scalar code of many branches: the compiler uses the wider registers for the
 * children of a node and the triangles of a leaf, where Highway's Lanes serve code that
 * is the same for all elements. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PCL_GPU_FOR_EACH_PROCESSOR                                                     \
  __attribute__((target_clones("avx2", "default"), flatten))
#else
#define PCL_GPU_FOR_EACH_PROCESSOR
#endif

namespace pcl::device {

/** \brief A child that waits to be visited. */
struct alignas(8) PendingChild {
  ChildKey key;
  std::uint32_t first_child; ///< of the same node
};

/** \brief A path down leaves at most seven children of every level behind. */
constexpr int max_pending_children = (node_width - 1) * max_levels;

PCL_GPU_HOST_DEVICE int
countBits(std::uint32_t bits)
{
#if defined(__CUDA_ARCH__)
  return __popc(bits);
#else
  return __builtin_popcount(bits);
#endif
}

PCL_GPU_HOST_DEVICE void
orderPair(ChildKey& a, ChildKey& b)
{
  const ChildKey least = a < b ? a : b;
  b = a < b ? b : a;
  a = least;
}

/** \brief Sorts eight keys by a network of 19 comparisons, without a branch. */
PCL_GPU_HOST_DEVICE void
orderKeys(ChildKey (&k)[node_width])
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

/** \brief Shows a visitor the hits of a ray in a leaf.
 * \return whether it has seen enough
 */
template <typename Visitor>
PCL_GPU_HOST_DEVICE bool
visitLeaf(const Leaf& leaf,
          const RayFrame& frame,
          Culling culling,
          BoxRay& ray,
          Visitor& visitor)
{
  std::uint32_t candidates = candidatesOf(leaf, frame);
  while (candidates != 0) {
    const int i = lowestBit(candidates);
    candidates &= candidates - 1;
    TriangleHit hit;
    if (hitsTriangleOf(leaf, i, frame, culling, hit) &&
        visitor(frame, ray, hit, leaf.ids[i]))
      return true;
  }
  return false;
}

/** \brief The number of no node and no leaf. */
constexpr std::uint32_t nothing = 0xffffffffu;

/** \brief Takes the next child that may count off a stack.
 * \return its number
 */
PCL_GPU_HOST_DEVICE std::uint32_t
popChild(const PendingChild* pending, int& count, const BoxRay& ray)
{
  while (count > 0) {
    const PendingChild child = pending[--count];
    if (!isBeyond(ray, child.key))
      return child.first_child + childNumber(child.key);
  }
  return nothing;
}

/** \brief Puts those children of a node on a stack that a ray hits, but the nearest.
 * \param[in] hits the children: a bit for each, one at least
 * \param[in] heights of the children
 * \return the number of the nearest
 */
PCL_GPU_HOST_DEVICE std::uint32_t
pushChildren(std::uint32_t first_child,
             std::uint32_t hits,
             const float (&heights)[node_width],
             PendingChild* pending,
             int& count)
{
  ChildKey keys[node_width];
  for (int i = 0; i < node_width; ++i)
    keys[i] = (hits >> i & 1u) != 0 ? childKey(heights[i], i) : missed_child;
  orderKeys(keys);
  count += countBits(hits) - 1;
  for (int i = 1; i < node_width; ++i)
    if (keys[i] != missed_child)
      pending[count - i] = {keys[i], first_child};
  return first_child + childNumber(keys[0]);
}

/** \brief Shows a visitor the hits of a ray, near ones rather first.
 *
 * The visitor takes a frame, the box ray, whose bounds it may draw in, a hit and the
 * triangle's id. It returns whether it has seen enough.
 *
 * Each turn visits a node if one is next, and then a leaf if one is: so the threads of
 * a warp come to nodes together, and to leaves.
 */
template <typename Visitor>
PCL_GPU_HOST_DEVICE void
visitNearestFirst(const Hierarchy& hierarchy,
                  const RayFrame& frame,
                  Culling culling,
                  Visitor& visitor)
{
  PendingChild pending[max_pending_children];
  int count = 0;
  BoxRay ray = makeBoxRay(frame);
  std::uint32_t next = 0;
  while (next != nothing) {
    if (next < hierarchy.first_leaf) {
      float heights[node_width];
      const std::uint32_t hits = hitChildren(hierarchy, next, ray, heights);
      next = hits != 0
                 ? pushChildren(node_width * next + 1, hits, heights, pending, count)
                 : popChild(pending, count, ray);
    }
    if (next >= hierarchy.first_leaf && next != nothing) {
      const Leaf& leaf = hierarchy.leaves[next - hierarchy.first_leaf];
      if (visitLeaf(leaf, frame, culling, ray, visitor))
        return;
      next = popChild(pending, count, ray);
    }
  }
}

/** \brief Children of one node that wait to be visited: a bit for each. */
struct PendingChildren {
  std::uint32_t first_child;
  std::uint32_t bits;

  /** \brief The number of the next child, which waits no longer. */
  PCL_GPU_HOST_DEVICE std::uint32_t
  take()
  {
    const std::uint32_t number = first_child + lowestBit(bits);
    bits &= bits - 1;
    return number;
  }
};

/** \brief Shows a visitor the hits of a ray, in any order.
 *
 * Without an order by distance a node is one entry of the stack, not up to eight.
 * Leaves wait beside the stack: each turn visits a node and a leaf, so that in a warp
 * no thread that has only one of both to visit holds up the others.
 */
template <typename Visitor>
PCL_GPU_HOST_DEVICE void
visitInAnyOrder(const Hierarchy& hierarchy,
                const RayFrame& frame,
                Culling culling,
                Visitor& visitor)
{
  PendingChildren pending[max_levels];
  int count = 0;
  PendingChildren next = {0u, 1u};
  PendingChildren leaves = {0u, 0u};
  BoxRay ray = makeBoxRay(frame);
  for (;;) {
    if (next.bits == 0 && count > 0)
      next = pending[--count];
    if (next.bits != 0 && next.first_child < hierarchy.first_leaf) {
      const std::uint32_t number = next.take();
      float heights[node_width];
      const std::uint32_t hits = hitChildren(hierarchy, number, ray, heights);
      if (hits != 0) {
        if (next.bits != 0)
          pending[count++] = next;
        next = {node_width * number + 1, hits};
      }
    }
    if (leaves.bits == 0 && next.first_child >= hierarchy.first_leaf) {
      leaves = next;
      next.bits = 0;
    }
    if (leaves.bits != 0) {
      const Leaf& leaf = hierarchy.leaves[leaves.take() - hierarchy.first_leaf];
      if (visitLeaf(leaf, frame, culling, ray, visitor))
        return;
    }
    else if (next.bits == 0 && count == 0) {
      return;
    }
  }
}

/** \brief Keeps the nearest hit, and of several at one distance that of the lowest
 * id. */
struct NearestHit {
  TriangleHit hit;
  std::uint32_t triangle;

  PCL_GPU_HOST_DEVICE bool
  operator()(const RayFrame& frame,
             BoxRay& ray,
             const TriangleHit& found,
             const std::uint32_t& id)
  {
    if (found.t < hit.t || (found.t == hit.t && id < triangle)) {
      hit = found;
      triangle = id;
      ray.most = mostHeight(frame, found.t);
    }
    return false;
  }
};

/** \brief The nearest hit of a ray; triangle -1 and NaN if there is none. */
PCL_GPU_HOST_DEVICE RayHit
closestHit(const Hierarchy& hierarchy, const Ray& ray, Culling culling)
{
  NearestHit nearest = {{HUGE_VALF, NAN, NAN}, nothing};
  RayFrame frame;
  if (makeRayFrame(ray, frame))
    visitNearestFirst(hierarchy, frame, culling, nearest);
  return {nearest.triangle == nothing ? NAN : nearest.hit.t,
          static_cast<int>(nearest.triangle),
          nearest.hit.u,
          nearest.hit.v};
}

/** \brief Returns whether a ray hits anything. */
PCL_GPU_HOST_DEVICE bool
anyHit(const Hierarchy& hierarchy, const Ray& ray, Culling culling)
{
  bool found = false;
  const auto visit = [&found](const auto&...) { return found = true; };
  RayFrame frame;
  if (makeRayFrame(ray, frame))
    visitInAnyOrder(hierarchy, frame, culling, visit);
  return found;
}

/** \brief The number of triangles that a ray hits. */
PCL_GPU_HOST_DEVICE int
countHits(const Hierarchy& hierarchy, const Ray& ray, Culling culling)
{
  int count = 0;
  const auto visit = [&count](const auto&...) {
    ++count;
    return false;
  };
  RayFrame frame;
  if (makeRayFrame(ray, frame))
    visitInAnyOrder(hierarchy, frame, culling, visit);
  return count;
}

/** \brief Returns whether a hit is listed before another one. */
PCL_GPU_HOST_DEVICE bool
comesBefore(const RayHit& hit, const RayHit& other)
{
  return hit.distance < other.distance ||
         (hit.distance == other.distance && hit.triangle < other.triangle);
}

/** \brief Writes the hits of a ray, in their order, and their place in the list. */
PCL_GPU_HOST_DEVICE void
listHitsOf(const ListTask& task, std::size_t ray)
{
  const std::uint64_t start = ray == 0 ? 0 : task.ends[ray - 1];
  RayHit* const list = task.hits + start;
  int count = 0;
  const auto insert = [list, &count](const RayFrame&,
                                     const BoxRay&,
                                     const TriangleHit& found,
                                     std::uint32_t id) {
    const RayHit hit = {found.t, static_cast<int>(id), found.u, found.v};
    int place = count++;
    for (; place > 0 && comesBefore(hit, list[place - 1]); --place)
      list[place] = list[place - 1];
    list[place] = hit;
    return false;
  };
  RayFrame frame;
  if (makeRayFrame(task.rays[ray], frame))
    visitInAnyOrder(task.hierarchy, frame, task.culling, insert);
  for (int i = 0; i < count; ++i)
    task.numbers[start + i] = static_cast<std::uint32_t>(ray);
  task.starts[ray] = static_cast<std::uint32_t>(start);
  if (ray + 1 == task.count)
    task.starts[task.count] = static_cast<std::uint32_t>(task.ends[ray]);
}

} // namespace pcl::device
