// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "paper_table.h"

#include "common/report.h"
#include "common/statistics.h"
#include "cub_sort.h"
#include "paper_split.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/utils/bin_split.h>

#include <omp.h>

#include <cstdio>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

namespace benchmarks {

namespace {

using pcl::gpu::BinSplit;
using Numbers = pcl::gpu::DeviceArray<std::uint32_t>;

constexpr int sizes = 3; // 1M, 4M, 16M
constexpr int max_levels = 3;
constexpr double not_given = 0.0;

/** \brief A row of the paper's table, milliseconds. */
struct PaperRow {
  std::uint32_t bins;
  double cpu[sizes];
  double atomic[sizes];
  double he; ///< 16M only
  double levels[sizes][max_levels];
};

constexpr PaperRow paper_rows[] = {
    {32, {21.0, 76, 357}, {238, 950, 3815}, 0, {{2.5}, {11}, {90}}},
    {64, {21.1, 79, 365}, {170, 673, 2684}, 125, {{2.73}, {25}, {109}}},
    {128, {21.8, 95, 371}, {85, 340, 1370}, 0, {{2.78}, {25}, {148}}},
    {256, {22.0, 93, 378}, {44, 177, 710}, 0, {{2.87}, {26}, {168}}},
    {512, {22.6, 93, 391}, {33, 132, 520}, 0, {{2.9, 6.5}, {25, 39}, {169, 186}}},
    {1024,
     {21.6, 88, 378},
     {23, 101, 393},
     0,
     {{3.38, 6.4, 10}, {25, 39, 44}, {172, 183, 215}}},
    {2048,
     {23.1, 93, 397},
     {21, 80, 319},
     0,
     {{4.3, 5.5, 8.3}, {26, 37, 41}, {158, 225, 205}}},
    {4096,
     {24.1, 98, 412},
     {17, 68, 266},
     0,
     {{0, 5.4, 7.5}, {0, 44, 37}, {0, 249, 184}}},
    {8192,
     {25.6, 101, 428},
     {15, 58, 273},
     0,
     {{0, 5.7, 6.8}, {0, 40, 40}, {0, 270, 198}}},
    {16384,
     {30.6, 106, 444},
     {14, 57, 279},
     0,
     {{0, 5.6, 6.3}, {0, 39, 37}, {0, 288, 209}}},
    {32768,
     {41.7, 127, 533},
     {15, 59, 286},
     0,
     {{0, 5.5, 6.4}, {0, 37, 35}, {0, 241, 217}}},
    {65536,
     {39.6, 241, 1069},
     {15.5, 64, 305},
     0,
     {{0, 5.7, 6.4}, {0, 37, 36}, {0, 234, 225}}},
    {131072,
     {55.2, 381, 1527},
     {15.3, 62, 303},
     0,
     {{0, 6.0, 6.2}, {0, 32, 37}, {0, 216, 222}}},
    {262144,
     {94.3, 550, 2291},
     {15.7, 67, 303},
     0,
     {{0, 9.0, 6.2}, {0, 38, 38}, {0, 221, 221}}},
    {524288,
     {170, 791, 3246},
     {15.5, 64, 301},
     0,
     {{0, 12, 6.1}, {0, 39, 38}, {0, 222, 225}}},
};

constexpr int check_threads = 256;

/** \brief Counts the faults of a split of pairs whose values are their places. */
__global__ void
checkPairs(PairLists lists,
           const std::uint32_t* starts,
           std::uint32_t bins,
           unsigned char* seen,
           std::uint32_t* errors)
{
  const std::uint32_t i = blockIdx.x * check_threads + threadIdx.x;
  if (i >= lists.size)
    return;
  const std::uint32_t key = lists.split_keys[i];
  const std::uint32_t value = lists.split_values[i];
  bool right = key < bins && value < lists.size && lists.keys[value] == key;
  if (right && starts)
    right = starts[key] <= i && i < starts[key + 1];
  if (i > 0)
    right = right && lists.split_keys[i - 1] <= key;
  if (right)
    seen[value] = 1;
  else
    atomicAdd(errors, 1u);
}

__global__ void
checkAllSeen(const unsigned char* seen, std::uint32_t size, std::uint32_t* errors)
{
  const std::uint32_t i = blockIdx.x * check_threads + threadIdx.x;
  if (i < size && !seen[i])
    atomicAdd(errors, 1u);
}

/** \brief Every place in a bin is its own, because the bins follow each other from the
 * first place to the last; then all bins' counts are right if their elements are. */
__global__ void
checkStarts(const std::uint32_t* starts,
            std::uint32_t bins,
            std::uint32_t size,
            std::uint32_t* errors)
{
  const std::uint32_t bin = blockIdx.x * check_threads + threadIdx.x;
  if (bin >= bins)
    return;
  const bool right = (bin > 0 || starts[0] == 0) && starts[bin] <= starts[bin + 1] &&
                     (bin < bins - 1 || starts[bins] == size);
  if (!right)
    atomicAdd(errors, 1u);
}

/** \brief Pairs on the device, and all methods' times on them. */
class Row {
public:
  Row(const CudaTimer& timer,
      const pcl::gpu::Stream& stream,
      std::size_t size,
      std::uint32_t bins)
  : timer_(timer)
  , stream_(stream)
  , bins_(bins)
  , host_keys_(uniformKeys(size, bins))
  , host_values_(size)
  , split_keys_(size)
  , split_values_(size)
  , seen_(size)
  , errors_(1)
  {
    std::iota(host_values_.begin(), host_values_.end(), 0u);
    keys_.upload(host_keys_);
    values_.upload(host_values_);
    lists_ = {static_cast<std::uint32_t>(size),
              keys_.ptr(),
              values_.ptr(),
              split_keys_.ptr(),
              split_values_.ptr()};
  }

