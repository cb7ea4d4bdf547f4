// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frame_writer.h"

#include "../common/errors.h"
#include "../common/output_file.h"
#include "../common/picture.h"
#include "mesh_writer.h"
#include "picture/scene.h"

#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

#include <filesystem>

namespace pcl::gpu::apps {

namespace fs = std::filesystem;

FrameWriter::FrameWriter(const TriangulateOptions& options,
                         std::size_t frames,
                         Timings& timings)
: options_(options)
, timings_(timings)
, mesh_(options.output)
{
  settleNames(frames);
  if (options.view)
    viewer_ = std::make_unique<Viewer>(
        "pcl_gpu_triangulate", options.picture_width, options.picture_height);
  if (!options.screenshot.empty())
    server_ = std::make_unique<XServer>("--screenshot");
}

void
FrameWriter::settleNames(std::size_t frames)
{
  const TriangulateOptions& options = options_;
  const bool nothing_named =
      options.output.empty() && options.cloud.empty() && options.screenshot.empty();
  if (options.output_directory.empty()) {
    if (frames > 1 && !nothing_named)
      throw InputError(std::to_string(frames) +
                       " frames and one name for their files: expected "
                       "--output-directory FOLDER");
    return;
  }
  if (nothing_named)
    mesh_ = "mesh.ply";
  prepareFolder(options.output_directory);
}

std::string
FrameWriter::pathFor(const TriangulatedFrame& frame, const std::string& wish) const
{
  if (options_.output_directory.empty())
    return wish;
  return (fs::path(options_.output_directory) / (frame.name + extensionOf(wish)))
      .string();
}

std::vector<std::string>
FrameWriter::write(const TriangulatedFrame& frame)
{
  std::vector<std::string> written;
  const auto write = [&](const char* stage, const std::string& wish, auto function) {
    if (wish.empty())
      return;
    const std::string path = pathFor(frame, wish);
    timings_.measure(stage, [&] { function(path); });
    written.push_back(path);
  };
  CompactMesh mesh;
  if (!mesh_.empty() || !options_.screenshot.empty() || viewer_)
    mesh = compactMesh(frame);
  write("write mesh", mesh_, [&](const auto& path) { writeMesh(mesh, path); });
  write("write cloud", options_.cloud, [&](const auto& path) {
    writeCloud(frame, path);
  });
  if (options_.screenshot.empty() && !viewer_)
    return written;
  const Scene scene(frame, std::move(mesh));
  write("screenshot", options_.screenshot, [&](const auto& path) {
    const auto fill = [&](vtkRenderWindow& window) {
      vtkNew<vtkRenderer> main;
      window.AddRenderer(main);
      scene.fill(window, *main);
    };
    writePicture(fill, options_.picture_width, options_.picture_height, path);
  });
  if (viewer_)
    viewer_->show(
        [&](vtkRenderWindow& window, vtkRenderer& main) { scene.fill(window, main); });
  return written;
}

bool
FrameWriter::isClosed() const
{
  return viewer_ && viewer_->isClosed();
}

void
FrameWriter::waitUntilClosed()
{
  if (viewer_)
    viewer_->waitUntilClosed();
}

} // namespace pcl::gpu::apps
