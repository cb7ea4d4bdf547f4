// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frame_writer.h"

#include "../common/files/output_file.h"
#include "scene.h"

#include <filesystem>

namespace pcl::gpu::apps {

FrameWriter::FrameWriter(const TrackOptions& options,
                         const Pose& camera,
                         Display& display)
: options_(options)
, camera_(camera)
, display_(display)
{
  if (!options.csv.empty())
    table_.emplace(options.csv, options.frame_rate);
  motion_.frame_time = 1.0 / options.frame_rate;
}

void
FrameWriter::add(const TrackFrame& frame, const std::vector<TrackedFrame>& bodies)
{
  for (const TrackedFrame& body : bodies) {
    motion_.poses.push_back(body.estimate.mean);
    if (table_)
      table_->add(body);
  }
  const auto fill = [&](vtkRenderWindow& window, vtkRenderer& main) {
    fillScene(frame, bodies, camera_, window, main);
  };
  if (!options_.screenshot.empty())
    display_.save(
        fill,
        numberedPath(options_.output_directory, options_.screenshot, frame.number));
  display_.show(fill);
}

void
FrameWriter::commit(const Skeleton& body)
{
  if (table_)
    table_->commit();
  if (options_.output.empty())
    return;
  saveBvh(options_.output, body, motion_);
}

std::vector<std::string>
filesOf(const TrackOptions& recording, int frames)
{
  std::vector<std::string> files;
  for (const std::string& file : {recording.output, recording.csv})
    if (!file.empty())
      files.push_back(std::filesystem::path(file).filename().string());
  if (!recording.screenshot.empty())
    for (int i = 0; i < frames; ++i)
      files.push_back(
          numberedPath("", recording.screenshot, recording.frames.first + i));
  return files;
}

} // namespace pcl::gpu::apps
