// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Pairs, tensors, matching and recognition on CUDA devices.
 */

#include "common/options.h"
#include "common/report.h"
#include "cuda_tables.h"
#include "gpu_tensor/object_scene.h"

#include <algorithm>
#include <stdexcept>

namespace {

using namespace benchmarks;

constexpr const char* usage = R"(benchmark_tensors_cuda [TABLE...] [OPTIONS]

TABLE is any of these, all of them if none is given
  tables       3 and 4 of Orts-Escolano et al. 2014: pairs, tensors, matching
  sequence     pairs of frames that come in turn
  figures      11 and 13: tensors by number of streams, and by number of tensors
  recognition  from depth in host memory to objects in host memory
  streaming    frames a second of a stream, on one device or several
Options)";

struct Settings {
  std::vector<std::string> tables;
  std::vector<std::string> frames;
  std::vector<int> tensors = {200, 500};
  int repeats = 60;
  LibrarySource library;
  StreamingOptions streaming;
};

/** \brief Frames of a camera that goes around the table. */
std::vector<RawDepth>
framesAround()
{
  constexpr int frames = 16;
  std::vector<RawDepth> depths;
  for (int i = 0; i < frames; ++i)
    depths.push_back(renderObjects(6.28318531f * static_cast<float>(i) / frames));
  return depths;
}

/** \return whether all results agree */
bool
run(const Settings& options)
{
  const auto wants = [&](const char* table) {
    return options.tables.empty() ||
           std::count(options.tables.begin(), options.tables.end(), table) > 0;
  };
  std::vector<RawDepth> recorded;
  for (const std::string& file : options.frames)
    recorded.push_back(readDepthPgm(file));
  const auto framesOr = [&](RawDepth (*render)()) {
    return recorded.empty() ? std::vector<RawDepth>{render()} : recorded;
  };
  bool agree = true;
  if (wants("tables") || wants("figures"))
    for (const RawDepth& frame :
         framesOr([] { return renderSyntheticDepth(640, 480); })) {
      if (wants("tables"))
        printTables(frame, options.repeats);
      if (wants("figures")) {
        agree = printStreamFigure(frame, options.repeats) && agree;
        agree = printCountFigure(frame, options.repeats) && agree;
      }
    }
  if (wants("sequence"))
    printSequence(recorded.empty() ? framesAround() : recorded, options.repeats);
  if (!wants("recognition") && !wants("streaming"))
    return agree;
  const auto library = objectLibrary(options.library);
  if (wants("recognition"))
    for (const RawDepth& frame : framesOr([] { return renderObjects(); }))
      for (const int tensors : options.tensors)
        agree = printRecognition(frame, library, tensors, options.repeats) && agree;
  if (wants("streaming")) {
    StreamingOptions streaming = options.streaming;
    for (const int tensors : options.tensors) {
      streaming.tensors = tensors;
      agree = printStreaming(
                  recorded.empty() ? framesAround() : recorded, library, streaming) &&
              agree;
    }
  }
  return agree;
}

void
checkOptions(const Settings& options)
{
  for (const std::string& table : options.tables)
    if (table != "tables" && table != "sequence" && table != "figures" &&
        table != "recognition" && table != "streaming")
      throw std::runtime_error("there is no table " + table);
  if (*std::min_element(options.tensors.begin(), options.tensors.end()) < 1)
    throw std::runtime_error("numbers have to be 1 or more");
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  Options options(usage);
  options.addCount("repeats", settings.repeats, "of every measurement");
  options.add("depth",
              settings.frames,
              "recorded frames instead of rendered ones: 16-bit PGM, millimetres");
  options.add("tensors", settings.tensors, "of a scene that is recognized");
  options.addCount("models", settings.library.models, "that the library learns");
  options.addCount("views", settings.library.views, "that each is learned from");
  options.add(
      "library", settings.library.file, "file to read the library from instead");
  options.add("save", settings.library.save, "file to write the library to");
  options.addCount("frames", settings.streaming.frames, "of the stream");
  options.addCount(
      "devices", settings.streaming.devices, "that share the stream, at most");
  options.addWord("table", settings.tables, "see above");
  return options.run(argc, argv, [&] {
    checkOptions(settings);
    printContext();
    return run(settings);
  });
}
