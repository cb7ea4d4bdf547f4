// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/devices.h"
#include "common/expect_throws.h"
#include "common/thread_ranks.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

TEST(Communicator, SharesAreEvenAndComplete)
{
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const int size : {1, 2, 3, 7}) {
    const ThreadCommunicator ranks(0, std::make_shared<ThreadRanks>(size));
    for (const std::size_t count : {std::size_t(0),
                                    std::size_t(1),
                                    std::size_t(2),
                                    std::size_t(7),
                                    std::size_t(65535),
                                    most}) {
      const std::vector<std::size_t> starts = ranks.shares(count);
      ASSERT_EQ(starts.size(), size + 1u);
      EXPECT_EQ(starts.front(), 0u);
      EXPECT_EQ(starts.back(), count);
      for (int rank = 0; rank < size; ++rank) {
        const std::size_t share = starts[rank + 1] - starts[rank];
        EXPECT_GE(share, count / size);
        EXPECT_LE(share, count / size + (count % size > 0 ? 1 : 0));
      }
    }
  }
}

TEST(Communicator, HasTheNumberOfOneOfItsRanks)
{
  expectBadArgument("number of ranks is 0", [] {
    ThreadCommunicator ranks(0, std::make_shared<ThreadRanks>(0));
  });
  for (const int rank : {-1, 2})
    expectBadArgument("rank is " + std::to_string(rank), [rank] {
      ThreadCommunicator ranks(rank, std::make_shared<ThreadRanks>(2));
    });
  const ThreadCommunicator ranks(1, std::make_shared<ThreadRanks>(2));
  EXPECT_EQ(ranks.rank(), 1);
  EXPECT_EQ(ranks.size(), 2);
  EXPECT_EQ(ranks.device(), currentDevice());
}

TEST(Communicator, RefusesWrongArguments)
{
  FirstOfTwoRanks ranks;
  bool is_called = false;
  ranks.on_gather = [&](auto&&...) { is_called = true; };
  ranks.on_reduce = [&](auto&&...) { is_called = true; };
  ranks.on_broadcast = [&](auto&&...) { is_called = true; };
  std::uint32_t values[4] = {};
  const auto isRefused = [&](const std::string& word,
                             const std::vector<std::size_t>& starts) {
    expectBadArgument(word, [&] { ranks.allGather(values, starts); });
  };
  isRefused("number of starts is 0", {});
  isRefused("number of starts is 2", {0, 4});
  isRefused("number of starts is 4", {0, 1, 2, 4});
  isRefused("one a rank from 0 on", {1, 2, 4});
  isRefused("ascending", {0, 3, 2});
  for (const int root : {-1, 2})
    expectBadArgument("root is " + std::to_string(root),
                      [&] { ranks.broadcast(values, 4, root); });
  expectBadArgument("reduction is 2",
                    [&] { ranks.allReduce(values, 4, static_cast<Reduction>(2)); });
  EXPECT_FALSE(is_called);
}

TEST(Communicator, ExchangesNoEmptyArrays)
{
  FirstOfTwoRanks ranks;
  int calls = 0;
  ranks.on_gather = [&](auto&&...) { ++calls; };
  ranks.on_reduce = [&](auto&&...) { ++calls; };
  ranks.on_broadcast = [&](auto&&...) { ++calls; };
  const auto exchange = [&](std::size_t count) {
    std::uint32_t value = 0;
    ranks.allGather(&value, ranks.shares(count));
    ranks.allReduce(&value, count, Reduction::Sum);
    ranks.broadcast(&value, count, 1);
  };
  exchange(0);
  EXPECT_EQ(calls, 0);
  exchange(1);
  EXPECT_EQ(calls, 3);
}

class Ranks : public DeviceTest {};

TEST_P(Ranks, ExchangeElementsOfAnyNumber)
{
  for (const std::size_t count : {0, 1, 3, 1000}) // 3: fewer than ranks
    runRanks(4, [&](const Communicator::Ptr& communicator) {
      const std::uint64_t rank = communicator->rank();
      const std::vector<std::size_t> starts = communicator->shares(count);
      std::vector<std::uint64_t> parts(count), all(count), numbers(count);
      for (std::size_t i = 0; i < count; ++i) {
        all[i] = 1000003 * i + 1;
        parts[i] = i >= starts[rank] && i < starts[rank + 1] ? all[i] : 0;
        numbers[i] = i + (rank + i) % 4;
      }
      DeviceArray<std::uint64_t> array;
      const auto expect = [&](const std::vector<std::uint64_t>& values,
                              const auto& exchange,
                              const auto& expected) {
        array.upload(values);
        exchange(array.ptr());
        communicator->synchronize();
        std::vector<std::uint64_t> found;
        array.download(found);
        ASSERT_EQ(found.size(), count);
        for (std::size_t i = 0; i < count; ++i)
          ASSERT_EQ(found[i], expected(i)) << count << " elements, rank " << rank;
      };
      expect(
          parts,
          [&](std::uint64_t* values) { communicator->allGather(values, starts); },
          [&](std::size_t i) { return all[i]; });
      expect(
          numbers,
          [&](std::uint64_t* values) {
            communicator->allReduce(values, count, Reduction::Sum);
          },
          [](std::size_t i) { return 4 * i + 6; });
      expect(
          numbers,
          [&](std::uint64_t* values) {
            communicator->allReduce(values, count, Reduction::Min);
          },
          [](std::size_t i) { return i; });
      expect(
          numbers,
          [&](std::uint64_t* values) { communicator->broadcast(values, count, 2); },
          [](std::size_t i) { return i + (2 + i) % 4; });
    });
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(Ranks);

TEST(ThreadRanks, ThrowTheCauseOfTheirFailure)
{
  std::atomic<int> ended(0);
  const auto fail = [&](const Communicator::Ptr& communicator) {
    if (communicator->rank() == 2)
      throw std::runtime_error("the cause");
    std::uint32_t number = 0;
    try {
      communicator->allReduce(&number, 1, Reduction::Min);
    }
    catch (const CommunicationException&) {
      ++ended;
      throw;
    }
  };
  expectThrows<std::runtime_error>("the cause", [&] { runRanks(3, fail); });
  EXPECT_EQ(ended, 2);
  const auto leave = [&](const Communicator::Ptr& communicator) {
    PCL_THROW_EXCEPTION(CommunicationException, "rank " << communicator->rank());
  };
  expectThrows<CommunicationException>("rank 0", [&] { runRanks(2, leave); });
}

} // namespace
