// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Each case starts this program again, once for each rank.

#include "collectives.h"

#include "common/expect_throws.h"
#include "testing/rank_processes.h"

#include <pcl/gpu/containers/initialization.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

namespace pcl::gpu::test {

namespace {

/** \brief Expects an exception, 5 seconds after its begin, from an exchange that the
 * last rank does not join, and from all after it. */
void
waitForTheLast(Communicator& ranks)
{
  const Stream stream = Stream::create();
  DeviceArray<char> bytes(1 << 20);
  const auto begin = std::chrono::steady_clock::now();
  const auto gather = [&] {
    ranks.allGather(bytes.ptr(), ranks.shares(bytes.size()), stream);
    ranks.synchronize(stream);
  };
  expectThrows<CommunicationException>("waited 5 s for the others", gather);
  EXPECT_GE(secondsSince(begin), 5.0);
  EXPECT_LT(secondsSince(begin), 10.0);
  expectThrows<CommunicationException>("waited 5 s for the others", gather);
  stream.synchronize(); // the device works on
  expectSends(
      *std::make_shared<NcclCommunicator>(0, 1, NcclCommunicator::makeGroupId()));
}

void
exchangeUntilTheLastIsKilled(Communicator& ranks)
{
  const Stream stream = Stream::create();
  DeviceArray<char> bytes(1 << 20);
  const auto gather = [&] {
    ranks.allGather(bytes.ptr(), ranks.shares(bytes.size()), stream);
    ranks.synchronize(stream);
  };
  for (int round = 0; round < 3; ++round)
    gather();
  if (ranks.rank() == ranks.size() - 1)
    std::raise(SIGKILL);
  const auto begin = std::chrono::steady_clock::now();
  expectThrows<CommunicationException>("failed", gather);
  EXPECT_LT(secondsSince(begin), 10.0);
}

void
runTask(const RankProcess& process)
{
  const int devices = getCudaEnabledDeviceCount();
  if (process.task == "share one device") {
    expectThrows<CommunicationException>("joining", [&] { process.join(1, 20.0f); });
    return;
  }
  const auto ranks = process.join(devices, process.task == "exchange" ? 20.0f : 5.0f);
  EXPECT_EQ(ranks->rank(), process.rank);
  EXPECT_EQ(ranks->size(), process.size);
  const bool is_last = process.rank == process.size - 1;
  if (process.task == "exchange")
    expectExchanges(*ranks);
  else if (process.task == "kill the last")
    exchangeUntilTheLastIsKilled(*ranks);
  else if (!is_last)
    waitForTheLast(*ranks);
  else
    std::this_thread::sleep_for(std::chrono::seconds(12));
}

class NcclRanks : public testing::Test {
protected:
  /** \brief Skips cases without devices. */
  void
  SetUp() override
  {
    size = std::min(getCudaEnabledDeviceCount(), 4);
    if (size < 1)
      GTEST_SKIP() << "no CUDA device";
  }

  int size = 0;
};

} // namespace

TEST_F(NcclRanks, ExchangesArraysOfDevices_cuda)
{
  EXPECT_EQ(runRankProcesses(size, "exchange"), std::vector<int>(size, 0));
}

TEST_F(NcclRanks, TwoRanksOfOneDeviceAreRefused_cuda)
{
  EXPECT_EQ(runRankProcesses(2, "share one device"), std::vector<int>(2, 0));
}

TEST_F(NcclRanks, ARankThatDoesNotComeIsWaitedForUntilTheTimeout_cuda)
{
  if (size < 2)
    GTEST_SKIP() << "one CUDA device";
  EXPECT_EQ(runRankProcesses(size, "sleep"), std::vector<int>(size, 0));
}

TEST_F(NcclRanks, AKilledRankEndsTheWaitOfTheOthers_cuda)
{
  if (size < 2)
    GTEST_SKIP() << "one CUDA device";
  std::vector<int> results(size, 0);
  results.back() = 128 + SIGKILL;
  EXPECT_EQ(runRankProcesses(size, "kill the last"), results);
}

TEST(NcclCommunicator, TheHostIsRefused)
{
  const ScopedDevice host(Device::host());
  expectBadArgument("current device is host",
                    [] { NcclCommunicator ranks(0, 1, NcclGroupId{}); });
}

} // namespace pcl::gpu::test

int
main(int argc, char** argv)
{
  using namespace pcl::gpu::test;
  testing::InitGoogleTest(&argc, argv);
  const auto process = rankOfThisProcess();
  if (!process)
    return RUN_ALL_TESTS();
  struct Task : testing::Test {
    void
    TestBody() override
    {
      runTask(*rankOfThisProcess());
    }
  };
  testing::RegisterTest("Rank", "Task", nullptr, nullptr, __FILE__, __LINE__, [] {
    return static_cast<testing::Test*>(new Task);
  });
  testing::GTEST_FLAG(filter) = "Rank.Task";
  return RUN_ALL_TESTS();
}
