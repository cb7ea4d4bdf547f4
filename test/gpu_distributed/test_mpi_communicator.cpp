// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Run by mpirun with any number of ranks.

#include "collectives.h"

#include "common/expect_throws.h"

#include <pcl/gpu/containers/initialization.h>
#include <pcl/gpu/distributed/mpi_communicator.h>

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <vector>

namespace pcl::gpu::test {

TEST(MpiCommunicator, HasTheRanksOfMpi)
{
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const MpiCommunicator ranks;
  EXPECT_EQ(ranks.rank(), rank);
  EXPECT_EQ(ranks.size(), size);
  EXPECT_TRUE(ranks.device().isHost());
}

TEST(MpiCommunicator, GathersPartsOfAnySizes)
{
  MpiCommunicator ranks;
  expectGathers(ranks, 4, 0);
  expectGathers(ranks, 5, 3);
}

TEST(MpiCommunicator, AddsModuloTwoToTheNumberOfBits)
{
  MpiCommunicator ranks;
  expectSums<std::uint32_t>(ranks);
  expectSums<std::uint64_t>(ranks);
}

TEST(MpiCommunicator, FindsLeastUnsignedNumbers)
{
  MpiCommunicator ranks;
  expectLeast<std::uint32_t>(ranks);
  expectLeast<std::uint64_t>(ranks);
}

TEST(MpiCommunicator, SendsFromEachRank)
{
  MpiCommunicator ranks;
  expectSends(ranks);
}

TEST(MpiCommunicator, WrongArgumentsAreRefused)
{
  expectBadArgument("communicator of MPI is null",
                    [] { MpiCommunicator ranks(MPI_COMM_NULL); });
  expectBadArgument("timeout is 0",
                    [] { MpiCommunicator ranks(MPI_COMM_WORLD, 0.0f); });
}

TEST(MpiCommunicator, ARankThatDoesNotComeIsWaitedForUntilTheTimeout)
{
  MpiCommunicator ranks(MPI_COMM_WORLD, 0.4f);
  if (ranks.size() == 1)
    GTEST_SKIP() << "one rank waits for nobody";
  if (ranks.rank() > 0) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<char> bytes(ranks.size());
    const auto gather = [&] {
      ranks.allGather(bytes.data(), ranks.shares(bytes.size()));
    };
    expectThrows<CommunicationException>("waited 0.4 s", gather);
    EXPECT_GE(secondsSince(begin), 0.4);
    EXPECT_LT(secondsSince(begin), 3.0);
    expectThrows<CommunicationException>("failed before", gather);
    expectThrows<CommunicationException>("failed before", [&] { ranks.synchronize(); });
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

} // namespace pcl::gpu::test

namespace {

/** \brief Gathers until a process fails.
 * \param[in] kills true to kill the last rank soon, as a machine that fails does
 */
int
gatherUntilFailure(bool kills)
{
  using namespace pcl::gpu;
  using Clock = std::chrono::steady_clock;
  MpiCommunicator ranks(MPI_COMM_WORLD, 2.0f);
  std::vector<char> bytes(1 << 20);
  Clock::time_point begin;
  try {
    for (int round = 0;; ++round) {
      if (kills && round == 3 && ranks.rank() == ranks.size() - 1)
        std::raise(SIGKILL);
      begin = Clock::now();
      ranks.allGather(bytes.data(), ranks.shares(bytes.size()));
    }
  }
  catch (const CommunicationException& error) {
    const std::chrono::duration<double> time = Clock::now() - begin;
    std::printf("rank %d: CommunicationException after %s: %s\n",
                ranks.rank(),
                time.count() < 4.0 ? "a short time" : "a long time",
                error.what());
    std::fflush(stdout);
  }
  std::_Exit(0); // MPI cannot end well any more
}

} // namespace

int
main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  if (argc > 1 && std::strcmp(argv[1], "--gather-until-failure") == 0)
    return gatherUntilFailure(argc > 2 && std::strcmp(argv[2], "kill") == 0);
  const pcl::gpu::ScopedDevice host(pcl::gpu::Device::host());
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  MPI_Finalize();
  return result;
}
