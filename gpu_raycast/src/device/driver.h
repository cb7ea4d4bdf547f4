// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "resolve.hpp"

#include <cstddef>

struct CUstream_st;

namespace pcl {
namespace device {

/** \brief Rays to cast. */
struct CastTask {
  /** \brief Those of the first view, then those of the second, and so on, on the host. */
  const Instance* instances;
  int instance_count; ///< of one view
  const View* views;  ///< on the host; all have one image size
  int view_count;
  /** \brief The same two arrays on the device; null unless images.needTriangles(). */
  const Instance* device_instances;
  const View* device_views;
  /** \brief One a pixel, view by view, row by row: no_hit before and after each cast. */
  HitKey* keys;
  /** \brief As many as the driver asks for: zero before and after each cast. */
  unsigned int* counters;
  ImageArrays images;
};

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

protected:
  ~RayCastDriver() = default;
};

const RayCastDriver&
hostRayCastDriver();

/** \brief Exists only where the module is built with CUDA. */
const RayCastDriver&
cudaRayCastDriver();

} // namespace device
} // namespace pcl
