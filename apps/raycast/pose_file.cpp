// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "pose_file.h"

#include "../common/errors.h"
#include "../common/output_file.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

namespace pcl {
namespace gpu {
namespace apps {

namespace {

const char* const expectation =
    "the 12 or 16 numbers of a rigid transform's matrix, row "
    "by row, or tx ty tz qx qy qz qw";

bool
isLastRow(const float* numbers)
{
  return numbers[0] == 0.0f && numbers[1] == 0.0f && numbers[2] == 0.0f &&
         numbers[3] == 1.0f;
}

} // namespace

Pose
readPose(const std::string& path)
{
  std::ifstream file(path);
  if (std::filesystem::is_directory(path))
    throw fileError(path, "is a folder", expectation);
  if (!file)
    throw fileError(path, std::strerror(errno), expectation);
  std::vector<float> numbers;
  for (float number; numbers.size() < 17 && file >> number;)
    numbers.push_back(number);
  if (!file.eof())
    throw fileError(path, "is no pose", expectation);

  Pose pose = Pose::Identity();
  if (numbers.size() == 7) {
    const Eigen::Quaternionf rotation(numbers[6], numbers[3], numbers[4], numbers[5]);
    if (!(std::abs(rotation.norm() - 1.0f) <= 0.01f))
      throw fileError(path, "is no rotation", "a quaternion of length 1");
    pose.linear() = rotation.normalized().toRotationMatrix();
    pose.translation() << numbers[0], numbers[1], numbers[2];
  }
  else if (numbers.size() == 12 || (numbers.size() == 16 && isLastRow(&numbers[12]))) {
    for (int i = 0; i < 12; ++i)
      pose(i / 4, i % 4) = numbers[i];
  }
  else
    throw fileError(path,
                    "is no pose (" + std::to_string(numbers.size()) + " numbers)",
                    expectation);
  try {
    validatePose(pose, "pose");
  }
  catch (const BadArgumentException&) {
    throw fileError(path, "is not rigid", "a rotation and a translation");
  }
  return pose;
}

void
writePose(const Pose& pose, const std::string& path)
{
  OutputFile file(path);
  std::ofstream out(file.temporary());
  out << pose.matrix().format(Eigen::IOFormat(9, Eigen::DontAlignCols)) << "\n";
  out.close();
  if (!out)
    throw std::runtime_error(path + ": cannot be written");
  file.commit();
}

} // namespace apps
} // namespace gpu
} // namespace pcl
