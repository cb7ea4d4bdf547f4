// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy/hierarchy.hpp"
#include "scene/surface.hpp"

#include <cstddef>

// The steps that make a hierarchy (see hierarchy.hpp), for one triangle, one child or
// one node.

namespace pcl::device {

/** \brief A box; empty if its bounds are not in order. */
struct Box {
  float least[3];
  float most[3];
};

PCL_GPU_HOST_DEVICE Box
emptyBox()
{
  return {{HUGE_VALF, HUGE_VALF, HUGE_VALF}, {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF}};
}

PCL_GPU_HOST_DEVICE bool
isEmpty(const Box& box)
{
  return !(box.least[0] <= box.most[0]);
}

PCL_GPU_HOST_DEVICE void
include(Box& box, const Box& other)
{
  for (int i = 0; i < 3; ++i) {
    box.least[i] = minimum(box.least[i], other.least[i]);
    box.most[i] = maximum(box.most[i], other.most[i]);
  }
}

PCL_GPU_HOST_DEVICE void
include(Box& box, const Vector3& v)
{
  include(box, Box{{v.x, v.y, v.z}, {v.x, v.y, v.z}});
}

PCL_GPU_HOST_DEVICE Box
boxOf(const Triangle& triangle)
{
  Box box = emptyBox();
  include(box, triangle.a);
  include(box, triangle.b);
  include(box, triangle.c);
  return box;
}

/** \brief Returns the middle of a box: the place of its triangle on the curve. */
PCL_GPU_HOST_DEVICE Vector3
middleOf(const Box& box)
{
  return {0.5f * box.least[0] + 0.5f * box.most[0],
          0.5f * box.least[1] + 0.5f * box.most[1],
          0.5f * box.least[2] + 0.5f * box.most[2]};
}

/** \brief Instances in the world frame, and the number of their triangles. */
struct WorldTriangles {
  const Instance* instances;
  int instance_count;
  std::uint32_t count;
};

/** \return false if the triangle is invisible */
PCL_GPU_HOST_DEVICE bool
loadTriangle(const WorldTriangles& world, std::uint32_t id, Triangle& triangle)
{
  if (id >= world.count)
    return false;
  const Instance& instance =
      world.instances[findInstance(world.instances, world.instance_count, id)];
  return loadIfExists(instance, id, triangle);
}

/** \brief Grows a box by a triangle, if that is visible. */
PCL_GPU_HOST_DEVICE void
includeTriangle(Box& box, const WorldTriangles& world, std::uint32_t id)
{
  Triangle triangle;
  if (loadTriangle(world, id, triangle))
    include(box, boxOf(triangle));
}

/** \brief Grows a box by the middle of a triangle, if that is visible. */
PCL_GPU_HOST_DEVICE void
includeMiddle(Box& box, const WorldTriangles& world, std::uint32_t id)
{
  Triangle triangle;
  if (loadTriangle(world, id, triangle))
    include(box, middleOf(boxOf(triangle)));
}

/** \brief Returns the box around all triangles, or their middles, on the host.
 * \tparam grow includeTriangle or includeMiddle
 */
template <auto grow>
Box
boxOfAll(const WorldTriangles& world)
{
  Box box = emptyBox();
#pragma omp parallel
  {
    Box own = emptyBox();
#pragma omp for schedule(static) nowait
    for (std::uint32_t id = 0; id < world.count; ++id)
      grow(own, world, id);
#pragma omp critical
    include(box, own);
  }
  return box;
}

/** \brief The cell that a coordinate lies in, of cells from the least to the most. */
PCL_GPU_HOST_DEVICE std::uint32_t
cellOf(float coordinate, float least, float cells_per_metre, std::uint32_t cells)
{
  const float cell = (coordinate - least) * cells_per_metre;
  const float last = static_cast<float>(cells - 1);
  return static_cast<std::uint32_t>(minimum(maximum(cell, 0.0f), last));
}

/** \brief Moves bit i of a number below 2^10 to bit 3 i. */
PCL_GPU_HOST_DEVICE std::uint32_t
spreadBits(std::uint32_t a)
{
  a = (a | a << 16) & 0x030000ffu;
  a = (a | a << 8) & 0x0300f00fu;
  a = (a | a << 4) & 0x030c30c3u;
  return (a | a << 2) & 0x09249249u;
}

/** \brief Returns the place of a cell on Hilbert's curve through 8^bits cells.
 *
 * After Skilling (Programming the Hilbert curve, 2004): from the coarsest bits on, each
 * octant's part of the curve is turned into the place of the first octant's; then the
 * numbers of the octants are those whose Gray codes these bits are.
 * \param[in] bits of x, y and z, 1 to 10
 */
PCL_GPU_HOST_DEVICE std::uint32_t
curvePosition(std::uint32_t x, std::uint32_t y, std::uint32_t z, int bits)
{
  std::uint32_t axes[3] = {x, y, z};
  for (std::uint32_t bit = 1u << (bits - 1); bit > 1; bit >>= 1) {
    const std::uint32_t finer = bit - 1;
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t swapped = (axes[0] ^ axes[i]) & finer;
      const bool mirror = (axes[i] & bit) != 0;
      axes[0] ^= mirror ? finer : swapped;
      axes[i] ^= mirror ? 0u : swapped;
    }
  }
  axes[1] ^= axes[0];
  axes[2] ^= axes[1];
  std::uint32_t turned = 0;
  for (std::uint32_t bit = 1u << (bits - 1); bit > 1; bit >>= 1)
    turned ^= (axes[2] & bit) ? bit - 1 : 0u;
  return spreadBits(axes[0] ^ turned) << 2 | spreadBits(axes[1] ^ turned) << 1 |
         spreadBits(axes[2] ^ turned);
}

