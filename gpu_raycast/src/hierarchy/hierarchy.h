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
  Box* boxes;                      ///< size.boxes() of them, in any state at any step
  unsigned int* counter;           ///< one, zero before and after each build
};

/** \brief Rays to cast. All arrays live on the device. */
struct QueryTask {
  Hierarchy hierarchy;
  Culling culling;
  const Ray* rays;
  std::size_t count;
  // One answer a ray of the kind that is asked for; the others are null.
  RayHit* hits;
  std::uint8_t* occluded; ///< 1 if the ray hits anything, else 0
  int* counts;            ///< of all hits
};

/** \brief Rays whose hits are listed. All arrays live on the device. */
struct ListTask {
  Hierarchy hierarchy;
  Culling culling;
  const Ray* rays;
  std::size_t count;
  std::uint64_t* ends; ///< of each ray's hits in the list
  char* scratch;       ///< endsScratchBytes() of it
  // The results of listHits(); not used before.
  std::uint32_t* starts;  ///< one a ray and one more
  std::uint32_t* numbers; ///< of the rays, one a hit
  RayHit* hits;
};

namespace host {

/** \brief Writes keys and ids, in the order of the triangles. */
void
makeKeys(const BuildTask& task);

/** \brief Writes leaves and nodes. */
void
makeHierarchy(const BuildTask& task);

void
answerRays(const QueryTask& task);

std::size_t
endsScratchBytes(std::size_t count);

/** \brief Writes the ends of the rays' hits. */
void
findEnds(const ListTask& task);

/** \brief Writes the list. Needs the ends. */
void
listHits(const ListTask& task);

} // namespace host

namespace cuda {

void
makeKeys(const BuildTask& task, CUstream_st* stream);

void
makeHierarchy(const BuildTask& task, CUstream_st* stream);

void
answerRays(const QueryTask& task, CUstream_st* stream);

std::size_t
endsScratchBytes(std::size_t count);

void
findEnds(const ListTask& task, CUstream_st* stream);

void
listHits(const ListTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
