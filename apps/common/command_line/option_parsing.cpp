// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "option_parsing.h"

#include "../files/output_file.h"
#include "errors.h"

#include <pcl/gpu/utils/internal/number_text.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace pcl::gpu::apps {

namespace {

std::string_view
withoutSpaceBefore(std::string_view text)
{
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

} // namespace

bool
isPositive(float number)
{
  return std::isfinite(number) && number > 0.0f;
}

std::vector<float>
parseNumbers(const std::string& option,
             const std::string& text,
             const std::string& expectation)
{
  std::vector<float> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const auto number = numberOf<float>(withoutSpaceBefore(part));
    if (!number || !std::isfinite(*number))
      throw InputError(option + " " + text + ": expected " + expectation);
    numbers.push_back(*number);
  }
  return numbers;
}

Eigen::Vector3f
parsePoint(const std::string& option, const std::string& text)
{
  const std::vector<float> n = parseNumbers(option, text, "x,y,z");
  checkOption(n.size() == 3, option + " " + text, "x,y,z");
  const Eigen::Vector3f point(n[0], n[1], n[2]);
  checkOption(
      std::isfinite(point.squaredNorm()), option + " " + text, "numbers below 1e19");
  return point;
}

PinholeCamera
parseIntrinsics(const std::string& option, const std::string& text)
{
  const std::string expectation = "fx,fy,cx,cy in pixels, focal lengths above 0";
  const std::vector<float> numbers = parseNumbers(option, text, expectation);
  if (numbers.size() != 4 || numbers[0] <= 0.0f || numbers[1] <= 0.0f)
    throw InputError(option + " " + text + ": expected " + expectation);
  PinholeCamera camera;
  camera.fx = numbers[0];
  camera.fy = numbers[1];
  camera.cx = numbers[2];
  camera.cy = numbers[3];
  return camera;
}

PinholeCamera
usualCamera(int width, int height, float focal_length)
{
  PinholeCamera camera;
  camera.fx = camera.fy = focal_length * static_cast<float>(width) / 640.0f;
  camera.cx = 0.5f * static_cast<float>(width - 1);
  camera.cy = 0.5f * static_cast<float>(height - 1);
  return camera;
}

ImageSize
parseSize(const std::string& option, const std::string& text, int least, int most)
{
  ImageSize size;
  const std::size_t cross = text.find('x');
  if (cross != std::string::npos &&
      text.find_first_not_of("0123456789x") == std::string::npos && text.size() < 12) {
    size.width = std::atoi(text.c_str());
    size.height = std::atoi(text.c_str() + cross + 1);
  }
  if (size.width < least || size.height < least || size.width > most ||
      size.height > most)
    throw InputError(option + " " + text + ": expected WIDTHxHEIGHT, " +
                     std::to_string(least) + " to " + std::to_string(most));
  return size;
}

FrameRange
parseFrames(const std::string& option, const std::string& text)
{
  const auto fail = [&] {
    throw InputError(option + " " + text +
                     ": expected FIRST:LAST, numbers from 0 on, or one of them");
  };
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || text.size() > 18 ||
      text.find_first_not_of("0123456789:") != std::string::npos ||
      text.find(':', colon + 1) != std::string::npos)
    fail();
  const std::string first = text.substr(0, colon), last = text.substr(colon + 1);
  if (first.size() > 9 || last.size() > 9)
    fail();
  FrameRange range;
  if (!first.empty())
    range.first = std::atoi(first.c_str());
  if (!last.empty())
    range.last = std::atoi(last.c_str());
  if (range.last < range.first)
    fail();
  return range;
}

std::size_t
parseMemory(const std::string& option, const std::string& text)
{
  const std::string units = "KMGT";
  const std::string_view size = withoutSpaceBefore(text);
  std::size_t length = 0;
  double bytes = readNumber<double>(size, length).value_or(0.0);
  const std::string_view unit = size.substr(length);
  const std::size_t power =
      unit.size() == 1 ? units.find(static_cast<char>(
                             std::toupper(static_cast<unsigned char>(unit[0]))))
                       : std::string::npos;
  if (power != std::string::npos)
    bytes = std::ldexp(bytes, 10 * (static_cast<int>(power) + 1));
  const bool is_number = length > 0 && (unit.empty() || power != std::string::npos);
  if (!is_number || !(bytes >= 1.0 && bytes < 1e18))
    throw InputError(option + " " + text +
                     ": expected bytes, or a number followed by K, M, G or T");
  return static_cast<std::size_t>(bytes);
}

void
checkSharing(const SharingOptions& sharing, const std::string& folder)
{
  checkOption(!sharing.goesOn() || !folder.empty(),
              sharing.resume ? "--resume" : "--shard",
              "--output-directory FOLDER, too");
}

void
checkExtension(const std::string& path, const std::string& extension)
{
  if (!path.empty() && extensionOf(path) != extension)
    throw fileError(path, "unknown kind of file", extension);
}

} // namespace pcl::gpu::apps
