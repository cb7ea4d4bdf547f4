// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Videos denoised from memory to memory and from disk to disk, and a frame from the sets of
 * samples of all of them, with more and less device memory, and on several devices.
 *
 * benchmark_scenespace_video --help
 */

#include "common/rendered_video.h"

#include <pcl/gpu/scenespace/effects/denoising_effect.h>
#include <pcl/gpu/scenespace/gathering/out_of_core_gathering.h>
#include <pcl/gpu/scenespace/gathering/scene_space_denoising.h>
#include <pcl/gpu/scenespace/scene_space_video.h>
#include <pcl/gpu/scenespace/video/rgbd_folder.h>
#include <pcl/gpu/scenespace/video/rgbd_folder_writer.h>
#include <pcl/gpu/scenespace/video/rgbd_recording.h>
#include <pcl/gpu/utils/device_capacity.h>

#include <boost/program_options.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <numeric>
#include <thread>

namespace {

using namespace pcl::gpu;
namespace po = boost::program_options;

struct Options {
  int frames = 60, rendered = 12;
  int width = 1280, height = 720;
  int reach = 18;
  int threads = 8;
  std::vector<double> megabytes = {0.0, 4096.0, 1024.0, 300.0};
  std::vector<int> devices;
  std::string folder;
};

double
secondsOf(const std::function<void()>& work)
{
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

/** \brief A video in memory. Rendering is slow, so that a few frames come again and again, to
 * and fro. */
RGBDVideo::ConstPtr
recordedVideo(const Options& options)
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

/** \brief A number that tells pictures apart: FNV-1a. */
std::uint64_t
checksum(std::uint64_t sum, const std::vector<pcl::RGB>& colors)
{
  for (const pcl::RGB& color : colors)
    sum = (sum ^ color.rgba) * 1099511628211u;
  return sum;
}

constexpr std::uint64_t empty_checksum = 14695981039346656037u;

SceneSpaceVideo
denoised(const RGBDVideo::ConstPtr& video,
         const Options& options,
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
                   const Options& options,
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
        sum = checksum(sum, frame.color.pixels);
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
  std::fflush(stdout);
}

/** \brief Denoises a video on several GPUs, with two threads for each so that images are copied
 * while others are worked on. */
void
onDevices(const RGBDVideo::ConstPtr& video, const Options& options, int devices)
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
        for (int i = thread; i < video->size(); i += 2 * devices)
          sums[i] = checksum(empty_checksum, result.read(i).color.pixels);
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
  std::fflush(stdout);
}

/** \brief Denoises a frame by the sets of samples of all frames, which are stored. */
void
outOfCore(const RGBDVideo::ConstPtr& video, const Options& options, double megabytes)
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
  std::printf("sets out of core, %5.0f MiB allowed: %8.2f ms, %4d regions of %dx%d, "
              "%6.0f MiB copied, %6.0f MiB used, checksum %016llx\n",
              megabytes,
              1e3 * seconds,
              statistics.regions,
              statistics.region_columns,
              statistics.region_rows,
              statistics.uploaded_bytes / 1048576.0,
              (free_before - free_least) / 1048576.0,
              static_cast<unsigned long long>(checksum(empty_checksum, colors)));
  std::fflush(stdout);
}

void
fromDiskToDisk(const RGBDVideo::ConstPtr& video, const Options& options)
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
    std::fflush(stdout);
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

Options
parse(int argc, char** argv)
{
  Options options;
  po::options_description known("benchmark_scenespace_video [OPTIONS]");
  known.add_options()("help", "this page")(
      "frames", po::value(&options.frames), "of the video")(
      "rendered", po::value(&options.rendered), "different frames, 2 or more")(
      "width", po::value(&options.width), "columns")(
      "height", po::value(&options.height), "rows")(
      "reach", po::value(&options.reach), "frames before and after each one")(
      "threads", po::value(&options.threads), "that write files")(
      "megabytes",
      po::value(&options.megabytes)->multitoken(),
      "device memory; 0: half of what is free")(
      "devices",
      po::value(&options.devices)->multitoken(),
      "numbers of GPUs to share a video, such as 1 2 4")(
      "folder", po::value(&options.folder), "an empty one, for files; none: no files");
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
    const RGBDVideo::ConstPtr video = recordedVideo(options);
    std::printf("%s, %dx%d, %d frames\n",
                currentDevice().name().c_str(),
                options.width,
                options.height,
                options.frames);
    for (const double megabytes : options.megabytes)
      fromMemoryToMemory(video, options, megabytes);
    for (const double megabytes : options.megabytes)
      outOfCore(video, options, megabytes);
    for (const int devices : options.devices)
      onDevices(video, options, devices);
    if (!options.folder.empty())
      fromDiskToDisk(video, options);
    return 0;
  }
  catch (const std::exception& exception) {
    std::cerr << "benchmark_scenespace_video: error: " << exception.what() << '\n';
    return 1;
  }
}
