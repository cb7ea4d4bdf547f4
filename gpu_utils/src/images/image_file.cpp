// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "images/image_formats.h"

#include <pcl/gpu/utils/argument_checks.h>
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

/** \brief Checks that an image has pixels, and width x height of them. */
template <typename Pixel>
void
checkImage(const Image<Pixel>& image)
{
  const auto isSide = [](int side) { return side > 0 && side <= largest_side; };
  if (!isSide(image.width) || !isSide(image.height) ||
      image.pixels.size() != static_cast<std::size_t>(image.width) * image.height)
    PCL_THROW_EXCEPTION(
        BadArgumentException,
        "image has " << image.width << " x " << image.height << " pixels, "
                     << image.pixels.size() << " of them stored: expected 1 x 1 to "
                     << largest_side << " x " << largest_side << ", all stored");
}

} // namespace

DepthImage
readDepthImage(const std::string& path)
{
  return readGreyPng(path);
}

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

void
writeDepthImage(const std::string& path, const DepthImage& image)
{
  checkImage(image);
  writePng(path, image);
}

void
writeColorImage(const std::string& path, const ColorImage& image)
{
  checkImage(image);
  writePng(path, image);
}

} // namespace pcl::gpu
