// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "registration/even_surface.h"
#include "registration/registration_task.h"

#include <pcl/common/centroid.h>
#include <pcl/gpu/containers/device_array.h>
#include <pcl/gpu/tensor/range_view.h>
#include <pcl/gpu/utils/workspace.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <optional>

// Clouds as registration looks at them: their points, cameras, and grids that find a
// point's neighbour.

namespace pcl::gpu {

/** \brief Cells about a surface up to which the grid has its points. */
constexpr int grid_reach = 6;

/** \brief Returns the points of a view in the frame of its camera. */
PointCloud<PointXYZ>::Ptr
measuredPoints(const RangeView& view);

/** \brief Returns the points of a cloud that isMeasuredPoint() accepts.
 * \throws pcl::BadArgumentException if there are fewer than three
 */
PointCloud<PointXYZ>::Ptr
measuredPoints(const PointCloud<PointXYZ>& cloud);

/** \brief Returns the mean of points.
 * \param[in] cloud finite points, one or more
 */
template <typename PointT>
Eigen::Vector3f
centroidOf(const PointCloud<PointT>& cloud)
{
  Eigen::Vector4d centroid = Eigen::Vector4d::Zero();
  compute3DCentroid(cloud, centroid);
  return centroid.head<3>().cast<float>();
}

/** \brief Returns the median distance of points to their nearest neighbours, of some of
 * them.
 * \param[in] cloud measured points, three or more
 */
float
pointSpacing(const PointCloud<PointXYZ>::ConstPtr& cloud);

/** \brief Returns the distance of neighbouring pixels on a surface across the view, at
 * the median depth.
 * \param[in] view that has measured one pixel or more
 */
float
pixelSpacing(const RangeView& view);

/** \brief Returns the length of the diagonal of the box that holds the points between
 * the first and the last hundredth along each axis: outliers do not change it.
 * \param[in] cloud measured points, three or more
 */
float
usualExtent(const PointCloud<PointXYZ>& cloud);

/** \brief Checks that a grid of a cloud is not too large, and that its points are
 * exact enough for it.
 * \param[in] cloud measured points, three or more
 * \param[in] resolution metres
 * \throws pcl::BadArgumentException if not
 */
void
checkResolution(const PointCloud<PointXYZ>& cloud, float resolution);

/** \brief Makes the view of a camera at a cloud's sensor_origin_ that looks at its
 * middle and has about two points in a pixel.
 * \param[in] cloud measured points, three or more
 * \param[in] spacing pointSpacing()
 * \return the view; nothing if the points were not seen from there
 */
std::optional<RangeView>
seenFromOrigin(const PointCloud<PointXYZ>& cloud, float spacing);

/** \brief A surface on a device, as registration compares it with others. */
class SurfaceOnDevice {
public:
  /** \brief Copies a surface in a random order, and fills its grid.
   * \param[in] surface on the current device
   * \param[in] view that it was seen in; none if it was seen from several places
   * \param[in,out] workspace for scratch memory
   */
  SurfaceOnDevice(const EvenSurface& surface,
                  const std::optional<RangeView>& view,
                  Workspace& workspace);

  /** \return the kernels' view of it */
  const device::ScannedSurface&
  get() const
  {
    return view_;
  }

private:
  DeviceArray<device::Float4> points_, normals_;
  DeviceArray<int> nearest_;
  DeviceArray<float> depth_;
  device::ScannedSurface view_{};
};

} // namespace pcl::gpu
