// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/depth_images.h"

#include "common/devices.h"

namespace pcl::gpu::test {

const std::vector<std::string>&
recordedFrameNames()
{
  static const std::vector<std::string> names{
      "tum_desk", "sun_corridor", "nyu_basement", "pcl_laptop"};
  return names;
}

RecordedFrame
recordedFrame(const std::string& name)
{
  RecordedFrame frame;
  frame.name = name;
  frame.depth = readDepthImage(dataPath("depth/" + name + ".depth_mm.png"));
  frame.camera.fx = frame.camera.fy = 525.0f;
  frame.camera.cx = name == "pcl_laptop" ? 320.0f : 319.5f;
  frame.camera.cy = name == "pcl_laptop" ? 240.0f : 239.5f;
  frame.camera.width = frame.depth.columns;
  frame.camera.height = frame.depth.rows;
  return frame;
}

} // namespace pcl::gpu::test
