// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "gpu_scenespace/effects/effect_videos.h"

namespace pcl::gpu::test {

/** \brief Deviation of the noise of the video's colours, levels. */
constexpr float noise = 20.0f;

/** \brief A short video of the room in small noisy pictures. */
inline RenderedVideoSettings
noisyVideoSettings()
{
  RenderedVideoSettings settings = smallRenderedVideo();
  settings.color_noise = noise;
  return settings;
}

/** \brief The video, which is rendered once. */
inline RGBDVideo::ConstPtr
noisyVideo()
{
  static const RGBDVideo::ConstPtr video = recorded(noisyVideoSettings());
  return video;
}

/** \brief The noise that effects assume. */
inline ScenePreparation
noisyPreparation()
{
  ScenePreparation made;
  made.noise = noise;
  return made;
}

} // namespace pcl::gpu::test