  const PairLists&
  lists() const
  {
    return lists_;
  }

  /** \return microseconds */
  double
  time(PaperSplit& split, const char* name)
  {
    return time([&] { split.run(stream_.get()); }, split.starts(), name);
  }

  double
  timeOurs()
  {
    BinSplit split;
    split.setNumberOfBins(bins_);
    pcl::gpu::SplitBins bins;
    const auto run = [&] {
      split.split(keys_, values_, split_keys_, split_values_, bins, stream_);
    };
    run(); // allocates
    return time(run, bins.starts.ptr(), "BinSplit");
  }

  double
  timeCub()
  {
    CubSort sort(lists_, bins_);
    return time([&] { sort.run(stream_.get()); }, nullptr, "CUB");
  }

  /** \brief The fastest of three runs on the processor. */
  double
  timeHost()
  {
    const pcl::gpu::ScopedDevice scope(pcl::gpu::Device::host());
    Numbers keys, values, split_keys, split_values;
    keys.upload(host_keys_);
    values.upload(host_values_);
    BinSplit split;
    split.setNumberOfBins(bins_);
    pcl::gpu::SplitBins bins;
    double least = 0.0;
    for (int run = 0; run < 4; ++run) {
      const StopWatch watch;
      split.split(keys, values, split_keys, split_values, bins);
      const double elapsed = 1e6 * watch.seconds();
      if (run == 1 || (run > 1 && elapsed < least)) // the first allocates
        least = elapsed;
    }
    std::vector<std::uint32_t> keys_found, values_found;
    split_keys.download(keys_found);
    split_values.download(values_found);
    for (std::size_t i = 0; i < keys_found.size(); ++i) {
      const bool in_order =
          i == 0 || keys_found[i - 1] < keys_found[i] ||
          (keys_found[i - 1] == keys_found[i] && values_found[i - 1] < values_found[i]);
      if (!in_order || host_keys_[values_found[i]] != keys_found[i])
        throw std::runtime_error("BinSplit on the host: wrong result");
    }
    return least;
  }

private:
  double
  time(const QueueWork& run, const std::uint32_t* starts, const char* name)
  {
    const std::size_t bytes = split_keys_.size() * sizeof(std::uint32_t);
    checkCuda(cudaMemsetAsync(split_keys_.ptr(), 0xff, bytes, stream_.get()),
              "clearing the result");
    run();
    check(starts, name);
    const double microseconds = timer_.graph(run).median;
    check(starts, name);
    return microseconds;
  }

