// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/video/rendered_room.h"

#include "testing/video/rendered_patterns.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pcl::gpu::test {

const Eigen::Vector3d room_lower(-2.8, 0.0, -4.2);
const Eigen::Vector3d room_upper(2.8, 2.6, 1.8);

namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;
using Shape = RoomPart::Shape;

/** \brief List of parts, each given by where it stands, boxes by their lower corner. */
class Furniture {
public:
  RoomPart&
  box(RoomObject object, Texture texture, const Vector3d& lower, const Vector3d& upper)
  {
    return add(
        {Shape::Box, object, texture, 0.5 * (lower + upper), 0.5 * (upper - lower)});
  }

  /** \brief Adds a turned box that stands on something. */
  RoomPart&
  standing(RoomObject object,
           Texture texture,
           const Vector3d& foot,
           const Vector3d& size,
           double degrees)
  {
    RoomPart& part = add({Shape::Box,
                          object,
                          texture,
                          foot + Vector3d(0.0, 0.5 * size.y(), 0.0),
                          0.5 * size});
    part.cosine = std::cos(degrees * pi / 180.0);
    part.sine = std::sin(degrees * pi / 180.0);
    return part;
  }

  RoomPart&
  ball(RoomObject object, Texture texture, const Vector3d& center, double radius)
  {
    return add({Shape::Ball, object, texture, center, Vector3d::Constant(radius)});
  }

  RoomPart&
  cylinder(RoomObject object,
           Texture texture,
           const Vector3d& foot,
           double radius,
           double height)
  {
    return add({Shape::Cylinder,
                object,
                texture,
                foot + Vector3d(0.0, 0.5 * height, 0.0),
                {radius, 0.5 * height, radius}});
  }

  std::vector<RoomPart> parts;

private:
  RoomPart&
  add(const RoomPart& part)
  {
    parts.push_back(part);
    return parts.back();
  }
};

constexpr double table_height = 0.75;
constexpr double counter_height = 0.9;

void
addTable(Furniture& room)
{
  const double y = table_height;
  room.box(RoomObject::Table, wood, {-0.85, y - 0.04, -2.85}, {0.85, y, -1.95});
  for (double x : {-0.75, 0.75})
    for (double z : {-2.75, -2.05})
      room.cylinder(RoomObject::Table, darkWood, {x, 0.0, z}, 0.03, y - 0.04);
  room.cylinder(RoomObject::Globe, darkWood, {0.08, y, -2.42}, 0.1, 0.025);
  room.cylinder(RoomObject::Globe, metal, {0.08, y + 0.025, -2.42}, 0.012, 0.08);
  room.ball(RoomObject::Globe, globe, {0.08, y + 0.265, -2.42}, 0.18);
  room.standing(RoomObject::Cereals, cereals, {-0.48, y, -2.4}, {0.2, 0.3, 0.07}, 22.0);
  room.standing(RoomObject::Carton, carton, {0.58, y, -2.55}, {0.34, 0.2, 0.24}, -17.0);
  room.cylinder(RoomObject::Can, label, {-0.2, y, -2.16}, 0.045, 0.13).seed = 4;
  room.cylinder(RoomObject::Mug, label, {0.36, y, -2.14}, 0.042, 0.1).seed = 9;
  room.ball(RoomObject::Fruit, fruit, {-0.66, y + 0.042, -2.14}, 0.042);
  room.ball(RoomObject::Fruit, fruit, {-0.565, y + 0.039, -2.11}, 0.039);
  room.standing(
          RoomObject::Books, bookSpines, {0.68, y, -2.13}, {0.2, 0.04, 0.15}, 12.0)
      .seed = 5;
  room.standing(RoomObject::Books,
                bookSpines,
                {0.67, y + 0.04, -2.13},
                {0.18, 0.03, 0.13},
                -8.0)
      .seed = 6;
}

