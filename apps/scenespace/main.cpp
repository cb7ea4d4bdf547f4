// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../common/command_line/device_option.h"
#include "../common/command_line/errors.h"
#include "../common/command_line/progress_bar.h"
#include "../common/command_line/timings.h"
#include "../common/work/shared_work.h"
#include "color_camera.h"
#include "input.h"
#include "options.h"
#include "output.h"

#include <pcl/gpu/scenespace/scene_space_video.h>
#include <pcl/gpu/scenespace/video/rgbd_video_range.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <optional>
#include <thread>

namespace pcl::gpu::apps {
namespace {

/** \brief Counter of frames, which shows the progress and measures times. */
class FrameCounter {
public:
  FrameCounter(int frames, Timings& timings)
  : progress_(frames, "frames", "--frames A:B makes only these of them")
  , timings_(timings)
  {}

  /** \brief Receives the number of existing frames, first of those from a former run.
   */
  void
  operator()(int done)
  {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point now = Clock::now();
    if (before_ < 0)
      progress_.skip(before_ = done);
    else {
      const std::chrono::duration<double, std::milli> elapsed = now - last_;
      timings_.add("frame", elapsed.count());
      progress_.step("");
      ++made_;
    }
    last_ = now;
  }

  int
  made() const
  {
    return made_;
  }

private:
  ProgressBar progress_;
  Timings& timings_;
  std::chrono::steady_clock::time_point last_;
  int before_ = -1, made_ = 0;
};

int
writingThreads(const SceneSpaceOptions& options, std::size_t devices)
{
  if (options.threads > 0)
    return options.threads;
  // Writing a frame takes a processor far longer than making it takes a device.
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  return std::max(std::clamp(processors, 1, 32), 2 * static_cast<int>(devices));
}

void
printSummary(int made, int frames, float noise, double seconds)
{
  std::cout << made << (made == 1 ? " frame" : " frames") << " made";
  if (made < frames)
    std::cout << ", " << frames - made << " were there";
  std::cout.precision(3);
  std::cout << ", noise " << noise << " levels";
  if (made > 0)
    std::cout << ", " << seconds / made << " s a frame";
  std::cout << "\n";
}

int
process(int argc, char** argv)
{
  const auto options = parseSceneSpaceOptions(argc, argv);
  if (!options)
    return Success;
  const std::vector<Device> devices = chooseDevices(options->device, options->devices);
  const ScopedDevice scope(devices.front());
  Timings timings("pcl_gpu_scenespace", describeDevices(devices));
  timings.describe("effect", options->effect->name);

  std::optional<ColorCalibration> calibration;
  const RGBDVideo::ConstPtr input =
      timings.measure("open", [&] { return openInput(*options, calibration); });
  const FrameRange range = chooseFrames(*options, *input);
  ScenePreparation preparation = options->preparation;
  preparation.fill_depth = !options->keep_holes;
  preparation.masks = openInputMasks(*options, *input);
  const auto effect = options->effect->make(options->values, *input);
  preparation.noise = timings.measure(
      "estimate noise", [&] { return chooseNoise(*options, *input, range); });

  SceneSpaceResources resources = options->resources;
  resources.devices = devices;
  resources.reading_threads = options->threads;
  const auto part = [&](RGBDVideo::ConstPtr video) {
    return std::make_shared<RGBDVideoRange>(video, range.first, range.last + 1);
  };
  RGBDVideo::ConstPtr output =
      part(std::make_shared<SceneSpaceVideo>(input, effect, preparation, resources));
  if (options->compare)
    output =
        withComparison(output,
                       part(input),
                       (std::filesystem::path(options->output) / "compare").string());

  const int frames = output->size();
  SharedWork work(options->output,
                  frames,
                  options->sharing,
                  {options->input, options->mask, options->color_camera},
                  [&](int i) { return filesOfFrame(*options, i); });
  if (calibration)
    work.exclusively([&] { keepColorCamera(*options, *calibration); });
  const auto start = std::chrono::steady_clock::now();
  int made = 0;
  {
    FrameCounter counter(frames, timings);
    writeVideo(*output,
               *options,
               writingThreads(*options, devices.size()),
               work,
               std::ref(counter));
    made = counter.made();
  }
  work.finish();
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  timings.describe("frames", static_cast<double>(made));
  timings.describe("noise_levels", static_cast<double>(preparation.noise));
  timings.write(options->timings);
  printSummary(made, frames, preparation.noise, elapsed.count());
  return Success;
}

} // namespace
} // namespace pcl::gpu::apps

int
main(int argc, char** argv)
{
  return pcl::gpu::apps::runProgram(
      "pcl_gpu_scenespace", [&] { return pcl::gpu::apps::process(argc, argv); });
}
