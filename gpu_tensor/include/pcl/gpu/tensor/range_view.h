// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <vector>

namespace pcl {
namespace gpu {

/** \brief A cloud as a camera sees it: what a view of a scene is computed from.
 * \ingroup gpu_tensor_types
 */
struct RangeView {
  std::vector<float>
      depth;            ///< along the camera's axis, row by row, metres; NaN for none
  PinholeCamera camera; ///< with its width and height
  Pose pose = Pose::Identity(); ///< camera-to-cloud
  int sampling_step =
      1; ///< of the rows and columns that are worth their neighbours' noise
};

/** \brief Finds the view that a cloud was seen in, or one like it.
 *
 * An organized cloud whose pixels lie where a pinhole camera at its origin sees them is that
 * camera's depth map. Of any other cloud one is made by a camera at its sensor_origin_ that
 * looks at its middle and has about two points in a pixel; of the points in a pixel those
 * near the nearest one are averaged. O(points log(points)).
 * \param[in] cloud points on surfaces that are visible from sensor_origin_, metres; those that
 * are not finite count as missing
 * \return the view
 * \throws pcl::BadArgumentException if there are less than three finite points, or the cloud
 * is not organized by a camera and its sensor_origin_ lies among its points, so that it
 * is no view
 * \ingroup gpu_tensor
 */
PCL_EXPORTS RangeView
toRangeView(const PointCloud<PointXYZ>& cloud);

} // namespace gpu
} // namespace pcl
