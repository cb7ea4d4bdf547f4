// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tile_grid/tile_grid.hpp"
#include "visibility/resolve.hpp"

#include <cstddef>
#include <functional>

struct CUstream_st;

namespace pcl::device {

/** \brief Memory that a cast needs beside its images. */
struct CastMemorySize {
  std::size_t keys;
  std::size_t counters;
  std::size_t scratch; ///< bytes
};

/** \brief Rays to cast. */
struct CastTask {
  /** \brief Instances of the first view, then of the second, and so on, on the host. */
  const Instance* instances;
  int instance_count; ///< of one view
  const View* views;  ///< on the host; all have one image size
  int view_count;
  /** \brief The same two arrays on the device; null unless images.needTriangles(), but
   * the instances always if there are several. */
  const Instance* device_instances;
  const View* device_views;
  ImageArrays images;
  HitKey* keys;           ///< view by view, row by row: no_hit before and after a cast
  unsigned int* counters; ///< zero before and after a cast
  void* scratch;          ///< in any state before and after
  GridLayout layout;      ///< of castTileGrid()
  /** \brief Null, or counts the tests of a ray and a triangle that castTileGrid()
   * makes. */
  unsigned long long* tests;
  /** \brief Null, or called with the name of each stage when its work has been
   * queued. */
  const std::function<void(const char*)>* after_stage;

  const Instance*
  instancesOf(int view) const
  {
    return instances + static_cast<std::size_t>(view) * instance_count;
  }

  std::size_t
  pixelsOfView() const
  {
    return static_cast<std::size_t>(views[0].camera.width) * views[0].camera.height;
  }
};

/** \brief Reports that the work of a stage has been queued. */
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

/** \brief Pixels of all views. */
inline std::size_t
pixelsOfViews(const CastTask& task)
{
  return task.pixelsOfView() * task.view_count;
}

// Each triangle is tested against the pixels that it can touch.

namespace host {

/** \brief Returns the memory that castVisibility() takes; looks at sizes only. */
CastMemorySize
visibilityMemory(const CastTask& task);

void
castVisibility(const CastTask& task);

/** \brief Turns keys into images, and sets them to no_hit. */
void
resolve(const CastTask& task);

} // namespace host

namespace cuda {

CastMemorySize
visibilityMemory(const CastTask& task);

void
castVisibility(const CastTask& task, CUstream_st* stream);

void
resolve(const CastTask& task, CUstream_st* stream);

} // namespace cuda

} // namespace pcl::device
