// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "cuda_report.h"

#include "common/report.h"

#include <iomanip>
#include <ostream>

namespace benchmarks {

namespace {

void
writeStageTable(std::ostream& stream, const FrameTimes& frame)
{
  stream
      << "| stage | nodes | within a graph | graph | one graph | calls | floor: memory "
         "| arithmetic | special | graph / floor |";
  const bool paper_size = frame.width == 640 && frame.height == 480;
  stream << (paper_size ? " GTX 480 of the paper | times as fast |\n" : "\n");
  stream << "|---|---|---|---|---|---|---|---|---|---|"
         << (paper_size ? "---|---|\n" : "\n");
  for (const auto& stage : frame.stages) {
    stream << "| " << stage.name << " | " << stage.nodes << std::setprecision(2)
           << " | " << stage.within_graph.median << " | **" << stage.graph.median
           << "** | " << stage.single_graph.median << " | " << stage.calls.median
           << " | " << stage.floor.memory << " | " << stage.floor.arithmetic << " | "
           << stage.floor.special << " | " << std::setprecision(1)
           << stage.graph.median / stage.floor.largest() << " |";
    if (paper_size && stage.gtx480 == 0.0)
      stream << " - | - |";
    else if (paper_size)
      stream << ' ' << std::setprecision(0) << 1000.0 * stage.gtx480 << " | "
             << 1000.0 * stage.gtx480 / stage.graph.median << " |";
    stream << '\n';
  }
}

void
writeSample(std::ostream& stream, const Sample& sample)
{
  stream << "{\"median\": " << sample.median << ", \"p10\": " << sample.low
         << ", \"p90\": " << sample.high << '}';
}

void
writeStageJson(std::ostream& stream, const StageTimes& stage)
{
  stream << "      {\"name\": " << std::quoted(stage.name)
         << ", \"nodes\": " << stage.nodes;
  const std::pair<const char*, const Sample*> samples[] = {
      {"within_graph", &stage.within_graph},
      {"graph", &stage.graph},
      {"one_graph", &stage.single_graph},
      {"calls", &stage.calls}};
  for (const auto& sample : samples) {
    stream << ", \"" << sample.first << "\": ";
    writeSample(stream, *sample.second);
  }
  stream << ", \"floor\": {\"memory\": " << stage.floor.memory
         << ", \"arithmetic\": " << stage.floor.arithmetic
         << ", \"special\": " << stage.floor.special
         << "}, \"gtx480\": " << 1000.0 * stage.gtx480 << '}';
}

/** \brief Writes items with commas between them. */
template <typename Items, typename Write>
void
writeList(std::ostream& stream, const Items& items, const Write& write)
{
  const char* separator = "";
  for (const auto& item : items) {
    stream << separator;
    write(item);
    separator = ",\n";
  }
  stream << '\n';
}

} // namespace

void
writeMarkdown(std::ostream& stream, int repeats, const std::vector<FrameTimes>& frames)
{
  stream << std::fixed << "\nMicroseconds, medians of " << repeats
         << " repeats; floors are those of an H200\n";
  for (const auto& frame : frames) {
    stream << "\n### " << frame.name << ' ' << frame.width << 'x' << frame.height
           << ", " << frame.polygons << " triangles\n\n";
    writeStageTable(stream, frame);
    stream << "\n| end to end | us |\n|---|---|\n";
    for (const auto& row : frame.end_to_end)
      stream << "| " << row.name << " | " << std::setprecision(2) << row.time.median
             << " |\n";
  }
}

void
writeJson(std::ostream& stream, int repeats, const std::vector<FrameTimes>& frames)
{
  const RunContext run = runContext();
  stream << "{\n  \"date\": " << std::quoted(run.date)
         << ",\n  \"commit\": " << std::quoted(run.commit)
         << ",\n  \"device\": " << std::quoted(run.device)
         << ",\n  \"driver\": " << std::quoted(run.driver)
         << ",\n  \"runtime\": " << run.runtime << ",\n  \"repeats\": " << repeats
         << ",\n  \"unit\": \"microseconds\",\n  \"frames\": [\n";
  writeList(stream, frames, [&](const FrameTimes& frame) {
    stream << "    {\"name\": " << std::quoted(frame.name)
           << ", \"width\": " << frame.width << ", \"height\": " << frame.height
           << ", \"polygons\": " << frame.polygons << ",\n     \"stages\": [\n";
    writeList(stream, frame.stages, [&](const StageTimes& stage) {
      writeStageJson(stream, stage);
    });
    stream << "     ],\n     \"end_to_end\": [\n";
    writeList(stream, frame.end_to_end, [&](const NamedTime& row) {
      stream << "      {\"name\": " << std::quoted(row.name) << ", \"time\": ";
      writeSample(stream, row.time);
      stream << '}';
    });
    stream << "     ]}";
  });
  stream << "  ]\n}\n";
}

} // namespace benchmarks
