// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "people/depth_picture.h"
#include "people/room_planes.h"

#include <pcl/gpu/articulated/people_detection.h>

#include <Eigen/Geometry>

#include <vector>

namespace pcl::gpu {

/** \brief Most columns of a picture that people are looked for in. */
constexpr std::uint32_t search_columns = 160;

/** \brief The part of a picture where nobody needs to be looked for. */
struct KnownRoom {
  std::vector<bool> is_room; ///< each point is of the room, or of someone who is known
  RoomPlane floor;           ///< of area 0 if none is known
};

/** \brief Finds people in a picture.
 * \param[in] parameters of the search
 * \param[in] picture of search_columns
 * \param[in] room of the picture
 * \param[in] doubtful_confidence least confidence of bodies that may be people, at most
 * the least one of people
 * \return the people: those who are nearly upright first, roughly by the area that
 * their trunks show. Then the bodies that may be people
 */
std::vector<DetectedPerson>
searchPeople(const PeopleDetectionParameters& parameters,
             const DepthPicture& picture,
             const KnownRoom& room,
             float doubtful_confidence);

/** \brief Returns the orientation of an upright body that faces the camera. */
Eigen::Quaternionf
upright();

/** \brief Returns the pose of a standing person with arms that hang down.
 * \param[in] skeleton of makeHumanSkeleton(), in any size
 */
std::vector<float>
standingPose(const Skeleton& skeleton);

} // namespace pcl::gpu
