// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "progress_bar.h"

#include "errors.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <iostream>

namespace pcl::gpu::apps {

namespace {

/** \brief Returns a time in words: "about 3 minutes". */
std::string
timeInWords(double seconds)
{
  const auto rounded = [](double number, const char* unit) {
    return "about " + std::to_string(std::lround(number)) + " " + unit;
  };
  if (seconds < 100.0)
    return rounded(seconds, "seconds");
  return seconds < 6000.0 ? rounded(seconds / 60.0, "minutes")
                          : rounded(seconds / 3600.0, "hours");
}

} // namespace

void
announceTime(double seconds, const std::string& work, const std::string& shortcut)
{
  constexpr double short_time = 20.0;
  if (seconds < short_time)
    return;
  std::cerr << timeInWords(seconds) << " for " << work
            << (shortcut.empty() ? "" : "; " + shortcut) << std::endl;
}

ProgressBar::ProgressBar(std::size_t total,
                         const std::string& steps,
                         const std::string& shortcut)
: total_(total)
, steps_(steps)
, shortcut_(shortcut)
, visible_(total > 1 && isatty(STDERR_FILENO))
{}

ProgressBar::~ProgressBar()
{
  if (visible_ && done_ > 0)
    std::cerr << std::endl;
}

void
ProgressBar::skip(std::size_t steps)
{
  done_ += steps;
  skipped_ += steps;
}

void
ProgressBar::note(const std::string& text)
{
  if (visible_)
    std::cerr << "\r\033[K";
  printNote(text);
}

void
ProgressBar::step(const std::string& label)
{
  ++done_;
  announce();
  if (!visible_)
    return;
  constexpr std::size_t width = 32;
  const std::size_t filled = width * done_ / total_;
  // "\033[K" clears the rest of a longer label.
  std::cerr << "\r[" << std::string(filled, '#') << std::string(width - filled, '.')
            << "] " << done_ << "/" << total_ << " " << pace() << label << "\033[K"
            << std::flush;
}

void
ProgressBar::announce()
{
  const std::size_t made = done_ - skipped_, count = total_ - skipped_;
  if (made == 1)
    first_ = elapsed();
  // The first step reads more, or searches for longer, than the others do.
  constexpr double least_elapsed = 1.0;
  const double others = elapsed() - first_;
  if (is_announced_ || made < 2 || done_ == total_ || others < least_elapsed)
    return;
  is_announced_ = true;
  if (visible_)
    std::cerr << "\r\033[K"; // in place of the bar
  announceTime(first_ + others / static_cast<double>(made - 1) *
                            static_cast<double>(count - 1),
               std::to_string(count) + " " + steps_,
               shortcut_);
}

std::string
ProgressBar::pace() const
{
  const double seconds = elapsed();
  const double rate = static_cast<double>(done_ - skipped_) / seconds;
  // Short runs need no forecast.
  if (seconds < 1.0 || !std::isfinite(rate) || rate <= 0.0)
    return "";
  const auto left = std::lround(static_cast<double>(total_ - done_) / rate);
  char text[64];
  std::snprintf(text,
                sizeof text,
                "%.3g/s, %ld:%02ld:%02ld left ",
                rate,
                left / 3600,
                left / 60 % 60,
                left % 60);
  return text;
}

double
ProgressBar::elapsed() const
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_)
      .count();
}

} // namespace pcl::gpu::apps
