// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Gathering, summing and filtering of scene-space samples on the host.
 */

#include "common/options.h"
#include "common/report.h"
#include "common/statistics.h"
#include "scene_frames.h"

#include <pcl/gpu/containers/device.h>
#include <pcl/gpu/scenespace/collaborative_filter.h>
#include <pcl/gpu/scenespace/gathering/scene_space_average.h>
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
template <typename Work>
double
fastest(int repeats, const Work& work)
{
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) {
    const StopWatch watch;
    work();
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
  const SceneFrame& reference = *all[middle];
  const SceneFrames frames = nearestFirst(all, middle);
  SceneSpaceDenoising denoising;
  SceneSpaceDenoisingParameters alike;
  alike.sigma_frame = std::numeric_limits<float>::infinity();
  denoising.setParameters(alike);
  const SceneFrames window(frames.begin(),
                           frames.begin() + std::min(options.frames, 37));
  DeviceArray2D<pcl::RGB> color;
  const double sum =
      fastest(options.repeats, [&] { denoising.compute(reference, frames, color); });
  const double sum_of_window =
      fastest(options.repeats, [&] { denoising.compute(reference, window, color); });

  SceneSpaceAverage average;
  SceneSpaceAverageParameters noisy;
  noisy.noise = 20.0f;
  average.setParameters(noisy);
  average.begin(reference.getView(), {reference.getGuide(), reference.getDepth()});
  average.add(window, {});
  SceneImage image;
  average.finish(image);
  CollaborativeFilter blocks;
  const double filter = fastest(
      options.repeats, [&] { blocks.compute(image.color, image.variance, color); });
  std::printf(
      "%-10s %4d frames  %.3f s, 37 nearest %.3f s, collaborative filter %.3f s\n",
      motion.c_str(),
      options.frames,
      sum,
      sum_of_window,
      filter);
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