/** \brief The key that triangles are sorted by, below 8^bits.
 * \param[in] middles of all visible triangles
 */
PCL_GPU_HOST_DEVICE std::uint32_t
sortKey(const WorldTriangles& world, std::uint32_t id, const Box& middles, int bits)
{
  const std::uint32_t cells = 1u << bits;
  Triangle triangle;
  if (!loadTriangle(world, id, triangle))
    return (1u << 3 * bits) - 1;
  const Vector3 middle = middleOf(boxOf(triangle));
  // Cells are cubes, so that what follows on the curve is near whichever way it lies.
  const float size = maximum(
      middles.most[0] - middles.least[0],
      maximum(middles.most[1] - middles.least[1], middles.most[2] - middles.least[2]));
  const float cells_per_metre = size > 1e-30f ? static_cast<float>(cells) / size : 0.0f;
  return curvePosition(cellOf(middle.x, middles.least[0], cells_per_metre, cells),
                       cellOf(middle.y, middles.least[1], cells_per_metre, cells),
                       cellOf(middle.z, middles.least[2], cells_per_metre, cells),
                       bits);
}

/** \brief Returns a box made larger for the rounding of rays, see BoxRay. */
PCL_GPU_HOST_DEVICE Box
withMargin(const Box& box)
{
  const float extent =
      maximum(box.most[0] - box.least[0],
              maximum(box.most[1] - box.least[1], box.most[2] - box.least[2]));
  Box larger;
  for (int i = 0; i < 3; ++i) {
    // With two units in the last place, which keep the sum from being rounded away.
    larger.least[i] =
        box.least[i] - (extent * 0x1p-21f + fabsf(box.least[i]) * 0x1p-22f);
    larger.most[i] = box.most[i] + (extent * 0x1p-21f + fabsf(box.most[i]) * 0x1p-22f);
  }
  return larger;
}

/** \brief Loads one of the sorted triangles.
 * \param[in] id of the triangle; if there is none, invisible
 * \param[out] leaf that it is put in
 * \param[in] i its place in the leaf
 * \return its box with a margin; empty if the triangle is invisible
 */
PCL_GPU_HOST_DEVICE Box
makeLeafTriangle(const WorldTriangles& world, std::uint32_t id, Leaf& leaf, int i)
{
  Triangle triangle;
  const bool visible = loadTriangle(world, id, triangle);
  if (!visible)
    triangle = {notAVector(), notAVector(), notAVector()};
  setTriangle(leaf, i, triangle, id);
  return visible ? withMargin(boxOf(triangle)) : emptyBox();
}

/** \brief A node's grid along one axis. */
struct GridAxis {
  std::uint32_t exponent; ///< of the step, as the bits of a float have it
  float first;            ///< origin, in steps
};

/** \brief Returns 2^(exponent - 127), exactly: the float with these bits of its
 * exponent. Not the approximation of 2^x for any x that filters and likelihoods use. */
PCL_GPU_HOST_DEVICE float
powerOfTwo(std::uint32_t exponent)
{
  return floatOf(exponent << 23);
}

/** \brief Distance of planes from boxes, in steps: see BoxRay. */
constexpr float plane_margin = 0x1p-6f;

/** \brief The last plane that is a margin below a coordinate in steps. */
PCL_GPU_HOST_DEVICE float
planeBelow(float steps)
{
  const float plane = floorf(steps);
  return steps - plane < plane_margin ? plane - 1.0f : plane;
}

