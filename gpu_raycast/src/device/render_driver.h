// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "light_grid_lists.hpp"
#include "render.hpp"

#include <memory>

struct CUstream_st;

namespace pcl::device {

/** \brief What gpu::MeshRenderer asks of a device, in this order.
 *
 * One object a device kind; it has no state. Sizes and arguments have been checked, all
 * memory lives on the device that is current, and outputs have their size.
 */
class RenderDriver {
public:
  using Queue = CUstream_st*;

  /** \brief Writes what task.visible has for a light, asking the hierarchy. */
  virtual void
  testShadowsByHierarchy(const RenderTask& task, int light, Queue queue) const = 0;

  /** \brief Scratch memory of a light's grid. */
  virtual std::size_t
  lightGridBytes(std::size_t triangles) const = 0;

  /** \brief Memory of the host that makeLightGrid() can write to. */
  virtual std::shared_ptr<LightGridCounts>
  newLightGridCounts(std::size_t number) const = 0;

  /** \brief Makes the grid of a light that can have one; see hasGrid().
   * \param[out] counts what is in it, when the queue has come there
   */
  virtual void
  makeLightGrid(const RenderTask& task,
                int light,
                void* scratch,
                LightGridCounts* counts,
                Queue queue) const = 0;

  /** \brief Writes what task.visible has for a light, asking its grid. */
  virtual void
  testShadowsByGrid(const RenderTask& task,
                    int light,
                    void* scratch,
                    Queue queue) const = 0;

  /** \brief Writes task.open. */
  virtual void
  occludeAmbientLight(const RenderTask& task, Queue queue) const = 0;

  /** \brief Writes the picture.
   * \param[in] bounces whether any material mirrors or is transparent
   */
  virtual void
  shade(const RenderTask& task, bool bounces, Queue queue) const = 0;

protected:
  ~RenderDriver() = default;
};

const RenderDriver&
hostRenderDriver();

/** \brief Exists only where the module is built with CUDA. */
const RenderDriver&
cudaRenderDriver();

} // namespace pcl::device
