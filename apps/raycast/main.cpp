// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../common/command_line/device_option.h"
#include "../common/command_line/errors.h"
#include "../common/command_line/progress_bar.h"
#include "../common/files/output_file.h"
#include "../common/view/display.h"
#include "../common/work/shared_work.h"
#include "camera_path.h"
#include "image_writer.h"
#include "mesh_reader.h"
#include "options.h"
#include "partial_views.h"
#include "ray_cast_sequence.h"
#include "scene.h"

#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace pcl::gpu::apps {
namespace {

/** \brief Writer and display of the results of each frame. */
class FrameWriter {
public:
  FrameWriter(const RaycastOptions& options, Timings& timings)
  : options_(options)
  , timings_(timings)
  , display_("pcl_gpu_raycast", options.view, options.screenshot, 1600, 900)
  {}

  /** \brief Returns the files of a frame in the output directory. */
  std::vector<std::string>
  filesOf(int number) const
  {
    std::vector<std::string> files;
    for (const std::string& wish : {options_.image,
                                    options_.depth,
                                    options_.cloud,
                                    options_.ids,
                                    options_.screenshot})
      if (!wish.empty())
        files.push_back(numberedPath("", wish, number));
    return files;
  }

  /** \return the files, in the order in which they were written */
  std::vector<std::string>
  write(const RayCastFrame& frame, int number)
  {
    std::vector<std::string> written;
    const auto write = [&](const char* stage, const std::string& wish, auto function) {
      if (wish.empty())
        return;
      const std::string path =
          options_.isSequence() ? numberedPath(options_.output_directory, wish, number)
                                : wish;
      timings_.measure(stage, [&] { function(path); });
      written.push_back(path);
    };
    write("write image", options_.image, [&](const auto& path) {
      writeColorImage(frame.picture, path);
    });
    write("write depth", options_.depth, [&](const auto& path) {
      writeDepthImage(frame, options_.depth_scale, path);
    });
    write("write cloud", options_.cloud, [&](const auto& path) {
      writeCloud(frame.cloud, path);
    });
    write("write ids", options_.ids, [&](const auto& path) {
      writeColorImage(trianglePicture(frame), path);
    });
    const auto fill = [&](vtkRenderWindow& window, vtkRenderer& main) {
      fillScene(frame, window, main);
    };
    write("screenshot", options_.screenshot, [&](const auto& path) {
      display_.save(fill, path);
    });
    display_.show(fill);
    return written;
  }

  Display&
  display()
  {
    return display_;
  }

private:
  const RaycastOptions& options_;
  Timings& timings_;
  Display display_;
};

/** \brief Ends a line about the units that were made. */
std::string
othersText(int others, const std::string& units)
{
  return others > 0 ? ", " + std::to_string(others) + " " + units + " were there\n"
                    : "\n";
}

void
runFrames(const RaycastOptions& options,
          const std::vector<InputMesh>& meshes,
          Timings& timings)
{
  const std::vector<CameraView> cameras = placeCameras(options, meshes);
  RayCastSequence sequence(options, meshes, timings);
  FrameWriter writer(options, timings);
  const int frames = static_cast<int>(cameras.size());
  std::vector<std::string> inputs;
  for (const InputMesh& mesh : meshes)
    inputs.push_back(mesh.name);
  std::optional<SharedWork> work;
  if (!options.output_directory.empty())
    work.emplace(options.output_directory, frames, options.sharing, inputs, [&](int i) {
      return writer.filesOf(i);
    });
  int made = 0;
  {
    ProgressBar progress(frames, "frames", smaller_picture);
    const auto make = [&](int i) -> std::optional<std::string> {
      if (writer.display().isClosed())
        return std::nullopt;
      const RayCastFrame frame = sequence.run(i, cameras[i]);
      const std::vector<std::string> files = writer.write(frame, i);
      if (!options.isSequence()) {
        std::cout << sequence.triangles() << " triangles, " << frame.width << " x "
                  << frame.height << " pixels, " << frame.hits << " of them hit\n";
        for (const std::string& file : files)
          std::cout << "  " << file << "\n";
      }
      return files.empty() ? "" : files.front();
    };
    made = makeUnits(frames, work ? &*work : nullptr, progress, make);
  }
  if (work)
    work->finish();
  if (options.isSequence()) {
    std::cout << sequence.triangles() << " triangles, " << made << " frames of "
              << options.size.width << " x " << options.size.height
              << " pixels, cast in " << timings.median("cast") << " ms each"
              << othersText(frames - made, "frames");
  }
  timings.write(options.timings);
  writer.display().waitUntilClosed();
}

int
raycast(int argc, char** argv)
{
  const auto options = parseRaycastOptions(argc, argv);
  if (!options)
    return Success;
  if (options->views && options->inputs.size() != 1)
    throw InputError("--views: " + std::to_string(options->inputs.size()) +
                     " meshes: expected one");
  const Device device = parseDevice(options->device);
  const ScopedDevice scope(device);

  Timings timings("pcl_gpu_raycast", describeDevice(device));
  const std::vector<InputMesh> meshes = timings.measure(
      "read", [&] { return readMeshes(options->inputs, options->crease_angle); });
  prepareFolder(options->output_directory);
  if (!options->views) {
    runFrames(*options, meshes, timings);
    return Success;
  }
  const ViewCount views = writePartialViews(*options, meshes[0], timings);
  std::cout << views.made << " views of " << meshes[0].name
            << othersText(views.all - views.made, "views");
  timings.write(options->timings);
  return Success;
}

} // namespace
} // namespace pcl::gpu::apps

int
main(int argc, char** argv)
{
  return pcl::gpu::apps::runProgram(
      "pcl_gpu_raycast", [&] { return pcl::gpu::apps::raycast(argc, argv); });
}