/** \brief The first plane that is a margin above a coordinate in steps. */
PCL_GPU_HOST_DEVICE float
planeAbove(float steps)
{
  const float plane = ceilf(steps);
  return plane - steps < plane_margin ? plane + 1.0f : plane;
}

/** \brief The finest grid that holds the children's boxes, and whose planes are
 * exact. */
PCL_GPU_HOST_DEVICE GridAxis
makeGridAxis(float least, float most)
{
  constexpr int finest = 127 - 54; // see BoxRay
  const auto exponentOf = [](float a) { return static_cast<int>(bitsOf(a) >> 23); };
  const int of_extent = exponentOf(most - least) - 7;
  // Planes are multiples of the step: they are exact if these have no more than 24
  // bits.
  const int of_rounding = exponentOf(maximum(fabsf(least), fabsf(most))) - 22;
  int exponent = of_extent > of_rounding ? of_extent : of_rounding;
  exponent = exponent > finest ? exponent : finest;
  for (;; ++exponent) {
    const float steps_per_metre =
        powerOfTwo(static_cast<std::uint32_t>(254 - exponent));
    const float first = planeBelow(least * steps_per_metre);
    if (planeAbove(most * steps_per_metre) - first <= 255.0f)
      return {static_cast<std::uint32_t>(exponent), first};
  }
}

/** \brief Makes a node's grid along one axis and writes its origin.
 * \param[in] least lower bound of all children; above \a most if there are none
 */
PCL_GPU_HOST_DEVICE GridAxis
makeNodeAxis(float least, float most, int axis, WideNode& node)
{
  const GridAxis grid =
      least <= most ? makeGridAxis(least, most) : GridAxis{127u, 0.0f};
  node.grid.origin[axis] = grid.first * powerOfTwo(grid.exponent);
  return grid;
}

/** \brief Writes the planes that enclose one child along an axis.
 * \param[in] least lower bound of the child; above \a most if it is empty
 */
PCL_GPU_HOST_DEVICE void
makeNodePlanes(
    const GridAxis& grid, float least, float most, int axis, int child, WideNode& node)
{
  const float steps_per_metre = powerOfTwo(254 - grid.exponent);
  const bool empty = !(least <= most);
  const float lower = planeBelow(least * steps_per_metre) - grid.first;
  const float upper = planeAbove(most * steps_per_metre) - grid.first;
  node.planes[2 * axis].of[child] = empty ? 255 : static_cast<std::uint8_t>(lower);
  node.planes[2 * axis + 1].of[child] = empty ? 0 : static_cast<std::uint8_t>(upper);
}

/** \brief Blocks of a kernel, each of which finds the box of some triangles. */
constexpr int most_partial_boxes = 1024;

/** \brief Numbers of triangles and nodes at each level. */
struct HierarchySize {
  int levels;               ///< of nodes, 1 at least
  std::uint32_t leaf_slots; ///< triangles with those that fill up the last node
  std::uint32_t nodes;      ///< up to the last of the lowest level
  std::uint32_t first_leaf;

  /** \brief Nodes of a level, counted from the lowest, 0. */
  PCL_GPU_HOST_DEVICE std::uint32_t
  nodesAt(int level) const
  {
    const std::uint64_t triangles = std::uint64_t(leaf_size * node_width) << 3 * level;
    return static_cast<std::uint32_t>((leaf_slots - 1) / triangles + 1);
  }

  /** \brief Number of the first node of a level, counted from the lowest, 0. */
  PCL_GPU_HOST_DEVICE std::uint32_t
  firstNodeAt(int level) const
  {
    return ((1u << 3 * (levels - 1 - level)) - 1) / 7;
  }

  /** \brief Boxes to have memory for: partial ones, then those of nodes. On the host
   * these are the nodes of the lowest level; CUDA keeps those of every third level from
   * the second on, which are fewer. */
  std::uint32_t
  boxes() const
  {
    return nodesAt(0) + most_partial_boxes;
  }
};

/** \brief For up to 2^31 triangles. */
inline HierarchySize
sizeOfHierarchy(std::uint32_t triangles)
{
  constexpr std::uint32_t node_triangles = leaf_size * node_width;
  const std::uint32_t lowest =
      triangles == 0 ? 1 : (triangles - 1) / node_triangles + 1;
  HierarchySize size{};
  size.leaf_slots = lowest * node_triangles;
  size.levels = 1;
  while (1u << 3 * (size.levels - 1) < lowest)
    ++size.levels;
  size.nodes = size.firstNodeAt(0) + lowest;
  size.first_leaf = ((1u << 3 * size.levels) - 1) / 7;
  return size;
}

} // namespace pcl::device
