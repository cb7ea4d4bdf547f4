// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <memory>
#include <string>
#include <vector>

namespace benchmarks {

using Cloud = pcl::PointCloud<pcl::PointXYZ>;

/** \brief One depth map, in the form that each competitor takes. */
struct Frame {
  std::string name;
  pcl::gpu::PinholeCamera camera;
  std::vector<float> depth; ///< row-major, metres, NaN where nothing was measured
  Cloud::ConstPtr cloud;    ///< \a depth projected: the cloud that stages start from
};

/** \brief Makes a frame of a depth map, and projects it.
 * \param[in] depth row-major, metres, NaN where nothing was measured
 */
std::shared_ptr<const Frame>
makeFrame(std::string name,
          const pcl::gpu::PinholeCamera& camera,
          std::vector<float> depth);

/** \brief Loads the 640x480 frames that are in a folder, or renders one if there are
 * none.
 *
 * Organized clouds are turned back to depth; their camera is fitted. Depth images need
 * a build with OpenCV.
 * \param[in] folder the test data; may be empty
 */
std::vector<std::shared_ptr<const Frame>>
loadFrames(const std::string& folder);

} // namespace benchmarks
