// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Splits on the processor, beside other ways to bring pairs into the order of their
// keys: the standard library, Boost, TBB and Highway, in the same run.

#include "common/options.h"
#include "common/report.h"
#include "common/statistics.h"

#include <pcl/gpu/containers/initialization.h>
#include <pcl/gpu/utils/bin_split.h>

#include <boost/sort/sort.hpp>

#include <omp.h>
#include <parallel/algorithm>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#if BENCHMARKS_HAVE_HIGHWAY
#include <hwy/contrib/sort/vqsort.h>
#endif
#if BENCHMARKS_HAVE_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_sort.h>
#endif

namespace {

using namespace benchmarks;
using pcl::gpu::BinSplit;
using pcl::gpu::DeviceArray;
using Numbers = std::vector<std::uint32_t>;

/** \brief The pair as the competitors sort it: the key in the upper half. With the
 * place as the value every order of the whole numbers is a stable one of the keys. */
using Pair = std::uint64_t;

std::uint32_t
keyOf(Pair pair)
{
  return static_cast<std::uint32_t>(pair >> 32);
}

struct KeyLess {
  bool
  operator()(Pair a, Pair b) const
  {
    return keyOf(a) < keyOf(b);
  }
};

struct KeyShift {
  std::uint32_t
  operator()(Pair pair, unsigned shift) const
  {
    return keyOf(pair) >> shift;
  }
};

struct Competitor {
  const char* name;
  bool stable;
  std::function<void(std::vector<Pair>&)> sort;
};

std::vector<Competitor>
competitors(int threads)
{
  std::vector<Competitor> all = {
      {"std::stable_sort, 1 thread",
       true,
       [](std::vector<Pair>& pairs) {
         std::stable_sort(pairs.begin(), pairs.end(), KeyLess());
       }},
      {"__gnu_parallel::stable_sort",
       true,
       [](std::vector<Pair>& pairs) {
         __gnu_parallel::stable_sort(pairs.begin(), pairs.end(), KeyLess());
       }},
      {"boost spreadsort, 1 thread",
       false,
       [](std::vector<Pair>& pairs) {
         boost::sort::spreadsort::integer_sort(
             pairs.begin(), pairs.end(), KeyShift(), KeyLess());
       }},
      {"boost block_indirect_sort",
       false,
       [threads](std::vector<Pair>& pairs) {
         boost::sort::block_indirect_sort(
             pairs.begin(), pairs.end(), KeyLess(), static_cast<unsigned>(threads));
       }},
  };
#if BENCHMARKS_HAVE_TBB
  all.push_back({"tbb::parallel_sort", false, [](std::vector<Pair>& pairs) {
                   tbb::parallel_sort(pairs.begin(), pairs.end(), KeyLess());
                 }});
#endif
#if BENCHMARKS_HAVE_HIGHWAY
  all.push_back({"Highway vqsort, 1 thread", true, [](std::vector<Pair>& pairs) {
                   hwy::Sorter()(pairs.data(), pairs.size(), hwy::SortAscending());
                 }});
#endif
  return all;
}

enum class Spread { Uniform, Skewed, Sorted, Constant };

Numbers
keysOf(Spread spread, std::size_t size, std::uint32_t bins)
{
  std::mt19937 random(1);
  Numbers keys(size);
  for (std::uint32_t& key : keys)
    if (spread == Spread::Constant)
      key = bins / 2;
    else if (spread == Spread::Skewed) // half the first, half of the rest the second
      for (key = 0; key + 1 < bins && (random() & 1);)
        ++key;
    else
      key = random() % bins;
  if (spread == Spread::Sorted)
    std::sort(keys.begin(), keys.end());
  return keys;
}

/** \brief Ours, with everything that it gives. */
struct OurSplit {
  DeviceArray<std::uint32_t> keys, payload, split_keys, split_payload;
  pcl::gpu::SplitBins bins;
  BinSplit split;

  OurSplit(const Numbers& host_keys, std::uint32_t number)
  {
    Numbers places(host_keys.size());
    for (std::size_t i = 0; i < places.size(); ++i)
      places[i] = static_cast<std::uint32_t>(i);
    keys.upload(host_keys);
    payload.upload(places);
    split.setNumberOfBins(number);
  }

