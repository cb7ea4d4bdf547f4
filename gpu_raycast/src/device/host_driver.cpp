// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "driver.h"
#include "host_tile_grid.h"
#include "host_visibility.h"

#include <cstring>

namespace pcl::device {

namespace {

class HostRayCastDriver : public RayCastDriver {
public:
  void
  fill(void* memory, unsigned char value, std::size_t bytes, Queue) const override
  {
    if (bytes > 0) // no memory is no argument of memset()
      std::memset(memory, value, bytes);
  }

  std::size_t
  visibilityCounters(const CastTask&) const override
  {
    return 0;
  }

  std::size_t
  visibilityScratchBytes(const CastTask& task) const override
  {
    return host::visibilityScratchBytes(task);
  }

  void
  castVisibility(const CastTask& task, void* scratch, Queue) const override
  {
    host::castVisibility(task, scratch);
    endStage(task, "cast");
  }

  std::size_t
  tileGridScratchBytes(const CastTask& task, const GridLayout& layout) const override
  {
    return host::tileGridScratchBytes(task, layout);
  }

  void
  castTileGrid(const CastTask& task,
               const GridLayout& layout,
               void* scratch,
               Queue) const override
  {
    host::castTileGrid(task, layout, scratch);
    host::resolve(task);
    endStage(task, "images");
  }
};

} // namespace

const RayCastDriver&
hostRayCastDriver()
{
  static const HostRayCastDriver driver;
  return driver;
}

} // namespace pcl::device
