// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "image_reader.h"

#include "errors.h"
#include "png_reader.h"
#include "vtk_messages.h"

#include <vtkImageData.h>
#include <vtkJPEGReader.h>
#include <vtkNew.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace pcl {
namespace gpu {
namespace apps {

namespace {

// The first bytes tell the kind of an image more reliably than its name.
std::array<unsigned char, 4>
firstBytes(const std::string& path)
{
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw fileError(path, std::strerror(errno), "a JPEG or PNG image");
  std::array<unsigned char, 4> bytes{};
  file.read(reinterpret_cast<char*>(bytes.data()), bytes.size());
  return bytes;
}

ColorImage
readPng(const std::string& path)
{
  static_assert(sizeof(RGB) == 4, "RGB is blue, green, red, alpha");
  PngReader reader(path);
  ColorImage image;
  image.resize(reader.width(), reader.height());
  reader.readBgra(reinterpret_cast<png_byte*>(image.pixels.data()));
  return image;
}

ColorImage
readJpeg(const std::string& path)
{
  VtkMessages::clear();
  vtkNew<vtkJPEGReader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  vtkImageData* data = reader->GetOutput();
  const int channels = data->GetNumberOfScalarComponents();
  if (!VtkMessages::first().empty() || data->GetNumberOfPoints() == 0 ||
      (channels != 1 && channels != 3))
    throw fileError(path, "damaged or truncated", "a complete grey or RGB JPEG image");

  ColorImage image;
  image.resize(data->GetDimensions()[0], data->GetDimensions()[1]);
  RGB* pixel = image.pixels.data();
  for (int row = 0; row < image.height; ++row) {
    // VTK counts rows from the bottom.
    const auto* source = static_cast<const unsigned char*>(
        data->GetScalarPointer(0, image.height - 1 - row, 0));
    for (int column = 0; column < image.width; ++column, ++pixel, source += channels)
      *pixel = RGB(source[0], source[channels / 2], source[channels - 1]);
  }
  return image;
}

} // namespace

DepthImage
readDepthImage(const std::string& path)
{
  PngReader reader(path);
  if (reader.bitDepth() != 16 || !reader.isGrey())
    throw fileError(path,
                    "is a " + std::to_string(reader.bitDepth()) + "-bit " +
                        (reader.isGrey() ? "grey" : "colour") + " image",
                    "a 16-bit grey PNG");
  DepthImage image;
  image.resize(reader.width(), reader.height());
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
  throw fileError(path, "neither JPEG nor PNG", "a JPEG or PNG image");
}

} // namespace apps
} // namespace gpu
} // namespace pcl
