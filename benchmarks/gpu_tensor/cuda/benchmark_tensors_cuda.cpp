// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Pairs, tensors, matching and recognition on CUDA devices.
 *
 * benchmark_tensors_cuda --help
 */

#include "cuda_tables.h"
#include "gpu_tensor/object_scene.h"

#include <boost/program_options.hpp>

#include <algorithm>
#include <exception>
#include <iostream>
#include <stdexcept>

namespace {

using namespace benchmarks;
namespace po = boost::program_options;

constexpr const char* usage = R"(benchmark_tensors_cuda [TABLE...] [OPTIONS]

TABLE is any of these, all of them if none is given
  tables       3 and 4 of Orts-Escolano et al. 2014: pairs, tensors, matching
  sequence     pairs of frames that come in turn
  figures      11 and 13: tensors by number of streams, and by number of tensors
  recognition  from depth in host memory to objects in host memory
  streaming    frames a second of a stream, on one device or several
Options)";

struct Options {
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
run(const Options& options)
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
checkOptions(const Options& options)
{
  for (const std::string& table : options.tables)
    if (table != "tables" && table != "sequence" && table != "figures" &&
        table != "recognition" && table != "streaming")
      throw std::runtime_error("there is no table " + table);
  const int least = std::min({options.repeats,
                              options.library.models,
                              options.library.views,
                              options.streaming.frames,
                              options.streaming.devices});
  if (least < 1 ||
      *std::min_element(options.tensors.begin(), options.tensors.end()) < 1)
    throw std::runtime_error("numbers have to be 1 or more");
}

} // namespace

int
main(int argc, char** argv)
{
  try {
    Options options;
    po::options_description visible(usage);
    const auto value = [](auto& v) { return po::value(&v)->default_value(v); };
    auto add = visible.add_options();
    add("help", "show this");
    add("repeats", value(options.repeats), "of every measurement");
    add("depth",
        po::value(&options.frames)->multitoken(),
        "recorded frames instead of rendered ones: 16-bit PGM, millimetres");
    add("tensors",
        po::value(&options.tensors)->multitoken(),
        "of a scene that is recognized (200 500)");
    add("models", value(options.library.models), "that the library learns");
    add("views", value(options.library.views), "that each is learned from");
    add("library",
        value(options.library.file),
        "file to read the library from instead");
    add("save", value(options.library.save), "file to write the library to");
    add("frames", value(options.streaming.frames), "of the stream");
    add("devices", value(options.streaming.devices), "that share the stream, at most");
    po::options_description all;
    all.add(visible).add_options()("table", po::value(&options.tables));
    po::positional_options_description places;
    places.add("table", -1);
    po::variables_map given;
    po::store(po::command_line_parser(argc, argv).options(all).positional(places).run(),
              given);
    po::notify(given);
    if (given.count("help") != 0) {
      std::cout << visible << '\n';
      return 0;
    }
    checkOptions(options);
    return run(options) ? 0 : 1;
  }
  catch (const std::exception& error) {
    std::cerr << "benchmark_tensors_cuda: error: " << error.what() << '\n';
    return 1;
  }
}
