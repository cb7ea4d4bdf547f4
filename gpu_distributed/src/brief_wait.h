// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <chrono>
#include <thread>

namespace pcl::gpu {

using WaitClock = std::chrono::steady_clock;

/** \brief Gives way to other threads. Short waits keep the processor, since sleeping
 * takes some 60 microseconds.
 * \param[in] start begin of the wait
 * \param[in] awake time after which it sleeps
 */
inline void
waitBriefly(WaitClock::time_point start, WaitClock::duration awake)
{
  if (WaitClock::now() - start > awake)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  else
    std::this_thread::yield();
}

} // namespace pcl::gpu
