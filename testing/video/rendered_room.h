// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "testing/video/rendered_textures.h"

#include <Eigen/Core>

#include <vector>

namespace pcl::gpu::test {

/** \brief Objects in the rendered room. Several parts may make an object. */
enum class RoomObject {
  None,
  Walls, ///< with floor and ceiling
  Table,
  Globe,
  Cereals,
  Carton,
  Can,
  Mug,
  Fruit,
  Books, ///< on the table
  Sofa,
  Bookshelf,
  Counter, ///< with what stands on it
  Ball,
  Stool,
  Plant,
  Lamp,
  Rug,
  Posters, ///< with the window
  MovingBall
};

/** \brief Contents of the room at some time. Light does not change: an object that is
 * left out leaves its shadow, as if cut out of a picture, and the moving ball has
 * none. */
struct RoomContents {
  RoomObject without = RoomObject::None;
  bool moving_ball = false; ///< a ball bounces through the room, once in 10 s
  double time = 0.0;        ///< seconds, for the ball
};

/** \brief A shape of the room. World: metres, x to the right, y upwards, -z forward. */
struct RoomPart {
  enum class Shape { Box, Ball, Cylinder };

  Shape shape;
  RoomObject object;
  Texture texture;
  Eigen::Vector3d center;
  Eigen::Vector3d half; ///< size from the centre; of a cylinder, y is along its axis
  double cosine = 1.0;  ///< of the angle about y
  double sine = 0.0;
  std::uint32_t seed = 0;
  bool shines = false;

  /** \brief Turns a direction of the world into the part's own frame. */
  Eigen::Vector3d
  turned(const Eigen::Vector3d& v) const
  {
    return {cosine * v.x() - sine * v.z(), v.y(), sine * v.x() + cosine * v.z()};
  }

  /** \brief Turns a direction of the part's own frame into the world. */
  Eigen::Vector3d
  turnedBack(const Eigen::Vector3d& v) const
  {
    return {cosine * v.x() + sine * v.z(), v.y(), cosine * v.z() - sine * v.x()};
  }
};

/** \brief Corners of the room. */
extern const Eigen::Vector3d room_lower, room_upper;

/** \brief Returns all parts in the room. */
const std::vector<RoomPart>&
roomParts();

/** \brief Returns the ball that bounces through the room. */
RoomPart
movingBall(double time);

/** \brief Returns the colour at a point of a part.
 * \param[in] point on its surface, in its own frame
 */
Color
partColor(const RoomPart& part, const Eigen::Vector3d& point);

/** \brief Returns the colour at a point of a wall, the floor or the ceiling. */
Color
wallColor(const Eigen::Vector3d& point);

} // namespace pcl::gpu::test
