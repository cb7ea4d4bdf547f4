// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>
#include <vector>

namespace benchmarks {

/** \brief Times of one program on one mesh, in milliseconds, one a frame. */
struct FrameTimes {
  std::vector<double>
      update;                ///< until rays can be cast; empty if there is no such step
  std::vector<double> frame; ///< all
};

/** \brief Times of a mesh, and the agreement of the programs. */
struct MeshRow {
  std::string name;
  std::size_t triangles = 0;
  double hit_share = 0.0; ///< of the pixels
  FrameTimes ours;
  FrameTimes rebuild; ///< empty without Embree
  FrameTimes refit;
  std::size_t compared = 0;       ///< pixels of all frames compared
  std::size_t other_hit = 0;      ///< of them, only one of both hits
  std::size_t other_triangle = 0; ///< of them, both hit, but not the same triangle
  double depth_error = 0.0;       ///< largest relative difference of depths
};

/** \brief Returns Embree's name and version; nothing in a build without it. */
std::string
embreeVersion();

/** \brief Prints the rows as Markdown tables: times and ratios, then agreement. */
void
printTables(const std::vector<MeshRow>& rows);

} // namespace benchmarks
