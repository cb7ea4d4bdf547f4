// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// The rate of frames on machines of known speeds, without a clock.

#include "apps/track/rate_keeper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace pcl::gpu::apps;

namespace {

constexpr double rate = 25.0; // frames a second
constexpr double period = 1.0 / rate;
constexpr int particles = 2000, layers = 4;

/** \brief A frame that was worked on. */
struct WorkedFrame {
  int number;
  double begin, end; ///< seconds since the first frame came
  Effort effort;
};

/** \brief Works on frames that come at the rate: an independent clock. */
class Machine {
public:
  /** \param[in] seconds_of returns the time of a frame with some effort */
  template <typename SecondsOf>
  std::vector<WorkedFrame>
  run(int count, const SecondsOf& seconds_of)
  {
    keeper = RateKeeper(rate, count, {particles, layers});
    std::vector<WorkedFrame> frames;
    double now = 0.0;
    for (int number = 0; number < count;) {
      WorkedFrame frame = {
          number, std::max(now, number * period), 0.0, keeper.effort()};
      const double seconds = seconds_of(frame.effort, number);
      now = frame.end = frame.begin + seconds;
      frames.push_back(frame);
      number += 1 + keeper.add(seconds);
    }
    return frames;
  }

  RateKeeper keeper{rate, 1, {particles, layers}};
};

/** \brief Returns the time of a frame that takes a part of the period with all of the
 * work. */
double
proportional(const Effort& effort, double periods)
{
  return periods * period * effort.particles * effort.layers / (particles * layers);
}

bool
isFull(const Effort& effort)
{
  return effort.particles == particles && effort.layers == layers;
}

} // namespace

TEST(RateKeeper, LeavesAFastMachineAlone)
{
  Machine machine;
  const auto frames = machine.run(
      200, [](const Effort& effort, int) { return proportional(effort, 0.99); });
  EXPECT_EQ(frames.size(), 200u);
  for (const WorkedFrame& frame : frames)
    EXPECT_TRUE(isFull(frame.effort)) << frame.number;
  EXPECT_EQ(machine.keeper.summary(),
            "rate: 25 frames a second, 2000 particles, 4 layers");
}

TEST(RateKeeper, HasFewerParticlesBeforeItHasFewerLayers)
{
  Machine machine;
  const auto frames = machine.run(
      200, [](const Effort& effort, int) { return proportional(effort, 2.5); });
  EXPECT_TRUE(isFull(frames.front().effort));
  const Effort last = frames.back().effort;
  EXPECT_EQ(last.layers, layers);
  EXPECT_LT(last.particles, particles / 2);
  EXPECT_GE(last.particles, particles / 4);
  // Only the first frames were late.
  for (const WorkedFrame& frame : frames)
    if (frame.number > 10) {
      EXPECT_LE(frame.end - frame.number * period, period) << frame.number;
    }
  EXPECT_GT(frames.size(), 195u);
}

TEST(RateKeeper, HasFewerLayersIfAQuarterOfTheParticlesIsTooMuch)
{
  Machine machine;
  const auto frames = machine.run(
      200, [](const Effort& effort, int) { return proportional(effort, 8.0); });
  EXPECT_EQ(frames.back().effort.particles, particles / 4);
  EXPECT_LT(frames.back().effort.layers, layers);
  const std::string summary = machine.keeper.summary();
  for (const char* const part :
       {"500 to 2000 particles",
        "1 to 4 layers; --particles 500 --layers 1 leaves out none"})
    EXPECT_NE(summary.find(part), std::string::npos) << summary;
}

TEST(RateKeeper, LeavesOutFramesIfAllElseFails)
{
  // Much of the time does not depend on the effort.
  for (const double fixed : {1.1, 1.5, 2.0, 3.7, 40.0}) {
    Machine machine;
    const auto frames = machine.run(1000, [&](const Effort& effort, int) {
      return fixed * period + proportional(effort, 1.0);
    });
    EXPECT_EQ(frames.back().effort.particles, particles / 4);
    EXPECT_EQ(frames.back().effort.layers, 1);
    for (std::size_t i = 1; i < frames.size() && frames[i].number < 999; ++i) {
      // It is the newest of the frames that have come: lag does not grow.
      const double age = frames[i].begin - frames[i].number * period;
      EXPECT_GE(age, 0.0) << fixed;
      EXPECT_LT(age, period * (1.0 + 1e-9)) << fixed;
    }
    // No more are left out than the machine cannot make.
    const double possible = 1000.0 / (fixed + 1.0 / 16.0);
    EXPECT_NEAR(static_cast<double>(frames.size()), possible, 0.05 * possible + 3.0);
    EXPECT_NE(machine.keeper.summary().find(" frames left out, "), std::string::npos);
  }
}

