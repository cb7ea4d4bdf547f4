// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "pose_file.h"

#include "../command_line/errors.h"
#include "output_file.h"

#include <pcl/gpu/utils/internal/text_file.h>

#include <cmath>
#include <sstream>

namespace pcl::gpu::apps {

namespace {

const char* const pose_expectation = "the 12 or 16 numbers of a rigid transform's "
                                     "matrix, row by row, or tx ty tz qx qy qz qw";

bool
isLastRow(const float* numbers)
{
  return numbers[0] == 0.0f && numbers[1] == 0.0f && numbers[2] == 0.0f &&
         numbers[3] == 1.0f;
}

/** \brief Returns the pose that some numbers of a file describe.
 * \param[in] place the file, or a line of it, for the message
 */
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

/** \brief Returns the numbers in a text, and checks that there is nothing else. */
std::vector<float>
numbersIn(std::istream& text, const std::string& place)
{
  std::vector<float> numbers;
  for (float number; numbers.size() < 17 && text >> number;)
    numbers.push_back(number);
  if (!text.eof())
    throw fileError(place, "is no pose", pose_expectation);
  return numbers;
}

std::istringstream
openText(const std::string& path, const std::string& expectation)
{
  checkInputFile(path, expectation);
  return std::istringstream(asInput([&] { return readTextFile(path); }));
}

} // namespace

Pose
readPose(const std::string& path)
{
  std::istringstream text = openText(path, pose_expectation);
  return poseOfNumbers(numbersIn(text, path), path);
}

std::vector<Pose>
readCameraPath(const std::string& path)
{
  const std::string expectation = "a line for each pose: [t] x y z qx qy qz qw";
  std::istringstream text = openText(path, expectation);
  std::vector<Pose> poses;
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#')
      continue;
    const std::string place = path + ", line " + std::to_string(number);
    std::istringstream words(line);
    std::vector<float> numbers = numbersIn(words, place);
    // In lines of the TUM benchmark the first number is a time.
    if (numbers.size() == 8)
      numbers.erase(numbers.begin());
    poses.push_back(poseOfNumbers(numbers, place));
  }
  if (poses.empty())
    throw fileError(path, "has no poses", expectation);
  return poses;
}

void
writePose(const Pose& pose, const std::string& path)
{
  std::ostringstream text;
  text << pose.matrix().format(Eigen::IOFormat(9, Eigen::DontAlignCols)) << "\n";
  writeText(path, text.str());
}

} // namespace pcl::gpu::apps
