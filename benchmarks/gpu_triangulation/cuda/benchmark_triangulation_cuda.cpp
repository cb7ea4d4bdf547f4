// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Depth map to mesh on a CUDA device, stage by stage, beside computed floors.
 */

#include "common/cuda_timing.h"
#include "cuda_end_to_end.h"
#include "cuda_report.h"
#include "cuda_stages.h"
#include "gpu_triangulation/synthetic_depth.h"

#include <pcl/gpu/containers/initialization.h>

#include <cuda_profiler_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace benchmarks;

const char* const help =
    "Usage: benchmark_triangulation_cuda [OPTION]...\n"
    "Times the chain from depth map to mesh on a CUDA device.\n\n"
    "  --size WxH     size of a rendered depth map, once for each size\n"
    "                 (640x480, 1920x1080 and 4096x3072)\n"
    "  --depth FILE   a recorded depth map besides: 16-bit PGM (P5), millimetres\n"
    "  --repeats N    repeats of every measurement (60)\n"
    "  --device N     CUDA device (0)\n"
    "  --json FILE    write all figures to FILE as well\n"
    "  --only STAGE   time nothing: run one stage plainly, for a profiler\n"
    "                 (the names in the table, such as \"bilateral filter\")\n"
    "  --repeat N     how often --only runs it (10)\n"
    "  --help         print this text\n";

struct Options {
  std::vector<std::pair<int, int>> sizes;
  std::vector<std::string> files;
  int repeats = 60;
  int device = 0;
  std::string json;
  std::string only;
  int repeat = 10;
  bool help = false;
};

int
positiveNumber(const std::string& option, const std::string& text, int least)
{
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || value < least || value > 1'000'000)
    throw std::invalid_argument(option + " " + text + ": expected a number from " +
                                std::to_string(least));
  return static_cast<int>(value);
}

Options
parseOptions(int argc, char** argv)
{
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--help") {
      options.help = true;
      return options;
    }
    if (i + 1 == argc)
      throw std::invalid_argument(option + ": unknown, or its value is missing");
    const std::string value = argv[++i];
    if (option == "--size") {
      int width = 0;
      int height = 0;
      if (std::sscanf(value.c_str(), "%dx%d", &width, &height) != 2 || width < 2 ||
          height < 2 || width > 16384 || height > 16384)
        throw std::invalid_argument("--size " + value + ": expected such as 640x480");
      options.sizes.emplace_back(width, height);
    }
    else if (option == "--depth")
      options.files.push_back(value);
    else if (option == "--repeats")
      options.repeats = positiveNumber(option, value, 1);
    else if (option == "--device")
      options.device = positiveNumber(option, value, 0);
    else if (option == "--json")
      options.json = value;
    else if (option == "--only")
      options.only = value;
    else if (option == "--repeat")
      options.repeat = positiveNumber(option, value, 1);
    else
      throw std::invalid_argument(option + ": unknown option");
  }
  if (options.sizes.empty()) {
    options.sizes = {{640, 480}};
    if (options.only.empty())
      options.sizes.insert(options.sizes.end(), {{1920, 1080}, {4096, 3072}});
  }
  return options;
}

std::vector<RawDepth>
loadDepths(const Options& options)
{
  std::vector<RawDepth> depths;
  for (const auto& file : options.files)
    depths.push_back(readDepthPgm(file));
  if (options.only.empty() || options.files.empty())
    for (const auto& size : options.sizes)
      depths.push_back(renderSyntheticDepth(size.first, size.second));
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

/** \brief Runs one stage for a profiler, which should start when told to:
 * `ncu --profile-from-start off`. */
void
runOnly(const Options& options, const RawDepth& depth, const pcl::gpu::Stream& stream)
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
run(const Options& options)
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

  const CudaTimer timer(stream, options.repeats);
  std::vector<FrameTimes> frames;
  for (const auto& depth : depths) {
    std::cerr << depth.name << ' ' << depth.camera.width << 'x' << depth.camera.height
              << "..." << std::endl;
    frames.push_back(timeFrame(depth, stream, timer));
  }
  const RunDescription description = describeRun(options.device, options.repeats);
  if (!options.json.empty()) {
    std::ofstream file(options.json);
    writeJson(file, description, frames);
    if (!file)
      throw std::runtime_error(options.json + ": cannot be written");
  }
  writeMarkdown(std::cout, description, frames);
}

} // namespace

int
main(int argc, char** argv)
{
  try {
    const Options options = parseOptions(argc, argv);
    if (options.help)
      std::cout << help;
    else
      run(options);
    return 0;
  }
  catch (const std::invalid_argument& error) {
    std::cerr << "benchmark_triangulation_cuda: error: " << error.what() << '\n';
    return 2;
  }
  catch (const std::exception& error) {
    std::cerr << "benchmark_triangulation_cuda: error: " << error.what() << '\n';
    return 1;
  }
}
