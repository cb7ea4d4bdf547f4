// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/raycast/ray_cast_images.h>
#include <pcl/gpu/utils/impl/cloud_transfer.hpp>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <atomic>
#include <cmath>

/** \file
 * \brief Conversion of ray cast images to PCL's clouds. Part of their
 * implementation: not for use elsewhere.
 */

namespace pcl::gpu::detail {

/** \brief The images that clouds of a point type take. */
template <typename PointT>
constexpr unsigned int
rayCastOutputs()
{
  return PointsOutput | (traits::has_normal<PointT>::value ? NormalsOutput : 0u) |
         (traits::has_color<PointT>::value ? ColorsOutput : 0u);
}

/** \brief Reads clouds from ray cast images. */
template <typename PointT>
class RayCastCloudReader {
public:
  /** \brief Copies the images to the host, unless they live there.
   * \param[in] images those that rayCastOutputs() names; they must outlive the clouds'
   * reading
   */
  void
  read(const RayCastImages& images)
  {
    points_ = point_reader_.read(images.points);
    if constexpr (traits::has_normal<PointT>::value)
      normals_ = normal_reader_.read(images.normals);
    if constexpr (traits::has_color<PointT>::value)
      colors_ = color_reader_.read(images.colors);
  }

  /** \brief Makes an organized cloud of the image of one camera.
   * \param[in] first_row of the camera's image
   * \param[out] cloud positions NaN where nothing was hit, and then not dense
   */
  void
  organizedCloud(int first_row, int width, int height, PointCloud<PointT>& cloud)
  {
    cloud.clear();
    cloud.resize(static_cast<std::size_t>(width) * height);
    cloud.width = width;
    cloud.height = height;
    std::atomic<bool> dense(true);
    forEachPixel(height, width, [&](int row, int column, std::size_t i) {
      if (!readPoint(first_row + row, column, cloud[i]) &&
          dense.load(std::memory_order_relaxed))
        dense.store(false, std::memory_order_relaxed);
    });
    cloud.is_dense = dense;
  }

  /** \brief Makes a dense cloud of the points that one camera sees, row by row. */
  void
  denseCloud(int first_row, int width, int height, PointCloud<PointT>& cloud)
  {
    cloud.clear();
    for (int row = first_row; row < first_row + height; ++row)
      for (int column = 0; column < width; ++column) {
        PointT point;
        if (readPoint(row, column, point))
          cloud.push_back(point);
      }
    cloud.is_dense = true;
  }

private:
  /** \brief Returns whether something was hit. */
  bool
  readPoint(int row, int column, PointT& point) const
  {
    point.getVector3fMap() = points_.ptr(row)[column].getVector3fMap();
    if constexpr (traits::has_normal<PointT>::value) {
      const PointXYZ& normal = normals_.ptr(row)[column];
      point.normal_x = normal.x;
      point.normal_y = normal.y;
      point.normal_z = normal.z;
    }
    if constexpr (traits::has_color<PointT>::value) {
      const RGB& color = colors_.ptr(row)[column];
      point.r = color.r;
      point.g = color.g;
      point.b = color.b;
      point.a = color.a;
    }
    return !std::isnan(point.z);
  }

  DeviceReader<PointXYZ> point_reader_;
  DeviceReader<PointXYZ> normal_reader_;
  DeviceReader<RGB> color_reader_;
  PtrStep<const PointXYZ> points_;
  PtrStep<const PointXYZ> normals_;
  PtrStep<const RGB> colors_;
};

/** \brief Sets the sensor's pose of a cloud, in PCL's way.
 * \param[in] pose of the sensor, in the cloud's own frame
 */
template <typename PointT>
void
setSensorPose(const Pose& pose, PointCloud<PointT>& cloud)
{
  cloud.sensor_origin_ << pose.translation(), 0.0f;
  cloud.sensor_orientation_ = Eigen::Quaternionf(pose.linear());
}

} // namespace pcl::gpu::detail
