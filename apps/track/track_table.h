// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/files/output_file.h"
#include "body_tracker.h"

#include <sstream>
#include <string>

namespace pcl::gpu::apps {

/** \brief CSV file with a row for every frame. */
class TrackTable {
public:
  /** \brief Begins the table.
   * \param[in] path the file, which appears with commit()
   * \param[in] frame_rate frames a second
   * \throws InputError if it cannot be created
   */
  TrackTable(const std::string& path, float frame_rate);

  /** \brief Adds a row; the first one writes the head, too. */
  void
  add(const TrackedFrame& frame);

  /** \brief Writes the file.
   * \throws pcl::IOException if it cannot be written
   */
  void
  commit();

private:
  void
  writeHead(const TrackedFrame& frame);

  std::string path_;
  float frame_rate_;
  std::ostringstream out_;
  bool has_head_ = false;
};

} // namespace pcl::gpu::apps
