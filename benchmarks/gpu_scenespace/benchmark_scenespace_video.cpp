// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Videos denoised from memory to memory and from disk to disk, and a frame from
 * the sets of samples of all of them, with more and less device memory, and on several
 * devices.
 */

#include "common/checksum.h"
#include "common/options.h"
#include "common/report.h"
#include "common/statistics.h"
#include "testing/video/rendered_video.h"

#include <pcl/gpu/scenespace/effects/denoising_effect.h>
#include <pcl/gpu/scenespace/gathering/out_of_core_gathering.h>
#include <pcl/gpu/scenespace/gathering/scene_space_denoising.h>
#include <pcl/gpu/scenespace/scene_space_video.h>
#include <pcl/gpu/scenespace/video/rgbd_folder.h>
#include <pcl/gpu/scenespace/video/rgbd_folder_writer.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>
#include <pcl/gpu/utils/device_capacity.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <thread>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;

struct Settings {
  int frames = 60, rendered = 12;
  int width = 1280, height = 720;
  int reach = 18;
  int threads = 8;
  std::vector<double> megabytes = {0.0, 4096.0, 1024.0, 300.0};
  std::vector<int> devices;
  std::string folder;
};

template <typename Work>
double
secondsOf(const Work& work)
{
  const StopWatch watch;
  work();
  return watch.seconds();
}

/** \brief A video in memory. Rendering is slow, so that a few frames come again and
 * again, to and fro. */
RGBDVideo::ConstPtr
recordedVideo(const Settings& options)
{
  test::RenderedVideoSettings settings;
  settings.camera = PinholeCamera::fromFieldOfView(0.8f, options.width, options.height);
  settings.frames = options.rendered;
  settings.begin = 4.0f;
  settings.supersampling = 1;
  settings.color_noise = 20.0f;
  const test::RenderedVideo rendered(settings);
  std::vector<RGBDFrame> frames;
  for (int i = 0; i < options.rendered; ++i)
    frames.push_back(rendered.read(i));
  const auto video = std::make_shared<RGBDRecording>();
  const int period = std::max(1, 2 * options.rendered - 2);
  for (int i = 0; i < options.frames; ++i) {
    RGBDFrame frame = frames[std::min(i % period, period - i % period)];
    frame.name.clear();
    frame.time = i / 30.0;
    video->add(std::move(frame));
  }
  return video;
}

SceneSpaceVideo
denoised(const RGBDVideo::ConstPtr& video,
         const Settings& options,
         const SceneSpaceResources& resources)
{
  const auto effect = std::make_shared<DenoisingEffect>();
  DenoisingEffectParameters parameters;
  parameters.reach = options.reach;
  effect->setParameters(parameters);
  ScenePreparation preparation;
  preparation.noise = 20.0f;
  return {video, effect, preparation, resources};
}

void
fromMemoryToMemory(const RGBDVideo::ConstPtr& video,
                   const Settings& options,
                   double megabytes)
{
  const std::size_t free_before = freeMemoryOf(currentDevice());
  std::uint64_t sum = empty_checksum;
  std::size_t free_least = free_before;
  double seconds = 0.0;
  {
    SceneSpaceResources resources;
    resources.memory = static_cast<std::size_t>(megabytes * 1048576.0);
    const SceneSpaceVideo result = denoised(video, options, resources);
    result.read(0);
    seconds = secondsOf([&] {
      for (int i = 0; i < video->size(); ++i) {
        const RGBDFrame frame = result.read(i);
        sum = checksumOf(frame.color.pixels.data(), frame.color.pixels.size(), sum);
        free_least = std::min(free_least, freeMemoryOf(currentDevice()));
      }
    });
  }
  std::printf("memory to memory, %5.0f MiB allowed: %7.2f ms a frame, %6.0f MiB used, "
              "checksum %016llx\n",
              megabytes,
              1e3 * seconds / video->size(),
              (free_before - free_least) / 1048576.0,
              static_cast<unsigned long long>(sum));
}

/** \brief Denoises a video on several GPUs, with two threads for each so that images
 * are copied while others are worked on. */
void
onDevices(const RGBDVideo::ConstPtr& video, const Settings& options, int devices)
{
  SceneSpaceResources resources;
  for (int i = 0; i < devices; ++i)
    resources.devices.push_back(Device::cuda(i));
  resources.host_memory = std::size_t(16) << 30;
  const SceneSpaceVideo result = denoised(video, options, resources);
  std::vector<std::uint64_t> sums(video->size());
  const auto makeAll = [&] {
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 2 * devices; ++thread)
      threads.emplace_back([&, thread] {
        for (int i = thread; i < video->size(); i += 2 * devices) {
          const std::vector<pcl::RGB> colors = result.read(i).color.pixels;
          sums[i] = checksumOf(colors.data(), colors.size());
        }
      });
    for (std::thread& thread : threads)
      thread.join();
  };
  const double first = secondsOf(makeAll), again = secondsOf(makeAll);
  std::uint64_t sum = empty_checksum;
  for (const std::uint64_t frame : sums)
    sum = (sum ^ frame) * 1099511628211u;
  std::printf(
      "memory to memory, %d devices: %7.2f ms a frame, again with frames in the "
      "devices' memory %7.2f ms, checksum %016llx\n",
      devices,
      1e3 * first / video->size(),
      1e3 * again / video->size(),
      static_cast<unsigned long long>(sum));
}

