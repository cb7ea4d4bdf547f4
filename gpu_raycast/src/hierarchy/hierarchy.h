// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "hierarchy/hierarchy_build.hpp"

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace pcl::device {

/** \brief A hierarchy to make. All arrays live on the device. */
struct BuildTask {
  WorldTriangles world;
  HierarchySize size;
  int key_bits;                    ///< of the sort keys along each axis
  std::uint32_t* keys;             ///< one a triangle
  std::uint32_t* ids;              ///< one a triangle
  const std::uint32_t* sorted_ids; ///< of makeHierarchy()
  Leaf* leaves;                    ///< size.leaf_slots / leaf_size
  WideNode* nodes;                 ///< size.nodes
  Box* boxes;                      ///< boxCount() of them, in any state at any step
  unsigned int* counter;           ///< one, zero before and after each build
};

/** \brief Rays to cast. All arrays live on the device. */
template <typename Answer>
struct QueryTask {
  Hierarchy hierarchy;
  HitSides sides;
  const Ray* rays;
  std::size_t count;
  Answer* answers; ///< one a ray
};

namespace host {

/** \brief Returns the number of a task's boxes. */
std::size_t
boxCount(const HierarchySize& size);

/** \brief Writes keys and ids, in the order of the triangles. */
void
makeKeys(const BuildTask& task);

/** \brief Writes leaves and nodes. */
void
makeHierarchy(const BuildTask& task);

void
castRays(const QueryTask<RayHit>& task);

void
testOcclusion(const QueryTask<std::uint8_t>& task);

void
countHits(const QueryTask<int>& task);

} // namespace host

namespace cuda {

std::size_t
boxCount(const HierarchySize& size);

void
makeKeys(const BuildTask& task, CUstream_st* stream);

void
makeHierarchy(const BuildTask& task, CUstream_st* stream);

void
castRays(const QueryTask<RayHit>& task, CUstream_st* stream);

void
testOcclusion(const QueryTask<std::uint8_t>& task, CUstream_st* stream);

void
countHits(const QueryTask<int>& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
