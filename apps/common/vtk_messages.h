// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>

namespace pcl::gpu::apps {

/** \brief Collects what VTK would print, so that a program can put it into its own error.
 */
class VtkMessages {
public:
  /** \brief Makes VTK's errors and warnings end up here instead of on the terminal. */
  static void
  install();

  /** \brief Forgets what was collected. */
  static void
  clear();

  /** \brief The first message since clear(), one line; empty if there was none. */
  static std::string
  first();
};

} // namespace pcl::gpu::apps
