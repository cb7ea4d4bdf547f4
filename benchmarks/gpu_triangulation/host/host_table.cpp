// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "host_table.h"

#include "common/report.h"
#include "common/statistics.h"

#include <pcl/pcl_config.h>

#if BENCHMARKS_HAVE_OPENCV
#include <opencv2/core/version.hpp>
#endif

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

namespace benchmarks {

bool
TableReporter::ReportContext(const Context&)
{
  std::string versions = std::string("PCL ") + PCL_VERSION_PRETTY;
#if BENCHMARKS_HAVE_OPENCV
  versions += std::string(", OpenCV ") + CV_VERSION;
#endif
  benchmarks::printContext(versions);
  return true;
}

TableReporter::Row&
TableReporter::rowOf(const std::string& stage,
                     const std::string& name,
                     std::int64_t order)
{
  for (auto& row : rows_)
    if (row.stage == stage && row.name == name) {
      row.order = std::min(row.order, order);
      return row;
    }
  rows_.push_back({stage, name, order, {}});
  return rows_.back();
}

void
TableReporter::ReportRuns(const std::vector<Run>& runs)
{
  for (const auto& run : runs) {
    if (run.run_type != Run::RT_Iteration || run.error_occurred)
      continue;
    const std::string& key = run.run_name.function_name;
    const auto first = key.find('/');
    const auto second = key.find('/', first + 1);
    const std::string frame = key.substr(0, first);
    const auto known = frame_order_.emplace(frame, run.family_index).first;
    known->second = std::min(known->second, run.family_index);
    const std::string stage = key.substr(first + 1, second - first - 1);
    const std::string name = key.substr(second + 1);
    auto& cell = rowOf(stage, name, run.family_index).cells[frame];
    const auto& counters = run.counters;
    cell.minima.push_back(counters.at("min_ms"));
    cell.medians.push_back(counters.at("median_ms"));
    if (counters.count("error_deg") != 0) {
      cell.error = counters.at("error_deg");
      cell.error_median = counters.at("error_median_deg");
      cell.kept = counters.at("kept");
    }
  }
}

void
TableReporter::Finalize()
{
  // The runs came in shuffled.
  const auto rank = [](const Row& row) {
    const char* const stages[] = {"chain",
                                  "flying pixels",
                                  "filter",
                                  "projection",
                                  "normals",
                                  "resolution",
                                  "mesh"};
    const auto stage = std::find(std::begin(stages), std::end(stages), row.stage);
    return std::make_pair(stage - std::begin(stages), row.order);
  };
  std::sort(rows_.begin(), rows_.end(), [&](const Row& left, const Row& right) {
    return rank(left) < rank(right);
  });
  for (const auto& frame : frame_order_)
    frames_.push_back(frame.first);
  std::sort(frames_.begin(), frames_.end(), [&](const auto& left, const auto& right) {
    return frame_order_.at(left) < frame_order_.at(right);
  });
  printTimes();
  printRatios();
  printErrors();
}

void
TableReporter::printHeading(const char* title) const
{
  std::printf("\n%s\n", title);
  std::string columns = "| stage | competitor |";
  for (const auto& frame : frames_)
    columns += " " + frame + " |";
  benchmarks::printHeading(columns);
}

void
TableReporter::printTimes() const
{
  printHeading("Milliseconds, fastest / median:");
  for (const auto& row : rows_) {
    std::printf("| %s | %s |", row.stage.c_str(), row.name.c_str());
    for (const auto& frame : frames_) {
      const auto cell = row.cells.find(frame);
      if (cell == row.cells.end())
        std::printf(" |");
      else
        std::printf(" %.2f / %.2f |",
                    leastOf(cell->second.minima),
                    medianOf(cell->second.medians));
    }
    std::printf("\n");
  }
}

void
TableReporter::printRatios() const
{
  printHeading(
      "Times as long as our device classes, by the fastest / by the median run:");
  for (const auto& row : rows_) {
    const auto ours = std::find_if(rows_.begin(), rows_.end(), [&](const Row& other) {
      return other.stage == row.stage && other.name == "ours";
    });
    if (row.name == "ours" || ours == rows_.end())
      continue;
    std::printf("| %s | %s |", row.stage.c_str(), row.name.c_str());
    for (const auto& frame : frames_) {
      const auto cell = row.cells.find(frame);
      const auto our_cell = ours->cells.find(frame);
      if (cell == row.cells.end() || our_cell == ours->cells.end()) {
        std::printf(" |");
        continue;
      }
      std::printf(" %.2f / %.2f |",
                  leastOf(cell->second.minima) / leastOf(our_cell->second.minima),
                  medianOf(cell->second.medians) / medianOf(our_cell->second.medians));
    }
    std::printf("\n");
  }
}

void
TableReporter::printErrors() const
{
  printHeading(
      "Normals, degrees off a float64 PCA of the 7x7 window in the same cloud, "
      "mean / median (share of pixels answered):");
  for (const auto& row : rows_) {
    const bool has_normals =
        std::any_of(row.cells.begin(), row.cells.end(), [](const auto& cell) {
          return cell.second.error >= 0.0;
        });
    if (!has_normals)
      continue;
    std::printf("| %s | %s |", row.stage.c_str(), row.name.c_str());
    for (const auto& frame : frames_) {
      const auto cell = row.cells.find(frame);
      if (cell == row.cells.end())
        std::printf(" |");
      else
        std::printf(" %.3g / %.3g (%.1f%%) |",
                    cell->second.error,
                    cell->second.error_median,
                    100.0 * cell->second.kept);
    }
    std::printf("\n");
  }
}

} // namespace benchmarks
