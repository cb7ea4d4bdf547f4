// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Tables 1 to 3 and figure 3 of Klose et al. 2015, on a CUDA device.
 */

#include "common/cuda_timing.h"
#include "common/options.h"
#include "common/report.h"
#include "scene_frames.h"
#include "testing/paper_gathering/paper_gathering.h"

#include <pcl/gpu/scenespace/gathering/sample_gathering.h>
#include <pcl/gpu/scenespace/gathering/scene_space_denoising.h>
#include <pcl/gpu/utils/device_capacity.h>

#include <cstdio>
#include <limits>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;

// The paper's captions say 1024 and 512, but its numbers are those of these.
constexpr int max_samples = 1000, max_segments = 500;

struct Settings {
  std::string what = "all";
  int frames = 100;
  int width = 1280, height = 720;
  int repeats = 3;
  std::vector<std::string> motions = {"rotation", "sideways", "forward"};
};

/** \brief Milliseconds until work is done, which is done once before. */
template <typename Work>
double
millisecondsOf(const Stream& stream, int repeats, const Work& work)
{
  work();
  return CudaTimer(stream, repeats).wall(work).median / 1e3;
}

PaperGathering
gatheringBy(GatheringAlgorithm algorithm)
{
  PaperGathering gathering;
  gathering.setAlgorithm(algorithm);
  SampleGatheringParameters parameters;
  parameters.max_samples = max_samples;
  parameters.max_segments = max_segments;
  gathering.setParameters(parameters);
  return gathering;
}

void
setRegion(PaperGathering& gathering, const ImageRegion& region)
{
  SampleGatheringParameters parameters = gathering.getParameters();
  parameters.region = region;
  gathering.setParameters(parameters);
}

/** \brief Table 1: memory that gathering takes, as its formula says and as it does. */
void
printMemory(const SceneFrames& frames, const Settings& options)
{
  std::printf("table 1: memory of gathering, MiB\n");
  std::printf(
      "%-12s %-20s %10s %10s %8s\n", "tile", "algorithm", "formula", "used", "");
  const SceneView& view = frames[frames.size() / 2]->getView();
  const ImageRegion tiles[] = {
      {0, 0, 128, 128}, {0, 0, 512, 384}, {0, 0, options.width, options.height}};
  const std::pair<const char*, GatheringAlgorithm> algorithms[] = {
      {"producer-consumer", GatheringAlgorithm::ProducerConsumer},
      {"projection", GatheringAlgorithm::Projection}};
  // Kernels take memory, too, once they are loaded.
  for (const auto& algorithm : algorithms) {
    SampleSets sets;
    PaperGathering gathering = gatheringBy(algorithm.second);
    setRegion(gathering, {0, 0, 32, 16});
    gathering.gather({frames[0]}, view, sets);
  }
  for (const ImageRegion& tile : tiles)
    for (const auto& algorithm : algorithms) {
      PaperGathering gathering = gatheringBy(algorithm.second);
      setRegion(gathering, tile);
      const Stream stream;
      stream.synchronize();
      const std::size_t before = freeMemoryOf(currentDevice());
      SampleSets sets;
      gathering.gather(frames, view, sets, stream);
      stream.synchronize();
      const double used = (before - freeMemoryOf(currentDevice())) / 1048576.0;
      const double formula =
          gathering.estimateMemory(
              int(frames.size()), options.width, options.height, view) /
          1048576.0;
      std::printf("%4dx%-7d %-20s %10.1f %10.1f %+7.2f%%\n",
                  tile.columns,
                  tile.rows,
                  algorithm.first,
                  formula,
                  used,
                  100.0 * (used / formula - 1.0));
    }
}

