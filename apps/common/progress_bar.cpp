// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "progress_bar.h"

#include <unistd.h>

#include <iostream>

namespace pcl {
namespace gpu {
namespace apps {

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
ProgressBar::step(const std::string& label)
{
  ++done_;
  if (!visible_)
    return;
  constexpr std::size_t width = 32;
  const std::size_t filled = width * done_ / total_;
  // "\033[K" clears what a longer label left of the line.
  std::cerr << "\r[" << std::string(filled, '#') << std::string(width - filled, '.')
            << "] " << done_ << "/" << total_ << " " << label << "\033[K" << std::flush;
}

} // namespace apps
} // namespace gpu
} // namespace pcl
