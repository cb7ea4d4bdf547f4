// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scene_frames.h"

#include "testing/video/rendered_video.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace benchmarks {

using namespace pcl::gpu;

SceneFrames
renderFrames(const std::string& motion, int count, int width, int height)
{
  test::RenderedVideoSettings settings;
  settings.motion = test::motionNamed(motion);
  settings.camera = PinholeCamera::fromFieldOfView(0.8f, width, height);
  settings.frames = count;
  settings.frame_rate = count / 10.0f;
  settings.supersampling = 1;
  settings.color_noise = 20.0f;
  const test::RenderedVideo video(settings);
  SceneFrames frames;
  for (int i = 0; i < count; ++i) {
    const auto frame = std::make_shared<SceneFrame>();
    frame->upload(video.read(i), i);
    frames.push_back(frame);
  }
  return frames;
}

SceneFrames
nearestFirst(SceneFrames frames, int number)
{
  std::stable_sort(frames.begin(), frames.end(), [&](const auto& a, const auto& b) {
    return std::abs(a->getNumber() - number) < std::abs(b->getNumber() - number);
  });
  return frames;
}

} // namespace benchmarks
