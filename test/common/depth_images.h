// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "common/devices.h"
#include "testing/depth_png.h"
#include "testing/image.h"

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pcl::gpu::test {

/** \brief A recorded depth map, millimetres, and the camera that took it. */
struct RecordedFrame {
  std::string name;
  PinholeCamera camera;
  Image<std::uint16_t> depth;
};

/** \brief Returns the names of the recorded frames, usable with recordedFrame(). */
inline const std::vector<std::string>&
recordedFrameNames()
{
  static const std::vector<std::string> names{
      "tum_desk", "sun_corridor", "nyu_basement", "pcl_laptop"};
  return names;
}

/** \brief Loads a recorded frame; skips the running test if it is absent. */
inline RecordedFrame
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

/** \brief Returns the organized cloud of a recorded depth map; skips the running
 * test if it is absent.
 * \param[in] name of a 16-bit PNG of millimetres in the test data
 * \param[in] camera that took it
 * \return metres
 */
inline pcl::PointCloud<pcl::PointXYZ>
recordedCloud(const std::string& name, const PinholeCamera& camera)
{
  constexpr float millimetre = 0.001f;
  const Image<std::uint16_t> depth = readDepthImage(dataPath(name));
  pcl::PointCloud<pcl::PointXYZ> cloud(depth.columns, depth.rows);
  for (int row = 0; row < depth.rows; ++row)
    for (int column = 0; column < depth.columns; ++column) {
      const float z = millimetre * static_cast<float>(depth.at(row, column));
      cloud(column, row) = {
          (column - camera.cx) / camera.fx * z, (row - camera.cy) / camera.fy * z, z};
    }
  return cloud;
}

} // namespace pcl::gpu::test
