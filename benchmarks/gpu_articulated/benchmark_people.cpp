// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

/** \file
 * \brief Measures errors and time of a PeopleTracker that follows people in recorded
 * motion through rendered rooms. Prints a Markdown table.
 */

#include "common/device_name.h"
#include "common/options.h"
#include "common/report.h"
#include "testing/people_room.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace benchmarks;
using namespace pcl::gpu;
using namespace pcl::gpu::test;

struct Settings {
  std::vector<std::string> clips;
  std::string device = "cuda";
  std::vector<int> seeds = {1};
  int most_frames = 1 << 30;
  int particles = 0;
  int points = 0;
  int islands = 0;
  int layers = 0;
};

void
addOptions(Options& all, Settings& o)
{
  const PoseParticleFilterParameters defaults = PeopleTrackerParameters().filter;
  o.particles = static_cast<int>(defaults.particle_count);
  o.points = static_cast<int>(defaults.max_points);
  o.islands = defaults.islands;
  o.layers = defaults.layers;
  all.addWord(
      "clip", o.clips, "BVH files in CMU's unit of length, one for each person");
  all.add("device", o.device, "cuda or host");
  all.add("seeds", o.seeds, "of rooms, one after the other");
  all.add("most-frames", o.most_frames, "of a room");
  all.add("particles", o.particles, "of each person's filter");
  all.add("points", o.points, "most points that are compared; 0: all");
  all.add("islands", o.islands, "of each person's filter");
  all.add("layers", o.layers, "annealing layers");
}

/** \brief Results of all people in all frames. */
struct Results {
  int frames = 0; ///< of a person who is seen
  int without = 0;
  int number_changes = 0;
  int within = 0; ///< frames in which all joints are near their places
  double error_sum = 0.0;
  int errors = 0;
  std::vector<double> milliseconds; ///< of frames
};

void
compare(const PeopleFrame& frame,
        const PinholeCamera& camera,
        const std::vector<TrackedPerson>& people,
        std::map<int, int>& numbers,
        Results& results)
{
  constexpr float least_share = 0.3f, near = 0.1f;
  for (std::size_t i = 0; i < frame.people.size(); ++i) {
    const PersonTruth& truth = frame.people[i];
    const Eigen::Vector3f& hips = truth.joints.at("Hips");
    const float column = camera.fx * hips.x() / hips.z() + camera.cx;
    if (truth.seen_share <= least_share || column < 0.0f ||
        column >= static_cast<float>(camera.width))
      continue;
    ++results.frames;
    const TrackedPerson* const person = nearestTo(truth, people);
    if (!person) {
      ++results.without;
      continue;
    }
    const auto known = numbers.try_emplace(static_cast<int>(i), person->number).first;
    results.number_changes += known->second != person->number ? 1 : 0;
    known->second = person->number;
    const std::vector<float> errors = seenErrors(truth, *person);
    for (const float error : errors)
      results.error_sum += error;
    results.errors += static_cast<int>(errors.size());
    results.within += std::all_of(errors.begin(),
                                  errors.end(),
                                  [](float error) { return error < near; })
                          ? 1
                          : 0;
  }
}

Results
run(const Settings& settings, int seed)
{
  PeopleRoom room(settings.clips, seed);
  PeopleTracker tracker;
  PeopleTrackerParameters parameters;
  parameters.filter.particle_count = settings.particles;
  parameters.filter.max_points = settings.points;
  parameters.filter.islands = settings.islands;
  parameters.filter.layers = settings.layers;
  tracker.setParameters(parameters);
  Results results;
  std::map<int, int> numbers;
  const int frames = std::min(room.frameCount(), settings.most_frames);
  for (int number = 0; number < frames; ++number) {
    const PeopleFrame frame = room.next();
    const auto start = std::chrono::steady_clock::now();
    const std::vector<TrackedPerson> people =
        tracker.processFrame(frame.cloud, 1.0f / 30.0f);
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    results.milliseconds.push_back(elapsed.count());
    compare(frame, room.camera(), people, numbers, results);
  }
  std::sort(results.milliseconds.begin(), results.milliseconds.end());
  return results;
}

} // namespace

int
main(int argc, char** argv)
{
  Settings settings;
  Options options("benchmark_people CLIP.bvh ...");
  addOptions(options, settings);
  return options.run(argc, argv, [&] {
    const ScopedDevice scope(deviceNamed(settings.device));
    printContext();
    printHeading("| seed | person frames | without the person | numbers changed | mean "
                 "error, cm | all joints within 10 cm, % | median frame, ms | longest, "
                 "ms |");
    for (const int seed : settings.seeds) {
      const Results r = run(settings, seed);
      std::printf("| %d | %d | %d | %d | %.1f | %.0f | %.0f | %.0f |\n",
                  seed,
                  r.frames,
                  r.without,
                  r.number_changes,
                  100.0 * r.error_sum / std::max(r.errors, 1),
                  100.0 * r.within / std::max(r.frames, 1),
                  r.milliseconds[r.milliseconds.size() / 2],
                  r.milliseconds.back());
      std::fflush(stdout);
    }
    return true;
  });
}
