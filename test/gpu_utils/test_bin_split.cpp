// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "testing/image.h"

#include <pcl/gpu/utils/bin_split.h>

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

using Numbers = std::vector<std::uint32_t>;

/** \brief The elements' numbers in the order of their keys, by the standard library. */
Numbers
orderOf(const Numbers& keys)
{
  Numbers order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return keys[a] < keys[b];
  });
  return order;
}

template <typename T>
std::vector<T>
inOrder(const std::vector<T>& values, const Numbers& order)
{
  std::vector<T> result;
  for (std::uint32_t i : order)
    result.push_back(values[i]);
  return result;
}

void
expectBins(const SplitBins& bins, const Numbers& keys, std::uint32_t number)
{
  Numbers counts(number, 0);
  for (std::uint32_t key : keys)
    ++counts[key];
  Numbers starts(number + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), starts.begin() + 1);
  EXPECT_EQ(downloaded(bins.counts), counts);
  EXPECT_EQ(downloaded(bins.starts), starts);
}

/** \brief Distribution of a test's keys over the bins. */
enum class Spread { Uniform, Skewed, Sorted, Reversed, Constant, Last, Two };

Numbers
keysOf(std::size_t size, std::uint32_t bins, Spread spread, unsigned seed)
{
  std::mt19937 random(seed);
  Numbers keys(size);
  for (std::uint32_t& key : keys) {
    key = random() % bins;
    if (spread == Spread::Skewed)
      key = key % (random() % bins + 1) % (random() % bins + 1);
    else if (spread == Spread::Constant)
      key = bins / 2;
    else if (spread == Spread::Last)
      key = bins - 1;
    else if (spread == Spread::Two)
      key = key % 3 == 0 ? bins - 1 : 1;
  }
  if (spread == Spread::Sorted)
    std::sort(keys.begin(), keys.end());
  else if (spread == Spread::Reversed)
    std::sort(keys.begin(), keys.end(), std::greater<>());
  return keys;
}

class BinSplits : public DeviceTest {
protected:
  static void
  expectSplit(BinSplit& split, const Numbers& keys)
  {
    SCOPED_TRACE(std::to_string(keys.size()) + " elements, " +
                 std::to_string(split.getNumberOfBins()) + " bins");
    Numbers payload(keys.size());
    std::iota(payload.begin(), payload.end(), 1000u);
    const Numbers order = orderOf(keys);
    DeviceArray<std::uint32_t> split_keys, split_payload;
    SplitBins bins;
    split.split(uploaded(keys), uploaded(payload), split_keys, split_payload, bins);
    EXPECT_EQ(downloaded(split_keys), inOrder(keys, order));
    EXPECT_EQ(downloaded(split_payload), inOrder(payload, order));
    expectBins(bins, keys, split.getNumberOfBins());
  }

  template <typename T>
  static void
  expectPayload(const std::vector<T>& payload, std::uint32_t number, Spread spread)
  {
    const Numbers keys = keysOf(payload.size(), number, spread, 5);
    BinSplit split;
    split.setNumberOfBins(number);
    DeviceArray<std::uint32_t> split_keys;
    DeviceArray<T> split_payload;
    SplitBins bins;
    split.split(uploaded(keys), uploaded(payload), split_keys, split_payload, bins);
    EXPECT_EQ(downloaded(split_payload), inOrder(payload, orderOf(keys)));
    expectBins(bins, keys, number);
  }
};

TEST_P(BinSplits, EqualAStableSort)
{
  BinSplit split;
  for (std::uint32_t bins : {1u, 2u, 3u, 31u, 32u, 33u, 255u, 256u, 257u, 2048u, 2049u})
    for (std::size_t size : {0, 1, 31, 33, 255, 1025, 5119, 5120, 5121, 40000}) {
      split.setNumberOfBins(bins);
      expectSplit(split, keysOf(size, bins, Spread::Uniform, bins + size));
    }
}

TEST_P(BinSplits, EqualAStableSortForManyBins)
{
  BinSplit split;
  for (std::uint32_t bins : {65536u, 65537u, 1u << 19, BinSplit::max_bins}) {
    split.setNumberOfBins(bins);
    for (std::size_t size : {0, 1, 7000, 100000})
      expectSplit(split, keysOf(size, bins, Spread::Uniform, bins + size));
  }
}

