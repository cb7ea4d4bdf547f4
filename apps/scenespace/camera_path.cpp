// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "camera_path.h"

#include "../common/errors.h"
#include "../common/pose_numbers.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace pcl::gpu::apps {

namespace {

Pose
poseOfLine(const std::string& line, const std::string& place)
{
  std::istringstream words(line);
  std::vector<float> numbers;
  for (float number; words >> number;)
    numbers.push_back(number);
  if (!words.eof())
    throw fileError(place, "is no pose", pose_expectation);
  // Of the TUM benchmark's lines the first number is a time.
  if (numbers.size() == 8)
    numbers.erase(numbers.begin());
  return poseOfNumbers(numbers, place);
}

} // namespace

std::vector<Pose>
readCameraPath(const std::string& path)
{
  const std::string expectation = "a line for each pose: [t] x y z qx qy qz qw";
  std::ifstream file(path);
  if (std::filesystem::is_directory(path))
    throw fileError(path, "is a folder", expectation);
  if (!file)
    throw fileError(path, std::strerror(errno), expectation);
  std::vector<Pose> poses;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#')
      continue;
    poses.push_back(poseOfLine(line, path + ", line " + std::to_string(number)));
  }
  if (poses.empty())
    throw fileError(path, "has no poses", expectation);
  return poses;
}

} // namespace pcl::gpu::apps
