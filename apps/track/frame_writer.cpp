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
  if (!options.json.empty())
    json_.emplace(options.json, options.frame_rate, options.joint_names);
}

void
FrameWriter::add(const TrackFrame& frame, const std::vector<TrackedFrame>& bodies)
{
  for (const TrackedFrame& body : bodies) {
    BodyMotion& body_motion =
        motions_.try_emplace(body.person, BodyMotion{body.skeleton, frame.number, {}})
            .first->second;
    body_motion.skeleton = body.skeleton; // the newest sizes are the best ones
    std::vector<std::vector<float>>& poses = body_motion.motion.poses;
    const std::size_t before = frame.number - body_motion.first_frame;
    if (poses.size() < before)
      poses.resize(before, poses.back());
    poses.push_back(body.estimate.mean);
    if (table_)
      table_->add(body);
  }
  if (json_)
    json_->add(frame.number, bodies);
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
FrameWriter::commit(const Skeleton::ConstPtr& body)
{
  if (table_)
    table_->commit();
  if (json_)
    json_->commit();
  if (options_.output.empty())
    return;
  if (motions_.empty())
    motions_[0].skeleton = body;
  for (auto& [number, body_motion] : motions_) {
    body_motion.motion.frame_time = 1.0 / options_.frame_rate;
    std::filesystem::path path = options_.output;
    if (number > 0)
      path.replace_filename(path.stem().string() + "-" + std::to_string(number) +
                            path.extension().string());
    saveBvh(path.string(), *body_motion.skeleton, body_motion.motion);
  }
}

std::vector<std::string>
filesOf(const TrackOptions& recording, int frames)
{
  std::vector<std::string> files;
  for (const std::string& file : {recording.output, recording.csv, recording.json})
    if (!file.empty())
      files.push_back(std::filesystem::path(file).filename().string());
  if (!recording.screenshot.empty())
    for (int i = 0; i < frames; ++i)
      files.push_back(
          numberedPath("", recording.screenshot, recording.frames.first + i));
  return files;
}

} // namespace pcl::gpu::apps
