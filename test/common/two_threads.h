// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace pcl::gpu::test {

/** \brief Expects that two objects on two threads share nothing: in each of 8 runs both
 * threads work on one of two inputs, each on the other's of the run before.
 * \param[in] expected results of both inputs
 * \param[in] begin called on each thread; makes the thread's objects, and hands a
 * function that computes an input's result, given its number, to its argument
 */
template <typename Result, typename Begin>
void
expectSameBitsOnTwoThreads(const std::vector<Result>& expected, const Begin& begin)
{
  constexpr int runs = 8;
  std::vector<Result> actual[2];
  const auto runAll = [&](int thread) {
    begin([&](const auto& work) {
      for (int run = 0; run < runs; ++run)
        actual[thread].push_back(work((thread + run) % 2));
    });
  };
  std::thread other(runAll, 1);
  runAll(0);
  other.join();
  for (int thread = 0; thread < 2; ++thread) {
    ASSERT_EQ(actual[thread].size(), static_cast<std::size_t>(runs));
    for (int run = 0; run < runs; ++run)
      expectSameBits(actual[thread][run], expected[(thread + run) % 2]);
  }
}

} // namespace pcl::gpu::test