void
addSofa(Furniture& room)
{
  const auto piece = [&](const Vector3d& lower, const Vector3d& upper) {
    room.box(RoomObject::Sofa, fabric, lower, upper);
  };
  piece({-2.75, 0.08, -3.0}, {-1.9, 0.42, -1.2});
  piece({-2.75, 0.42, -3.0}, {-2.5, 0.8, -1.2});
  piece({-2.75, 0.08, -3.18}, {-1.9, 0.6, -3.0});
  piece({-2.75, 0.08, -1.2}, {-1.9, 0.6, -1.02});
  room.standing(RoomObject::Sofa, fabric, {-2.38, 0.42, -2.7}, {0.14, 0.36, 0.4}, 18.0)
      .seed = 1;
  room.standing(
          RoomObject::Sofa, fabric, {-2.38, 0.42, -1.5}, {0.14, 0.34, 0.38}, -14.0)
      .seed = 1;
}

void
addBookshelf(Furniture& room)
{
  const double left = 1.2, right = 2.4, back = -4.19, front = -3.88;
  for (double x : {left, right - 0.03})
    room.box(RoomObject::Bookshelf, darkWood, {x, 0.0, back}, {x + 0.03, 1.9, front});
  for (double y : {0.05, 0.48, 0.91, 1.34, 1.87})
    room.box(RoomObject::Bookshelf,
             darkWood,
             {left + 0.03, y, back},
             {right - 0.03, y + 0.03, front});
  const auto books = [&](double from, double to, double y, double height, int seed) {
    room.box(RoomObject::Bookshelf,
             bookSpines,
             {left + from, y, back + 0.02},
             {left + to, y + height, front - 0.04})
        .seed = seed;
  };
  books(0.04, 0.72, 0.08, 0.33, 1);
  books(0.31, 1.16, 0.51, 0.3, 2);
  books(0.04, 0.54, 0.94, 0.31, 3);
  books(0.76, 1.16, 0.94, 0.28, 4);
  books(0.18, 0.9, 1.37, 0.34, 7);
  room.ball(RoomObject::Bookshelf, metal, {1.85, 1.05, -4.0}, 0.1).seed = 8;
  room.cylinder(RoomObject::Bookshelf, label, {1.36, 0.51, -4.02}, 0.07, 0.22).seed =
      11;
  room.standing(
      RoomObject::Bookshelf, carton, {2.15, 0.08, -4.03}, {0.3, 0.2, 0.2}, 5.0);
}

void
addCounter(Furniture& room)
{
  const double y = counter_height;
  const RoomObject object = RoomObject::Counter;
  room.box(object, drawers, {2.2, 0.0, -3.4}, {2.8, y, -0.4});
  room.box(object, tiles, {2.785, y, -3.4}, {2.8, y + 0.6, -0.4});
  room.box(object, oven, {2.4, y, -1.3}, {2.76, y + 0.3, -0.8});
  room.ball(object, metal, {2.5, y + 0.12, -1.8}, 0.12).seed = 3;
  room.cylinder(object, darkWood, {2.5, y + 0.235, -1.8}, 0.02, 0.03);
  for (int i = 0; i < 4; ++i)
    room.cylinder(object, label, {2.6, y, -3.1 + 0.2 * i}, 0.07, 0.24 - 0.03 * i).seed =
        20 + i;
  room.standing(object, cereals, {2.55, y, -2.15}, {0.2, 0.3, 0.07}, 70.0);
}

void
addWallPictures(Furniture& room)
{
  const auto picture =
      [&](Texture texture, const Vector3d& lower, const Vector3d& upper, int seed) {
        room.box(RoomObject::Posters, texture, lower, upper).seed = seed;
      };
  picture(textPoster, {-1.75, 0.95, -4.2}, {-1.0, 2.0, -4.175}, 1);
  picture(landscape, {-0.75, 1.2, -4.2}, {0.2, 1.85, -4.175}, 0);
  picture(testChart, {0.4, 1.15, -4.2}, {1.0, 2.0, -4.175}, 0);
  picture(window, {-2.8, 1.0, -2.9}, {-2.77, 2.2, -1.3}, 0);
  room.parts.back().shines = true;
  picture(landscape, {-2.8, 1.2, -0.6}, {-2.775, 1.8, 0.4}, 2);
  picture(textPoster, {2.775, 1.0, 0.2}, {2.8, 2.0, 1.0}, 2);
  picture(testChart, {-1.6, 1.0, 1.775}, {-1.0, 1.9, 1.8}, 0);
  picture(textPoster, {0.2, 0.9, 1.775}, {1.1, 2.1, 1.8}, 3);
}

