// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/gpu/utils/argument_checks.h>
#include <pcl/gpu/utils/communicator.h>

#include <algorithm>

namespace pcl::gpu {

CommunicationException::CommunicationException(const std::string& message,
                                               const char* file_name,
                                               const char* function_name,
                                               unsigned line_number)
: PCLException(message, file_name, function_name, line_number)
{}

CommunicationException::~CommunicationException() noexcept = default;

Communicator::Communicator(int rank, int size, const Device& device)
: rank_(rank)
, size_(size)
, device_(device)
{
  checkAtLeast("number of ranks", size, 1);
  checkBetween("rank", rank, 0, size - 1, "one below the number of ranks");
}

Communicator::~Communicator() = default;

std::vector<std::size_t>
Communicator::shares(std::size_t count) const
{
  std::vector<std::size_t> starts;
  for (std::size_t rank = 0; rank <= std::size_t(size_); ++rank)
    starts.push_back(count / size_ * rank + count % size_ * rank / size_);
  return starts;
}

void
Communicator::gatherBytes(char* all,
                          const std::vector<std::size_t>& starts,
                          const Stream& stream)
{
  checkArgument(starts.size() == std::size_t(size_) + 1 && starts.front() == 0 &&
                    std::is_sorted(starts.begin(), starts.end()),
                "number of starts",
                starts.size(),
                "one a rank from 0 on, ascending, and the end");
  if (size_ > 1 && starts.back() > 0)
    doGather(all, starts, stream);
}

void
Communicator::reduceNumbers(void* numbers,
                            std::size_t count,
                            std::size_t bytes_of_number,
                            Reduction reduction,
                            const Stream& stream)
{
  checkEnumerator("reduction", reduction, Reduction::Min);
  if (size_ > 1 && count > 0)
    doReduce(numbers, count, bytes_of_number, reduction, stream);
}

void
Communicator::broadcastBytes(char* bytes,
                             std::size_t count,
                             int root,
                             const Stream& stream)
{
  checkBetween("root", root, 0, size_ - 1, "one of the ranks");
  if (size_ > 1 && count > 0)
    doBroadcast(bytes, count, root, stream);
}

} // namespace pcl::gpu