TEST_P(BinSplits, EqualAStableSortHoweverTheKeysAreSpread)
{
  BinSplit split;
  for (std::uint32_t bins : {2u, 32u, 200u, 2000u, 3000u, 70000u, 1u << 19}) {
    split.setNumberOfBins(bins);
    for (Spread spread : {Spread::Skewed,
                          Spread::Sorted,
                          Spread::Reversed,
                          Spread::Constant,
                          Spread::Last,
                          Spread::Two})
      expectSplit(split, keysOf(300000, bins, spread, bins));
  }
}

// Most keys in a few bins, the others anywhere, in bins close by, or all in one.
TEST_P(BinSplits, EqualAStableSortWhereMostKeysAreInFewBins)
{
  BinSplit split;
  std::mt19937 random(3);
  for (std::uint32_t bins : {4096u, 5000u, 1u << 16, 1u << 17, 1u << 19}) {
    split.setNumberOfBins(bins);
    for (std::uint32_t begin :
         {0u, 256u, bins / 2, bins / 3 / 64 * 64, bins / 4096 * 1800 + 77, bins - 20})
      for (int others = 0; others < 3; ++others) {
        Numbers keys(150000);
        for (std::uint32_t& key : keys) {
          const bool is_other = random() % 100 < 32;
          const std::uint32_t bin = random() % bins;
          if (!is_other)
            key = begin + bin % 4;
          else if (others == 0)
            key = bin;
          else
            key = begin + (others == 1 ? bin % 2000 : 1000);
          key = std::min(key, bins - 1);
        }
        SCOPED_TRACE("most from bin " + std::to_string(begin) + " on, others " +
                     std::to_string(others));
        expectSplit(split, keys);
      }
  }
}

// With large payload a block holds few elements, and the digits' windows are wide.
TEST_P(BinSplits, MoveLargePayloadWhereMostKeysAreInSomeBins)
{
  using Payload = std::array<std::uint32_t, 4>;
  std::mt19937 random(6);
  for (std::uint32_t begin : {0u, 64u, 1024u, 4032u}) {
    Numbers keys(500000);
    std::vector<Payload> payload(keys.size());
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
      keys[i] = random() % 100 < 70 ? begin + random() % 64 : random() % 4096;
      payload[i] = {i, i + 1, i + 2, i + 3};
    }
    BinSplit split;
    split.setNumberOfBins(4096);
    DeviceArray<std::uint32_t> split_keys;
    DeviceArray<Payload> split_payload;
    SplitBins bins;
    split.split(uploaded(keys), uploaded(payload), split_keys, split_payload, bins);
    EXPECT_EQ(downloaded(split_payload), inOrder(payload, orderOf(keys)));
    expectBins(bins, keys, 4096);
  }
}

TEST_P(BinSplits, EqualAStableSortOfListsThatAreAlmostInOrder)
{
  BinSplit split;
  for (std::uint32_t bins : {3000u, 1u << 16, 1u << 19}) {
    split.setNumberOfBins(bins);
    const Numbers ordered = keysOf(200001, bins, Spread::Sorted, bins);
    for (std::size_t exception :
         {1ul, 31ul, 32ul, 255ul, 256ul, 2047ul, 2048ul, 4096ul, 131071ul, 200000ul}) {
      Numbers keys = ordered;
      keys[exception - 1] = keys[exception] + 1 < bins ? keys[exception] + 1 : bins - 1;
      keys[exception] = 0;
      SCOPED_TRACE("except for " + std::to_string(exception));
      expectSplit(split, keys);
    }
    expectSplit(split, ordered);
  }
}

TEST_P(BinSplits, EqualAStableSortAtTheBordersOfTiles)
{
  BinSplit split;
  for (std::uint32_t bins : {600u, 2048u, 70000u}) {
    split.setNumberOfBins(bins);
    for (std::size_t border : {128, 256, 1024, 2048, 4096, 270336})
      for (std::size_t size : {border - 1, border, border + 1})
        expectSplit(split, keysOf(size, bins, Spread::Uniform, bins + size));
  }
}

