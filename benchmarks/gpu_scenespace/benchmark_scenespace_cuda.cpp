// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Gathering and filtering of scene-space samples on a CUDA device.
 *
 * benchmark_scenespace_cuda --help
 */

#include "../common/cuda_timing.h"
#include "scene_frames.h"

#include <pcl/gpu/scenespace/sample_gathering.h>
#include <pcl/gpu/scenespace/scene_space_denoising.h>

#include <boost/program_options.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <limits>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;
namespace po = boost::program_options;

struct Options {
  std::vector<int> frames = {100, 300};
  int width = 1280, height = 720;
  int max_samples = 1000;
  int repeats = 20;
  std::vector<std::string> motions = {"rotation", "sideways", "forward"};
};

void
printRow(const std::string& motion, int frames, const char* what, const Sample& time)
{
  std::printf("%-10s %4d  %-28s %8.3f  (%.3f - %.3f)\n",
              motion.c_str(),
              frames,
              what,
              time.median / 1e3,
              time.low / 1e3,
              time.high / 1e3);
  std::fflush(stdout);
}

double
meanSamples(const SampleSets& sets)
{
  std::vector<std::uint32_t> counts;
  sets.getCounts().download(counts);
  double sum = 0.0;
  for (const std::uint32_t count : counts)
    sum += count & ~SampleSets::is_full;
  return sum / counts.size();
}

void
measure(const std::string& motion, const SceneFrames& all, const Options& options)
{
  const int count = static_cast<int>(all.size()), middle = count / 2;
  const Stream stream = Stream::create();
  const CudaTimer timer(stream, options.repeats);
  const SceneFrame& reference = *all[middle];
  const SceneFrames frames = nearestFirst(all, middle);
  DeviceArray2D<pcl::RGB> color;

  SceneSpaceDenoising denoising;
  denoising.setSigmaFrame(std::numeric_limits<float>::infinity());
  const auto runningSum = [&](const SceneFrames& some) {
    const auto work = [&] { denoising.compute(reference, some, color, stream); };
    work();
    return timer.graph(work);
  };
  printRow(motion, count, "running sum", runningSum(frames));
  const SceneFrames window(frames.begin(), frames.begin() + std::min(count, 37));
  printRow(motion, count, "running sum, 37 nearest", runningSum(window));

  SampleGathering gathering;
  gathering.setMaxSamples(options.max_samples);
  SampleSets sets;
  const auto gather = [&] {
    gathering.gather(frames, reference.getView(), sets, stream);
  };
  const auto filter = [&] {
    denoising.compute(reference, frames, sets, color, stream);
  };
  gather();
  filter();
  printRow(motion, count, "sets: gathering", timer.graph(gather));
  printRow(motion, count, "sets: sum", timer.graph(filter));
  printRow(motion, count, "sets: both", timer.graph([&] {
    gather();
    filter();
  }));
  std::printf(
      "%-10s %4d  samples a pixel: %.0f\n", motion.c_str(), count, meanSamples(sets));
}

Options
parse(int argc, char** argv)
{
  Options options;
  po::options_description known("benchmark_scenespace_cuda [OPTIONS]");
  known.add_options()("help", "this page")(
      "frames", po::value(&options.frames)->multitoken(), "numbers of input frames")(
      "width", po::value(&options.width), "columns")(
      "height", po::value(&options.height), "rows")(
      "max-samples", po::value(&options.max_samples), "samples a pixel in sets")(
      "repeats", po::value(&options.repeats), "measurements of each")(
      "motions",
      po::value(&options.motions)->multitoken(),
      "rotation sideways forward");
  po::variables_map values;
  po::store(po::parse_command_line(argc, argv, known), values);
  if (values.count("help")) {
    std::cout << known;
    std::exit(0);
  }
  po::notify(values);
  return options;
}

} // namespace

int
main(int argc, char** argv)
{
  try {
    const Options options = parse(argc, argv);
    std::printf("milliseconds, median (10 %% - 90 %%)\n");
    for (const std::string& motion : options.motions)
      for (const int count : options.frames)
        measure(motion,
                renderFrames(motion, count, options.width, options.height),
                options);
    return 0;
  }
  catch (const std::exception& exception) {
    std::cerr << "benchmark_scenespace_cuda: error: " << exception.what() << '\n';
    return 1;
  }
}
