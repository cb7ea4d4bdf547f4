// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <png.h>

#include <cstdio>
#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief One PNG file being read, with libpng's errors as pcl::IOException.
 *
 * libpng rather than VTK's reader, because that one hands out undefined pixels, without a
 * word, when a file is damaged.
 */
class PngReader {
public:
  /** \brief Opens a file and reads its header.
   * \param[in] path the file
   * \throws pcl::IOException if it is missing, no PNG, or damaged
   */
  explicit PngReader(const std::string& path);

  ~PngReader();

  PngReader(const PngReader&) = delete;
  PngReader&
  operator=(const PngReader&) = delete;

  /** \brief Columns. */
  int
  width() const;

  /** \brief Rows. */
  int
  height() const;

  /** \brief Bits a channel as stored: 1 to 16. */
  int
  bitDepth() const;

  /** \brief Whether the image is grey without alpha. */
  bool
  isGrey() const;

  /** \brief Reads 16-bit grey pixels in this machine's byte order.
   * \param[out] pixels width x height
   * \throws pcl::IOException if the file is truncated or damaged
   */
  void
  readGrey16(png_uint_16* pixels);

  /** \brief Reads the image as 8-bit blue, green, red, alpha, whatever it holds.
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