  void
  check(const std::uint32_t* starts, const char* name)
  {
    const cudaStream_t stream = stream_.get();
    const auto blocksFor = [](std::size_t size) {
      return static_cast<unsigned int>((size + check_threads - 1) / check_threads);
    };
    checkCuda(cudaMemsetAsync(seen_.ptr(), 0, seen_.size(), stream), "clearing marks");
    checkCuda(cudaMemsetAsync(errors_.ptr(), 0, sizeof(std::uint32_t), stream),
              "clearing a count");
    if (starts)
      checkStarts<<<blocksFor(bins_), check_threads, 0, stream>>>(
          starts, bins_, lists_.size, errors_.ptr());
    checkPairs<<<blocksFor(lists_.size), check_threads, 0, stream>>>(
        lists_, starts, bins_, seen_.ptr(), errors_.ptr());
    checkAllSeen<<<blocksFor(lists_.size), check_threads, 0, stream>>>(
        seen_.ptr(), lists_.size, errors_.ptr());
    checkCuda(cudaGetLastError(), "checking a split");
    stream_.synchronize();
    std::vector<std::uint32_t> errors;
    errors_.download(errors);
    if (errors[0] > 0)
      throw std::runtime_error(std::string(name) + ": wrong result in " +
                               std::to_string(bins_) + " bins");
  }

  const CudaTimer& timer_;
  const pcl::gpu::Stream& stream_;
  std::uint32_t bins_;
  std::vector<std::uint32_t> host_keys_, host_values_;
  Numbers keys_, values_, split_keys_, split_values_;
  pcl::gpu::DeviceArray<unsigned char> seen_;
  Numbers errors_;
  PairLists lists_{};
};

/** \brief Prints a time in milliseconds, and the paper's in brackets if it has one. */
void
printCell(double microseconds, double paper)
{
  std::printf(" %.3f", microseconds * 1e-3);
  if (paper != not_given)
    std::printf(" (%.3g)", paper);
  std::printf(" |");
}

void
printRow(Row& row, const PaperRow& paper, int size_index)
{
  // Reading the keys once, then reading and writing the list.
  std::printf("| %.0fM | %u | %.3f |",
              row.lists().size / 1048576.0,
              paper.bins,
              row.lists().size * 20.0 / 4.25e9);
  printCell(row.timeHost(), paper.cpu[size_index]);
  printCell(row.time(*makeAtomicSplit(row.lists(), paper.bins), "atomic split"),
            paper.atomic[size_index]);
  if (paper.bins <= max_thread_histogram_bins)
    printCell(row.time(*makeThreadHistogramSplit(row.lists(), paper.bins),
                       "thread histograms"),
              size_index == 2 ? paper.he : not_given);
  else
    std::printf(" x |");
  for (int levels = 1; levels <= max_levels; ++levels) {
    constexpr std::uint32_t least_bins[] = {0, 512, 1024}; // as in the paper
    if (levels == 1 && paper.bins > max_level_bins)
      std::printf(" x |");
    else if (paper.bins < least_bins[levels - 1])
      std::printf(" - |");
    else
      printCell(row.time(*makeSharedMemorySplit(row.lists(), paper.bins, levels),
                         "shared memory split"),
                paper.levels[size_index][levels - 1]);
  }
  std::printf(" **%.3f** |", row.timeOurs() * 1e-3);
  printCell(row.timeCub(), not_given);
  std::printf("\n");
}

} // namespace

std::vector<std::uint32_t>
uniformKeys(std::size_t size, std::uint32_t bins)
{
  std::mt19937 random(1);
  std::vector<std::uint32_t> keys(size);
  for (std::uint32_t& key : keys)
    key = random() % bins;
  return keys;
}

void
printPaperTable(const CudaTimer& timer, const pcl::gpu::Stream& stream)
{
  std::printf(
      "\nMilliseconds, the paper's in brackets (GeForce 8800 GTX); CPU: BinSplit on "
      "%d threads.\n",
      omp_get_max_threads());
  printHeading(
      "| pairs | bins | floor of one pass | CPU | global atomic | He | 1 level | "
      "2 levels | 3 levels | BinSplit | CUB SortPairs |");
  for (int size_index = 0; size_index < sizes; ++size_index)
    for (const PaperRow& paper : paper_rows) {
      Row row(timer, stream, std::size_t(1) << (20 + 2 * size_index), paper.bins);
      printRow(row, paper, size_index);
    }
}

} // namespace benchmarks