Furniture
makeRoom()
{
  Furniture room;
  addTable(room);
  addSofa(room);
  addBookshelf(room);
  addCounter(room);
  addWallPictures(room);
  room.ball(RoomObject::Ball, beachBall, {-0.95, 0.152, -1.25}, 0.14);
  room.cylinder(RoomObject::Stool, darkWood, {1.15, 0.0, -1.55}, 0.14, 0.03);
  room.cylinder(RoomObject::Stool, metal, {1.15, 0.03, -1.55}, 0.025, 0.4);
  room.cylinder(RoomObject::Stool, wood, {1.15, 0.43, -1.55}, 0.18, 0.05);
  const Vector3d pot(-2.3, 0.0, -3.75);
  room.cylinder(RoomObject::Plant, metal, pot, 0.17, 0.32).seed = 40;
  const double balls[5][4] = {{0.0, 0.75, 0.0, 0.24},
                              {0.17, 0.98, 0.05, 0.18},
                              {-0.16, 1.05, -0.03, 0.17},
                              {0.02, 1.22, 0.06, 0.16},
                              {0.08, 0.55, 0.16, 0.15}};
  for (const double(&ball)[4] : balls) {
    const Vector3d offset(ball[0], ball[1], ball[2]);
    room.ball(RoomObject::Plant, leaves, pot + offset, ball[3]).seed =
        room.parts.size() & 15;
  }
  room.ball(RoomObject::Lamp, glow, {0.0, 2.2, -1.5}, 0.16).shines = true;
  room.cylinder(RoomObject::Lamp, metal, {0.0, 2.35, -1.5}, 0.01, 0.25);
  room.box(RoomObject::Rug, rug, {-1.5, 0.0, -1.75}, {0.9, 0.012, -0.15});
  return room;
}

/** \brief Share of the light from above that reaches a flat surface, in a grid. */
class Shade {
public:
  Shade(double height, const Vector3d& lower, const Vector3d& upper)
  : x_(lower.x())
  , z_(lower.z())
  , columns_(std::lround((upper.x() - lower.x()) / cell) + 2)
  {
    const int rows = std::lround((upper.z() - lower.z()) / cell) + 2;
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns_; ++column)
        values_.push_back(valueAt({x_ + column * cell, height, z_ + row * cell}));
  }

  float
  at(const Vector3d& point) const
  {
    const double x = std::max(0.0, (point.x() - x_) / cell);
    const double z = std::max(0.0, (point.z() - z_) / cell);
    const int rows = static_cast<int>(values_.size()) / columns_;
    const int column = std::min(static_cast<int>(x), columns_ - 2);
    const int row = std::min(static_cast<int>(z), rows - 2);
    const float a = static_cast<float>(x - column);
    const float b = static_cast<float>(z - row);
    const float* const value = &values_[row * columns_ + column];
    return (1.0f - b) * ((1.0f - a) * value[0] + a * value[1]) +
           b * ((1.0f - a) * value[columns_] + a * value[columns_ + 1]);
  }

