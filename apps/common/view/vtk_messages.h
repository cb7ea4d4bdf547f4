// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>

namespace pcl::gpu::apps {

/** \brief Collection of VTK's messages, so that a program can put them into its own
 * error.
 */
class VtkMessages {
public:
  /** \brief Collects VTK's errors and warnings from now on, instead of printing
   * them. */
  static void
  install();

  /** \brief Discards all collected messages. */
  static void
  clear();

  /** \brief Returns the first message since clear(), one line; empty if there was
   * none. */
  static std::string
  first();
};

} // namespace pcl::gpu::apps