  void
  run()
  {
    split.split(keys, payload, split_keys, split_payload, bins);
  }
};

void
require(bool condition, const std::string& what)
{
  if (!condition)
    throw std::runtime_error(what);
}

void
checkOurs(const OurSplit& ours, const std::vector<Pair>& sorted)
{
  Numbers keys, places;
  ours.split_keys.download(keys);
  ours.split_payload.download(places);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    require((Pair(keys[i]) << 32 | places[i]) == sorted[i], "the split is wrong");
}

void
timeCase(Spread spread,
         const char* name,
         std::size_t size,
         std::uint32_t bins,
         int rounds,
         bool with_competitors)
{
  const Numbers keys = keysOf(spread, size, bins);
  std::vector<Pair> pairs(size);
  for (std::size_t i = 0; i < size; ++i)
    pairs[i] = Pair(keys[i]) << 32 | i;
  std::vector<Pair> expected = pairs;
  std::stable_sort(expected.begin(), expected.end(), KeyLess());

  OurSplit ours(keys, bins);
  ours.run(); // allocates
  checkOurs(ours, expected);
  std::vector<Competitor> others;
  if (with_competitors)
    others = competitors(omp_get_max_threads());
  // Milliseconds of all runs.
  std::vector<double> our_times;
  std::vector<std::vector<double>> times(others.size());
  const auto timeOf = [](const auto& split) {
    const StopWatch watch;
    split();
    return watch.milliseconds();
  };
  std::vector<Pair> work;
  for (int round = 0; round < rounds; ++round) {
    // A disturbance hits all alike.
    for (int i = 0; i < 3; ++i)
      our_times.push_back(timeOf([&] { ours.run(); }));
    for (std::size_t i = 0; i < others.size(); ++i) {
      work = pairs;
      times[i].push_back(timeOf([&] { others[i].sort(work); }));
      require(std::is_sorted(work.begin(), work.end(), KeyLess()), others[i].name);
      require(!others[i].stable || work == expected, others[i].name);
    }
  }
  const auto print =
      [&](const char* method, bool stable, const std::vector<double>& time) {
        std::printf("| %s | %.0fM | %u | %s | %s | %s | %.2f |\n",
                    name,
                    size / 1048576.0,
                    bins,
                    method,
                    stable ? "yes" : "no",
                    leastAndMedian(time, 1).c_str(),
                    leastOf(time) / leastOf(our_times));
      };
  print("**BinSplit**", true, our_times);
  for (std::size_t i = 0; i < others.size(); ++i)
    print(others[i].name, others[i].stable, times[i]);
}

void
run(int rounds, bool ours_only)
{
  pcl::gpu::setHostDevice();
  const int threads = omp_get_max_threads();
#if BENCHMARKS_HAVE_TBB
  const tbb::global_control same_threads(tbb::global_control::max_allowed_parallelism,
                                         static_cast<std::size_t>(threads));
#endif
  printContext();
  printHeading(
      "| keys | pairs | bins | method | stable | ms, fastest / median | times ours |");
  const std::size_t size = std::size_t(1) << 24;
  for (std::uint32_t bins : {1u << 5, 1u << 11, 1u << 19, 1u << 22})
    timeCase(Spread::Uniform, "uniform", size, bins, rounds, !ours_only);
  for (std::uint32_t bins : {1u << 5, 1u << 19}) {
    timeCase(Spread::Skewed, "skewed", size, bins, rounds, false);
    timeCase(Spread::Sorted, "sorted", size, bins, rounds, false);
    timeCase(Spread::Constant, "constant", size, bins, rounds, false);
  }
  for (std::uint32_t bins : {1u << 5, 1u << 19})
    timeCase(
        Spread::Uniform, "uniform", std::size_t(1) << 20, bins, rounds, !ours_only);
}

} // namespace

int
main(int argc, char** argv)
{
  int rounds = 5;
  bool ours_only = false;
  Options options(
      "Times splits on the processor beside sorts, in OMP_NUM_THREADS threads");
  options.addCount("rounds", rounds, "runs of everything; three of ours in each");
  options.addSwitch("ours", ours_only, "leave out the sorts");
  return options.run(argc, argv, [&] {
    run(rounds, ours_only);
    return true;
  });
}