TEST(RateKeeper, SaysWhichOptionsWouldLeaveOutNone)
{
  Machine machine;
  const auto slow = [](const Effort&, int) { return 0.1; };
  const auto frames = machine.run(500, slow);
  const std::string summary = machine.keeper.summary();
  EXPECT_EQ(summary.rfind("rate: 10 of 25 frames a second: ", 0), 0u) << summary;
  EXPECT_NE(summary.find("; --particles 500 --layers 1 --rate 9 leaves out none"),
            std::string::npos)
      << summary;
  RateKeeper keeper(9.0, 500, {particles / 4, 1});
  for (int i = 0; i < 500; ++i)
    EXPECT_EQ(keeper.add(0.1), 0);
}

TEST(RateKeeper, SaysWhichRateWouldKeepAllOfTheWork)
{
  Machine machine;
  machine.run(500, [](const Effort& effort, int) { return proportional(effort, 1.2); });
  const std::string summary = machine.keeper.summary();
  EXPECT_EQ(summary.rfind("rate: 25 frames a second, 1400 to 2000 particles, ", 0), 0u)
      << summary;
  // 25 / 1.2, and a tenth of the time to spare.
  EXPECT_NE(summary.find("4 layers; --rate 19 keeps all of them"), std::string::npos)
      << summary;
}

TEST(RateKeeper, LeavesOutNoFramesBehindTheLast)
{
  Machine machine;
  const auto frames = machine.run(20, [](const Effort&, int) { return 7.0 * period; });
  EXPECT_EQ(frames.back().number, 19);
  EXPECT_NE(machine.keeper.summary().find(": 16 of 20 frames left out"),
            std::string::npos)
      << machine.keeper.summary();
}

TEST(RateKeeper, RaisesTheWorkWhenThereIsTime)
{
  Machine machine;
  const auto frames = machine.run(600, [](const Effort& effort, int number) {
    return proportional(effort, number < 100 ? 6.0 : 0.8);
  });
  EXPECT_FALSE(isFull(frames[50].effort));
  EXPECT_TRUE(isFull(frames.back().effort));
}

TEST(RateKeeper, DoesNotSwingIfTheSpeedIsConstant)
{
  for (double periods = 0.5; periods < 20.0; periods *= 1.07) {
    Machine machine;
    const auto frames = machine.run(400, [&](const Effort& effort, int) {
      return 0.1 * period + proportional(effort, periods);
    });
    int changes = 0;
    for (std::size_t i = 1; i < frames.size(); ++i)
      changes += frames[i].effort.particles != frames[i - 1].effort.particles ||
                 frames[i].effort.layers != frames[i - 1].effort.layers;
    EXPECT_LE(changes, 6) << periods;
  }
}

TEST(RateKeeper, KeepsTheWorkAfterASingleLongFrame)
{
  Machine machine;
  const auto frames = machine.run(100, [](const Effort& effort, int number) {
    return number == 30 ? 10.0 * period : proportional(effort, 0.8);
  });
  for (const WorkedFrame& frame : frames)
    EXPECT_TRUE(isFull(frame.effort)) << frame.number;
  EXPECT_EQ(frames.size(), 91u);
  EXPECT_EQ(frames[30].number, 30);
  EXPECT_EQ(frames[31].number, 40);
}

TEST(RateKeeper, NeverHasLessThanOneParticleAndOneLayer)
{
  RateKeeper keeper(rate, 1000, {1, 1});
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(keeper.add(10.0 * period), 9);
  EXPECT_EQ(keeper.effort().particles, 1);
  EXPECT_EQ(keeper.effort().layers, 1);
}

TEST(RateKeeper, HasNothingToSayAboutASingleFrame)
{
  EXPECT_NE(RateKeeper(rate, 0, {1, 1}).summary().find("no frame"), std::string::npos);
}
