// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "png_reader.h"

#include "files/file_exception.h"

#include <cerrno>
#include <csetjmp>
#include <cstring>

namespace pcl::gpu {

namespace {

void
onError(png_structp png, png_const_charp message)
{
  *static_cast<std::string*>(png_get_error_ptr(png)) = message;
  png_longjmp(png, 1);
}

void
onWarning(png_structp, png_const_charp)
{}

} // namespace

PngReader::PngReader(const std::string& path) : path_(path)
{
  file_ = std::fopen(path.c_str(), "rb");
  if (!file_)
    throwFileException(path, std::strerror(errno), "a PNG image");
  png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &message_, onError, onWarning);
  info_ = png_ ? png_create_info_struct(png_) : nullptr;
  if (info_ && readHeader())
    return;
  // The destructor does not run if the constructor throws.
  png_destroy_read_struct(&png_, &info_, nullptr);
  std::fclose(file_);
  fail();
}

PngReader::~PngReader()
{
  png_destroy_read_struct(&png_, &info_, nullptr);
  std::fclose(file_);
}

int
PngReader::width() const
{
  return static_cast<int>(png_get_image_width(png_, info_));
}

int
PngReader::height() const
{
  return static_cast<int>(png_get_image_height(png_, info_));
}

int
PngReader::bitDepth() const
{
  return png_get_bit_depth(png_, info_);
}

bool
PngReader::isGrey() const
{
  return png_get_color_type(png_, info_) == PNG_COLOR_TYPE_GRAY;
}

void
PngReader::readGrey16(png_uint_16* pixels)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  png_set_swap(png_);
#endif
  read(reinterpret_cast<png_byte*>(pixels), sizeof(*pixels) * width());
}

void
PngReader::readBgra(png_byte* pixels)
{
  png_set_scale_16(png_);
  png_set_expand(png_);
  png_set_gray_to_rgb(png_);
  png_set_bgr(png_);
  png_set_add_alpha(png_, 255, PNG_FILLER_AFTER);
  read(pixels, std::size_t(4) * width());
}

void
PngReader::read(png_byte* pixels, std::size_t row_bytes)
{
  rows_.clear();
  for (int row = 0; row < height(); ++row)
    rows_.push_back(pixels + row * row_bytes);
  if (!readRows())
    fail();
}

// libpng reports errors by longjmp: from setjmp on, these two functions hold no object
// whose destructor would be jumped over.
bool
PngReader::readHeader()
{
  if (setjmp(png_jmpbuf(png_)))
    return false;
  png_init_io(png_, file_);
  png_read_info(png_, info_);
  return true;
}

bool
PngReader::readRows()
{
  if (setjmp(png_jmpbuf(png_)))
    return false;
  png_set_interlace_handling(png_);
  png_read_update_info(png_, info_);
  png_read_image(png_, rows_.data());
  png_read_end(png_, nullptr);
  return true;
}

void
PngReader::fail() const
{
  if (message_ == "Not a PNG file")
    throwFileException(path_, "not a PNG image", "a PNG image");
  throwFileException(
      path_, "damaged or truncated (" + message_ + ")", "a complete PNG image");
}

} // namespace pcl::gpu
