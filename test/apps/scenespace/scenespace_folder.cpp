// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "scenespace_folder.h"

#include <pcl/gpu/scenespace/video/rgbd_folder_writer.h>

namespace pcl::gpu::test {

RenderedVideoSettings
settingsOfFolder()
{
  RenderedVideoSettings settings;
  settings.camera = PinholeCamera::fromFieldOfView(0.8f, 128, 72);
  settings.frames = 6;
  settings.begin = 4.0f;
  settings.color_noise = noise_of_folder;
  settings.depth_dropout = 0.05f;
  return settings;
}

void
writeVideoFolder(const std::string& path)
{
  writeRGBDFolder(RenderedVideo(settingsOfFolder()), path);
}

RenderedVideoSettings
settingsOfCleanFolder()
{
  RenderedVideoSettings settings;
  settings.camera = PinholeCamera::fromFieldOfView(0.8f, 160, 90);
  settings.frames = 7;
  settings.begin = 4.0f;
  return settings;
}

} // namespace pcl::gpu::test
