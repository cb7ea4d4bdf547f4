// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "denoising_video.h"

#include <functional>
#include <string>
#include <vector>

namespace benchmarks {

/** \brief A way to remove noise from a frame of a video. */
struct VideoDenoiser {
  std::string name;
  std::function<pcl::gpu::ColorImage(const NoisyFrames& frames, int number)> denoise;
};

/** \brief OpenCV's ways, each with those parameters that are worth a try: non-local
 * means of a frame and of several, of BGR and of its own separation of colours, and the
 * average along DIS flow of 7, 13 and 25 frames, weighted by the likeness of colours,
 * alone and with non-local means behind it. */
std::vector<VideoDenoiser>
openCVDenoisers();

} // namespace benchmarks
