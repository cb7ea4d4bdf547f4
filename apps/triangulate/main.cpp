// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../common/command_line/device_option.h"
#include "../common/command_line/errors.h"
#include "../common/command_line/progress_bar.h"
#include "../common/work/shared_work.h"
#include "frame.h"
#include "frame_writer.h"
#include "options.h"
#include "triangulator.h"

#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace pcl::gpu::apps {
namespace {

void
printSummary(const TriangulatedFrame& frame, const std::vector<std::string>& files)
{
  std::cout << frame.name << ": " << frame.cloud.width << " x " << frame.cloud.height
            << " pixels, " << frame.measured << " points, " << frame.polygons()
            << (frame.vertices_per_polygon == 3 ? " triangles\n" : " quads\n");
  for (const std::string& file : files)
    std::cout << "  " << file << "\n";
}

void
printSummary(int frames, int made, std::size_t polygons)
{
  std::cout << made << " frames, " << polygons << " polygons";
  if (made < frames)
    std::cout << ", " << frames - made << " frames were there";
  std::cout << "\n";
}

int
triangulate(int argc, char** argv)
{
  const auto options = parseTriangulateOptions(argc, argv);
  if (!options)
    return Success;
  const std::vector<FrameSource> sources = findFrames(*options);
  const Device device = parseDevice(options->device);
  const ScopedDevice scope(device);

  Timings timings("pcl_gpu_triangulate", describeDevice(device));
  Triangulator triangulator(*options, timings);
  FrameWriter writer(*options, sources.size(), timings);

  std::optional<SharedWork> work;
  if (!options->output_directory.empty())
    work.emplace(
        options->output_directory,
        static_cast<int>(sources.size()),
        options->sharing,
        std::vector<std::string>(),
        [&](int i) { return writer.filesOf(sources[i].name); },
        [&](int i) {
          return std::vector<std::string>{sources[i].file, sources[i].color};
        });
  const int frames = static_cast<int>(sources.size());
  std::size_t polygons = 0;
  int made = 0;
  {
    ProgressBar progress(frames);
    const auto make = [&](int number) -> std::optional<std::string> {
      if (writer.display().isClosed())
        return std::nullopt;
      const Frame frame = timings.measure("read", [&] {
        return asUnitInput([&] { return readFrame(sources[number], *options); });
      });
      const TriangulatedFrame result = triangulator.run(frame);
      const std::vector<std::string> files = writer.write(result);
      polygons += result.polygons();
      if (frames == 1)
        printSummary(result, files);
      return sources[number].name;
    };
    made = makeUnits(frames, work ? &*work : nullptr, progress, make);
  }
  if (work)
    work->finish();
  if (frames > 1 || made == 0)
    printSummary(frames, made, polygons);
  timings.write(options->timings);
  writer.display().waitUntilClosed();
  return Success;
}

} // namespace
} // namespace pcl::gpu::apps

int
main(int argc, char** argv)
{
  return pcl::gpu::apps::runProgram(
      "pcl_gpu_triangulate", [&] { return pcl::gpu::apps::triangulate(argc, argv); });
}
