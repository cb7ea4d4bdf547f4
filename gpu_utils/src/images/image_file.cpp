// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "files/file_exception.h"
#include "jpeg_reader.h"
#include "png_reader.h"
#include "png_writer.h"

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

constexpr int largest_side = 16384;

/** \brief Gives an image the size in a file's header. */
template <typename Pixel, typename Reader>
void
resizeFor(Image<Pixel>& image, const Reader& reader, const std::string& path)
{
  if (reader.width() > largest_side || reader.height() > largest_side)
    throwFileException(path, "the image is too large", "at most 16384 x 16384 pixels");
  image.resize(reader.width(), reader.height());
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

static_assert(sizeof(RGB) == 4, "RGB is blue, green, red, alpha");

ColorImage
readPng(const std::string& path)
{
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

void
writeDepthImage(const std::string& path, const DepthImage& image)
{
  checkImage(image);
  PngWriter(path, image.width, image.height).writeGrey16(image.pixels.data());
}

void
writeColorImage(const std::string& path, const ColorImage& image)
{
  checkImage(image);
  PngWriter(path, image.width, image.height)
      .writeBgr(reinterpret_cast<const png_byte*>(image.pixels.data()));
}

} // namespace pcl::gpu
