// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frame_writer.h"

#include "../common/command_line/errors.h"
#include "../common/files/output_file.h"
#include "mesh_writer.h"
#include "picture/scene.h"

#include <filesystem>

namespace pcl::gpu::apps {

namespace fs = std::filesystem;

namespace {

/** \brief Returns the name of the mesh file, if there is to be one, and prepares the
 * folder for files. */
std::string
chooseMesh(const TriangulateOptions& options, std::size_t frames)
{
  const bool nothing_named =
      options.output.empty() && options.cloud.empty() && options.screenshot.empty();
  if (options.output_directory.empty() && frames > 1 && !nothing_named)
    throw InputError(
        std::to_string(frames) +
        " frames and one name for their files: expected --output-directory FOLDER");
  prepareFolder(options.output_directory);
  return nothing_named && !options.output_directory.empty() ? "mesh.ply"
                                                            : options.output;
}

} // namespace

FrameWriter::FrameWriter(const TriangulateOptions& options,
                         std::size_t frames,
                         Timings& timings)
: options_(options)
, timings_(timings)
, mesh_(chooseMesh(options, frames))
, display_("pcl_gpu_triangulate",
           options.view,
           options.screenshot,
           options.picture_size.width,
           options.picture_size.height)
{}

std::string
FrameWriter::pathFor(const std::string& frame, const std::string& wish) const
{
  if (options_.output_directory.empty())
    return wish;
  return (fs::path(options_.output_directory) / (frame + extensionOf(wish))).string();
}

std::vector<std::string>
FrameWriter::filesOf(const std::string& name) const
{
  std::vector<std::string> files;
  for (const std::string& wish : {mesh_, options_.cloud, options_.screenshot})
    if (!wish.empty())
      files.push_back(name + extensionOf(wish));
  return files;
}

std::vector<std::string>
FrameWriter::write(const TriangulatedFrame& frame)
{
  std::vector<std::string> written;
  const auto write = [&](const char* stage, const std::string& wish, auto function) {
    if (wish.empty())
      return;
    const std::string path = pathFor(frame.name, wish);
    timings_.measure(stage, [&] { function(path); });
    written.push_back(path);
  };
  CompactMesh mesh;
  if (!mesh_.empty() || !options_.screenshot.empty() || display_.hasWindow())
    mesh = compactMesh(frame);
  write("write mesh", mesh_, [&](const auto& path) { writeMesh(mesh, path); });
  write("write cloud", options_.cloud, [&](const auto& path) {
    writeCloud(frame, path);
  });
  if (options_.screenshot.empty() && !display_.hasWindow())
    return written;
  const Scene scene(frame, std::move(mesh));
  const auto fill = [&](vtkRenderWindow& window, vtkRenderer& main) {
    scene.fill(window, main);
  };
  write("screenshot", options_.screenshot, [&](const auto& path) {
    display_.save(fill, path);
  });
  display_.show(fill);
  return written;
}

} // namespace pcl::gpu::apps