private:
  static constexpr double cell = 0.02;

  /** \brief Returns the share at a point. Parts above cast shadows below them, softer
   * ones from higher up. */
  static float
  valueAt(const Vector3d& point)
  {
    float value = 1.0f;
    for (const RoomPart& part : roomParts()) {
      const double height = part.center.y() - part.half.y() - point.y();
      if (height < -0.005 || height > 1.0 || part.object == RoomObject::Rug ||
          part.object == RoomObject::Posters)
        continue;
      const Vector3d to = part.turned(point - part.center);
      const double distance =
          part.shape == Shape::Box
              ? std::hypot(std::max(0.0, std::abs(to.x()) - part.half.x()),
                           std::max(0.0, std::abs(to.z()) - part.half.z()))
              : std::max(0.0, std::hypot(to.x(), to.z()) - 0.8 * part.half.x());
      const double softness = 0.06 + 0.25 * part.half.y() + 0.6 * height;
      const double share = std::clamp(1.0 - distance / softness, 0.0, 1.0);
      value *= 1.0f - static_cast<float>(0.42 * share * share / (1.0 + height));
    }
    return value;
  }

  double x_;
  double z_;
  int columns_;
  std::vector<float> values_;
};

float
floorShade(const Vector3d& point)
{
  static const Shade shade(0.0, room_lower, room_upper);
  return shade.at(point);
}

float
topShade(const RoomPart& part, const Vector3d& point)
{
  static const Shade table(table_height, {-0.85, 0, -2.85}, {0.85, 0, -1.95});
  static const Shade counter(counter_height, {2.2, 0, -3.4}, {2.8, 0, -0.4});
  if (part.object == RoomObject::Rug)
    return floorShade(point);
  if (part.texture == wood && part.object == RoomObject::Table)
    return table.at(point);
  return part.texture == drawers ? counter.at(point) : 1.0f;
}

/** \brief Returns the light on a matt surface: from the lamp, the window and all
 * around. */
Color
light(const Vector3f& point, const Vector3f& normal)
{
  const Vector3f to_lamp = Vector3f(0.0f, 2.3f, -1.5f) - point;
  const float squared = to_lamp.squaredNorm();
  const float lamp = std::max(0.0f, 0.15f + normal.dot(to_lamp) / std::sqrt(squared)) /
                     (1.0f + 0.12f * squared);
  const Vector3f to_window = Vector3f(-2.8f, 1.6f, -2.1f) - point;
  const float far = to_window.squaredNorm();
  const float day = std::max(0.0f, 0.2f + normal.dot(to_window) / std::sqrt(far)) /
                    (1.0f + 0.25f * far);
  const float around = 0.56f + 0.1f * normal.y();
  return around * Color(0.98f, 0.99f, 1.02f) + 0.52f * lamp * Color(1.06f, 1.0f, 0.9f) +
         0.35f * day * Color(0.9f, 0.98f, 1.12f);
}

/** \brief Returns the darkness of corners.
 * \param[in] distance from the corner, metres
 */
float
corner(double distance)
{
  return 1.0f - 0.26f * static_cast<float>(0.15 / (0.15 + std::max(0.0, distance)));
}

/** \brief Sets a texture's point of a box's face. Returns the face's normal. */
Vector3d
boxFace(const RoomPart& part, const Vector3d& point, SurfacePoint& surface)
{
  int axis;
  point.cwiseQuotient(part.half).cwiseAbs().maxCoeff(&axis);
  const double side = point[axis] < 0.0 ? -1.0 : 1.0;
  const Vector3d& half = part.half;
  surface.face = 2 * axis + (side > 0.0);
  const int across = axis == 0 ? 2 : 0;
  // To the right as seen from outside: +x before a face +z, -z before a face +x.
  const double right = axis == 2 ? side : axis == 0 ? -side : 1.0;
  surface.s = static_cast<float>(half[across] + right * point[across]);
  surface.t =
      static_cast<float>(axis == 1 ? half.z() + point.z() : half.y() - point.y());
  surface.width = static_cast<float>(2.0 * half[across]);
  surface.height = static_cast<float>(2.0 * half[axis == 1 ? 2 : 1]);
  return side * Vector3d::Unit(axis);
}

