// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace benchmarks {

/** \brief Pairs on the device, and their destination. */
struct PairLists {
  std::uint32_t size;
  const std::uint32_t* keys;
  const std::uint32_t* values;
  std::uint32_t* split_keys;
  std::uint32_t* split_values;
};

/** \brief A split as Patidar and Narayanan 2008 describe or compare it, section 4, with
 * its memory. None is stable; all are for measurements only. */
class PaperSplit {
public:
  /** \brief Allocates.
   * \param[in] lists pairs that will be split
   * \param[in] bins number of bins; a power of two
   */
  PaperSplit(const PairLists& lists, std::uint32_t bins);

  virtual ~PaperSplit() = default;

  /** \brief Queues the split; neither allocates nor waits. */
  virtual void
  run(cudaStream_t stream) = 0;

  /** \return place of every bin's first element, and the number of elements */
  const std::uint32_t*
  starts() const;

protected:
  PairLists lists_;
  std::uint32_t bins_;
  pcl::gpu::DeviceArray<std::uint32_t> starts_;
};

/** \brief Counts and places elements by atomic operations on one histogram in global
 * memory. */
std::unique_ptr<PaperSplit>
makeAtomicSplit(const PairLists& lists, std::uint32_t bins);

/** \brief The largest number of bins whose histograms, one a thread, fit shared
 * memory. */
constexpr std::uint32_t max_thread_histogram_bins = 64;

/** \brief A histogram a thread in shared memory, without atomic operations (He et al.
 * 2008).
 * \param[in] lists pairs that will be split
 * \param[in] bins at most max_thread_histogram_bins
 */
std::unique_ptr<PaperSplit>
makeThreadHistogramSplit(const PairLists& lists, std::uint32_t bins);

/** \brief The largest number of bins of one level. */
constexpr std::uint32_t max_level_bins = 2048;

/** \brief The paper's own: a histogram a block in shared memory (algorithm 2), and on
 * it the segmented levels of section 5, whose blocks split a partition each.
 * \param[in] lists pairs that will be split
 * \param[in] bins at most max_level_bins for every level
 * \param[in] levels 1 to 3
 */
std::unique_ptr<PaperSplit>
makeSharedMemorySplit(const PairLists& lists, std::uint32_t bins, int levels);

} // namespace benchmarks
