// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// People who walk through rendered rooms, whose poses are known, and a recording
// without people.

#include "common/depth_images.h"
#include "common/devices.h"
#include "common/expect_throws.h"
#include "testing/people_room.h"

#include <pcl/gpu/articulated/people_tracker.h>

#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

constexpr float frame_time = 1.0f / 30.0f;

class PeopleWhoWalk : public DeviceTest {
protected:
  /** \brief Returns a tracker; on the host with as few particles as suffice. */
  PeopleTracker
  makeTracker() const
  {
    PeopleTracker tracker;
    PeopleTrackerParameters parameters;
    if (GetParam() == "host") {
      parameters.filter.particle_count = 400;
      parameters.filter.max_points = 1000;
    }
    tracker.setParameters(parameters);
    return tracker;
  }
};

/** \brief Leaves out frames of a room. */
void
skip(PeopleRoom& room, int frames)
{
  for (int number = 0; number < frames; ++number)
    room.next();
}

} // namespace

TEST_P(PeopleWhoWalk, KeepTheirNumbersWhenTheyCross)
{
  const std::string walk = dataPath("mocap/cmu_02_01.bvh");
  PeopleRoom room({walk, walk}, 1);
  PeopleTracker tracker = makeTracker();
  // From where both are in the picture until they have crossed.
  constexpr int first = 36, last = 56, settled = 4;
  std::map<int, std::vector<int>> numbers; // of each true person
  float sum = 0.0f;
  int count = 0;
  for (int number = 0; number <= last; ++number) {
    const PeopleFrame frame = room.next();
    if (number < first)
      continue;
    const std::vector<TrackedPerson> people =
        tracker.processFrame(frame.cloud, frame_time);
    EXPECT_EQ(people.size(), 2u) << "frame " << number;
    for (int i = 0; i < 2; ++i) {
      constexpr float well_seen = 0.6f;
      const PersonTruth& truth = frame.people[i];
      const TrackedPerson* const person = nearestTo(truth, people);
      if (truth.seen_share < well_seen)
        continue;
      ASSERT_NE(person, nullptr) << "frame " << number;
      numbers[i].push_back(person->number);
      if (number < first + settled)
        continue;
      const std::vector<float> errors = seenErrors(truth, *person);
      if (!errors.empty())
        sum += std::accumulate(errors.begin(), errors.end(), 0.0f) / errors.size();
      ++count;
      for (const JointEstimate& joint : person->joints)
        EXPECT_TRUE(std::isfinite(joint.deviation)) << "frame " << number;
    }
  }
  for (int i = 0; i < 2; ++i)
    for (const int number : numbers[i])
      EXPECT_EQ(number, numbers[i].front()) << "person " << i;
  EXPECT_NE(numbers[0].front(), numbers[1].front());
  EXPECT_LT(sum / static_cast<float>(count), GetParam() == "host" ? 0.12f : 0.08f);
}

TEST_P(PeopleWhoWalk, AreNotSeenInAnEmptyRoom)
{
  PeopleRoom room({}, 2);
  PeopleTracker tracker = makeTracker();
  constexpr int frames = 12;
  for (int number = 0; number < frames; ++number)
    EXPECT_TRUE(tracker.processFrame(room.next().cloud, frame_time).empty())
        << "frame " << number;
}

TEST_P(PeopleWhoWalk, AreNotSeenInAKitchenByACameraThatMoves)
{
  // 7-Scenes: cupboards and a chair. Other parts of them come into view.
  const PinholeCamera kinect = {585.0f, 585.0f, 320.0f, 240.0f, 640, 480};
  PeopleTracker tracker = makeTracker();
  for (const char* const frame : {"664", "672", "680"})
    EXPECT_TRUE(tracker
                    .processFrame(recordedCloud("rgbd_video/redkitchen/frame-000" +
                                                    std::string(frame) + ".depth.png",
                                                kinect),
                                  frame_time)
                    .empty())
        << frame;
}

TEST_P(PeopleWhoWalk, AreFoundWhenTheyEnterAndThenMeasured)
{
  const std::string walk = dataPath("mocap/cmu_02_01.bvh");
  constexpr int seed = 37; // the person is first seen much too tall
  PeopleRoom empty({}, seed), room({walk}, seed);
  PeopleTracker tracker = makeTracker();
  for (int number = 0; number < 3; ++number)
    EXPECT_TRUE(tracker.processFrame(empty.next().cloud, frame_time).empty());
  constexpr int most_late = 4, settled = 14, last = 18; // frames
  int late = 0, followed = 0, count = 0;
  float sum = 0.0f;
  while (late <= most_late && followed < last) {
    const PeopleFrame frame = room.next();
    const std::vector<TrackedPerson> people =
        tracker.processFrame(frame.cloud, frame_time);
    const PersonTruth& truth = frame.people[0];
    const Eigen::Vector3f& hips = truth.joints.at("Hips");
    const float column = room.camera().fx * hips.x() / hips.z() + room.camera().cx;
    if (people.empty()) {
      late += column >= 0.0f && column < static_cast<float>(room.camera().width);
      continue;
    }
    ASSERT_EQ(people.size(), 1u);
    if (++followed > settled)
      for (const float error : seenErrors(truth, people[0])) {
        sum += error;
        ++count;
      }
  }
  EXPECT_LE(late, most_late);
  // Before the person is measured, knees are 0.3 m off.
  EXPECT_LT(sum / static_cast<float>(count), 0.08f);
}

