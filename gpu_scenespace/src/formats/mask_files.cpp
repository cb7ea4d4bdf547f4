// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "formats/file_names.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/scenespace/video/mask_files.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

namespace pcl::gpu {

namespace {

namespace files = std::filesystem;

Image<std::uint8_t>
readMask(const std::string& file)
{
  const ColorImage image = readColorImage(file);
  Image<std::uint8_t> mask;
  mask.resize(image.width, image.height);
  std::transform(image.pixels.begin(),
                 image.pixels.end(),
                 mask.pixels.begin(),
                 [](const RGB& color) {
                   return std::uint8_t(color.r || color.g || color.b ? 255 : 0);
                 });
  return mask;
}

/** \brief The file of each frame that has one, by the frames' names; none if a file has
 * the name of no frame. */
std::map<int, std::string>
byNames(const std::vector<std::string>& names, const RGBDVideo& video)
{
  std::map<std::string, int> numbers;
  for (int i = 0; i < video.size(); ++i) {
    const std::string name = video.view(i).name;
    numbers.emplace(name, i);
    numbers.emplace(stemOf(name), i);
  }
  std::map<int, std::string> found;
  for (const std::string& name : names) {
    const auto number = numbers.find(stemOf(name));
    if (number == numbers.end())
      return {};
    found[number->second] = name;
  }
  return found;
}

std::map<int, std::string>
filesOfFrames(const std::string& folder, const RGBDVideo& video)
{
  const std::vector<std::string> names = filesEndingIn(folder, {".png"});
  std::map<int, std::string> found = byNames(names, video);
  if (found.empty() && static_cast<int>(names.size()) == video.size())
    for (int i = 0; i < video.size(); ++i)
      found[i] = names[i];
  if (found.empty())
    PCL_THROW_EXCEPTION(IOException,
                        folder << ": " << names.size()
                               << " PNG files: expected masks with names of frames, or "
                               << video.size() << ", one for each frame");
  for (auto& file : found)
    file.second = inFolder(folder, file.second);
  return found;
}

} // namespace

std::function<Image<std::uint8_t>(int number)>
openMasks(const std::string& path, const RGBDVideo& video)
{
  if (!files::exists(path))
    PCL_THROW_EXCEPTION(IOException,
                        path << ": no such file: expected a mask, or a folder of them");
  if (!files::is_directory(path))
    return [path](int) { return readMask(path); };
  return [masks = filesOfFrames(path, video)](int number) {
    const auto file = masks.find(number);
    return file == masks.end() ? Image<std::uint8_t>() : readMask(file->second);
  };
}

} // namespace pcl::gpu
