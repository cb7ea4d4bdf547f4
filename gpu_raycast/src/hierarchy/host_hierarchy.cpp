// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/hierarchy.h"
#include "hierarchy/ray_trace.hpp"

#include <algorithm>
#include <numeric>

namespace pcl::device::host {

namespace {

/** \brief Rays that a thread takes at a time. */
constexpr std::size_t chunk = 512;

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
makeLowestNode(const BuildTask& task, std::uint32_t number, WideNode& node)
{
  Box boxes[node_width];
  std::uint32_t slot = number * (leaf_size * node_width);
  for (int child = 0; child < node_width; ++child) {
    boxes[child] = emptyBox();
    for (int i = 0; i < leaf_size; ++i, ++slot) {
      const std::uint32_t id =
          slot < task.world.count ? task.sorted_ids[slot] : task.world.count;
      Leaf& leaf = task.leaves[number * node_width + child];
      include(boxes[child], makeLeafTriangle(task.world, id, leaf, i));
    }
  }
  return makeNode(boxes, node);
}

PCL_GPU_FOR_EACH_PROCESSOR void
answerSome(const QueryTask& task, std::size_t first, std::size_t last)
{
  for (std::size_t i = first; i < last; ++i)
    if (task.hits)
      task.hits[i] = closestHit(task.hierarchy, task.rays[i], task.culling);
    else if (task.occluded)
      task.occluded[i] = anyHit(task.hierarchy, task.rays[i], task.culling) ? 1 : 0;
    else
      task.counts[i] = countHits(task.hierarchy, task.rays[i], task.culling);
}

PCL_GPU_FOR_EACH_PROCESSOR void
countSome(const ListTask& task, std::size_t first, std::size_t last)
{
  for (std::size_t i = first; i < last; ++i)
    task.ends[i] = countHits(task.hierarchy, task.rays[i], task.culling);
}

PCL_GPU_FOR_EACH_PROCESSOR void
listSome(const ListTask& task, std::size_t first, std::size_t last)
{
  for (std::size_t i = first; i < last; ++i)
    listHitsOf(task, i);
}

/** \brief Calls a function with ranges of the rays of a task, by several threads. */
template <typename Task>
void
inChunks(const Task& task, void (*function)(const Task&, std::size_t, std::size_t))
{
  // Rays differ in cost.
#pragma omp parallel for schedule(dynamic)
  for (std::size_t first = 0; first < task.count; first += chunk)
    function(task, first, std::min(first + chunk, task.count));
}

} // namespace

void
makeKeys(const BuildTask& task)
{
  const Box middles = boxOfAll<includeMiddle>(task.world);
#pragma omp parallel for schedule(static)
  for (std::uint32_t id = 0; id < task.world.count; ++id) {
    task.keys[id] = sortKey(task.world, id, middles, task.key_bits);
    task.ids[id] = id;
  }
}

void
makeHierarchy(const BuildTask& task)
{
  const HierarchySize& size = task.size;
  WideNode* const lowest = task.nodes + size.firstNodeAt(0);
  const std::uint32_t count = size.nodesAt(0);
#pragma omp parallel for schedule(static)
  for (std::uint32_t i = 0; i < count; ++i)
    task.boxes[i] = makeLowestNode(task, i, lowest[i]);

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
answerRays(const QueryTask& task)
{
  inChunks(task, &answerSome);
}

std::size_t
endsScratchBytes(std::size_t /*count*/)
{
  return 0;
}

void
findEnds(const ListTask& task)
{
  inChunks(task, &countSome);
  std::partial_sum(task.ends, task.ends + task.count, task.ends);
}

void
listHits(const ListTask& task)
{
  inChunks(task, &listSome);
}

} // namespace pcl::device::host
