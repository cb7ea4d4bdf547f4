// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "../common/command_line/device_option.h"
#include "../common/command_line/errors.h"
#include "../common/command_line/progress_bar.h"
#include "../common/command_line/timings.h"
#include "../common/files/output_file.h"
#include "../common/view/display.h"
#include "../common/work/shared_work.h"
#include "body.h"
#include "body_fitter.h"
#include "body_tracker.h"
#include "frame_writer.h"
#include "frames/frame_source.h"
#include "options.h"
#include "people_finder.h"
#include "rate_keeper.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace pcl::gpu::apps {
namespace {

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

/** \brief Tracker of one recording after the other. */
class RecordingTracker {
public:
  RecordingTracker(const TrackOptions& options,
                   const Skeleton::ConstPtr& body,
                   const std::vector<Device>& devices,
                   Timings& timings)
  : body_(body)
  , devices_(devices)
  , timings_(timings)
  , display_("pcl_gpu_track", options.view, options.screenshot, 1280, 720)
  {}

  /** \brief Tracks a recording and writes its files.
   * \return false if the user closed the window before the last frame
   */
  bool
  run(const TrackOptions& options, FrameSource& source, ProgressBar& progress)
  {
    BodyTracker tracker(options, body_, devices_);
    PeopleFinder finder(options);
    std::set<int> people;
    FrameWriter writer(options, source.camera(), display_);
    // The first frame starts the clock.
    if (options.rate)
      rate_keeper_.emplace(*options.rate,
                           std::size_t(source.size()) - 1,
                           Effort{options.particles, options.filter.layers});
    int number = 0;
    while (number < source.size() && !display_.isClosed()) {
      const auto start = std::chrono::steady_clock::now();
      const TrackFrame frame = timings_.measure(
          "read", [&] { return asUnitInput([&] { return source.read(number); }); });
      std::vector<TrackedFrame> found;
      if (options.finds_people)
        found = timings_.measure("track", [&] { return finder.run(frame); });
      else
        found.push_back(trackBody(options, source, number == 0, frame, tracker));
      if (options.fit)
        people_ += static_cast<int>(found.size());
      for (const TrackedFrame& person : found)
        people.insert(person.person);
      timings_.measure("write", [&] { writer.add(frame, found); });
      progress.step(std::filesystem::path(frame.name).filename().string());
      ++frames_;
      ++number;
      if (!rate_keeper_ || number == 1)
        continue;
      const std::chrono::duration<double> elapsed =
          std::chrono::steady_clock::now() - start;
      const int late = rate_keeper_->add(elapsed.count());
      progress.skip(late);
      number += late;
      if (options.finds_people)
        finder.setEffort(rate_keeper_->effort());
      else
        tracker.setEffort(rate_keeper_->effort());
    }
    if (!options.fit)
      people_ += static_cast<int>(people.size());
    const bool is_complete = number == source.size();
    if (is_complete || !options.by_recording)
      writer.commit(body_);
    return is_complete;
  }

  /** \brief Returns the number of frames of all recordings so far. */
  int
  frames() const
  {
    return frames_;
  }

  /** \brief Returns the number of people that were found in them. */
  int
  people() const
  {
    return people_;
  }

  const ErrorSummary&
  errors() const
  {
    return errors_;
  }

  /** \brief Returns the keeper of the rate; null without --rate. */
  const RateKeeper*
  rateKeeper() const
  {
    return rate_keeper_ ? &*rate_keeper_ : nullptr;
  }

  Display&
  display()
  {
    return display_;
  }

private:
  /** \brief Tracks, or fits, the body of options for a single one. */
  TrackedFrame
  trackBody(const TrackOptions& options,
            FrameSource& source,
            bool is_first,
            const TrackFrame& frame,
            BodyTracker& tracker)
  {
    std::vector<float> pose;
    if (is_first || options.fit)
      pose = chooseFirstPose(options, *body_, source, frame);
    if (is_first && !options.fit)
      tracker.start(pose, source.body() || !options.initial_pose.empty());
    const TrackedFrame result =
        options.fit ? fitBody(options, *body_, pose, frame) : tracker.run(frame);
    timings_.add("track", result.milliseconds);
    errors_.add(result.mean_error);
    return result;
  }

  Skeleton::ConstPtr body_;
  std::vector<Device> devices_;
  Timings& timings_;
  Display display_;
  ErrorSummary errors_;
  std::optional<RateKeeper> rate_keeper_;
  int frames_ = 0;
  int people_ = 0;
};

void
printSummary(const TrackOptions& options,
             int frames,
             int people,
             const Timings& timings,
             const ErrorSummary& errors)
{
  std::cout << frames << (frames == 1 ? " frame, " : " frames, ");
  if (options.finds_people)
    std::cout << people << (people == 1 ? " person, " : " people, ");
  else
    std::cout << options.particles << " particles, ";
  std::cout << timings.median("track") << " ms a frame\n";
  if (errors.frames > 0)
    std::cout << "mean joint error " << errors.mean() << " m, in the worst frame "
              << errors.largest << " m\n";
}

/** \brief Returns the option that shortens a run, in words. */
std::string
fewerParticles(const TrackOptions& options)
{
  return "--particles " + std::to_string(std::max(1, options.particles / 4)) +
         " takes a quarter to half of the time";
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

  const std::vector<TrackOptions> recordings = optionsOfRecordings(*options);
  const int count = static_cast<int>(recordings.size());
  std::vector<std::unique_ptr<FrameSource>> sources;
  for (const TrackOptions& recording : recordings)
    sources.push_back(recording.simulate.empty() ? openFrameFiles(recording)
                                                 : simulateFrames(recording));
  const Skeleton::ConstPtr body = chooseBody(*options, *sources.front());
  RecordingTracker tracker(*options, body, devices, timings);
  prepareFolder(options->output_directory);
  std::optional<SharedWork> work;
  if (options->by_recording)
    work.emplace(
        options->output_directory,
        count,
        options->sharing,
        std::vector<std::string>{options->skeleton, options->initial_pose},
        [&](int i) { return filesOf(recordings[i], sources[i]->size()); },
        [&](int i) { return recordings[i].inputs; });
  const auto framesOf = [&](int i) {
    return static_cast<std::size_t>(sources[i]->size());
  };
  std::size_t frames = 0;
  for (int i = 0; i < count; ++i)
    frames += framesOf(i);
  int made = 0;
  {
    ProgressBar progress(frames, "frames", fewerParticles(*options));
    if (options->rate)
      progress.announceNothing();
    const auto make = [&](int i) -> std::optional<std::string> {
      if (!tracker.run(recordings[i], *sources[i], progress))
        return std::nullopt;
      return "";
    };
    made = makeUnits(count, work ? &*work : nullptr, progress, make, framesOf);
  }
  if (work)
    work->finish();
  timings.describe("frames", static_cast<double>(tracker.frames()));
  timings.describe("particles", static_cast<double>(options->particles));
  const ErrorSummary& errors = tracker.errors();
  if (errors.frames > 0) {
    timings.describe("mean_joint_error_m", errors.mean());
    timings.describe("largest_frame_error_m", static_cast<double>(errors.largest));
  }
  timings.write(options->timings);
  if (work)
    std::cout << made << (made == 1 ? " recording, " : " recordings, ");
  printSummary(*options, tracker.frames(), tracker.people(), timings, errors);
  if (tracker.rateKeeper())
    std::cout << tracker.rateKeeper()->summary() << "\n";
  if (work && made < count)
    std::cout << count - made
              << (made + 1 == count ? " recording was" : " recordings were")
              << " there\n";
  tracker.display().waitUntilClosed();
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
