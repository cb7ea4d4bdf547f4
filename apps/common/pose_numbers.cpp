// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "pose_numbers.h"

#include "errors.h"

#include <cmath>

namespace pcl::gpu::apps {

const char* const pose_expectation =
    "the 12 or 16 numbers of a rigid transform's matrix, row "
    "by row, or tx ty tz qx qy qz qw";

namespace {

bool
isLastRow(const float* numbers)
{
  return numbers[0] == 0.0f && numbers[1] == 0.0f && numbers[2] == 0.0f &&
         numbers[3] == 1.0f;
}

} // namespace

Pose
poseOfNumbers(const std::vector<float>& numbers, const std::string& place)
{
  Pose pose = Pose::Identity();
  if (numbers.size() == 7) {
    const Eigen::Quaternionf rotation(numbers[6], numbers[3], numbers[4], numbers[5]);
    if (!(std::abs(rotation.norm() - 1.0f) <= 0.01f))
      throw fileError(place, "is no rotation", "a quaternion of length 1");
    pose.linear() = rotation.normalized().toRotationMatrix();
    pose.translation() << numbers[0], numbers[1], numbers[2];
  }
  else if (numbers.size() == 12 || (numbers.size() == 16 && isLastRow(&numbers[12]))) {
    for (int i = 0; i < 12; ++i)
      pose(i / 4, i % 4) = numbers[i];
  }
  else
    throw fileError(place,
                    "is no pose (" + std::to_string(numbers.size()) + " numbers)",
                    pose_expectation);
  try {
    validatePose(pose, "pose");
  }
  catch (const BadArgumentException&) {
    throw fileError(place, "is not rigid", "a rotation and a translation");
  }
  return pose;
}

} // namespace pcl::gpu::apps
