// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/people_room.h"

#include <pcl/gpu/articulated/joint_convention.h>
#include <pcl/gpu/utils/internal/kinect_noise.h>
#include <pcl/point_types.h>

#include <Eigen/Core>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace pcl::gpu::test {

/** \brief One picture of a person before a known room. */
struct PersonView {
  std::vector<pcl::PointXYZ> body; ///< points of the person, metres
  std::vector<pcl::PointXYZ> room; ///< points around it that show the room
  Eigen::Vector3f up;              ///< in the camera's frame, unit length
  float floor;                     ///< its height: the dot product with \a up
  std::vector<NamedJoint> joints;  ///< true ones: JointConvention::Itop
};

/** \brief Where a camera looks at a person from. */
enum class ViewSide {
  Front, ///< 2.2 to 3.5 m away; the person turns by up to 60 degrees
  Top    ///< 2.7 to 3 m above the floor; the person faces any direction
};

/** \brief Single pictures of a person in recorded poses, as the data set ITOP has them:
 * random frames of a clip, bodies of 0.95 to 1.15 of the recorded size, a Kinect's
 * noise at 320x240 pixels. Works on the current device. */
class PersonViews {
public:
  /** \param[in] clip a BVH file of CMU's database
   * \param[in] side of the camera
   * \param[in] seed of frames, places and noise
   */
  PersonViews(const std::string& clip, ViewSide side, std::uint64_t seed);

  /** \brief Renders the next picture. */
  PersonView
  next();

private:
  float
  between(float least, float most);

  std::string clip_;
  ViewSide side_;
  std::mt19937_64 random_;
  KinectNoise noise_;
};

} // namespace pcl::gpu::test
