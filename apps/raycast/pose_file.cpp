// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "pose_file.h"

#include "../common/errors.h"
#include "../common/output_file.h"
#include "../common/pose_numbers.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

namespace pcl::gpu::apps {

Pose
readPose(const std::string& path)
{
  std::ifstream file(path);
  if (std::filesystem::is_directory(path))
    throw fileError(path, "is a folder", pose_expectation);
  if (!file)
    throw fileError(path, std::strerror(errno), pose_expectation);
  std::vector<float> numbers;
  for (float number; numbers.size() < 17 && file >> number;)
    numbers.push_back(number);
  if (!file.eof())
    throw fileError(path, "is no pose", pose_expectation);
  return poseOfNumbers(numbers, path);
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

} // namespace pcl::gpu::apps