/** \brief Table 3, and the sums of table 2: the paper's algorithms and ours. */
void
printAlgorithms(const std::string& motion,
                const SceneFrames& all,
                const Settings& options)
{
  const int middle = static_cast<int>(all.size()) / 2;
  const SceneFrames frames = nearestFirst(all, middle);
  const SceneFrame& reference = *all[middle];
  const Stream stream = Stream::create();
  const auto print = [&](const char* what, double milliseconds) {
    std::printf("%-10s %4zu  %-42s %14.3f ms\n",
                motion.c_str(),
                frames.size(),
                what,
                milliseconds);
  };
  SampleSets sets;
  const auto gather = [&](PaperGathering& gathering) {
    return millisecondsOf(stream, options.repeats, [&] {
      gathering.gather(frames, reference.getView(), sets, stream);
    });
  };
  // Every pixel of the output looks at all of every frame: a part is enough to scale
  // from.
  PaperGathering naive = gatheringBy(GatheringAlgorithm::Naive);
  const ImageRegion part{options.width / 2 - 256, options.height / 2 - 64, 512, 128};
  setRegion(naive, part);
  const double share =
      double(part.columns) * part.rows / (double(options.width) * options.height);
  const double one_frame = millisecondsOf(
      stream, 1, [&] { naive.gather({frames[0]}, reference.getView(), sets, stream); });
  print("naive, from 512x128 pixels and one frame",
        one_frame / share * static_cast<double>(frames.size()));
  PaperGathering hulls = gatheringBy(GatheringAlgorithm::ConvexBounds);
  print("convex bounds", gather(hulls));
  PaperGathering segments = gatheringBy(GatheringAlgorithm::ProducerConsumer);
  print("producer-consumer", gather(segments));
  PaperGathering projection = gatheringBy(GatheringAlgorithm::Projection);
  print("projection", gather(projection));
  SceneSpaceDenoising denoising;
  SceneSpaceDenoisingParameters alike;
  alike.sigma_frame = std::numeric_limits<float>::infinity();
  denoising.setParameters(alike);
  DeviceArray2D<pcl::RGB> color;
  print("colour, from sets", millisecondsOf(stream, options.repeats, [&] {
          denoising.compute(reference, frames, sets, color, stream);
        }));
  print("projection and colour, without sets",
        millisecondsOf(stream, options.repeats, [&] {
          denoising.compute(reference, frames, color, stream);
        }));
}

/** \brief Figure 3: time of each output frame. */
void
printCurve(const std::string& motion, const SceneFrames& all)
{
  const Stream stream = Stream::create();
  PaperGathering segments = gatheringBy(GatheringAlgorithm::ProducerConsumer);
  PaperGathering projection = gatheringBy(GatheringAlgorithm::Projection);
  SampleSets sets;
  for (std::size_t i = 0; i < all.size(); i += 10) {
    const auto gather = [&](PaperGathering& gathering) {
      return millisecondsOf(
          stream, 1, [&] { gathering.gather(all, all[i]->getView(), sets, stream); });
    };
    std::printf("figure 3: %-10s output %3zu  producer-consumer %9.2f ms  "
                "projection %7.2f ms\n",
                motion.c_str(),
                i,
                gather(segments),
                gather(projection));
  }
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  Options options("benchmark_scenespace_tables [WHAT] [OPTIONS]");
  options.addWord("what", settings.what, "memory, algorithms, curve or all");
  options.add("frames", settings.frames, "number of input frames");
  options.add("width", settings.width, "columns, 512 or more");
  options.add("height", settings.height, "rows, 384 or more");
  options.addCount("repeats", settings.repeats, "measurements of each");
  options.add("motions", settings.motions, "rotation sideways forward");
  return options.run(argc, argv, [&] {
    const auto isWanted = [&](const char* what) {
      return settings.what == what || settings.what == "all";
    };
    printContext();
    bool is_first = true;
    for (const std::string& motion : settings.motions) {
      const SceneFrames frames =
          renderFrames(motion, settings.frames, settings.width, settings.height);
      if (is_first && isWanted("memory"))
        printMemory(frames, settings);
      is_first = false;
      if (isWanted("algorithms"))
        printAlgorithms(motion, frames, settings);
      if (isWanted("curve"))
        printCurve(motion, frames);
    }
    return true;
  });
}
