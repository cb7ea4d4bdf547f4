// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/utils/communicator.h>
#include <pcl/gpu/utils/stream.h>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <vector>

// Expectations of all ranks, on arrays of the current device.

namespace pcl::gpu::test {

/** \brief Returns an element of an array that is different on each rank. */
inline std::uint64_t
element(int rank, std::size_t place)
{
  return (1000003u * (rank + 1) + 7919u * place) * 0x9e3779b97f4a7c15u;
}

/** \brief Lets a function exchange an array in device memory, and returns the result.
 */
template <typename T, typename Exchange>
std::vector<T>
exchanged(Communicator& ranks, const std::vector<T>& values, const Exchange& exchange)
{
  const Stream stream = Stream::create();
  DeviceArray<T> array;
  array.upload(values);
  exchange(array.ptr(), stream);
  ranks.synchronize(stream);
  std::vector<T> result;
  array.download(result);
  return result;
}

/** \brief Gathers parts of which that of rank r has \a first + step * r elements, but
 * the second rank's has none unless the step is 0. */
inline void
expectGathers(Communicator& ranks, std::size_t first, std::size_t step)
{
  std::vector<std::size_t> starts = {0};
  for (int rank = 0; rank < ranks.size(); ++rank)
    starts.push_back(starts.back() + (step > 0 && rank == 1 ? 0 : first + step * rank));
  std::vector<std::uint64_t> own(starts.back(), 0);
  for (std::size_t i = starts[ranks.rank()]; i < starts[ranks.rank() + 1]; ++i)
    own[i] = element(ranks.rank(), i);
  const auto all =
      exchanged(ranks, own, [&](std::uint64_t* array, const Stream& stream) {
        ranks.allGather(array, starts, stream);
      });
  for (int rank = 0; rank < ranks.size(); ++rank)
    for (std::size_t i = starts[rank]; i < starts[rank + 1]; ++i)
      ASSERT_EQ(all[i], element(rank, i)) << rank << " " << i;
}

/** \brief Adds numbers whose sum exceeds their range. */
template <typename T>
void
expectSums(Communicator& ranks)
{
  std::vector<T> own(100), sums(100, 0);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    own[i] = static_cast<T>(element(ranks.rank(), i));
    for (int rank = 0; rank < ranks.size(); ++rank)
      sums[i] += static_cast<T>(element(rank, i));
  }
  const auto result = exchanged(ranks, own, [&](T* array, const Stream& stream) {
    ranks.allReduce(array, own.size(), Reduction::Sum, stream);
  });
  EXPECT_EQ(result, sums);
}

/** \brief Finds least numbers, of which half have the highest bit, and each rank has
 * some. */
template <typename T>
void
expectLeast(Communicator& ranks)
{
  constexpr int bits = 8 * sizeof(T);
  std::vector<T> own(50), least(50);
  for (std::size_t i = 0; i < own.size(); ++i) {
    const T turn = static_cast<T>((ranks.rank() + i) % ranks.size());
    least[i] = T(i % 2) << (bits - 1);
    own[i] = least[i] + (turn << (bits / 2 + 1)) + turn;
  }
  const auto result = exchanged(ranks, own, [&](T* array, const Stream& stream) {
    ranks.allReduce(array, own.size(), Reduction::Min, stream);
  });
  EXPECT_EQ(result, least);
}

/** \brief Sends an array of each rank to the others. */
inline void
expectSends(Communicator& ranks)
{
  for (int root = 0; root < ranks.size(); ++root) {
    std::vector<std::uint64_t> own(17), sent(17);
    for (std::size_t i = 0; i < own.size(); ++i) {
      own[i] = element(ranks.rank(), i);
      sent[i] = element(root, i);
    }
    const auto result =
        exchanged(ranks, own, [&](std::uint64_t* array, const Stream& stream) {
          ranks.broadcast(array, own.size(), root, stream);
        });
    EXPECT_EQ(result, sent);
  }
}

/** \brief Exchanges arrays by all functions. */
inline void
expectExchanges(Communicator& ranks)
{
  expectGathers(ranks, 4, 0);
  expectGathers(ranks, 5, 3);
  expectSums<std::uint32_t>(ranks);
  expectSums<std::uint64_t>(ranks);
  expectLeast<std::uint32_t>(ranks);
  expectLeast<std::uint64_t>(ranks);
  expectSends(ranks);
}

inline double
secondsSince(std::chrono::steady_clock::time_point begin)
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

} // namespace pcl::gpu::test
