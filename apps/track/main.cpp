// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../common/command_line/device_option.h"
#include "../common/command_line/errors.h"
#include "../common/command_line/progress_bar.h"
#include "../common/command_line/timings.h"
#include "../common/files/output_file.h"
#include "../common/view/display.h"
#include "body.h"
#include "body_fitter.h"
#include "body_tracker.h"
#include "frames/frame_source.h"
#include "options.h"
#include "scene.h"
#include "track_table.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>

namespace pcl::gpu::apps {
namespace {

/** \brief Writer and display of the results of each frame. */
class FrameWriter {
public:
  FrameWriter(const TrackOptions& options, const Pose& camera)
  : options_(options)
  , camera_(camera)
  , display_("pcl_gpu_track", options.view, options.screenshot, 1280, 720)
  {
    prepareFolder(options.output_directory);
    if (!options.csv.empty())
      table_.emplace(options.csv, options.frame_rate);
    motion_.frame_time = 1.0 / options.frame_rate;
  }

  void
  add(const TrackedFrame& frame)
  {
    motion_.poses.push_back(frame.estimate.mean);
    if (table_)
      table_->add(frame);
    const auto fill = [&](vtkRenderWindow& window, vtkRenderer& main) {
      fillScene(frame, camera_, window, main);
    };
    if (!options_.screenshot.empty())
      display_.save(
          fill,
          numberedPath(options_.output_directory, options_.screenshot, frame.number));
    display_.show(fill);
  }

  /** \brief Puts the files that hold all frames in their places. */
  void
  commit(const Skeleton& body)
  {
    if (table_)
      table_->commit();
    if (options_.output.empty())
      return;
    saveBvh(options_.output, body, motion_);
  }

  Display&
  display()
  {
    return display_;
  }

private:
  const TrackOptions& options_;
  Pose camera_;
  MotionClip motion_;
  std::optional<TrackTable> table_;
  Display display_;
};

/** \brief Errors of all frames so far. */
struct ErrorSummary {
  double sum = 0.0;
  float largest = 0.0f;
  int frames = 0;

  void
  add(float error)
  {
    if (!std::isfinite(error))
      return;
    sum += error;
    largest = std::max(largest, error);
    ++frames;
  }

  double
  mean() const
  {
    return sum / frames;
  }
};

void
printSummary(const TrackOptions& options,
             int frames,
             const Timings& timings,
             const ErrorSummary& errors)
{
  std::cout << frames << (frames == 1 ? " frame, " : " frames, ") << options.particles
            << " particles, " << timings.median("track") << " ms a frame\n";
  if (errors.frames > 0)
    std::cout << "mean joint error " << errors.mean() << " m, in the worst frame "
              << errors.largest << " m\n";
}

/** \brief Returns the option that shortens a run, in words. */
std::string
fewerParticles(const TrackOptions& options)
{
  return "--particles " + std::to_string(std::max(1, options.particles / 4)) +
         " takes a quarter of the time";
}

int
track(int argc, char** argv)
{
  const auto options = parseTrackOptions(argc, argv);
  if (!options)
    return Success;
  const std::vector<Device> devices = chooseDevices(options->device, options->devices);
  const ScopedDevice scope(devices.front());
  Timings timings("pcl_gpu_track", describeDevices(devices));

  const std::unique_ptr<FrameSource> source =
      options->simulate.empty() ? openFrameFiles(*options) : simulateFrames(*options);
  const Skeleton::ConstPtr body = chooseBody(*options, *source);
  BodyTracker tracker(*options, body, devices);
  FrameWriter writer(*options, source->camera());
  ErrorSummary errors;
  int frames = 0;
  {
    ProgressBar progress(source->size(), "frames", fewerParticles(*options));
    for (; frames < source->size() && !writer.display().isClosed(); ++frames) {
      const TrackFrame frame =
          timings.measure("read", [&] { return source->read(frames); });
      std::vector<float> pose;
      if (frames == 0 || options->fit)
        pose = chooseFirstPose(*options, *body, *source, *frame.points);
      if (frames == 0 && !options->fit)
        tracker.start(pose, source->body() || !options->initial_pose.empty());
      const TrackedFrame result =
          options->fit ? fitBody(*options, *body, pose, frame) : tracker.run(frame);
      timings.add("track", result.milliseconds);
      errors.add(result.mean_error);
      timings.measure("write", [&] { writer.add(result); });
      progress.step(frame.name);
    }
  }
  writer.commit(*body);
  timings.describe("frames", static_cast<double>(frames));
  timings.describe("particles", static_cast<double>(options->particles));
  if (errors.frames > 0) {
    timings.describe("mean_joint_error_m", errors.mean());
    timings.describe("largest_frame_error_m", static_cast<double>(errors.largest));
  }
  timings.write(options->timings);
  printSummary(*options, frames, timings, errors);
  writer.display().waitUntilClosed();
  return Success;
}

} // namespace
} // namespace pcl::gpu::apps

int
main(int argc, char** argv)
{
  return pcl::gpu::apps::runProgram("pcl_gpu_track",
                                    [&] { return pcl::gpu::apps::track(argc, argv); });
}