// A CUDA block holds a multiple of 512 elements in shared memory.
TEST_P(BinSplits, EqualAStableSortWhereManyKeysAreNeighbours)
{
  BinSplit split;
  for (std::uint32_t bins : {5000u, 1u << 16, 1u << 19}) {
    split.setNumberOfBins(bins);
    const std::uint32_t neighbours = std::max(bins / 2048, 1u);
    for (std::size_t number = 512; number <= 24 * 1024; number += 512)
      for (std::size_t size : {number - 1, number, number + 1}) {
        Numbers keys = keysOf(size, neighbours, Spread::Uniform, size);
        for (std::uint32_t& key : keys)
          key += bins / 4096 * 2048;
        for (std::uint32_t i = 0; i < 100; ++i)
          keys.insert(keys.begin() + i * (size / 100), i * (bins / 100) % (bins / 4));
        expectSplit(split, keys);
      }
  }
}

TEST_P(BinSplits, TakeKeysAlone)
{
  for (std::uint32_t bins : {20u, 5000u}) {
    const Numbers keys = keysOf(50000, bins, Spread::Skewed, 3);
    BinSplit split;
    split.setNumberOfBins(bins);
    DeviceArray<std::uint32_t> split_keys;
    SplitBins found;
    split.split(uploaded(keys), split_keys, found);
    EXPECT_EQ(downloaded(split_keys), inOrder(keys, orderOf(keys)));
    expectBins(found, keys, bins);
  }
}

TEST_P(BinSplits, TakePayloadOfAnySize)
{
  const std::size_t size = 30000;
  for (std::uint32_t bins : {7u, 300u, 100000u}) {
    std::vector<char> bytes(size);
    std::vector<std::uint64_t> longs(size);
    std::vector<std::array<float, 3>> triples(size);
    std::vector<std::array<std::uint32_t, 4>> quadruples(size);
    std::vector<std::array<std::uint16_t, 11>> odd(size);
    for (std::size_t i = 0; i < size; ++i) {
      const auto n = static_cast<std::uint32_t>(i);
      bytes[i] = static_cast<char>(i % 101);
      longs[i] = i << 33 | i;
      triples[i] = {n * 1.0f, n * 2.0f, n * 3.0f};
      quadruples[i] = {n, n + 1, n + 2, n + 3};
      odd[i].fill(static_cast<std::uint16_t>(i % 60000));
    }
    for (Spread spread : {Spread::Uniform, Spread::Skewed, Spread::Two}) {
      expectPayload(bytes, bins, spread);
      expectPayload(longs, bins, spread);
      expectPayload(triples, bins, spread);
      expectPayload(quadruples, bins, spread);
      expectPayload(odd, bins, spread);
    }
  }
}

TEST_P(BinSplits, KeepTheirResultsFromRunToRunOfOtherSizes)
{
  BinSplit split;
  for (int run = 0; run < 12; ++run) {
    const std::uint32_t bins = run % 3 == 0 ? 40u : run % 3 == 1 ? 4000u : 400000u;
    split.setNumberOfBins(bins);
    expectSplit(split, keysOf(1000 + 9000 * (run % 5), bins, Spread::Uniform, run));
  }
}

TEST_P(BinSplits, EqualAStableSortOfMoreThanADeviceKeepsRunning)
{
  BinSplit split;
  const std::size_t size = (3 << 20) + 1;
  for (std::uint32_t bins : {100u, 1500u, 70000u, 1u << 19}) {
    split.setNumberOfBins(bins);
    expectSplit(split, keysOf(size, bins, Spread::Uniform, bins));
  }
  std::vector<std::array<std::uint32_t, 4>> quadruples(size);
  for (std::size_t i = 0; i < size; ++i)
    quadruples[i].fill(static_cast<std::uint32_t>(i));
  expectPayload(quadruples, BinSplit::max_bins, Spread::Uniform);
}

TEST_P(BinSplits, EqualAStableSortOnAnyNumberOfThreads)
{
  const int threads_before = omp_get_max_threads();
  for (int threads : {1, 3, 16}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    omp_set_num_threads(threads);
    BinSplit split;
    for (std::uint32_t bins : {1u, 300u, 70000u})
      for (Spread spread : {Spread::Uniform, Spread::Skewed, Spread::Constant}) {
        split.setNumberOfBins(bins);
        expectSplit(split, keysOf(200001, bins, spread, threads));
      }
  }
  omp_set_num_threads(threads_before);
}

