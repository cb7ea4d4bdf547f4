// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// The split table of Patidar and Narayanan 2008 (table 2), beside CUB's radix sort on
// the same bits, in the same run.

#include "common/cuda_timing.h"
#include "common/options.h"
#include "common/report.h"
#include "cub_sort.h"
#include "paper_table.h"

#include <pcl/gpu/utils/bin_split.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

namespace {

using benchmarks::CudaTimer;
using pcl::gpu::BinSplit;
using pcl::gpu::DeviceArray;
using pcl::gpu::Stream;
using Numbers = DeviceArray<std::uint32_t>;

/** \brief A distribution of the keys over the bins. */
struct Spread {
  const char* name;
  std::vector<std::uint32_t> (*keys)(std::size_t size, std::uint32_t bins);
};

/** \brief Half of the keys are the first, half of the rest the second, and so on. */
std::vector<std::uint32_t>
skewedKeys(std::size_t size, std::uint32_t bins)
{
  std::mt19937 random(2);
  std::vector<std::uint32_t> keys(size);
  for (std::uint32_t& key : keys) {
    key = 0;
    while (key + 1 < bins && (random() & 1))
      ++key;
  }
  return keys;
}

std::vector<std::uint32_t>
sortedKeys(std::size_t size, std::uint32_t bins)
{
  std::vector<std::uint32_t> keys = benchmarks::uniformKeys(size, bins);
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::vector<std::uint32_t>
constantKeys(std::size_t size, std::uint32_t bins)
{
  return std::vector<std::uint32_t>(size, bins / 2);
}

/** \brief One cell of the table. */
void
timeCell(const CudaTimer& timer,
         const Stream& stream,
         const Spread& spread,
         std::size_t size,
         std::uint32_t bins)
{
  Numbers keys, payload;
  keys.upload(spread.keys(size, bins));
  payload.upload(std::vector<std::uint32_t>(size, 1));
  Numbers split_keys(size), split_payload(size);

  BinSplit split;
  split.setNumberOfBins(bins);
  pcl::gpu::SplitBins found;
  const auto run = [&] {
    split.split(keys, payload, split_keys, split_payload, found, stream);
  };
  run(); // allocates
  const double ours = timer.graph(run).median;

  benchmarks::CubSort sort({static_cast<std::uint32_t>(size),
                            keys.ptr(),
                            payload.ptr(),
                            split_keys.ptr(),
                            split_payload.ptr()},
                           bins);
  const double cub = timer.graph([&] { sort.run(stream.get()); }).median;
  // Reading the keys once, then reading and writing the list.
  const double floor = size * 20.0 / 4.25e6;
  std::printf("| %s | %.0fM | %u | **%.1f** | %.1f | %.2f | %.1f | %.2f |\n",
              spread.name,
              size / 1048576.0,
              bins,
              ours,
              cub,
              cub / ours,
              floor,
              size / ours * 1e-3);
}

/** \brief Selection of the cells to time. */
struct Cells {
  bool all = false;
  bool paper = false;
  std::vector<std::uint64_t> one; ///< pairs, bins; empty: more than one
};

void
run(const Cells& cells)
{
  const Spread spreads[] = {{"uniform", benchmarks::uniformKeys},
                            {"skewed", skewedKeys},
                            {"sorted", sortedKeys},
                            {"constant", constantKeys}};
  const Stream stream = Stream::create();
  const CudaTimer timer(stream, 30);
  benchmarks::printContext();
  if (cells.paper) {
    benchmarks::printPaperTable(timer, stream);
    return;
  }
  benchmarks::printHeading(
      "| keys | pairs | bins | ours, us | CUB SortPairs, us | CUB / ours "
      "| floor of one pass, us | ours, Gpair/s |");
  if (!cells.one.empty()) {
    for (const Spread& spread : spreads)
      timeCell(timer,
               stream,
               spread,
               cells.one.at(0),
               static_cast<std::uint32_t>(cells.one.at(1)));
    return;
  }
  const std::vector<int> some = {5, 8, 11, 16, 19};
  for (const Spread& spread : spreads)
    for (std::size_t size : {1u << 20, 1u << 22, 1u << 24})
      for (int bits = 5; bits <= (cells.all ? 22 : 19); ++bits)
        if (cells.all || std::count(some.begin(), some.end(), bits) > 0)
          timeCell(timer, stream, spread, size, 1u << bits);
}

} // namespace

int
main(int argc, char** argv)
{
  Cells cells;
  benchmarks::Options options("Times splits beside CUB's radix sort: some cells of the "
                              "table if no option is given");
  options.addSwitch("all", cells.all, "all cells of the table");
  options.add("cell", cells.one, "one cell: pairs, bins");
  options.addSwitch("paper", cells.paper, "the paper's table with its own methods");
  return options.run(argc, argv, [&] {
    run(cells);
    return true;
  });
}
