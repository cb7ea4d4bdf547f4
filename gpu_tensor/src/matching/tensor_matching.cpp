// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/tensor_view.h"
#include "matching/matching_task.h"

#include <pcl/gpu/tensor/tensor_matching.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>

namespace pcl::gpu {

void
TensorMatchingParameters::validate() const
{
  checkBetween("number of matches", match_count, 1, max_match_count, "1 to 32");
  checkBetween("least correlation", min_correlation, -1.0f, 1.0f, "-1 to 1");
  checkArgument(min_overlap > 0.0f && min_overlap <= 1.0f,
                "least overlap",
                min_overlap,
                "a ratio above 0 up to 1");
  checkAtLeast("least number of overlapping voxels", min_overlap_voxels, 2);
  checkAtLeast("number of neighboring bins", neighbor_bins, -1);
  checkEnumerator("ranking", ranking, MatchRanking::CorrelationTimesOverlap);
}

void
TensorMatching::compute(const TensorSet& tensors,
                        const TensorTable& table,
                        DeviceArray<TensorMatch>& matches,
                        const Stream& stream)
{
  if (tensors.frames.empty()) {
    // Nothing may have been computed into them: they have no grid size then.
    matches.release();
    return;
  }
  const Device device = deviceOf(tensors.frames);
  const ScopedDevice scope(device);
  checkTensorsDevice(tensors, device);
  checkDevice("table", table.tensors().frames, "tensors", device);
  checkArgument(table.size() == 0 || table.tensors().grid_size == tensors.grid_size,
                "grid size of the table",
                table.tensors().grid_size,
                "that of the tensors");
  createOn(device, matches, tensors.frames.size() * parameters_.match_count);
  device::MatchingTask task{};
  static_cast<TensorMatchingParameters&>(task) = parameters_;
  task.tensors = viewOf(tensors);
  task.count = tensors.count.ptr();
  task.max_count = static_cast<int>(tensors.frames.size());
  task.table = viewOf(table.tensors());
  task.table_size = table.size();
  task.table_occupancy = table.occupancy().ptr();
  task.table_coarse = table.coarse_.empty() ? nullptr : table.coarse_.ptr();
  task.bin_starts = table.binStarts().ptr();
  task.bins = angleBins(table.usedBinWidth());
  // No more than there are, so that sums of bins have no overflow.
  task.neighbor_bins = std::min(parameters_.neighbor_bins, task.bins.count);
  task.voxels = tensors.grid_size * tensors.grid_size * tensors.grid_size;
  task.words = TensorTable::getOccupancyWords(tensors.grid_size);
  task.matches = matches.ptr();
  const std::size_t bytes =
      functionFor(device, PCL_GPU_BOTH(matchingScratchBytes))(task);
  workspace_.reserve(Workspace::bytesFor<char>(bytes));
  task.scratch = workspace_.take<char>(bytes);
  dispatch(device, PCL_GPU_BOTH(match), task, stream);
}

} // namespace pcl::gpu
