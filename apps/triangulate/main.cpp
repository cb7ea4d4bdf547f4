// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../common/command_line/device_option.h"
#include "../common/command_line/errors.h"
#include "../common/command_line/progress_bar.h"
#include "frame.h"
#include "frame_writer.h"
#include "options.h"
#include "triangulator.h"

#include <iostream>

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

  std::size_t frames = 0, polygons = 0;
  {
    ProgressBar progress(sources.size());
    for (const FrameSource& source : sources) {
      const Frame frame =
          timings.measure("read", [&] { return readFrame(source, *options); });
      const TriangulatedFrame result = triangulator.run(frame);
      const std::vector<std::string> files = writer.write(result);
      progress.step(source.name);
      ++frames;
      polygons += result.polygons();
      if (sources.size() == 1)
        printSummary(result, files);
      if (writer.display().isClosed())
        break;
    }
  }
  if (sources.size() > 1)
    std::cout << frames << " frames, " << polygons << " polygons\n";
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
