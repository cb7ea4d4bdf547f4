// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "processor_clones.h"
#include "query_driver.h"
#include "ray_trace.hpp"

#include <algorithm>
#include <cstring>

namespace pcl::device {

namespace {

/** \brief Rays that a thread takes at a time. */
constexpr std::size_t chunk = 512;

Box
middlesOf(const WorldTriangles& world)
{
  Box middles = emptyBox();
#pragma omp parallel
  {
    Box own = emptyBox();
#pragma omp for schedule(static) nowait
    for (std::uint32_t id = 0; id < world.count; ++id)
      includeMiddle(own, world, id);
#pragma omp critical
    include(middles, own);
  }
  return middles;
}

/** \brief Writes a node from its children's boxes. */
Box
makeNode(const Box (&children)[node_width], WideNode& node)
{
  Box all = emptyBox();
  for (const Box& child : children)
    include(all, child);
  std::uint32_t exponents_and_children = 0;
  for (int child = 0; child < node_width; ++child)
    exponents_and_children |= (isEmpty(children[child]) ? 0u : 1u) << (24 + child);
  for (int axis = 0; axis < 3; ++axis) {
    const GridAxis grid = makeNodeAxis(all.least[axis], all.most[axis], axis, node);
    exponents_and_children |= (grid.exponent + 15) << 8 * axis;
    for (int child = 0; child < node_width; ++child)
      makeNodePlanes(grid,
                     children[child].least[axis],
                     children[child].most[axis],
                     axis,
                     child,
                     node);
  }
  node.grid.exponents_and_children = exponents_and_children;
  return all;
}

/** \brief Writes a node of the lowest level and its triangles. */
Box
makeLowestNode(const BuildTask& task,
               const std::uint32_t* sorted_ids,
               std::uint32_t number,
               WideNode& node)
{
  Box boxes[node_width];
  std::uint32_t slot = number * (leaf_size * node_width);
  for (int child = 0; child < node_width; ++child) {
    boxes[child] = emptyBox();
    for (int i = 0; i < leaf_size; ++i, ++slot) {
      const std::uint32_t id =
          slot < task.world.count ? sorted_ids[slot] : task.world.count;
      Leaf& leaf = task.leaves[number * node_width + child];
      include(boxes[child], makeLeafTriangle(task.world, id, leaf, i));
    }
  }
  return makeNode(boxes, node);
}

PCL_GPU_FOR_EACH_PROCESSOR void
castSomeRays(const QueryTask& task, std::size_t first, std::size_t last, RayHit* hits)
{
  for (std::size_t i = first; i < last; ++i)
    hits[i] = closestHit(task.hierarchy, task.rays[i], task.sides);
}

PCL_GPU_FOR_EACH_PROCESSOR void
testSomeRays(const QueryTask& task,
             std::size_t first,
             std::size_t last,
             std::uint8_t* occluded)
{
  for (std::size_t i = first; i < last; ++i)
    occluded[i] = anyHit(task.hierarchy, task.rays[i], task.sides) ? 1 : 0;
}

PCL_GPU_FOR_EACH_PROCESSOR void
countSomeHits(const QueryTask& task, std::size_t first, std::size_t last, int* counts)
{
  for (std::size_t i = first; i < last; ++i)
    counts[i] = countHits(task.hierarchy, task.rays[i], task.sides);
}

/** \brief Calls a function for all rays, which differ in what they cost.
 * \param[in] answerSome takes the task, the first ray, the one behind the last, and answers
 */
template <typename Function, typename T>
void
answerRays(const QueryTask& task, const Function& answerSome, T* answers)
{
#pragma omp parallel for schedule(dynamic)
  for (std::size_t first = 0; first < task.count; first += chunk)
    answerSome(task, first, std::min(first + chunk, task.count), answers);
}

class HostRayQueryDriver : public RayQueryDriver {
public:
  void
  clear(void* memory, std::size_t bytes, Queue) const override
  {
    std::memset(memory, 0, bytes);
  }

  std::size_t
  boxCount(const HierarchySize& size) const override
  {
    return size.nodesAt(0);
  }

  void
  makeKeys(const BuildTask& task, Queue) const override
  {
    const Box middles = middlesOf(task.world);
#pragma omp parallel for schedule(static)
    for (std::uint32_t id = 0; id < task.world.count; ++id) {
      task.keys[id] = sortKey(task.world, id, middles, task.key_bits);
      task.ids[id] = id;
    }
  }

  void
  makeHierarchy(const BuildTask& task,
                const std::uint32_t* sorted_ids,
                Queue) const override
  {
    const HierarchySize& size = task.size;
    WideNode* const lowest = task.nodes + size.firstNodeAt(0);
    const std::uint32_t count = size.nodesAt(0);
#pragma omp parallel for schedule(static)
    for (std::uint32_t i = 0; i < count; ++i)
      task.boxes[i] = makeLowestNode(task, sorted_ids, i, lowest[i]);

    for (int level = 1; level < size.levels; ++level) {
      const std::uint32_t below = size.nodesAt(level - 1);
      const std::uint32_t here = size.nodesAt(level);
      WideNode* const nodes = task.nodes + size.firstNodeAt(level);
      // In order: a box takes the place of one that was used before.
      for (std::uint32_t i = 0; i < here; ++i) {
        const std::uint32_t first = node_width * i;
        Box children[node_width];
        for (int child = 0; child < node_width; ++child)
          children[child] =
              first + child < below ? task.boxes[first + child] : emptyBox();
        task.boxes[i] = makeNode(children, nodes[i]);
      }
    }
  }

  void
  castRays(const QueryTask& task, RayHit* hits, Queue) const override
  {
    answerRays(task, &castSomeRays, hits);
  }

  void
  testOcclusion(const QueryTask& task, std::uint8_t* occluded, Queue) const override
  {
    answerRays(task, &testSomeRays, occluded);
  }

  void
  countHits(const QueryTask& task, int* counts, Queue) const override
  {
    answerRays(task, &countSomeHits, counts);
  }
};

} // namespace

const RayQueryDriver&
hostRayQueryDriver()
{
  static const HostRayQueryDriver driver;
  return driver;
}

} // namespace pcl::device
