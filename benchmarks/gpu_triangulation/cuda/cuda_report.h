// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/cuda_timing.h"
#include "cuda_end_to_end.h"
#include "cuda_floors.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace benchmarks {

/** \brief Times of one stage. */
struct StageTimes {
  std::string name;
  int nodes = 0; ///< of the graph
  Sample within_graph;
  Sample graph;
  Sample single_graph;
  Sample calls;
  Floor floor;
  double gtx480 = 0.0; ///< ms; 0 for none
};

/** \brief Times of one depth map. */
struct FrameTimes {
  std::string name;
  int width = 0;
  int height = 0;
  int polygons = 0;
  std::vector<StageTimes> stages;
  std::vector<NamedTime> end_to_end;
};

/** \brief Writes Markdown tables. */
void
writeMarkdown(std::ostream& stream, int repeats, const std::vector<FrameTimes>& frames);

/** \brief Writes all samples as JSON, microseconds. */
void
writeJson(std::ostream& stream, int repeats, const std::vector<FrameTimes>& frames);

} // namespace benchmarks
