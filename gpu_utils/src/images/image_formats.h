// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/image_file.h>

#include <string>

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
 * \throws pcl::IOException if it is too large
 */
template <typename Pixel>
Image<Pixel>
makeImage(unsigned width, unsigned height, const std::string& file)
{
  if (width > largest_side || height > largest_side)
    throwFileException(file, "the image is too large", "at most 16384 x 16384 pixels");
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
