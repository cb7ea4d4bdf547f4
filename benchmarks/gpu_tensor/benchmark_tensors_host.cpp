// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Pairs, tensors, matching and recognition on the host device, the first three beside a
 * straightforward implementation in one thread.
 */

#include "host_recognition.h"
#include "object_scene.h"
#include "tensor_comparison.h"

#include <pcl/gpu/containers/initialization.h>

#include <omp.h>

#include <boost/program_options.hpp>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;
namespace po = boost::program_options;

constexpr const char* usage = "benchmark_tensors_host [OPTIONS]\n\nOptions";

struct Options {
  int threads = 2;
  int rounds = 5;
  LibrarySource library;
  std::string only;
  std::vector<std::string> frames;
};

/** \return whether to go on */
bool
readOptions(int argc, char** argv, Options& options)
{
  po::options_description known(usage);
  const auto value = [](auto& v) { return po::value(&v)->default_value(v); };
  auto add = known.add_options();
  add("help", "show this");
  add("threads", value(options.threads), "that the host device uses");
  add("rounds", value(options.rounds), "of every measurement");
  add("depth",
      po::value(&options.frames)->composing(),
      "a recorded frame instead of rendered ones: 16-bit PGM, millimetres");
  add("models", value(options.library.models), "that the library learns");
  add("views", value(options.library.views), "that each is learned from");
  add("library", value(options.library.file), "file to read the library from instead");
  add("save", value(options.library.save), "file to write the library to");
  add("only", value(options.only), "tensors or recognition: leave out the other half");
  po::variables_map given;
  po::store(po::parse_command_line(argc, argv, known), given);
  po::notify(given);
  if (given.count("help") > 0) {
    std::cout << known;
    return false;
  }
  if (std::min({options.threads,
                options.rounds,
                options.library.models,
                options.library.views}) < 1)
    throw std::runtime_error("numbers have to be 1 or more");
  if (!options.only.empty() && options.only != "tensors" &&
      options.only != "recognition")
    throw std::runtime_error("there is no half " + options.only);
  return true;
}

std::string
processorName()
{
  std::ifstream information("/proc/cpuinfo");
  for (std::string line; std::getline(information, line);)
    if (line.compare(0, 10, "model name") == 0)
      return line.substr(line.find(':') + 2);
  return "unknown processor";
}

void
printContext(const Options& options)
{
  char date[16] = "";
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::localtime(&now));
  std::printf(
      "- date: %s\n- processor: %s, %u cores visible, %d threads used\n"
      "- compiler: %s\n"
      "- ours: fastest / median of %d; processor: time of all threads, fastest\n"
      "- straightforward: one thread, its fastest processor time\n",
      date,
      processorName().c_str(),
      std::thread::hardware_concurrency(),
      options.threads,
      __VERSION__,
      options.rounds);
}

/** \return whether all results are right */
bool
run(const Options& options)
{
  printContext(options);
  std::vector<RawDepth> frames;
  for (const std::string& file : options.frames)
    frames.push_back(readDepthPgm(file));
  bool agrees = true;
  if (options.only != "recognition") {
    if (frames.empty())
      agrees = compareTensors(renderSyntheticDepth(640, 480), options.rounds);
    for (const RawDepth& frame : frames)
      agrees = compareTensors(frame, options.rounds) && agrees;
  }
  if (options.only != "tensors") {
    const std::shared_ptr<TensorLibrary> library = objectLibrary(options.library);
    if (frames.empty())
      frames.push_back(renderObjects());
    for (const RawDepth& frame : frames)
      printHostRecognition(frame, library, 250, options.rounds);
  }
  return agrees;
}

} // namespace

int
main(int argc, char** argv)
{
  try {
    Options options;
    if (!readOptions(argc, argv, options))
      return 0;
    omp_set_num_threads(options.threads);
    setHostDevice();
    return run(options) ? 0 : 1;
  }
  catch (const std::exception& error) {
    std::fprintf(stderr, "benchmark_tensors_host: error: %s\n", error.what());
    return 1;
  }
}
