// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "hierarchy/cuda_boxes.cuh"
#include "hierarchy/hierarchy.h"

#include <pcl/gpu/utils/device/cuda_check.h>
#include <pcl/gpu/utils/internal/device/cuda_launch.cuh>

#include <algorithm>

namespace pcl::device::cuda {

namespace {

constexpr int threads = 256;
constexpr int warps = threads / warp_size;

// A node of the lowest level has a warp's worth of triangles, and the node above it a
// block's worth: the warps' nodes.
static_assert(leaf_size * node_width == warp_size, "one triangle a lane");
static_assert(warps == node_width, "one node a warp, and one above");

/** \brief The lanes of a warp that make a node: four for each child, one an axis. */
constexpr int lanes_of_child = warp_size / node_width;
static_assert(lanes_of_child == 4, "see everyFourthBit()");

/** \brief The leaves of a warp, in pieces that a lane writes at once. */
union WarpLeaves {
  Leaf leaves[node_width];
  uint4 pieces[node_width * sizeof(Leaf) / 16];
};

/** \brief Finds the box around the middles of all visible triangles.
 * \param[out] partial one for each block; the first becomes that of all
 */
__global__ void
__launch_bounds__(threads) findMiddles(const __grid_constant__ WorldTriangles world,
                                       Box* partial,
                                       unsigned int* ticket)
{
  waitForPreviousKernel();
  Box box = emptyBox();
  for (std::uint64_t id = blockIdx.x * threads + threadIdx.x; id < world.count;
       id += gridDim.x * threads)
    includeMiddle(box, world, static_cast<std::uint32_t>(id));
  Box all;
  if (uniteOverGrid<threads>(box, partial, ticket, all) && threadIdx.x == 0)
    partial[0] = all;
}

__global__ void
__launch_bounds__(threads) writeKeys(const __grid_constant__ WorldTriangles world,
                                     const Box* middles,
                                     int bits,
                                     std::uint32_t* keys,
                                     std::uint32_t* ids)
{
  waitForPreviousKernel();
  const std::uint64_t i =
      static_cast<std::uint64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i >= world.count)
    return;
  const auto id = static_cast<std::uint32_t>(i);
  keys[id] = sortKey(world, id, *middles, bits);
  ids[id] = id;
}

/** \brief Bits 0, 4, 8 and so on to 28, side by side. */
__device__ std::uint32_t
everyFourthBit(std::uint32_t bits)
{
  bits &= 0x11111111u;
  bits = (bits | bits >> 3) & 0x03030303u;
  bits = (bits | bits >> 6) & 0x000f000fu;
  return (bits | bits >> 12) & 0xffu;
}

/** \brief Writes a node by the lanes of a warp.
 * \param[in] child box of the child lane / 4; empty if there is none
 * \return the node's box, in all lanes
 */
__device__ Box
writeNode(const Box& child, int lane, WideNode* node)
{
  // A lane's part of the word of exponents, in the lowest bytes, and children, in the
  // last.
  std::uint32_t part = everyFourthBit(__ballot_sync(all_lanes, !isEmpty(child))) << 24;
  const Box all = unite(child, lanes_of_child, warp_size / 2);
  const int axis = lane % lanes_of_child;
  if (axis < 3) {
    // Selected, not indexed: the boxes stay in registers.
    const auto onAxis = [axis](const float(&bound)[3]) {
      return axis == 0 ? bound[0] : axis == 1 ? bound[1] : bound[2];
    };
    const GridAxis grid =
        makeNodeAxis(onAxis(all.least), onAxis(all.most), axis, *node);
    makeNodePlanes(grid,
                   onAxis(child.least),
                   onAxis(child.most),
                   axis,
                   lane / lanes_of_child,
                   *node);
    part = (grid.exponent + 15) << 8 * axis;
  }
  part |= __shfl_xor_sync(all_lanes, part, 1);
  part |= __shfl_xor_sync(all_lanes, part, 2);
  if (lane == 0)
    node->grid.exponents_and_children = part;
  return all;
}

/** \brief Copies leaves by the lanes of a warp. */
__device__ void
writeLeaves(const WarpLeaves& from, int lane, Leaf* to)
{
  constexpr int pieces = sizeof(WarpLeaves) / sizeof(uint4);
  for (int i = lane; i < pieces; i += warp_size)
    reinterpret_cast<uint4*>(to)[i] = from.pieces[i];
}

/** \brief Writes the leaves and the nodes of the two lowest levels.
 * \param[out] boxes of the upper of the two, one a block
 */
__global__ void
__launch_bounds__(threads)
    writeLowestNodes(const __grid_constant__ BuildTask task, Box* boxes)
{
  waitForPreviousKernel();
  __shared__ Box of_warps[warps];
  __shared__ WarpLeaves leaves_of_warps[warps];
  const int lane = threadIdx.x % warp_size;
  const int warp = threadIdx.x / warp_size;
  const std::uint64_t slot =
      static_cast<std::uint64_t>(blockIdx.x) * threads + threadIdx.x;
  Box box = emptyBox();
  // Slots are filled to whole warps: a warp is here as a whole or not at all.
  if (slot < task.size.leaf_slots) {
    const std::uint32_t id =
        slot < task.world.count ? task.sorted_ids[slot] : task.world.count;
    WarpLeaves& own = leaves_of_warps[warp];
    box = makeLeafTriangle(
        task.world, id, own.leaves[lane / leaf_size], lane % leaf_size);
    __syncwarp();
    writeLeaves(own, lane, task.leaves + slot / warp_size * node_width);
    const Box leaf = unite(box, 1, lanes_of_child / 2);
    box =
        writeNode(leaf, lane, task.nodes + task.size.firstNodeAt(0) + slot / warp_size);
  }
  if (task.size.levels == 1)
    return;
  if (lane == 0)
    of_warps[warp] = box;
  __syncthreads();
  if (warp > 0)
    return;
  const Box all = writeNode(of_warps[lane / lanes_of_child],
                            lane,
                            task.nodes + task.size.firstNodeAt(1) + blockIdx.x);
  if (lane == 0)
    boxes[blockIdx.x] = all;
}

/** \brief Children that a block of the kernel below starts from: three levels of
 * nodes. */
constexpr int block_children = node_width * node_width * node_width;

/** \brief Writes the nodes of up to three levels.
 * \param[in] level the lowest of them
 * \param[in] children boxes of the level below
 * \param[out] boxes of the uppermost of three levels, one a block
 */
__global__ void
__launch_bounds__(threads) writeUpperNodes(HierarchySize size,
                                           WideNode* nodes,
                                           int level,
                                           const Box* children,
                                           std::uint32_t child_count,
                                           Box* boxes)
{
  waitForPreviousKernel();
  __shared__ Box of_children[block_children];
  __shared__ Box of_nodes[block_children / node_width];
  const std::uint32_t first = blockIdx.x * block_children;
  for (int i = threadIdx.x; i < block_children; i += threads)
    of_children[i] = first + i < child_count ? children[first + i] : emptyBox();
  __syncthreads();

  const int lane = threadIdx.x % warp_size;
  const int warp = threadIdx.x / warp_size;
  Box* from = of_children;
  Box* to = of_nodes;
  int count = block_children / node_width;
  for (int i = level; i < level + 3 && i < size.levels; ++i, count /= node_width) {
    const std::uint32_t first_node = blockIdx.x * count;
    const std::uint32_t node_count = size.nodesAt(i);
    for (int node = warp; node < count; node += warps) {
      Box box = emptyBox();
      if (first_node + node < node_count)
        box = writeNode(from[node * node_width + lane / lanes_of_child],
                        lane,
                        nodes + size.firstNodeAt(i) + first_node + node);
      if (lane == 0)
        to[node] = box;
    }
    __syncthreads();
    Box* const freed = from;
    from = to;
    to = freed;
  }
  if (threadIdx.x == 0 && level + 3 <= size.levels)
    boxes[blockIdx.x] = from[0];
}

std::uint32_t
blocksFor(std::uint64_t count, std::uint64_t part)
{
  return static_cast<std::uint32_t>((count + part - 1) / part);
}

} // namespace

