// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "people_finder.h"

namespace pcl::gpu::apps {

PeopleFinder::PeopleFinder(const TrackOptions& options) : options_(options)
{
  PeopleTrackerParameters parameters;
  parameters.filter = filterParameters(options);
  tracker_.setParameters(parameters);
  setEffort({options.particles, options.filter.layers});
  detection_.setParameters(tracker_.getParameters().detection);
}

void
PeopleFinder::setEffort(const Effort& effort)
{
  PeopleTrackerParameters parameters = tracker_.getParameters();
  parameters.filter.particle_count = effort.particles;
  parameters.filter.layers = effort.layers;
  tracker_.setParameters(parameters);
}

std::vector<TrackedFrame>
PeopleFinder::run(const TrackFrame& frame)
{
  std::vector<TrackedFrame> results;
  const auto add = [&](int number, float confidence) -> TrackedFrame& {
    TrackedFrame& result = results.emplace_back();
    result.number = frame.number;
    result.person = number;
    result.confidence = confidence;
    return result;
  };
  ForwardKinematics kinematics;
  if (options_.fit) {
    for (const DetectedPerson& person : detection_.detect(*frame.points)) {
      TrackedFrame& result = add(static_cast<int>(results.size()), person.confidence);
      result.estimate.mean = result.estimate.best = person.pose;
      kinematics.setSkeleton(person.skeleton);
      setBody(kinematics, person.pose, result);
    }
    return results;
  }
  const int frames = last_frame_ ? frame.number - *last_frame_ : 1;
  last_frame_ = frame.number;
  for (const TrackedPerson& person :
       tracker_.processFrame(*frame.points, frames / options_.frame_rate)) {
    TrackedFrame& result = add(person.number, person.confidence);
    result.estimate = person.estimate;
    kinematics.setSkeleton(person.skeleton);
    setBody(kinematics, person.estimate.mean, result);
    for (std::size_t i = 0; i < result.joints.size(); ++i)
      result.joints[i].deviation = person.joints[i].deviation;
  }
  return results;
}

} // namespace pcl::gpu::apps
