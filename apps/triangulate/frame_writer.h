// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "../common/command_line/timings.h"
#include "../common/view/display.h"
#include "triangulator.h"

#include <string>
#include <vector>

namespace pcl::gpu::apps {

/** \brief Writer and display of the results of each frame. */
class FrameWriter {
public:
  /** \brief Chooses the names of all files before any work is done.
   * \param[in] options the user's options
   * \param[in] frames number of frames
   * \param[in] timings receives the times of writing
   * \throws InputError if one name would have to serve several frames
   * \throws std::runtime_error if pictures cannot be drawn here
   */
  FrameWriter(const TriangulateOptions& options, std::size_t frames, Timings& timings);

  /** \brief Returns the files of a frame in the output directory.
   * \param[in] name of the frame
   */
  std::vector<std::string>
  filesOf(const std::string& name) const;

  /** \brief Writes one frame's files.
   * \param[in] frame the frame
   * \return the files, in the order they were written
   * \throws std::runtime_error if one cannot be written
   */
  std::vector<std::string>
  write(const TriangulatedFrame& frame);

  /** \brief Returns the window of --view. */
  Display&
  display()
  {
    return display_;
  }

private:
  std::string
  pathFor(const std::string& frame, const std::string& wish) const;

  const TriangulateOptions& options_;
  Timings& timings_;
  std::string mesh_;
  Display display_;
};

} // namespace pcl::gpu::apps