TEST_P(BinSplits, WriteToMemoryThatStartsAnywhere)
{
  const std::size_t size = 150000;
  for (std::uint32_t bins : {50u, 9000u})
    for (std::size_t offset : {1, 4, 15}) {
      const Numbers keys = keysOf(size, bins, Spread::Uniform, 12);
      Numbers payload(size);
      std::iota(payload.begin(), payload.end(), 0u);
      DeviceArray<std::uint32_t> all = uploaded(Numbers(size + 32, 7));
      DeviceArray<std::uint32_t> split_keys(all.ptr() + offset, size), split_payload;
      BinSplit split;
      split.setNumberOfBins(bins);
      SplitBins found;
      split.split(uploaded(keys), uploaded(payload), split_keys, split_payload, found);
      const Numbers order = orderOf(keys);
      EXPECT_EQ(downloaded(split_keys), inOrder(keys, order));
      EXPECT_EQ(downloaded(split_payload), order);
      const Numbers around = downloaded(all);
      EXPECT_EQ(around[offset - 1], 7u);
      EXPECT_EQ(around[offset + size], 7u);
    }
}

TEST_P(BinSplits, SplitSegmentsEachForItself)
{
  const std::uint32_t number = 10;
  const Numbers starts = {0, 0, 700, 701, 701, 20000, 30000};
  const Numbers keys = keysOf(starts.back(), number, Spread::Skewed, 4);
  Numbers payload(keys.size());
  std::iota(payload.begin(), payload.end(), 0u);
  Numbers numbered = keys;
  for (std::uint32_t segment = 0; segment + 1 < starts.size(); ++segment)
    for (std::uint32_t i = starts[segment]; i < starts[segment + 1]; ++i)
      numbered[i] += segment * number;

  BinSplit split;
  split.setNumberOfBins(number);
  DeviceArray<std::uint32_t> split_keys, split_payload;
  SplitBins bins;
  split.segmentedSplit(uploaded(keys),
                       uploaded(starts),
                       uploaded(payload),
                       split_keys,
                       split_payload,
                       bins);
  const Numbers order = orderOf(numbered);
  EXPECT_EQ(downloaded(split_keys), inOrder(numbered, order));
  EXPECT_EQ(downloaded(split_payload), inOrder(payload, order));
  expectBins(bins, numbered, number * 6);
}

TEST_P(BinSplits, ByThreeLevelsEqualOneSplitByAllKeys)
{
  const std::uint32_t columns = 16, rows = 12, slabs = 5;
  const std::size_t size = 40000;
  const Numbers x = keysOf(size, columns, Spread::Skewed, 1);
  const Numbers y = keysOf(size, rows, Spread::Uniform, 2);
  const Numbers z = keysOf(size, slabs, Spread::Skewed, 3);
  Numbers cell(size), elements(size);
  for (std::size_t i = 0; i < size; ++i)
    cell[i] = (x[i] * rows + y[i]) * slabs + z[i];
  std::iota(elements.begin(), elements.end(), 0u);

  BinSplit split;
  SplitBins by_column, by_tile, by_cell;
  DeviceArray<std::uint32_t> keys, first, second, third;
  split.setNumberOfBins(columns);
  split.split(uploaded(x), uploaded(elements), keys, first, by_column);
  split.setNumberOfBins(rows);
  split.segmentedSplit(uploaded(inOrder(y, downloaded(first))),
                       by_column.starts,
                       first,
                       keys,
                       second,
                       by_tile);
  split.setNumberOfBins(slabs);
  split.segmentedSplit(uploaded(inOrder(z, downloaded(second))),
                       by_tile.starts,
                       second,
                       keys,
                       third,
                       by_cell);
  EXPECT_EQ(downloaded(third), orderOf(cell));
  expectBins(by_cell, cell, columns * rows * slabs);
}

