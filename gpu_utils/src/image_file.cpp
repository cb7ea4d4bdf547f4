// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "file_exception.h"
#include "jpeg_reader.h"
#include "png_reader.h"

#include <pcl/gpu/utils/image_file.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace pcl {
namespace gpu {

namespace {

// The first bytes tell the kind of an image more reliably than its name.
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

/** \brief Gives an image the size that a file's header says. */
template <typename Pixel, typename Reader>
void
resizeFor(Image<Pixel>& image, const Reader& reader, const std::string& path)
{
  constexpr int largest_side = 16384;
  if (reader.width() > largest_side || reader.height() > largest_side)
    throwFileException(path, "the image is too large", "at most 16384 x 16384 pixels");
  image.resize(reader.width(), reader.height());
}

ColorImage
readPng(const std::string& path)
{
  static_assert(sizeof(RGB) == 4, "RGB is blue, green, red, alpha");
  PngReader reader(path);
  ColorImage image;
  resizeFor(image, reader, path);
  reader.readBgra(reinterpret_cast<png_byte*>(image.pixels.data()));
  return image;
}

ColorImage
readJpeg(const std::string& path)
{
  JpegReader reader(path);
  ColorImage image;
  resizeFor(image, reader, path);
  reader.start();
  RGB* pixel = image.pixels.data();
  for (int row = 0; row < image.height; ++row) {
    const JSAMPLE* source = reader.readRow();
    for (int column = 0; column < image.width; ++column, ++pixel, source += 3)
      *pixel = RGB(source[0], source[1], source[2]);
  }
  return image;
}

} // namespace

DepthImage
readDepthImage(const std::string& path)
{
  PngReader reader(path);
  if (reader.bitDepth() != 16 || !reader.isGrey())
    throwFileException(path,
                       "is a " + std::to_string(reader.bitDepth()) + "-bit " +
                           (reader.isGrey() ? "grey" : "colour") + " image",
                       "a 16-bit grey PNG");
  DepthImage image;
  resizeFor(image, reader, path);
  reader.readGrey16(image.pixels.data());
  return image;
}

ColorImage
readColorImage(const std::string& path)
{
  const auto bytes = firstBytes(path);
  if (std::memcmp(bytes.data(), "\x89PNG", 4) == 0)
    return readPng(path);
  if (std::memcmp(bytes.data(), "\xff\xd8", 2) == 0)
    return readJpeg(path);
  throwFileException(path, "neither JPEG nor PNG", "a JPEG or PNG image");
}

} // namespace gpu
} // namespace pcl
