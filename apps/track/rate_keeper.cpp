// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "rate_keeper.h"

#include <pcl/gpu/utils/internal/number_text.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pcl::gpu::apps {

namespace {

/** \brief Parts of the work, of particles first and then of layers. */
constexpr double shares[] = {0.7, 0.5, 0.35, 0.25};

/** \brief Part of the time between frames that their work should take. */
constexpr double target = 0.9;

int
shareOf(int number, double share)
{
  return std::max(1, static_cast<int>(std::lround(share * number)));
}

std::string
rateText(double rate)
{
  return numberText(rate, 3);
}

/** \brief Returns the rate of frames that take some time, with a little left. */
std::string
sustained(double seconds_a_frame)
{
  return numberText(target / seconds_a_frame, 2);
}

/** \brief Returns a number and its name: "500 to 2000 particles". */
std::string
rangeText(int least, int most, const std::string& name)
{
  return (least < most ? std::to_string(least) + " to " : "") + std::to_string(most) +
         " " + name;
}

} // namespace

RateKeeper::RateKeeper(double rate, std::size_t frames, const Effort& full)
: rate_(rate)
, frames_(frames)
{
  levels_.push_back({full});
  const auto add = [&](const Effort& effort) {
    const Level level = {effort};
    if (level.work() < levels_.back().work())
      levels_.push_back(level);
  };
  for (const double share : shares)
    add({shareOf(full.particles, share), full.layers});
  const int least_particles = levels_.back().effort.particles;
  for (const double share : shares)
    add({least_particles, shareOf(full.layers, share)});
}

int
RateKeeper::add(double seconds)
{
  levels_[level_].seconds += seconds;
  ++levels_[level_].frames;
  recent_.push_back(seconds);
  // Work on a frame begins when it has come, frame 0 at the time 0.
  seconds_ = std::max(seconds_, static_cast<double>(next_) / rate_) + seconds;
  ++next_;
  // Behind the last frame no newer one comes.
  const auto newest =
      static_cast<std::size_t>(std::min(seconds_ * rate_, frames_ - 1.0));
  const std::size_t late = newest > next_ ? newest - next_ : 0;
  next_ += late;
  left_out_ += late;
  chooseLevel();
  return static_cast<int>(late);
}

void
RateKeeper::chooseLevel()
{
  // A single frame may take long because people were looked for; some frames of each
  // person take longer because lookalikes are compared.
  constexpr std::size_t late_frames = 2, early_frames = 10;
  const double period = 1.0 / rate_, work = levels_[level_].work();
  const auto last = [&](std::size_t count) {
    return std::minmax_element(recent_.end() - static_cast<std::ptrdiff_t>(count),
                               recent_.end());
  };
  if (recent_.size() >= late_frames) {
    const double least = *last(late_frames).first;
    std::size_t level = level_;
    while (level + 1 < levels_.size() && least > period &&
           levels_[level].work() > target * period / least * work)
      ++level;
    if (level != level_)
      return moveTo(level);
  }
  if (recent_.size() >= early_frames && level_ > 0 &&
      *last(early_frames).second * levels_[level_ - 1].work() / work < target * period)
    moveTo(level_ - 1);
}

void
RateKeeper::moveTo(std::size_t level)
{
  level_ = level;
  recent_.clear();
}

std::string
RateKeeper::summary() const
{
  const int frames = std::accumulate(
      levels_.begin(), levels_.end(), 0, [](int sum, const Level& level) {
        return sum + level.frames;
      });
  if (frames == 0)
    return "rate: there was no frame after the first";
  const Level& full = levels_.front();
  const Level& lowest =
      *std::find_if(levels_.rbegin(), levels_.rend(), [](const Level& level) {
        return level.frames > 0;
      });
  const Effort &most = full.effort, &least = lowest.effort;
  const auto timeOf = [](const Level& level) { return level.seconds / level.frames; };
  const std::string work =
      rangeText(least.particles, most.particles, "particles") + ", " +
      rangeText(least.layers, most.layers, most.layers == 1 ? "layer" : "layers");
  if (left_out_ > 0) {
    std::string option = "--particles " + std::to_string(least.particles) +
                         " --layers " + std::to_string(least.layers);
    if (timeOf(lowest) * rate_ > 1.0)
      option += " --rate " + sustained(timeOf(lowest));
    return "rate: " + rateText(frames / seconds_) + " of " + rateText(rate_) +
           " frames a second: " + std::to_string(left_out_) + " of " +
           std::to_string(next_) + " frames left out, " + work + "; " + option +
           " leaves out none";
  }
  const std::string kept = "rate: " + rateText(rate_) + " frames a second, " + work;
  if (&lowest == &full)
    return kept;
  return kept + "; --rate " + sustained(timeOf(full)) + " keeps all of them";
}

} // namespace pcl::gpu::apps
