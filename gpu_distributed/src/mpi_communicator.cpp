// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "brief_wait.h"

#include <pcl/gpu/distributed/mpi_communicator.h>
#include <pcl/gpu/utils/argument_checks.h>

#include <algorithm>
#include <chrono>
#include <sstream>

namespace pcl::gpu {

namespace {

/** \brief Most bytes of an exchange: MPI counts by int. */
constexpr std::size_t largest_piece = std::size_t(1) << 30;

void
checkMpi(MPI_Comm processes)
{
  int begun = 0, ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  checkArgument(begun && !ended,
                "MPI",
                ended ? "finalized" : "not initialized",
                "MPI_Init() before and MPI_Finalize() after all communicators");
  checkArgument(
      processes != MPI_COMM_NULL, "communicator of MPI", "null", "one with processes");
}

int
rankIn(MPI_Comm processes)
{
  checkMpi(processes);
  int rank = 0;
  MPI_Comm_rank(processes, &rank);
  return rank;
}

int
sizeOf(MPI_Comm processes)
{
  checkMpi(processes);
  int size = 1;
  MPI_Comm_size(processes, &size);
  return size;
}

} // namespace

/** \brief The group of processes, and the memory of an exchange. */
struct MpiCommunicator::State {
  MPI_Comm group = MPI_COMM_NULL;
  std::chrono::duration<double> timeout;
  /** \brief Copy of the caller's memory. MPI may still write to it after a failure. */
  std::vector<char> sent, received;
  bool failed = false;

  [[noreturn]] void
  fail(const std::string& problem)
  {
    failed = true;
    PCL_THROW_EXCEPTION(CommunicationException, problem);
  }

  void
  check(int error, const char* action)
  {
    if (error == MPI_SUCCESS)
      return;
    char reason[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(error, reason, &length);
    fail(std::string(action) + " failed: " + reason);
  }

  /** \brief Begins an exchange by a function of MPI, and waits for its end. */
  template <typename Begin>
  void
  run(const char* action, const Begin& begin)
  {
    if (failed)
      fail(std::string(action) + " is impossible: a process failed before");
    const WaitClock::time_point start = WaitClock::now();
    MPI_Request request = MPI_REQUEST_NULL;
    check(begin(&request), action);
    for (int done = 0;;) {
      check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), action);
      if (done)
        return;
      if (WaitClock::now() - start > timeout) {
        std::ostringstream text;
        text << action << " failed: waited " << timeout.count() << " s for the others";
        fail(text.str());
      }
      waitBriefly(start, std::chrono::milliseconds(1));
    }
  }
};

MpiCommunicator::MpiCommunicator(MPI_Comm processes, float timeout)
: Communicator(rankIn(processes), sizeOf(processes), Device::host())
, state_(std::make_unique<State>())
{
  checkPositive("timeout", timeout);
  state_->timeout = std::chrono::duration<double>(timeout);
  try {
    state_->run("joining processes", [&](MPI_Request* request) {
      return MPI_Comm_idup(processes, &state_->group, request);
    });
  }
  catch (const CommunicationException&) {
    // MPI may still write the group.
    static_cast<void>(state_.release());
    throw;
  }
  MPI_Comm_set_errhandler(state_->group, MPI_ERRORS_RETURN);
}

MpiCommunicator::~MpiCommunicator()
{
  if (state_->failed)
    // An exchange that did not end still uses its memory.
    static_cast<void>(state_.release());
  else if (int ended = 0; MPI_Finalized(&ended) == MPI_SUCCESS && !ended)
    MPI_Comm_free(&state_->group);
}

void
MpiCommunicator::synchronize(const Stream&)
{
  if (state_->failed)
    state_->fail("waiting is impossible: a process failed before");
}

void
MpiCommunicator::doGather(char* all,
                          const std::vector<std::size_t>& starts,
                          const Stream& stream)
{
  if (starts.back() > largest_piece) {
    for (int root = 0; root < size(); ++root)
      doBroadcast(all + starts[root], starts[root + 1] - starts[root], root, stream);
    return;
  }
  std::vector<int> counts, places;
  for (int other = 0; other < size(); ++other) {
    places.push_back(static_cast<int>(starts[other]));
    counts.push_back(static_cast<int>(starts[other + 1] - starts[other]));
  }
  State& state = *state_;
  state.sent.assign(all + starts[rank()], all + starts[rank() + 1]);
  state.received.resize(starts.back());
  state.run("gathering", [&](MPI_Request* request) {
    return MPI_Iallgatherv(state.sent.data(),
                           counts[rank()],
                           MPI_BYTE,
                           state.received.data(),
                           counts.data(),
                           places.data(),
                           MPI_BYTE,
                           state.group,
                           request);
  });
  std::copy(state.received.begin(), state.received.end(), all);
}

void
MpiCommunicator::doReduce(void* numbers,
                          std::size_t count,
                          std::size_t bytes_of_number,
                          Reduction reduction,
                          const Stream&)
{
  State& state = *state_;
  const bool is_short = bytes_of_number == sizeof(std::uint32_t);
  const std::size_t most = largest_piece / bytes_of_number;
  for (std::size_t first = 0; first < count; first += most) {
    const std::size_t part = std::min(most, count - first);
    char* const begin = static_cast<char*>(numbers) + first * bytes_of_number;
    state.sent.assign(begin, begin + part * bytes_of_number);
    state.received.resize(state.sent.size());
    state.run("reducing", [&](MPI_Request* request) {
      return MPI_Iallreduce(state.sent.data(),
                            state.received.data(),
                            static_cast<int>(part),
                            is_short ? MPI_UINT32_T : MPI_UINT64_T,
                            reduction == Reduction::Min ? MPI_MIN : MPI_SUM,
                            state.group,
                            request);
    });
    std::copy(state.received.begin(), state.received.end(), begin);
  }
}

void
MpiCommunicator::doBroadcast(char* bytes, std::size_t count, int root, const Stream&)
{
  State& state = *state_;
  for (std::size_t first = 0; first < count; first += largest_piece) {
    const std::size_t part = std::min(largest_piece, count - first);
    if (rank() == root)
      state.sent.assign(bytes + first, bytes + first + part);
    else
      state.sent.resize(part);
    state.run("broadcasting", [&](MPI_Request* request) {
      return MPI_Ibcast(state.sent.data(),
                        static_cast<int>(part),
                        MPI_BYTE,
                        root,
                        state.group,
                        request);
    });
    std::copy(state.sent.begin(), state.sent.end(), bytes + first);
  }
}

} // namespace pcl::gpu