TEST_P(PeopleWhoWalk, AreNotTakenForTheRoomIfTheFirstFrameLeavesDoubt)
{
  const std::string walk = dataPath("mocap/cmu_02_01.bvh");
  PeopleRoom room({walk, walk}, 8);
  PeopleTracker tracker = makeTracker();
  setParameter(tracker, &PeopleTrackerParameters::min_new_area, 100.0f); // one search
  constexpr int first = 58, frames = 4;
  skip(room, first);
  PeopleFrame frame;
  std::vector<TrackedPerson> people;
  for (int number = 0; number < frames; ++number) {
    frame = room.next();
    people = tracker.processFrame(frame.cloud, frame_time);
  }
  EXPECT_EQ(people.size(), 2u);
  for (const PersonTruth& truth : frame.people)
    EXPECT_NE(nearestTo(truth, people), nullptr);
}

TEST_P(PeopleWhoWalk, AreForgottenByAReset)
{
  const std::string walk = dataPath("mocap/cmu_02_01.bvh");
  PeopleRoom room({walk}, 3);
  skip(room, 32);
  const PeopleFrame frame = room.next();
  PeopleTracker tracker = makeTracker();
  const std::vector<TrackedPerson> once = tracker.processFrame(frame.cloud, frame_time);
  tracker.reset();
  const std::vector<TrackedPerson> again =
      tracker.processFrame(frame.cloud, frame_time);
  ASSERT_EQ(once.size(), 1u);
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(once[0].number, 0);
  EXPECT_EQ(again[0].number, 0);
  // The same input gives the same bits.
  EXPECT_EQ(once[0].estimate.mean, again[0].estimate.mean);
}

TEST_P(PeopleWhoWalk, AreFollowedWithTheParametersOfTheFrame)
{
  PeopleRoom room({dataPath("mocap/cmu_02_01.bvh")}, 3);
  constexpr int first = 32, frames = 3;
  skip(room, first);
  std::vector<PeopleFrame> seen;
  for (int number = 0; number < frames; ++number)
    seen.push_back(room.next());
  const auto follow = [&](int part) {
    PeopleTracker tracker = makeTracker();
    PeopleTrackerParameters parameters = tracker.getParameters();
    parameters.filter.particle_count /= part;
    parameters.filter.layers /= part;
    std::vector<TrackedPerson> people;
    for (const PeopleFrame& frame : seen) {
      people = tracker.processFrame(frame.cloud, frame_time);
      tracker.setParameters(parameters);
    }
    return people;
  };
  const std::vector<TrackedPerson> all = follow(1), half = follow(2);
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(half.size(), 1u);
  EXPECT_EQ(half[0].number, all[0].number);
  EXPECT_NE(nearestTo(seen.back().people[0], half), nullptr);
  // The parameters reach a filter that exists.
  EXPECT_NE(half[0].estimate.mean, all[0].estimate.mean);
}

TEST(PeopleTrackers, RefuseWhatTheyCannotUse)
{
  PeopleTracker tracker;
  pcl::PointCloud<pcl::PointXYZ> row(10, 1), image(10, 10), other(12, 10);
  expectBadArgument("height of the cloud", [&] { tracker.processFrame(row, 0.1f); });
  expectBadArgument("time since the frame before",
                    [&] { tracker.processFrame(image, 0.0f); });
  EXPECT_TRUE(tracker.processFrame(image, 0.1f).empty());
  expectBadArgument("size of the cloud", [&] { tracker.processFrame(other, 0.1f); });
  const auto refuses = [&](const char* name, auto member, auto value) {
    expectBadArgument(name, [&] { setParameter(tracker, member, value); });
  };
  refuses("search interval", &PeopleTrackerParameters::search_interval, 0);
  refuses("min new area", &PeopleTrackerParameters::min_new_area, 0.0f);
  refuses("patience", &PeopleTrackerParameters::patience, 0.0f);
  refuses("memory", &PeopleTrackerParameters::memory, -1.0f);
}

PCL_GPU_INSTANTIATE_DEVICE_TESTS(PeopleWhoWalk);
