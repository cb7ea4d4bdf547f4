// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <sys/types.h>

namespace pcl::gpu::apps {

/** \brief X server for VTK, which cannot draw without one.
 *
 * Uses the one that DISPLAY names if it answers; else starts a private one without a
 * screen (Xvfb) and points DISPLAY to it. The private server ends with this object, and
 * with the program if that is killed. Close all windows before.
 */
class XServer {
public:
  /** \brief Finds or starts a server.
   * \param[in] purpose option that needs the server, for the error message
   * \throws std::runtime_error if there is none and Xvfb is missing or does not start
   */
  explicit XServer(const char* purpose);

  ~XServer();

  XServer(const XServer&) = delete;
  XServer&
  operator=(const XServer&) = delete;

  /** \brief Returns whether DISPLAY names a server that answers. */
  static bool
  isRunning();

private:
  pid_t child_ = -1;
};

} // namespace pcl::gpu::apps
