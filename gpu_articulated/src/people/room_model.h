// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <cstddef>
#include <limits>
#include <vector>

namespace pcl::gpu {

/** \brief The static background of a still depth camera: the farthest surface that each
 * pixel showed. Depths are along z, metres. */
class RoomModel {
public:
  /** \brief Compares a picture with the room.
   * \param[in] cloud organized; NaN where nothing was measured
   * \return whether each point is of the room, to the noise of a depth camera, or
   * behind it
   */
  std::vector<bool>
  compare(const PointCloud<PointXYZ>& cloud) const;

  /** \brief Returns whether a picture shows that the camera has moved: much is behind
   * the room. */
  bool
  hasMoved(const PointCloud<PointXYZ>& cloud) const;

  /** \brief Learns from a picture.
   * \param[in] cloud the picture
   * \param[in] is_of_person whether each point may be one of a person
   * \param[in] dt time since the picture before, seconds
   */
  void
  update(const PointCloud<PointXYZ>& cloud,
         const std::vector<bool>& is_of_person,
         float dt);

  /** \brief Returns the depth of the room on the ray of a point; NaN if not known. */
  float
  depthAt(std::size_t number) const
  {
    return number < depths_.size() ? depths_[number] : missing;
  }

  /** \brief Forgets everything. */
  void
  reset()
  {
    depths_.clear();
  }

private:
  static constexpr float missing = std::numeric_limits<float>::quiet_NaN();

  std::vector<float> depths_;
  std::vector<float> newer_; ///< depths of something in front of the room
  std::vector<float> times_; ///< that it has been there, seconds
};

} // namespace pcl::gpu
