// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "people/person_search.h"

#include <pcl/gpu/utils/argument_checks.h>

namespace pcl::gpu {

void
PeopleDetectionParameters::validate() const
{
  checkPositive("farthest", farthest);
  checkArgument(!statures.empty(), "number of statures", 0, "1 or more");
  for (const float stature : statures)
    checkPositive("a stature", stature);
  checkPositive("min area", min_area);
  checkBetween("min confidence", min_confidence, 0.0f, 1.0f, "0 to 1");
  checkAtLeast("max people", max_people, 1);
}

std::vector<DetectedPerson>
PeopleDetection::detect(const PointCloud<PointXYZ>& cloud) const
{
  checkArgument(cloud.isOrganized(),
                "height of the cloud",
                cloud.height,
                "an organized cloud, of 2 rows or more");
  const DepthPicture picture(cloud, search_columns, parameters_.farthest);
  if (picture.camera.width == 0)
    return {};
  const RoomPlanes planes = findRoomPlanes(picture.cloud, picture.pixel_angle);
  return searchPeople(parameters_,
                      picture,
                      {planes.is_plane, floorOf(planes.planes)},
                      parameters_.min_confidence);
}

} // namespace pcl::gpu
