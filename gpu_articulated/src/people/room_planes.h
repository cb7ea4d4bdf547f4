// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/point_cloud.h>
#include <pcl/point_types.h>
#include <pcl/types.h>

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace pcl::gpu {

/** \brief Returns the area that a pixel shows of a surface that faces the camera,
 * square metres.
 * \param[in] point on it
 * \param[in] pixel_angle angle between neighbouring pixels, radians
 */
inline float
areaOf(const PointXYZ& point, float pixel_angle)
{
  const float side = point.z * pixel_angle;
  return side * side;
}

/** \brief Returns the deviation of points from their best plane, metres; 0 for fewer
 * than three. */
float
reliefOf(const PointCloud<PointXYZ>& cloud, const Indices& indices);

/** \brief A plane n.p + d = 0 of a room, with n towards the camera. */
struct RoomPlane {
  Eigen::Vector3f normal = Eigen::Vector3f::Zero();
  float offset = 0.0f;
  float area = 0.0f; ///< that is seen, square metres
};

/** \brief The planes of a room. */
struct RoomPlanes {
  std::vector<RoomPlane> planes;
  std::vector<bool> is_plane; ///< whether each point is of one
};

/** \brief Finds floors, walls and other planes that are larger than people.
 *
 * Planes are found by PCL's SACSegmentationFromNormals. One counts if a connected part
 * of it has half a square metre, and is flat to the noise of a depth camera: fronts of
 * people are not. Its smaller parts count, too, if they are as flat and, in upright
 * planes, larger than a head. Parts are of points that face as the plane does, and of
 * those beside them whose normals are not known: thin things that stand in a plane are
 * not of it.
 * \param[in] cloud organized, in the camera's frame; NaN where nothing was measured
 * \param[in] pixel_angle angle between neighbouring pixels, radians
 */
RoomPlanes
findRoomPlanes(const PointCloud<PointXYZ>::ConstPtr& cloud, float pixel_angle);

/** \brief Returns the lowest large plane that a person could stand on, of area 0 if
 * there is none; y points down. */
RoomPlane
floorOf(const std::vector<RoomPlane>& planes);

/** \brief Returns the coefficients of a floor; nothing if no floor is seen. */
std::optional<Eigen::Vector4f>
coefficientsOf(const RoomPlane& floor);

/** \brief Returns the height of a floor below a place, along -y; nothing if no floor is
 * seen. */
std::optional<float>
heightBelow(const RoomPlane& floor, const Eigen::Vector3f& place);

} // namespace pcl::gpu
