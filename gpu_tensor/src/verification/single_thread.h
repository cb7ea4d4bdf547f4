// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "verification/model_pose.hpp"

namespace pcl::device::host {

/** \brief A group of one thread. */
struct SingleThread {
  int
  rank() const
  {
    return 0;
  }

  int
  size() const
  {
    return 1;
  }

  template <int Count>
  void
  sum(float (&)[Count]) const
  {}

  void
  keepNearest(ViewDirection&) const
  {}

  void
  wait() const
  {}
};

} // namespace pcl::device::host
