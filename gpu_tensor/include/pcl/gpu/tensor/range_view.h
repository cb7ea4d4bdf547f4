// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/utils/pinhole_camera.h>
#include <pcl/gpu/utils/pose.h>
#include <pcl/pcl_exports.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <optional>
#include <vector>

namespace pcl::gpu {

/** \brief A cloud as a camera sees it: the input of a view of a scene.
 * \ingroup gpu_tensor_types
 */
struct RangeView {
  /** \brief Depth along the camera's axis, row by row, metres; NaN for none. */
  std::vector<float> depth;
  PinholeCamera camera;         ///< with its width and height
  Pose pose = Pose::Identity(); ///< camera-to-cloud
};

/** \brief Finds the view that an organized cloud was seen in.
 *
 * Its points lie where a pinhole camera sees them, to within some 0.6 pixels: in the
 * camera's frame, as most of PCL's clouds have them, or in the frame that
 * sensor_origin_ and sensor_orientation_ refer to. Takes the first of both that fits.
 * O(points).
 * \param[in] cloud points, metres; those that isMeasuredPoint() rejects count as
 * missing
 * \return the view, whose pose is the identity in the first case; none if no camera
 * fits
 * \ingroup gpu_tensor
 */
PCL_EXPORTS std::optional<RangeView>
organizedRangeView(const PointCloud<PointXYZ>& cloud);

/** \brief Computes the depth map that a camera would measure of a cloud.
 *
 * A pixel's depth is the mean of those of its points that may be of one surface with
 * the nearest one. Pixels that fall between the points, with most of the pixels around
 * them on a surface, get the mean of these. O(points + pixels).
 * \param[in] cloud any points, metres; those that isMeasuredPoint() rejects count as
 * missing
 * \param[in] camera intrinsics, with its width and height
 * \param[in] pose camera-to-cloud
 * \return the view
 * \throws pcl::BadArgumentException if the camera has no pixels or no focal length, or
 * the pose is not rigid
 * \ingroup gpu_tensor
 */
PCL_EXPORTS RangeView
projectedRangeView(const PointCloud<PointXYZ>& cloud,
                   const PinholeCamera& camera,
                   const Pose& pose);

/** \brief Finds the view that a cloud was seen in, or one like it.
 *
 * Takes the view of organizedRangeView() if there is one. Else makes one by
 * projectedRangeView(), of a camera at the cloud's sensor_origin_ that looks at its
 * middle and has about two points in a pixel. O(points log(points)).
 * \param[in] cloud points, metres; those that isMeasuredPoint() rejects count as
 * missing
 * \return the view; nothing if no camera organized the cloud and its points were not
 * seen from sensor_origin_: it lies among them, or more than 3 % of them lie behind
 * others
 * \throws pcl::BadArgumentException if there are fewer than three measured points
 * \ingroup gpu_tensor
 */
PCL_EXPORTS std::optional<RangeView>
toRangeView(const PointCloud<PointXYZ>& cloud);

} // namespace pcl::gpu
