// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "progress_bar.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <iostream>

namespace pcl::gpu::apps {

ProgressBar::ProgressBar(std::size_t total)
: total_(total)
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
ProgressBar::step(const std::string& label)
{
  ++done_;
  if (!visible_)
    return;
  constexpr std::size_t width = 32;
  const std::size_t filled = width * done_ / total_;
  // "\033[K" clears the rest of a longer label.
  std::cerr << "\r[" << std::string(filled, '#') << std::string(width - filled, '.')
            << "] " << done_ << "/" << total_ << " " << pace() << label << "\033[K"
            << std::flush;
}

std::string
ProgressBar::pace() const
{
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start_;
  const double rate = static_cast<double>(done_ - skipped_) / elapsed.count();
  // Short runs need no forecast.
  if (elapsed.count() < 1.0 || !std::isfinite(rate) || rate <= 0.0)
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

} // namespace pcl::gpu::apps
