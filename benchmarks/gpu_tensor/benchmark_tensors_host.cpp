// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Pairs, tensors, matching and recognition on the host device, the first three
 * beside a straightforward implementation in one thread.
 */

#include "common/options.h"
#include "common/report.h"
#include "host_recognition.h"
#include "object_scene.h"
#include "tensor_comparison.h"

#include <pcl/gpu/containers/initialization.h>

#include <omp.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;

struct Settings {
  int threads = 2;
  int rounds = 5;
  LibrarySource library;
  std::string only;
  std::vector<std::string> frames;
};

/** \return whether all results are right */
bool
run(const Settings& options)
{
  if (!options.only.empty() && options.only != "tensors" &&
      options.only != "recognition")
    throw std::runtime_error("there is no half " + options.only);
  printContext();
  std::printf("ours: fastest / median of %d; processor: time of all threads, fastest; "
              "straightforward: one thread, its fastest processor time\n",
              options.rounds);
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
  Settings settings;
  Options options("benchmark_tensors_host [OPTIONS]");
  options.addCount("threads", settings.threads, "that the host device uses");
  options.addCount("rounds", settings.rounds, "of every measurement");
  options.add("depth",
              settings.frames,
              "a recorded frame instead of rendered ones: 16-bit PGM, millimetres");
  options.addCount("models", settings.library.models, "that the library learns");
  options.addCount("views", settings.library.views, "that each is learned from");
  options.add(
      "library", settings.library.file, "file to read the library from instead");
  options.add("save", settings.library.save, "file to write the library to");
  options.add(
      "only", settings.only, "tensors or recognition: leave out the other half");
  return options.run(argc, argv, [&] {
    omp_set_num_threads(settings.threads);
    setHostDevice();
    return run(settings);
  });
}
