// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace benchmarks {

/** \brief Collects the runs and prints them as Markdown tables: times, ratios to ours,
 * errors of the normals. */
class TableReporter : public benchmark::BenchmarkReporter {
public:
  bool
  ReportContext(const Context& context) override;

  void
  ReportRuns(const std::vector<Run>& runs) override;

  void
  Finalize() override;

private:
  /** \brief One case on one frame, over all its repetitions. */
  struct Cell {
    std::vector<double> minima;  ///< ms
    std::vector<double> medians; ///< ms
    double error = -1.0;         ///< degrees; negative if the case has no normals
    double error_median = 0.0;
    double kept = 0.0;
  };

  /** \brief "stage: name" and its cells by frame. */
  struct Row {
    std::string stage;
    std::string name;
    std::int64_t order = 0; ///< of registration
    std::map<std::string, Cell> cells;
  };

  Row&
  rowOf(const std::string& stage, const std::string& name, std::int64_t order);

  void
  printHeading(const char* title) const;

  void
  printTimes() const;

  void
  printRatios() const;

  void
  printErrors() const;

  std::map<std::string, std::int64_t> frame_order_; ///< of registration
  std::vector<std::string> frames_;
  std::vector<Row> rows_;
};

} // namespace benchmarks
