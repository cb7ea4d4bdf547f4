// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Depth map to mesh on a CUDA device, stage by stage, beside computed floors.
 */

#include "common/cuda_timing.h"
#include "common/options.h"
#include "common/report.h"
#include "cuda_end_to_end.h"
#include "cuda_report.h"
#include "cuda_stages.h"
#include "gpu_triangulation/synthetic_depth.h"

#include <pcl/gpu/containers/initialization.h>

#include <cuda_profiler_api.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace benchmarks;

struct Settings {
  std::vector<ImageSize> sizes;
  std::vector<std::string> files;
  int repeats = 60;
  int device = 0;
  std::string json;
  std::string only;
  int repeat = 10;
};

std::vector<RawDepth>
loadDepths(const Settings& options)
{
  std::vector<RawDepth> depths;
  for (const auto& file : options.files)
    depths.push_back(readDepthPgm(file));
  if (options.only.empty() || options.files.empty())
    for (const auto& size : options.sizes)
      depths.push_back(renderSyntheticDepth(size.width, size.height));
  return depths;
}

FrameTimes
timeFrame(const RawDepth& depth, const pcl::gpu::Stream& stream, const CudaTimer& timer)
{
  TriangulationStages stages(depth, stream);
  FrameTimes frame;
  frame.name = depth.name;
  frame.width = depth.camera.width;
  frame.height = depth.camera.height;
  frame.polygons = stages.polygons();
  const double working_set = chainWorkingSet(stages.pixels(), stages.polygons());
  for (const auto& stage : stages.stages()) {
    StageTimes times;
    times.name = stage.name;
    times.nodes = CapturedGraph(stream, stage.queue).nodes();
    times.within_graph = timer.withinGraph(stage.queue);
    times.graph = timer.graph(stage.queue);
    times.single_graph = timer.singleGraph(stage.queue);
    times.calls = timer.calls(stage.queue);
    times.floor = floorOf(stage.work, working_set);
    times.gtx480 = stage.gtx480;
    frame.stages.push_back(std::move(times));
  }
  frame.end_to_end = timeEndToEnd(stages, depth, stream, timer);
  return frame;
}

/** \brief Runs one stage for a profiler, which should start on the program's call:
 * `ncu --profile-from-start off`. */
void
runOnly(const Settings& options, const RawDepth& depth, const pcl::gpu::Stream& stream)
{
  TriangulationStages frame(depth, stream);
  const auto stages = frame.stages();
  const auto stage =
      std::find_if(stages.begin(), stages.end(), [&](const Stage& other) {
        return other.name == options.only;
      });
  if (stage == stages.end())
    throw std::invalid_argument("--only " + options.only + ": no stage of that name");
  checkCuda(cudaProfilerStart(), "starting the profiler");
  for (int run = 0; run < options.repeat; ++run)
    stage->queue();
  stream.synchronize();
  checkCuda(cudaProfilerStop(), "stopping the profiler");
}

void
run(const Settings& options)
{
  if (options.device >= pcl::gpu::getCudaEnabledDeviceCount())
    throw std::runtime_error("there is no CUDA device " +
                             std::to_string(options.device));
  pcl::gpu::setDevice(options.device);
  const auto depths = loadDepths(options);
  const auto stream = pcl::gpu::Stream::create();
  if (!options.only.empty()) {
    for (const auto& depth : depths)
      runOnly(options, depth, stream);
    return;
  }

  printContext();
  const CudaTimer timer(stream, options.repeats);
  std::vector<FrameTimes> frames;
  for (const auto& depth : depths) {
    std::cerr << depth.name << ' ' << depth.camera.width << 'x' << depth.camera.height
              << "..." << '\n';
    frames.push_back(timeFrame(depth, stream, timer));
  }
  if (!options.json.empty()) {
    std::ofstream file(options.json);
    writeJson(file, options.repeats, frames);
    if (!file)
      throw std::runtime_error(options.json + ": cannot be written");
  }
  writeMarkdown(std::cout, options.repeats, frames);
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  Options options("Times the chain from depth map to mesh on a CUDA device");
  options.add(
      "size", settings.sizes, "of rendered depth maps (640x480 1920x1080 4096x3072)");
  options.add(
      "depth", settings.files, "recorded depth maps: 16-bit PGM (P5), millimetres");
  options.addCount("repeats", settings.repeats, "of every measurement");
  options.add("device", settings.device, "CUDA device");
  options.add("json", settings.json, "file to write all figures to as well");
  options.add(
      "only",
      settings.only,
      "time nothing: run this stage plainly, for a profiler (the names in the table, "
      "such as \"bilateral filter\")");
  options.addCount("repeat", settings.repeat, "how often --only runs it");
  return options.run(argc, argv, [&] {
    if (settings.sizes.empty()) {
      settings.sizes = {{640, 480}};
      if (settings.only.empty())
        settings.sizes.insert(settings.sizes.end(), {{1920, 1080}, {4096, 3072}});
    }
    run(settings);
    return true;
  });
}