Vector3d
cylinderFace(const RoomPart& part, const Vector3d& point, SurfacePoint& surface)
{
  const double radius = part.half.x();
  surface.width = static_cast<float>(2.0 * pi * radius);
  surface.height = static_cast<float>(2.0 * part.half.y());
  if (std::abs(point.y()) < part.half.y() * (1.0 - 1e-9)) {
    surface.s = static_cast<float>(radius * (std::atan2(point.x(), point.z()) + pi));
    surface.t = static_cast<float>(part.half.y() - point.y());
    return {point.x() / radius, 0.0, point.z() / radius};
  }
  surface.face = point.y() < 0.0 ? 2 : 3;
  surface.s = static_cast<float>(point.x() + radius);
  surface.t = static_cast<float>(point.z() + radius);
  return {0.0, point.y() < 0.0 ? -1.0 : 1.0, 0.0};
}

} // namespace

const std::vector<RoomPart>&
roomParts()
{
  static const std::vector<RoomPart> parts = makeRoom().parts;
  return parts;
}

RoomPart
movingBall(double time)
{
  const double way = 0.1 * time - std::floor(0.1 * time);
  const double hop = 4.0 * way - std::floor(4.0 * way);
  Furniture room;
  return room.ball(RoomObject::MovingBall,
                   beachBall,
                   {-1.9 + 3.8 * way, 0.15 + 4.0 * 1.1 * hop * (1.0 - hop), -1.6},
                   0.13);
}

Color
partColor(const RoomPart& part, const Vector3d& point)
{
  SurfacePoint surface;
  surface.seed = part.seed;
  Vector3d normal;
  if (part.shape == Shape::Box)
    normal = boxFace(part, point, surface);
  else if (part.shape == Shape::Cylinder)
    normal = cylinderFace(part, point, surface);
  else {
    normal = point / part.half.x();
    surface.unit = normal.cast<float>();
  }
  const Color color = part.texture(surface);
  if (part.shines)
    return color;
  const Vector3d position = part.center + part.turnedBack(point);
  normal = part.turnedBack(normal);
  float shade = 1.0f;
  if (normal.y() > 0.99)
    shade = topShade(part, position);
  else if (part.object != RoomObject::Posters && part.object != RoomObject::MovingBall)
    shade = corner(point.y() + part.half.y());
  if (part.object == RoomObject::Bookshelf)
    shade *= 0.5f + 0.5f * static_cast<float>(
                               std::clamp((position.z() + 4.2) / 0.3, 0.0, 1.0));
  return shade * color * light(position.cast<float>(), normal.cast<float>());
}

Color
wallColor(const Vector3d& point)
{
  const Vector3d from_lower = point - room_lower;
  const Vector3d from_upper = room_upper - point;
  int low, high;
  const double lowest = from_lower.minCoeff(&low);
  const double highest = from_upper.minCoeff(&high);
  const int axis = lowest < highest ? low : high;
  SurfacePoint surface;
  surface.s = static_cast<float>(from_lower[axis == 0 ? 2 : 0]);
  surface.t = static_cast<float>(axis == 1 ? from_lower.z() : from_upper.y());
  const Vector3d normal = (lowest < highest ? 1.0 : -1.0) * Vector3d::Unit(axis);
  const Color illumination = light(point.cast<float>(), normal.cast<float>());
  if (axis == 1 && lowest < highest)
    return floorShade(point) * parquet(surface) * illumination;
  const int side = axis == 0 ? 2 : 0;
  float shade = corner(std::min(from_lower[side], from_upper[side])) *
                corner(from_upper[axis == 1 ? 2 : 1]);
  if (axis == 1)
    return shade * plaster(surface) * illumination;
  shade *= corner(from_lower.y());
  const Color color =
      axis == 2 ? wallpaper(surface) : plaster(surface) * Color(0.9f, 0.95f, 0.93f);
  const float board = within(surface.t, 2.51f, 2.7f);
  return shade * mix(color, Color(206, 202, 194), board) * illumination;
}

} // namespace pcl::gpu::test
