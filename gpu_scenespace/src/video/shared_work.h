// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <future>
#include <vector>

namespace pcl::gpu {

/** \brief Shares items of work among threads, the calling one of which is the first.
 * \param[in] threads 1 or more
 * \param[in] items number of items
 * \param[in] work called with the number of the thread and that of the item; each
 * thread calls it for one item at a time
 * \throws as \a work, for the first of the items that failed; no others are begun then
 */
template <typename Work>
void
shareWork(std::size_t threads, std::size_t items, const Work& work)
{
  std::vector<std::exception_ptr> errors(items);
  std::atomic<std::size_t> next{0};
  const auto workAs = [&](std::size_t thread) {
    for (std::size_t i = next++; i < items; i = next++) {
      try {
        work(thread, i);
      }
      catch (...) {
        errors[i] = std::current_exception();
        next = items;
      }
    }
  };
  {
    std::vector<std::future<void>> others; // waits for them at its end
    try {
      for (std::size_t i = 1; i < std::min(threads, items); ++i)
        others.push_back(std::async(std::launch::async, workAs, i));
    }
    catch (...) {
      next = items; // those that have begun end soon
      throw;
    }
    workAs(0);
  }
  for (const std::exception_ptr& error : errors)
    if (error)
      std::rethrow_exception(error);
}

} // namespace pcl::gpu
