// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "brief_wait.h"

#include <pcl/gpu/distributed/nccl_communicator.h>
#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/device/cuda_check.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include <nccl.h>

namespace pcl::gpu {

namespace {

static_assert(sizeof(ncclUniqueId) == sizeof(NcclGroupId), "the name is copied");

using Clock = WaitClock;

/** \brief Work in a stream that needs the other processes. */
struct Exchange {
  const char* action;
  Event before, after;
  std::optional<Clock::time_point> begin;
};

bool
isOver(const Event& event)
{
  return cudaEventQuery(event.get()) != cudaErrorNotReady;
}

NcclGroupId
sharedId(Communicator& hosts)
{
  checkArgument(hosts.device().isHost(),
                "device of the hosts' communicator",
                hosts.device().name(),
                "the host");
  NcclGroupId id{};
  if (hosts.rank() == 0)
    id = NcclCommunicator::makeGroupId();
  hosts.broadcast(id.data(), id.size(), 0);
  return id;
}

} // namespace

/** \brief NCCL's communicator, and the thread that watches exchanges. */
struct NcclCommunicator::State {
  State(const Device& own_device, float timeout_seconds)
  : device(own_device)
  , timeout(timeout_seconds)
  {}

  /** \brief Aborts all exchanges. Call it with the mutex. It is open while NCCL waits
   * for its threads, so that no other call waits for them. */
  void
  abort(const std::string& problem, std::unique_lock<std::mutex>& lock)
  {
    failure = problem;
    failed = true;
    pending.clear();
    const ncclComm_t aborted = std::exchange(group, nullptr);
    lock.unlock();
    if (aborted)
      ncclCommAbort(aborted);
    lock.lock();
  }

  void
  checkWorks() const
  {
    if (failed)
      PCL_THROW_EXCEPTION(CommunicationException, failure);
  }

  std::string
  lateness(const char* action) const
  {
    std::ostringstream text;
    text << action << " failed: " << device.name() << " waited " << timeout.count()
         << " s for the others";
    return text.str();
  }

  std::string
  reasonOf(const char* action, ncclResult_t result) const
  {
    const char* const detail = group ? ncclGetLastError(group) : "";
    return std::string(action) + " failed: " + ncclGetErrorString(result) +
           (*detail ? std::string(": ") + detail : std::string());
  }

  /** \brief Waits until NCCL accepted a call. Call it with the mutex. */
  void
  settle(const char* action, ncclResult_t result, std::unique_lock<std::mutex>& lock)
  {
    const Clock::time_point start = Clock::now();
    while (result == ncclInProgress && Clock::now() - start < timeout) {
      waitBriefly(start, std::chrono::milliseconds(1));
      const ncclResult_t asked = ncclCommGetAsyncError(group, &result);
      if (asked != ncclSuccess)
        result = asked;
    }
    if (result == ncclSuccess)
      return;
    abort(result == ncclInProgress ? lateness(action) : reasonOf(action, result), lock);
    checkWorks();
  }

  /** \brief Queues an exchange by a function of NCCL. */
  template <typename Queue>
  void
  run(const char* action, const Stream& stream, const Queue& queue)
  {
    const ScopedDevice scope(device);
    cudaStreamCaptureStatus capture{};
    device::checkCuda(cudaStreamIsCapturing(stream.get(), &capture),
                      "asking for a stream's capture");
    checkArgument(capture == cudaStreamCaptureStatusNone,
                  "stream of an exchange",
                  "captured",
                  "one that works at once");
    checkWorks();
    std::unique_lock<std::mutex> lock(mutex);
    checkWorks();
    Exchange exchange{action, takeEvent(), takeEvent(), {}};
    exchange.before.record(stream);
    settle(action, queue(), lock);
    exchange.after.record(stream);
    pending.push_back(exchange);
    changed.notify_one();
  }

  /** \brief Watches exchanges until the communicator ends. */
  void
  watch()
  {
    const ScopedDevice scope(device);
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return ends || !pending.empty(); });
      if (pending.empty())
        return;
      Exchange& first = pending.front();
      if (isOver(first.after)) {
        spare.push_back(first.before);
        spare.push_back(first.after);
        pending.pop_front();
        continue;
      }
      const Clock::time_point now = Clock::now();
      if (!first.begin && isOver(first.before))
        first.begin = now;
      ncclResult_t result = ncclSuccess;
      ncclCommGetAsyncError(group, &result);
      if (result != ncclSuccess && result != ncclInProgress)
        abort(reasonOf(first.action, result), lock);
      else if (first.begin && now - *first.begin > timeout)
        abort(lateness(first.action), lock);
      lock.unlock();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      lock.lock();
    }
  }

  Event
  takeEvent()
  {
    if (spare.empty())
      return Event::create();
    Event event = spare.back();
    spare.pop_back();
    return event;
  }

  Device device;
  std::chrono::duration<double> timeout;
  ncclComm_t group = nullptr;
  std::thread watcher;
  std::atomic<bool> failed{false};
  std::string failure; ///< set before failed

  std::mutex mutex; ///< for all below, and for calls of NCCL
  std::condition_variable changed;
  std::deque<Exchange> pending; ///< in the order of their streams' work
  std::vector<Event> spare;
  bool ends = false;
};

