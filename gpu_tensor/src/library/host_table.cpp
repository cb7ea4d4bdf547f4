// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/table_task.h"
#include "matching/host_matching.h"

#include <algorithm>

namespace pcl::device::host {

std::size_t
coarseTableBytes(int tensors, std::uint32_t entries)
{
  return CoarseTable(tensors, entries, nullptr).bytes;
}

void
gatherTensors(const TableTask& task)
{
  const CoarseTable coarse(task.count, task.entries, task.coarse);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < task.count; ++i) {
    const std::uint32_t from = task.places[i];
    task.frames[i] = task.from.frames[from];
    task.labels[i] = task.from_labels[from];
    const std::uint32_t begin = task.from.start(from);
    const int count = task.from.entryCount(from);
    std::copy_n(task.from.voxels + begin, count, task.voxels + task.starts[i]);
    std::copy_n(task.from.areas + begin, count, task.areas + task.starts[i]);
    setBits(task.from, from, task.words, task.occupancy + std::size_t(i) * task.words);
    if (task.coarse)
      coarse.errors[i] =
          coarsen(task.from, from, coarse.areas + task.starts[i], coarse.cells[i]);
  }
}

} // namespace pcl::device::host
