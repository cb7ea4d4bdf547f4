// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/image_file.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

namespace pcl::gpu {

constexpr int largest_side = 16384;

/** \brief Throws pcl::IOException "<file>: <problem>: expected <expectation>".
 * \param[in] file the file's name
 * \param[in] problem the reason for not using it
 * \param[in] expectation the right contents, in words
 */
[[noreturn]] inline void
throwFileException(const std::string& file,
                   const std::string& problem,
                   const std::string& expectation)
{
  PCL_THROW_EXCEPTION(IOException,
                      file << ": " << problem << ": expected " << expectation);
}

/** \brief Makes an image of the size in a file's header.
 * \param[in] least_bytes that a file of this size has: without them, no memory is
 * allocated
 * \throws pcl::IOException if it is too large, or the file too small
 */
template <typename Pixel>
Image<Pixel>
makeImage(unsigned width,
          unsigned height,
          std::uintmax_t least_bytes,
          const std::string& file)
{
  if (width > largest_side || height > largest_side)
    throwFileException(file, "the image is too large", "at most 16384 x 16384 pixels");
  std::error_code error; // pipes have no size
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  if (!error && bytes < least_bytes)
    throwFileException(file,
                       "truncated (" + std::to_string(bytes) + " bytes)",
                       "at least " + std::to_string(least_bytes) + " bytes for " +
                           std::to_string(width) + " x " + std::to_string(height) +
                           " pixels");
  Image<Pixel> image;
  image.resize(static_cast<int>(width), static_cast<int>(height));
  return image;
}

// The functions below throw the errors of libpng and libjpeg as pcl::IOException.

/** \brief Reads any PNG as 8-bit colours. */
ColorImage
readColorPng(const std::string& path);

/** \brief Reads a grey or RGB JPEG. */
ColorImage
readJpeg(const std::string& path);

} // namespace pcl::gpu