NcclGroupId
NcclCommunicator::makeGroupId()
{
  ncclUniqueId id{};
  const ncclResult_t result = ncclGetUniqueId(&id);
  if (result != ncclSuccess)
    PCL_THROW_EXCEPTION(CommunicationException,
                        "naming a group failed: " << ncclGetErrorString(result));
  NcclGroupId name;
  std::memcpy(name.data(), &id, name.size());
  return name;
}

NcclCommunicator::NcclCommunicator(int rank,
                                   int size,
                                   const NcclGroupId& id,
                                   float timeout)
: Communicator(rank, size, currentDevice())
{
  checkArgument(device().isCuda(), "current device", device().name(), "a CUDA device");
  checkPositive("timeout", timeout);
  state_ = std::make_unique<State>(device(), timeout);
  ncclUniqueId name{};
  std::memcpy(&name, id.data(), id.size());
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0; // else a process that does not come would be waited for forever
  std::unique_lock<std::mutex> lock(state_->mutex);
  state_->settle("joining processes",
                 ncclCommInitRankConfig(&state_->group, size, name, rank, &config),
                 lock);
  state_->watcher = std::thread([state = state_.get()] { state->watch(); });
}

NcclCommunicator::NcclCommunicator(Communicator& hosts, float timeout)
: NcclCommunicator(hosts.rank(), hosts.size(), sharedId(hosts), timeout)
{}

NcclCommunicator::~NcclCommunicator()
{
  State& state = *state_;
  {
    const std::lock_guard<std::mutex> lock(state.mutex);
    state.ends = true;
  }
  state.changed.notify_one();
  state.watcher.join();
  if (!state.group)
    return;
  try {
    const ScopedDevice scope(state.device);
    std::unique_lock<std::mutex> lock(state.mutex);
    state.settle("leaving", ncclCommFinalize(state.group), lock);
    ncclCommDestroy(state.group);
  }
  catch (const PCLException&) {
    // The group is aborted, and nobody waits for it.
  }
}

void
NcclCommunicator::synchronize(const Stream& stream)
{
  const ScopedDevice scope(device());
  const Clock::time_point start = Clock::now();
  for (;;) {
    const cudaError_t status = cudaStreamQuery(stream.get());
    state_->checkWorks();
    if (status != cudaErrorNotReady)
      return device::checkCuda(status, "waiting for a stream");
    cudaGetLastError(); // it is no error
    waitBriefly(start, std::chrono::milliseconds(20));
  }
}

void
NcclCommunicator::doGather(char* all,
                           const std::vector<std::size_t>& starts,
                           const Stream& stream)
{
  const auto bytesOf = [&](int other) { return starts[other + 1] - starts[other]; };
  bool are_even = true;
  for (int other = 0; other < size(); ++other)
    are_even = are_even && bytesOf(other) == bytesOf(0);
  char* const own = all + starts[rank()];
  state_->run("gathering", stream, [&] {
    if (are_even)
      return ncclAllGather(own, all, bytesOf(0), ncclChar, state_->group, stream.get());
    ncclGroupStart();
    for (int other = 0; other < size(); ++other)
      if (bytesOf(other) > 0) {
        char* const part = all + starts[other];
        ncclBroadcast(
            part, part, bytesOf(other), ncclChar, other, state_->group, stream.get());
      }
    return ncclGroupEnd();
  });
}

void
NcclCommunicator::doReduce(void* numbers,
                           std::size_t count,
                           std::size_t bytes_of_number,
                           Reduction reduction,
                           const Stream& stream)
{
  const bool is_short = bytes_of_number == sizeof(std::uint32_t);
  state_->run("reducing", stream, [&] {
    return ncclAllReduce(numbers,
                         numbers,
                         count,
                         is_short ? ncclUint32 : ncclUint64,
                         reduction == Reduction::Min ? ncclMin : ncclSum,
                         state_->group,
                         stream.get());
  });
}

void
NcclCommunicator::doBroadcast(char* bytes,
                              std::size_t count,
                              int root,
                              const Stream& stream)
{
  state_->run("broadcasting", stream, [&] {
    return ncclBroadcast(
        bytes, bytes, count, ncclChar, root, state_->group, stream.get());
  });
}

} // namespace pcl::gpu
