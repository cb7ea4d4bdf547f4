// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "visibility/visibility.h"

#include <pcl/gpu/utils/internal/device/cuda_block.cuh>

#include <algorithm>
#include <cstddef>

// The work of kernels that go through all triangles, one a thread.

namespace pcl::device::cuda {

/** \brief One instance seen by one camera. */
struct CastItem {
  Instance instance;
  CameraModel camera;
  std::size_t first_key;
  int first_block;
};

/** \brief Items of one launch: as many as fit a kernel's parameters. */
constexpr int max_items = 20;
struct CastItems {
  CastItem items[max_items];
  int count;
};

/** \brief The item that a block works on. */
__device__ inline int
itemOfBlock(const CastItems& items)
{
  int item = 0;
  while (item + 1 < items.count &&
         items.items[item + 1].first_block <= static_cast<int>(blockIdx.x))
    ++item;
  return item;
}

/** \brief Items of a task from the start-th on, as many as fit.
 * \param[in] end of the items that are wanted
 * \param[in] threads of a block
 * \param[out] blocks that take a triangle a thread
 */
inline CastItems
castItems(
    const CastTask& task, std::size_t start, std::size_t end, int threads, int& blocks)
{
  CastItems items{};
  items.count = static_cast<int>(std::min<std::size_t>(max_items, end - start));
  blocks = 0;
  for (int i = 0; i < items.count; ++i) {
    const std::size_t view = (start + i) / task.instance_count;
    const Instance& instance = task.instances[start + i];
    items.items[i] = {
        instance, task.views[view].camera, task.pixelsOfView() * view, blocks};
    blocks += divideUp(instance.mesh.triangles_size, threads);
  }
  return items;
}

} // namespace pcl::device::cuda
