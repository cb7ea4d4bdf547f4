// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "people/room_model.h"

#include <cmath>

namespace pcl::gpu {

namespace {

/** \brief Returns the difference of depths up to which they may be of one surface. */
float
roomTolerance(float z)
{
  return 0.02f + 0.01f * z * z;
}

} // namespace

std::vector<bool>
RoomModel::compare(const PointCloud<PointXYZ>& cloud) const
{
  std::vector<bool> is_room(cloud.size(), false);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const float room = depthAt(i), z = cloud[i].z;
    is_room[i] = z > room - roomTolerance(room);
  }
  return is_room;
}

bool
RoomModel::hasMoved(const PointCloud<PointXYZ>& cloud) const
{
  constexpr float most_behind = 0.15f;
  std::size_t behind = 0, all = 0;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const float room = depthAt(i), z = cloud[i].z;
    if (!std::isfinite(room) || !std::isfinite(z))
      continue;
    ++all;
    behind += z > room + 2.0f * roomTolerance(room) ? 1 : 0;
  }
  return static_cast<float>(behind) > most_behind * static_cast<float>(all);
}

void
RoomModel::update(const PointCloud<PointXYZ>& cloud,
                  const std::vector<bool>& is_of_person,
                  float dt)
{
  constexpr float share = 0.1f;      // of new depths in the mean
  constexpr float until_room = 5.0f; // seconds
  depths_.resize(cloud.size(), missing);
  newer_.resize(cloud.size(), missing);
  times_.resize(cloud.size(), 0.0f);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const float z = cloud[i].z;
    float& room = depths_[i];
    if (!std::isfinite(z) || is_of_person[i])
      continue;
    const float tolerance = roomTolerance(z);
    if (std::isnan(room) || z > room + tolerance)
      room = z;
    else if (z > room - tolerance)
      room += share * (z - room);
    else {
      // Furniture that was moved is of the room once it stays there.
      const bool stays = std::abs(z - newer_[i]) < tolerance;
      times_[i] = stays ? times_[i] + dt : 0.0f;
      newer_[i] = z;
      if (times_[i] > until_room)
        room = z;
    }
  }
}

} // namespace pcl::gpu
