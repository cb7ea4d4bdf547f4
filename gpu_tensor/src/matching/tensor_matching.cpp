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
TensorMatching::setMatchCount(int count)
{
  checkArgument(
      count >= 1 && count <= max_match_count, "number of matches", count, "1 to 32");
  match_count_ = count;
}

int
TensorMatching::getMatchCount() const
{
  return match_count_;
}

void
TensorMatching::setMinCorrelation(float correlation)
{
  checkArgument(correlation >= -1.0f && correlation <= 1.0f,
                "least correlation",
                correlation,
                "-1 to 1");
  min_correlation_ = correlation;
}

void
TensorMatching::setMinOverlap(float ratio)
{
  checkArgument(
      ratio > 0.0f && ratio <= 1.0f, "least overlap", ratio, "a ratio above 0 up to 1");
  min_overlap_ = ratio;
}

void
TensorMatching::setMinOverlapVoxels(int voxels)
{
  checkArgument(voxels >= 2, "least number of overlapping voxels", voxels, "2 or more");
  min_overlap_voxels_ = voxels;
}

void
TensorMatching::setRanking(MatchRanking ranking)
{
  checkEnumerator("ranking", ranking, MatchRanking::CorrelationTimesOverlap);
  ranking_ = ranking;
}

void
TensorMatching::setNeighborBins(int bins)
{
  checkArgument(bins >= -1, "number of neighboring bins", bins, "-1 or more");
  neighbor_bins_ = bins;
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
  checkTensorsDevice(tensors, "their frames", device);
  checkDevice("table", table.tensors().frames, "tensors", device);
  checkArgument(table.size() == 0 || table.tensors().grid_size == tensors.grid_size,
                "grid size of the table",
                table.tensors().grid_size,
                "that of the tensors");
  createOn(device, matches, tensors.frames.size() * match_count_);
  device::MatchingTask task{};
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
  task.neighbor_bins = std::min(neighbor_bins_, task.bins.count);
  task.voxels = tensors.grid_size * tensors.grid_size * tensors.grid_size;
  task.words = device::occupancyWords(task.voxels);
  task.min_overlap = min_overlap_;
  task.min_overlap_voxels = min_overlap_voxels_;
  task.min_correlation = min_correlation_;
  task.match_count = match_count_;
  task.ranks_by_overlap = ranking_ == MatchRanking::CorrelationTimesOverlap;
  task.matches = matches.ptr();
  const std::size_t bytes =
      functionFor(device,
                  &device::host::matchingScratchBytes,
                  PCL_GPU_CUDA_ONLY(device::cuda::matchingScratchBytes))(task);
  workspace_.reserve(Workspace::bytesFor<char>(bytes));
  task.scratch = workspace_.take<char>(bytes);
  dispatch(device,
           &device::host::match,
           PCL_GPU_CUDA_ONLY(device::cuda::match),
           task,
           stream);
}

} // namespace pcl::gpu
