// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "images/image_formats.h"

#include <pcl/gpu/utils/image_file.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace pcl::gpu {

namespace {

// Returns the first bytes of a file. They show the kind of an image more reliably than
// its name.
std::array<unsigned char, 4>
firstBytes(const std::string& path)
{
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throwFileException(path, std::strerror(errno), "a JPEG or PNG image");
  std::array<unsigned char, 4> bytes{};
  file.read(reinterpret_cast<char*>(bytes.data()), bytes.size());
  return bytes;
}

} // namespace

ColorImage
readColorImage(const std::string& path)
{
  const auto bytes = firstBytes(path);
  if (std::memcmp(bytes.data(), "\x89PNG", 4) == 0)
    return readColorPng(path);
  if (std::memcmp(bytes.data(), "\xff\xd8", 2) == 0)
    return readJpeg(path);
  throwFileException(path, "neither JPEG nor PNG", "a JPEG or PNG image");
}

} // namespace pcl::gpu
