// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "tile_grid/tile_grid.hpp"
#include "visibility/hit_key.hpp"

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

/** \brief The images of a gpu::RayCastImages; those not asked for have a null
 * pointer. */
struct ImageArrays {
  PtrStep<float> depth;
  PtrStep<int> triangles;
  PtrStep<Float2> barycentrics;
  PtrStep<Float4> points;
  PtrStep<Float4> normals;
  PtrStep<std::uint32_t> colors;
  PtrStep<Float2> texture_coordinates;
  bool in_world_frame;
  bool smooth;

  /** \brief Returns whether an image is asked for that takes more than the hit's
   * key. */
  PCL_GPU_HOST_DEVICE bool
  needTriangles() const
  {
    return barycentrics.data || points.data || normals.data || colors.data ||
           texture_coordinates.data;
  }
};

/** \brief Triangle ids of one rank's scene: from first to before end. The last rank's
 * include that of no_hit. */
struct IdRange {
  std::uint64_t first, end;
};

/** \brief The ids of a scene that has no other ranks' triangles. */
constexpr IdRange all_ids = {0, std::uint64_t(1) << 32};

/** \brief Rays to cast. */
struct CastTask {
  /** \brief Instances of the first view, then of the second, and so on, on the host. */
  const Instance* instances;
  int instance_count; ///< of one view
  const View* views;  ///< on the host
  int view_count;
  int width, height; ///< of the image of each view
  /** \brief The same two arrays on the device; null unless images.needTriangles(), but
   * the instances always if there are several. */
  const Instance* device_instances;
  const View* device_views;
  ImageArrays images;
  IdRange own_ids;        ///< of the pixels that get the triangle's images
  bool leaves_keys;       ///< true: casts make no images, and resolve() is to follow
  HitKey* keys;           ///< view by view, row by row: no_hit before and after a cast
  unsigned int* counters; ///< zero before and after a cast
  std::size_t counter_count;
  void* scratch;     ///< in any state before and after
  GridLayout layout; ///< of castTileGrid()
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
    return static_cast<std::size_t>(width) * height;
  }

  /** \brief Returns the instance of a view that has a triangle, on the device. */
  PCL_GPU_HOST_DEVICE const Instance&
  deviceInstance(int view, std::uint32_t id) const
  {
    const Instance* const of_view =
        device_instances + static_cast<std::size_t>(view) * instance_count;
    return of_view[findInstance(of_view, instance_count, id)];
  }

  /** \brief Returns whether this rank writes the triangle's images of a pixel. One rank
   * does so for each key, also for no_hit. */
  PCL_GPU_HOST_DEVICE bool
  owns(HitKey key) const
  {
    const std::uint32_t id = triangleOf(key);
    return own_ids.first <= id && id < own_ids.end;
  }

  /** \brief Returns the row of the images at which those of a view begin. */
  PCL_GPU_HOST_DEVICE int
  firstRow(int view) const
  {
    return view * height;
  }

  /** \brief Returns the keys of a row of the images. */
  PCL_GPU_HOST_DEVICE HitKey*
  keysOfRow(int row) const
  {
    return keys + static_cast<std::size_t>(row) * width;
  }
};

/** \brief Reports that the work of a stage has been queued. */
inline void
endStage(const CastTask& task, const char* name)
{
  if (task.after_stage)
    (*task.after_stage)(name);
}

/** \brief The lowest triangle id of the scene. */
inline std::uint32_t
firstTriangle(const CastTask& task)
{
  return task.instance_count > 0 ? task.instances[0].first_triangle : 0;
}

/** \brief Triangles of all instances of a view. */
inline std::uint32_t
sceneTriangles(const CastTask& task)
{
  if (task.instance_count == 0)
    return 0;
  const Instance& last = task.instances[task.instance_count - 1];
  return last.first_triangle - firstTriangle(task) +
         static_cast<std::uint32_t>(last.mesh.triangles_size);
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