/** \brief Denoises a frame by the sets of samples of all frames, which are stored. */
void
outOfCore(const RGBDVideo::ConstPtr& video, const Settings& options, double megabytes)
{
  const int number = video->size() / 2;
  SceneFrame reference;
  reference.upload(video->read(number), number);
  SceneSpaceDenoising denoising;
  DeviceArray2D<pcl::RGB> picture(options.height, options.width);
  std::vector<int> numbers(video->size());
  std::iota(numbers.begin(), numbers.end(), 0);
  SceneSpaceResources resources;
  resources.memory = static_cast<std::size_t>(megabytes * 1048576.0);
  resources.host_memory = std::size_t(16) << 30;
  const std::size_t free_before = freeMemoryOf(currentDevice());
  std::size_t free_least = free_before;
  OutOfCoreGathering gathering(video, resources);
  OutOfCoreStatistics statistics;
  const auto run = [&] {
    statistics = gathering.gather(
        numbers,
        reference.getView(),
        [&](const SampleSets& sets, const auto& frames, const Stream& stream) {
          denoising.compute(reference, frames, sets, picture, stream);
          free_least = std::min(free_least, freeMemoryOf(currentDevice()));
        });
  };
  run();
  const double seconds = secondsOf(run);
  std::vector<pcl::RGB> colors;
  int columns = 0;
  picture.download(colors, columns);
  std::printf(
      "sets out of core, %5.0f MiB allowed: %8.2f ms, %4d regions of %dx%d, "
      "%6.0f MiB copied, %6.0f MiB used, checksum %016llx\n",
      megabytes,
      1e3 * seconds,
      statistics.regions,
      statistics.region_columns,
      statistics.region_rows,
      statistics.uploaded_bytes / 1048576.0,
      (free_before - free_least) / 1048576.0,
      static_cast<unsigned long long>(checksumOf(colors.data(), colors.size())));
}

void
fromDiskToDisk(const RGBDVideo::ConstPtr& video, const Settings& options)
{
  const std::string input = options.folder + "/input",
                    output = options.folder + "/output",
                    copy = options.folder + "/copy";
  RGBDFolderWriterOptions writing;
  writing.threads = options.threads;
  const auto print = [&](const char* what, double seconds) {
    std::printf("%-34s %7.2f ms a frame, %d threads\n",
                what,
                1e3 * seconds / video->size(),
                options.threads);
  };
  print("memory to disk, unchanged:",
        secondsOf([&] { writeRGBDFolder(*video, input, writing); }));
  const RGBDVideo::ConstPtr folder = openRGBDFolder(input);
  print("disk to disk, unchanged:",
        secondsOf([&] { writeRGBDFolder(*folder, copy, writing); }));
  print("disk to disk, denoised:", secondsOf([&] {
          writeRGBDFolder(denoised(folder, options, {}), output, writing);
        }));
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  Options options("benchmark_scenespace_video [OPTIONS]");
  options.add("frames", settings.frames, "of the video");
  options.add("rendered", settings.rendered, "different frames, 2 or more");
  options.add("width", settings.width, "columns");
  options.add("height", settings.height, "rows");
  options.add("reach", settings.reach, "frames before and after each one");
  options.add("threads", settings.threads, "that write files");
  options.add(
      "megabytes", settings.megabytes, "device memory; 0: half of what is free");
  options.add(
      "devices", settings.devices, "numbers of GPUs to share a video, such as 1 2 4");
  options.add("folder", settings.folder, "an empty one, for files; none: no files");
  return options.run(argc, argv, [&] {
    printContext();
    const RGBDVideo::ConstPtr video = recordedVideo(settings);
    std::printf("%s, %dx%d, %d frames\n",
                currentDevice().name().c_str(),
                settings.width,
                settings.height,
                settings.frames);
    for (const double megabytes : settings.megabytes)
      fromMemoryToMemory(video, settings, megabytes);
    for (const double megabytes : settings.megabytes)
      outOfCore(video, settings, megabytes);
    for (const int devices : settings.devices)
      onDevices(video, settings, devices);
    if (!settings.folder.empty())
      fromDiskToDisk(video, settings);
    return true;
  });
}
