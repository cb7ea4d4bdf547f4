// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "frame_files.h"

#include "../command_line/errors.h"
#include "output_file.h"

#include <pcl/gpu/utils/internal/natural_order.h>

#include <algorithm>
#include <filesystem>

namespace pcl::gpu::apps {

namespace fs = std::filesystem;

namespace {

bool
isFrame(const fs::path& path)
{
  const std::string extension = extensionOf(path.string());
  return extension == ".pcd" || extension == ".png";
}

bool
isColorOfFrame(const fs::path& path)
{
  return extensionOf(path.string()) == ".png" && path.stem().extension() == ".color";
}

std::vector<std::string>
framesInFolder(const std::string& folder)
{
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path& path = entry.path();
    if (entry.is_regular_file() && isFrame(path) && !isColorOfFrame(path))
      files.push_back(path.string());
  }
  if (files.empty())
    throw fileError(folder, "no frames in this folder", "*.png or *.pcd");
  std::sort(files.begin(), files.end(), isBefore);
  return files;
}

} // namespace

std::vector<std::string>
findFrameFiles(const std::vector<std::string>& inputs)
{
  std::vector<std::string> files;
  for (const std::string& input : inputs) {
    if (fs::is_directory(input)) {
      const std::vector<std::string> found = framesInFolder(input);
      files.insert(files.end(), found.begin(), found.end());
      continue;
    }
    if (!fs::exists(input))
      throw fileError(input, "no such file", "a 16-bit PNG, a PCD or a folder of them");
    if (!isFrame(input))
      throw fileError(input, "unknown kind of file", "a 16-bit PNG or a PCD");
    if (isColorOfFrame(input))
      throw fileError(input, "has a colour image's name", "a 16-bit PNG or a PCD");
    files.push_back(input);
  }
  return files;
}

} // namespace pcl::gpu::apps
