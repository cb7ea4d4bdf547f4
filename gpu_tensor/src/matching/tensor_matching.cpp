// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/tensor_view.h"
#include "matching/match_join.hpp"
#include "matching/matching_task.h"

#include <pcl/gpu/tensor/tensor_matching.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/internal/device_memory_checks.h>
#include <pcl/gpu/utils/internal/dispatch.h>

#include <algorithm>
#include <vector>

namespace pcl::gpu {

namespace {

/** \brief Gathers the matches that ranks found in their parts of a table, and joins
 * them.
 * \param[in,out] found those of all ranks, with this rank's in their place
 */
void
joinMatches(device::JoinMatches join,
            TensorMatch* found,
            Communicator& communicator,
            const Stream& stream)
{
  const int count = join.max_count * join.match_count;
  std::vector<std::size_t> starts;
  for (int rank = 0; rank <= join.ranks; ++rank)
    starts.push_back(std::size_t(rank) * count);
  communicator.allGather(found, starts, stream);
  parallelFor2D(communicator.device(), count, join.ranks, join, stream);
}

} // namespace

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
  checkDevice("table", table.wholeFrames(), "tensors", device);
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
  task.whole_numbers = table.whole_numbers_.ptr();
  task.bin_starts = table.binStarts().ptr();
  task.bins = angleBins(table.usedBinWidth());
  // No more than there are, so that sums of bins have no overflow.
  task.neighbor_bins = std::min(parameters_.neighbor_bins, task.bins.count);
  task.voxels = tensors.grid_size * tensors.grid_size * tensors.grid_size;
  task.words = TensorTable::getOccupancyWords(tensors.grid_size);
  Communicator* const communicator = table.communicator_.get();
  const std::size_t all_found =
      communicator ? communicator->size() * matches.size() : 0;
  const std::size_t bytes =
      functionFor(device, PCL_GPU_BOTH(matchingScratchBytes))(task);
  workspace_.reserve(Workspace::bytesFor<char>(bytes) +
                     Workspace::bytesFor<TensorMatch>(all_found));
  task.scratch = workspace_.take<char>(bytes);
  TensorMatch* const found = workspace_.take<TensorMatch>(all_found);
  task.matches =
      communicator ? found + communicator->rank() * matches.size() : matches.ptr();
  dispatch(device, PCL_GPU_BOTH(match), task, stream);
  if (communicator)
    joinMatches({found,
                 communicator->size(),
                 static_cast<int>(table.wholeFrames().size()),
                 task.count,
                 task.max_count,
                 task.match_count,
                 task.ranking,
                 matches.ptr()},
                found,
                *communicator,
                stream);
}

} // namespace pcl::gpu
