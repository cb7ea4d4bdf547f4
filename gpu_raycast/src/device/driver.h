// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "resolve.hpp"
#include "tile_grid.hpp"

#include <cstddef>
#include <functional>

struct CUstream_st;

namespace pcl::device {

/** \brief Rays to cast. */
struct CastTask {
  /** \brief Those of the first view, then those of the second, and so on, on the host. */
  const Instance* instances;
  int instance_count; ///< of one view
  const View* views;  ///< on the host; all have one image size
  int view_count;
  /** \brief The same two arrays on the device; null unless images.needTriangles(), but
   * the instances always if there are several. */
  const Instance* device_instances;
  const View* device_views;
  /** \brief One a pixel, view by view, row by row: no_hit before and after each cast. */
  HitKey* keys;
  /** \brief As many as the driver asks for: zero before and after each cast. */
  unsigned int* counters;
  ImageArrays images;
  /** \brief Null, or counts the tests of a ray and a triangle that castTileGrid() makes. */
  unsigned long long* tests;
  /** \brief Null, or is told the name of each stage when its work has been queued. */
  const std::function<void(const char*)>* after_stage;
};

/** \brief Tells whoever wants to know that the work of a stage has been queued. */
inline void
endStage(const CastTask& task, const char* name)
{
  if (task.after_stage)
    (*task.after_stage)(name);
}

/** \brief Triangles of all instances of a view. */
inline std::uint32_t
sceneTriangles(const CastTask& task)
{
  if (task.instance_count == 0)
    return 0;
  const Instance& last = task.instances[task.instance_count - 1];
  return last.first_triangle + static_cast<std::uint32_t>(last.mesh.triangles_size);
}

/** \brief What the module's API classes ask of a device.
 *
 * One object a device kind; it has no state. Sizes and arguments have been checked, all
 * memory lives on the device that is current, and outputs have their size.
 */
class RayCastDriver {
public:
  using Queue = CUstream_st*;

  /** \brief Sets all bytes to one value. */
  virtual void
  fill(void* memory, unsigned char value, std::size_t bytes, Queue queue) const = 0;

  /** \brief Number of the task's counters. */
  virtual std::size_t
  visibilityCounters(const CastTask& task) const = 0;

  /** \brief Scratch memory of castVisibility(), which it may leave in any state. */
  virtual std::size_t
  visibilityScratchBytes(const CastTask& task) const = 0;

  virtual void
  castVisibility(const CastTask& task, void* scratch, Queue queue) const = 0;

  /** \brief Scratch memory of castTileGrid(), which it may leave in any state. */
  virtual std::size_t
  tileGridScratchBytes(const CastTask& task, const GridLayout& layout) const = 0;

  virtual void
  castTileGrid(const CastTask& task,
               const GridLayout& layout,
               void* scratch,
               Queue queue) const = 0;

protected:
  ~RayCastDriver() = default;
};

const RayCastDriver&
hostRayCastDriver();

/** \brief Exists only where the module is built with CUDA. */
const RayCastDriver&
cudaRayCastDriver();

} // namespace pcl::device
