// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "image_reader.h"

#include "../command_line/errors.h"
#include "output_file.h"

#include <pcl/gpu/utils/missing_depth.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>

namespace pcl::gpu::apps {

namespace {

constexpr int max_size = 16384;

/** \brief Reads the next number of the header; -1 if there is none, or it is too
 * large. */
int
readNumber(std::istream& file)
{
  while (std::isspace(file.peek()) || file.peek() == '#')
    if (file.get() == '#')
      while (file.peek() != '\n' && file.peek() != EOF)
        file.get();
  int number = -1;
  while (std::isdigit(file.peek()) && number < 100000)
    number = 10 * std::max(number, 0) + (file.get() - '0');
  return number < 100000 ? number : -1;
}

/** \brief Reads a binary portable graymap (P5) of 16 bits. */
DepthImage
readDepthPgm(const std::string& path)
{
  const std::string expectation = "a binary PGM (P5) of 16 bits";
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw fileError(path, std::strerror(errno), expectation);
  char magic[2] = {};
  file.read(magic, sizeof magic);
  const int width = std::memcmp(magic, "P5", 2) == 0 ? readNumber(file) : -1;
  const int height = readNumber(file), largest = readNumber(file);
  if (width < 1 || height < 1 || width > max_size || height > max_size ||
      !std::isspace(file.get()))
    throw fileError(path, "no PGM of a usable size", expectation);
  if (largest < 256 || largest > 65535)
    throw fileError(
        path, "its largest value is " + std::to_string(largest), expectation);
  // Rows are added one by one: no memory is allocated that the file does not fill.
  DepthImage image;
  image.width = width;
  image.height = height;
  std::vector<unsigned char> row(2 * static_cast<std::size_t>(width));
  for (int y = 0; y < height; ++y) {
    if (!file.read(reinterpret_cast<char*>(row.data()),
                   static_cast<std::streamsize>(row.size())))
      throw fileError(path, "truncated", expectation);
    for (std::size_t i = 0; i < row.size(); i += 2)
      image.pixels.push_back(static_cast<std::uint16_t>(row[i] << 8 | row[i + 1]));
  }
  return image;
}

} // namespace

DepthImage
readDepthMap(const std::string& path, std::optional<std::uint16_t> missing_depth)
{
  DepthImage image = extensionOf(path) == ".pgm"
                         ? readDepthPgm(path)
                         : asInput([&] { return readDepthImage(path); });
  if (clearMissingDepth(image, missing_depth) != 0 && !missing_depth)
    noteMissingDepthMarker(path);
  return image;
}

void
noteMissingDepthMarker(const std::string& path)
{
  static std::once_flag noted;
  std::call_once(noted, [&] {
    printNote(path +
              ": 65535 is taken for not measured; --missing-depth 0 takes it for "
              "depth");
  });
}

ColorImage
readColorImage(const std::string& path)
{
  return asInput([&] { return gpu::readColorImage(path); });
}

} // namespace pcl::gpu::apps