void
makeKeys(const BuildTask& task, cudaStream_t stream)
{
  const std::uint32_t blocks = blocksFor(task.world.count, threads);
  if (blocks == 0)
    return;
  launchOverlapping("findMiddles",
                    std::min<std::uint32_t>(blocks, most_partial_boxes),
                    threads,
                    stream)(findMiddles, task.world, task.boxes, task.counter);
  launchOverlapping("writeKeys", blocks, threads, stream)(
      writeKeys, task.world, task.boxes, task.key_bits, task.keys, task.ids);
}

void
makeHierarchy(const BuildTask& task, cudaStream_t stream)
{
  // The boxes of level 1; behind them come those of level 4, and those of level 7.
  std::uint32_t count = blocksFor(task.size.leaf_slots, threads);
  Box* boxes = task.boxes;
  launchOverlapping("writeLowestNodes", count, threads, stream)(
      writeLowestNodes, task, boxes);
  for (int level = 2; level < task.size.levels; level += 3) {
    const std::uint32_t blocks = blocksFor(count, block_children);
    Box* const above = boxes + count;
    launchOverlapping("writeUpperNodes", blocks, threads, stream)(
        writeUpperNodes, task.size, task.nodes, level, boxes, count, above);
    boxes = above;
    count = blocks;
  }
}

} // namespace pcl::device::cuda
