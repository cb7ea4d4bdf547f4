// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Pairs, tensors, matching and recognition on the host device, the first three beside a
 * straightforward implementation in one thread.
 *
 * benchmark_tensors_host [--threads N] [--rounds N] [--depth FRAME.pgm]...
 *    [--library FILE | --models N --views N [--save FILE]] [--only tensors|recognition]
 */

#include "host_recognition.h"
#include "object_scene.h"
#include "tensor_comparison.h"

#include <pcl/gpu/containers/initialization.h>

#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;

struct Options {
  int threads = 2;
  int rounds = 5;
  LibrarySource library;
  std::string only;
  std::vector<std::string> frames;
};

Options
readOptions(int argc, char** argv)
{
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc)
      throw std::runtime_error(name + " needs a value");
    const std::string value = argv[i + 1];
    const int number = std::max(1, std::atoi(value.c_str()));
    if (name == "--threads")
      options.threads = number;
    else if (name == "--rounds")
      options.rounds = number;
    else if (name == "--models")
      options.library.models = number;
    else if (name == "--views")
      options.library.views = number;
    else if (name == "--library")
      options.library.file = value;
    else if (name == "--save")
      options.library.save = value;
    else if (name == "--only")
      options.only = value;
    else if (name == "--depth")
      options.frames.push_back(value);
    else
      throw std::runtime_error("unknown option " + name);
  }
  return options;
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
    const Options options = readOptions(argc, argv);
    omp_set_num_threads(options.threads);
    setHostDevice();
    return run(options) ? 0 : 1;
  }
  catch (const std::exception& error) {
    std::fprintf(stderr, "benchmark_tensors_host: error: %s\n", error.what());
    return 1;
  }
}
