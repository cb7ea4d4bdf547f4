// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Gathering and summing of scene-space samples on the host.
 *
 * benchmark_scenespace_host --help
 */

#include "scene_frames.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/scenespace/gathering/scene_space_denoising.h>

#include <boost/program_options.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <limits>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;
namespace po = boost::program_options;

struct Options {
  int frames = 300;
  int width = 1280, height = 720;
  int repeats = 3;
  std::vector<std::string> motions = {"rotation", "sideways", "forward"};
};

/** \brief Seconds of the fastest run. */
double
runningSum(SceneSpaceDenoising& denoising,
           const SceneFrame& reference,
           const SceneFrames& frames,
           int repeats)
{
  double best = std::numeric_limits<double>::infinity();
  DeviceArray2D<pcl::RGB> color;
  for (int i = 0; i < repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    denoising.compute(reference, frames, color);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count());
  }
  return best;
}

void
measure(const std::string& motion, const Options& options)
{
  const SceneFrames all =
      renderFrames(motion, options.frames, options.width, options.height);
  const int middle = options.frames / 2;
  const SceneFrames frames = nearestFirst(all, middle);
  SceneSpaceDenoising denoising;
  SceneSpaceDenoisingParameters alike;
  alike.sigma_frame = std::numeric_limits<float>::infinity();
  denoising.setParameters(alike);
  const SceneFrames window(frames.begin(),
                           frames.begin() + std::min(options.frames, 37));
  std::printf("%-10s %4d frames  %.3f s, 37 nearest %.3f s\n",
              motion.c_str(),
              options.frames,
              runningSum(denoising, *all[middle], frames, options.repeats),
              runningSum(denoising, *all[middle], window, options.repeats));
  std::fflush(stdout);
}

Options
parse(int argc, char** argv)
{
  Options options;
  po::options_description known("benchmark_scenespace_host [OPTIONS]");
  known.add_options()("help", "this page")(
      "frames", po::value(&options.frames), "number of input frames")(
      "width", po::value(&options.width), "columns")(
      "height", po::value(&options.height), "rows")(
      "repeats", po::value(&options.repeats), "runs, of which the fastest counts")(
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
    const ScopedDevice scope(Device::host());
    for (const std::string& motion : options.motions)
      measure(motion, options);
    return 0;
  }
  catch (const std::exception& exception) {
    std::cerr << "benchmark_scenespace_host: error: " << exception.what() << '\n';
    return 1;
  }
}
