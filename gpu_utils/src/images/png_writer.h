// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <png.h>

#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Writer of one PNG file. Throws libpng's errors as pcl::IOException.
 *
 * The whole file is in memory before it is made.
 */
class PngWriter {
public:
  /** \brief Starts writing. Makes no file yet.
   * \param[in] path the file
   * \param[in] width columns, 1 or more
   * \param[in] height rows, 1 or more
   * \throws pcl::IOException if memory runs out
   */
  PngWriter(const std::string& path, int width, int height);

  ~PngWriter();

  PngWriter(const PngWriter&) = delete;
  PngWriter&
  operator=(const PngWriter&) = delete;

  /** \brief Writes 16-bit grey pixels that are in this machine's byte order.
   * \param[in] pixels width x height
   * \throws pcl::IOException if the file cannot be written
   */
  void
  writeGrey16(const png_uint_16* pixels);

  /** \brief Writes 8-bit blue, green, red; a fourth byte of each pixel is left out.
   * \param[in] pixels 4 x width x height bytes
   * \throws pcl::IOException if the file cannot be written
   */
  void
  writeBgr(const png_byte* pixels);

private:
  /** \brief Appends bytes to the file; called by libpng. */
  static void
  append(png_structp png, png_bytep bytes, std::size_t count);

  bool
  encode(int bit_depth, int color_type);

  void
  write(const png_byte* pixels, std::size_t row_bytes, int bit_depth, int color_type);

  std::string path_;
  std::string message_;
  int width_, height_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::vector<png_byte*> rows_;
  std::vector<png_byte> bytes_; ///< of the file
};

} // namespace pcl::gpu