TEST_P(BinSplits, GiveElementsToSeveralBins)
{
  const std::uint32_t number = 500;
  std::mt19937 random(6);
  Numbers starts = {0}, keys, elements;
  for (std::uint32_t element = 0; element < 20000; ++element) {
    const unsigned several = element == 7000 ? 30000 : random() % 5;
    for (unsigned i = 0; i < several; ++i) {
      keys.push_back(random() % number);
      elements.push_back(element);
    }
    starts.push_back(static_cast<std::uint32_t>(keys.size()));
  }
  BinSplit split;
  split.setNumberOfBins(number);
  DeviceArray<std::uint32_t> split_keys, split_elements;
  SplitBins bins;
  split.multiSplit(uploaded(starts), uploaded(keys), split_keys, split_elements, bins);
  const Numbers order = orderOf(keys);
  EXPECT_EQ(downloaded(split_keys), inOrder(keys, order));
  EXPECT_EQ(downloaded(split_elements), inOrder(elements, order));
  expectBins(bins, keys, number);
}

TEST_P(BinSplits, TakeKeysThatAreNoBinsWithoutHarm)
{
  Numbers keys = keysOf(20000, 50, Spread::Uniform, 8);
  for (std::size_t i = 0; i < keys.size(); i += 7)
    keys[i] = 0xfffffff0u + static_cast<std::uint32_t>(i % 16);
  Numbers elements(keys.size());
  std::iota(elements.begin(), elements.end(), 0u);
  for (std::uint32_t number : {3u, 50u, 400u, 4096u, 70000u}) {
    BinSplit split;
    split.setNumberOfBins(number);
    DeviceArray<std::uint32_t> split_keys, split_elements;
    SplitBins bins;
    split.split(uploaded(keys), uploaded(elements), split_keys, split_elements, bins);
    Numbers found = downloaded(split_elements);
    EXPECT_EQ(downloaded(split_keys), inOrder(keys, found)) << "keys stay with them";
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, elements) << "all elements are there";
  }
}

TEST_P(BinSplits, RejectWhatTheyCannotDo)
{
  BinSplit split;
  EXPECT_THROW(split.setNumberOfBins(0), pcl::BadArgumentException);
  EXPECT_THROW(split.setNumberOfBins(BinSplit::max_bins + 1),
               pcl::BadArgumentException);
  split.setNumberOfBins(1000);
  DeviceArray<std::uint32_t> keys = uploaded(Numbers(5000, 0));
  DeviceArray<std::uint32_t> fewer = uploaded(Numbers(10, 0));
  DeviceArray<std::uint32_t> none, split_keys, split_payload;
  SplitBins bins;
  EXPECT_THROW(split.split(keys, keys, bins), pcl::BadArgumentException);
  EXPECT_THROW(split.split(keys, fewer, split_keys, split_payload, bins),
               pcl::BadArgumentException);
  EXPECT_THROW(split.split(keys, split_keys, split_payload, split_keys, bins),
               pcl::BadArgumentException);
  EXPECT_THROW(split.segmentedSplit(keys, none, keys, split_keys, split_payload, bins),
               pcl::BadArgumentException);
  EXPECT_THROW(split.segmentedSplit(keys, keys, keys, split_keys, split_payload, bins),
               pcl::BadArgumentException)
      << "5 million bins";
  DeviceArray<std::uint32_t> payload = uploaded(Numbers(5000, 1));
  DeviceArray<std::uint32_t> starts = uploaded(Numbers{0, 5000});
  EXPECT_THROW(split.split(keys, payload, split_keys, keys, bins),
               pcl::BadArgumentException);
  EXPECT_THROW(split.split(keys, payload, payload, split_payload, bins),
               pcl::BadArgumentException);
  DeviceArray<std::uint32_t> both = uploaded(Numbers(5000, 2));
  EXPECT_THROW(split.split(keys, payload, both, both, bins), pcl::BadArgumentException);
  EXPECT_THROW(split.multiSplit(starts, keys, split_keys, keys, bins),
               pcl::BadArgumentException);
  split.split(keys, split_keys, bins);
  EXPECT_THROW(
      split.segmentedSplit(keys, bins.starts, payload, split_keys, split_payload, bins),
      pcl::BadArgumentException);
  EXPECT_THROW(split.split(bins.counts, split_keys, bins), pcl::BadArgumentException);
  EXPECT_THROW(split.multiSplit(none, keys, split_keys, split_payload, bins),
               pcl::BadArgumentException);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(BinSplits);

} // namespace
