// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <png.h>

#include <cstdio>
#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Reader of one PNG file. Throws libpng's errors as pcl::IOException.
 *
 * Uses libpng because VTK's reader silently returns undefined pixels when a file is
 * damaged.
 */
class PngReader {
public:
  /** \brief Opens a file and reads its header.
   * \param[in] path the file
   * \throws pcl::IOException if it is missing, not a PNG, or damaged
   */
  explicit PngReader(const std::string& path);

  ~PngReader();

  PngReader(const PngReader&) = delete;
  PngReader&
  operator=(const PngReader&) = delete;

  /** \brief Returns the number of columns. */
  int
  width() const;

  /** \brief Returns the number of rows. */
  int
  height() const;

  /** \brief Returns the stored bits per channel, 1 to 16. */
  int
  bitDepth() const;

  /** \brief Returns whether the image is grey without alpha. */
  bool
  isGrey() const;

  /** \brief Reads 16-bit grey pixels in this machine's byte order.
   * \param[out] pixels width x height
   * \throws pcl::IOException if the file is truncated or damaged
   */
  void
  readGrey16(png_uint_16* pixels);

  /** \brief Reads the image as 8-bit blue, green, red, alpha; converts other formats.
   * \param[out] pixels 4 x width x height bytes
   * \throws pcl::IOException if the file is truncated or damaged
   */
  void
  readBgra(png_byte* pixels);

private:
  bool
  readHeader();

  bool
  readRows();

  void
  read(png_byte* pixels, std::size_t row_bytes);

  [[noreturn]] void
  fail() const;

  std::string path_;
  std::string message_;
  std::FILE* file_ = nullptr;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::vector<png_byte*> rows_;
};

} // namespace pcl::gpu
