// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Gathering and filtering of scene-space samples on a CUDA device.
 */

#include "common/cuda_timing.h"
#include "common/options.h"
#include "common/report.h"
#include "scene_frames.h"

#include <pcl/gpu/scenespace/collaborative_filter.h>
#include <pcl/gpu/scenespace/depth_filling.h>
#include <pcl/gpu/scenespace/gathering/sample_gathering.h>
#include <pcl/gpu/scenespace/gathering/scene_space_average.h>
#include <pcl/gpu/scenespace/gathering/scene_space_denoising.h>
#include <pcl/gpu/scenespace/gathering/scene_surface.h>
#include <pcl/gpu/scenespace/non_local_means.h>

#include <algorithm>
#include <cstdio>
#include <limits>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;

struct Settings {
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

/** \brief Prints the time of work that is run again and again on a stream. */
class Rows {
public:
  Rows(const std::string& motion, int frames, int repeats)
  : motion_(motion)
  , frames_(frames)
  , stream_(Stream::create())
  , timer_(stream_, repeats)
  {}

  const Stream&
  stream() const
  {
    return stream_;
  }

  template <typename Work>
  void
  add(const char* what, const Work& work) const
  {
    work();
    printRow(motion_, frames_, what, timer_.graph(work));
  }

private:
  std::string motion_;
  int frames_;
  Stream stream_;
  CudaTimer timer_;
};

/** \brief The parts that effects are made of. */
void
measureParts(const Rows& rows,
             const SceneFrame& reference,
             const SceneFrames& frames,
             const SceneFrames& window)
{
  const Stream& stream = rows.stream();
  SceneSpaceAverage average;
  SceneSpaceAverageParameters noisy;
  noisy.noise = 20.0f;
  average.setParameters(noisy);
  SceneImage image;
  const auto averageOf = [&](const SceneFrames& some) {
    average.begin(
        reference.getView(), {reference.getGuide(), reference.getDepth()}, stream);
    average.add(some, {}, stream);
    average.finish(image, stream);
  };
  rows.add("average", [&] { averageOf(frames); });
  rows.add("average, 37 nearest", [&] { averageOf(window); });
  SceneSurface surface;
  DeviceArray2D<float> depth;
  rows.add("surface, 37 nearest", [&] {
    surface.begin(reference.getView(), stream);
    surface.add(window, {}, stream);
    surface.finish(depth, stream);
  });
  NonLocalMeans means;
  DeviceArray2D<pcl::RGB> color;
  rows.add("non-local means, 11x11",
           [&] { means.compute(reference.getColor(), 20.0f, color, stream); });
  CollaborativeFilter blocks;
  rows.add("collaborative filter",
           [&] { blocks.compute(image.color, image.variance, color, stream); });
  DepthFilling filling;
  rows.add("depth filling", [&] {
    filling.compute(reference.getDepth(), reference.getColor(), depth, stream);
  });
}

void
measure(const std::string& motion, const SceneFrames& all, const Settings& options)
{
  const int count = static_cast<int>(all.size()), middle = count / 2;
  const Rows rows(motion, count, options.repeats);
  const Stream& stream = rows.stream();
  const SceneFrame& reference = *all[middle];
  const SceneFrames frames = nearestFirst(all, middle);
  const SceneFrames window(frames.begin(), frames.begin() + std::min(count, 37));
  DeviceArray2D<pcl::RGB> color;

  SceneSpaceDenoising denoising;
  SceneSpaceDenoisingParameters alike;
  alike.sigma_frame = std::numeric_limits<float>::infinity();
  denoising.setParameters(alike);
  rows.add("running sum", [&] { denoising.compute(reference, frames, color, stream); });
  rows.add("running sum, 37 nearest",
           [&] { denoising.compute(reference, window, color, stream); });

  SampleGathering gathering;
  SampleGatheringParameters sets_parameters;
  sets_parameters.max_samples = options.max_samples;
  gathering.setParameters(sets_parameters);
  SampleSets sets;
  const auto gather = [&] {
    gathering.gather(frames, reference.getView(), sets, stream);
  };
  const auto filter = [&] {
    denoising.compute(reference, frames, sets, color, stream);
  };
  rows.add("sets: gathering", gather);
  rows.add("sets: sum", filter);
  rows.add("sets: both", [&] {
    gather();
    filter();
  });
  measureParts(rows, reference, frames, window);
  std::printf(
      "%-10s %4d  samples a pixel: %.0f\n", motion.c_str(), count, meanSamples(sets));
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  Options options("benchmark_scenespace_cuda [OPTIONS]");
  options.add("frames", settings.frames, "numbers of input frames");
  options.add("width", settings.width, "columns");
  options.add("height", settings.height, "rows");
  options.add("max-samples", settings.max_samples, "samples a pixel in sets");
  options.addCount("repeats", settings.repeats, "measurements of each");
  options.add("motions", settings.motions, "rotation sideways forward");
  return options.run(argc, argv, [&] {
    printContext();
    std::printf("milliseconds, median (10 %% - 90 %%)\n");
    for (const std::string& motion : settings.motions)
      for (const int count : settings.frames)
        measure(motion,
                renderFrames(motion, count, settings.width, settings.height),
                settings);
    return true;
  });
}
