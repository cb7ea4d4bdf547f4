// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/containers/initialization.h>
#include <pcl/gpu/utils/async_copy.h>
#include <pcl/gpu/utils/communicator.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace pcl::gpu::test {

/** \brief Meeting point of threads that stand for ranks. */
class ThreadRanks {
public:
  explicit ThreadRanks(int size) : memory(size) {}

  /** \brief Waits for all ranks.
   * \throws CommunicationException if one of them failed
   */
  void
  meet()
  {
    std::unique_lock<std::mutex> lock(mutex_);
    const int round = round_;
    if (++arrived_ == static_cast<int>(memory.size())) {
      arrived_ = 0;
      ++round_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return failed_ || round_ != round; });
    if (round_ == round)
      PCL_THROW_EXCEPTION(CommunicationException, "another rank failed");
  }

  void
  fail()
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    failed_ = true;
    changed_.notify_all();
  }

  std::vector<char*> memory; ///< of each rank, for the present exchange

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0;
  int round_ = 0;
  bool failed_ = false;
};

/** \brief Communicator of threads, which may share a device. */
class ThreadCommunicator : public Communicator {
public:
  ThreadCommunicator(int rank, const std::shared_ptr<ThreadRanks>& ranks)
  : Communicator(rank, static_cast<int>(ranks->memory.size()), currentDevice())
  , ranks_(ranks)
  {}

  void
  synchronize(const Stream& stream) override
  {
    stream.synchronize();
  }

private:
  /** \brief Calls a function while all ranks' memory is complete and stays.  */
  template <typename Function>
  void
  exchange(void* memory, const Stream& stream, const Function& function)
  {
    stream.synchronize();
    ranks_->memory[rank()] = static_cast<char*>(memory);
    ranks_->meet();
    function(ranks_->memory);
    stream.synchronize();
    ranks_->meet();
  }

  void
  doGather(char* all,
           const std::vector<std::size_t>& starts,
           const Stream& stream) override
  {
    exchange(all, stream, [&](const std::vector<char*>& memory) {
      for (int other = 0; other < size(); ++other)
        if (other != rank() && starts[other + 1] > starts[other])
          copyAsync(memory[other] + starts[other],
                    all + starts[other],
                    starts[other + 1] - starts[other],
                    stream);
    });
  }

  void
  doReduce(void* numbers,
           std::size_t count,
           std::size_t bytes_of_number,
           Reduction reduction,
           const Stream& stream) override
  {
    if (bytes_of_number == sizeof(std::uint32_t))
      reduce<std::uint32_t>(numbers, count, reduction, stream);
    else
      reduce<std::uint64_t>(numbers, count, reduction, stream);
  }

  template <typename T>
  void
  reduce(void* numbers, std::size_t count, Reduction reduction, const Stream& stream)
  {
    std::vector<T> joined(count), other(count);
    exchange(numbers, stream, [&](const std::vector<char*>& memory) {
      for (std::size_t place = 0; place < memory.size(); ++place) {
        std::vector<T>& values = place == 0 ? joined : other;
        copyAsync(memory[place], values.data(), count * sizeof(T), stream);
        stream.synchronize();
        for (std::size_t i = 0; place > 0 && i < count; ++i)
          joined[i] = reduction == Reduction::Min ? std::min(joined[i], other[i])
                                                  : joined[i] + other[i];
      }
    });
    copyAsync(joined.data(), numbers, count * sizeof(T), stream);
    stream.synchronize();
  }

  void
  doBroadcast(char* bytes, std::size_t count, int root, const Stream& stream) override
  {
    exchange(bytes, stream, [&](const std::vector<char*>& memory) {
      if (root != rank())
        copyAsync(memory[root], bytes, count, stream);
    });
  }

  std::shared_ptr<ThreadRanks> ranks_;
};

/** \brief The first of two ranks. There is no other one: it sends nothing, except for
 * the bytes that a function of the test writes. */
class FirstOfTwoRanks : public Communicator {
public:
  explicit FirstOfTwoRanks(const Device& device = currentDevice())
  : Communicator(0, 2, device)
  {}

  void
  synchronize(const Stream& stream) override
  {
    if (other_failed)
      PCL_THROW_EXCEPTION(CommunicationException, "rank 1 failed");
    stream.synchronize();
  }

  bool other_failed = false; ///< true: synchronize() throws

  /** \brief Called with all bytes, and the first and the end of the other rank's. */
  std::function<void(char*, std::size_t, std::size_t, const Stream&)> on_gather;
  /** \brief Called with this rank's numbers, their count, and the bytes of each. */
  std::function<void(void*, std::size_t, std::size_t)> on_reduce;
  /** \brief Called with the bytes, their count, and the rank that sends them. */
  std::function<void(char*, std::size_t, int, const Stream&)> on_broadcast;

private:
  void
  doGather(char* all,
           const std::vector<std::size_t>& starts,
           const Stream& stream) override
  {
    if (on_gather)
      on_gather(all, starts[1], starts[2], stream);
  }

  void
  doReduce(void* numbers,
           std::size_t count,
           std::size_t bytes_of_number,
           Reduction,
           const Stream&) override
  {
    if (on_reduce)
      on_reduce(numbers, count, bytes_of_number);
  }

  void
  doBroadcast(char* bytes, std::size_t count, int root, const Stream& stream) override
  {
    if (on_broadcast)
      on_broadcast(bytes, count, root, stream);
  }
};

/** \brief Calls a function on a thread for each rank, on the current device. If ranks
 * throw, throws the exception of the lowest one: the first other than
 * CommunicationException, which follows from another rank's failure, if there is one.
 * \param[in] size number of ranks
 * \param[in] function called with a rank's communicator
 */
template <typename Function>
void
runRanks(int size, const Function& function)
{
  const auto ranks = std::make_shared<ThreadRanks>(size);
  const Device device = currentDevice();
  std::vector<std::exception_ptr> errors(size);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      try {
        const ScopedDevice scope(device);
        function(std::make_shared<ThreadCommunicator>(rank, ranks));
      }
      catch (...) {
        errors[rank] = std::current_exception();
        ranks->fail();
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  std::exception_ptr consequence;
  for (const std::exception_ptr& error : errors)
    try {
      if (error)
        std::rethrow_exception(error);
    }
    catch (const CommunicationException&) {
      if (!consequence)
        consequence = error;
    }
  if (consequence)
    std::rethrow_exception(consequence);
}

} // namespace pcl::gpu::test
