// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy_build.hpp"

#include <cstddef>

struct CUstream_st;

namespace pcl::device {

/** \brief A hierarchy to make. All arrays live on the device. */
struct BuildTask {
  WorldTriangles world;
  HierarchySize size;
  int key_bits;          ///< of the sort keys along each axis
  std::uint32_t* keys;   ///< one a triangle
  std::uint32_t* ids;    ///< one a triangle
  Leaf* leaves;          ///< size.leaf_slots / leaf_size
  WideNode* nodes;       ///< size.nodes
  Box* boxes;            ///< as many as the driver asks for
  unsigned int* counter; ///< one, zero before and after each build
};

/** \brief Rays to cast. All arrays live on the device. */
struct QueryTask {
  Hierarchy hierarchy;
  HitSides sides;
  const Ray* rays;
  std::size_t count;
};

/** \brief What ray queries ask of a device.
 *
 * One object a device kind; it has no state. Sizes and arguments have been checked, all
 * memory lives on the device that is current, and outputs have their size.
 */
class RayQueryDriver {
public:
  using Queue = CUstream_st*;

  /** \brief Sets all bytes to zero. */
  virtual void
  clear(void* memory, std::size_t bytes, Queue queue) const = 0;

  /** \brief Number of the task's boxes, which any step may leave in any state. */
  virtual std::size_t
  boxCount(const HierarchySize& size) const = 0;

  /** \brief Writes keys and ids, in the order of the triangles. */
  virtual void
  makeKeys(const BuildTask& task, Queue queue) const = 0;

  /** \brief Writes leaves and nodes. */
  virtual void
  makeHierarchy(const BuildTask& task,
                const std::uint32_t* sorted_ids,
                Queue queue) const = 0;

  virtual void
  castRays(const QueryTask& task, RayHit* hits, Queue queue) const = 0;

  virtual void
  testOcclusion(const QueryTask& task, std::uint8_t* occluded, Queue queue) const = 0;

  virtual void
  countHits(const QueryTask& task, int* counts, Queue queue) const = 0;

protected:
  ~RayQueryDriver() = default;
};

const RayQueryDriver&
hostRayQueryDriver();

/** \brief Exists only where the module is built with CUDA. */
const RayQueryDriver&
cudaRayQueryDriver();

} // namespace pcl::device
