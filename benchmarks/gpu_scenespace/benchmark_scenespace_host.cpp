// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Gathering and summing of scene-space samples on the host.
 */

#include "common/options.h"
#include "common/report.h"
#include "common/statistics.h"
#include "scene_frames.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/scenespace/gathering/scene_space_denoising.h>

#include <algorithm>
#include <cstdio>
#include <limits>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;

struct Settings {
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
    const StopWatch watch;
    denoising.compute(reference, frames, color);
    best = std::min(best, watch.seconds());
  }
  return best;
}

void
measure(const std::string& motion, const Settings& options)
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
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  Options options("benchmark_scenespace_host [OPTIONS]");
  options.add("frames", settings.frames, "number of input frames");
  options.add("width", settings.width, "columns");
  options.add("height", settings.height, "rows");
  options.addCount("repeats", settings.repeats, "runs, of which the fastest counts");
  options.add("motions", settings.motions, "rotation sideways forward");
  return options.run(argc, argv, [&] {
    const ScopedDevice scope(Device::host());
    printContext();
    for (const std::string& motion : settings.motions)
      measure(motion, settings);
    return true;
  });
}
