// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "png_writer.h"

#include "files/file_exception.h"

#include <pcl/gpu/utils/atomic_file.h>

#include <csetjmp>
#include <new>

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

void
onFlush(png_structp)
{}

} // namespace

PngWriter::PngWriter(const std::string& path, int width, int height)
: path_(path)
, width_(width)
, height_(height)
{
  png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &message_, onError, onWarning);
  info_ = png_ ? png_create_info_struct(png_) : nullptr;
  if (info_)
    return;
  png_destroy_write_struct(&png_, &info_);
  throwFileException(path, "cannot be compressed", "more free memory");
}

PngWriter::~PngWriter() { png_destroy_write_struct(&png_, &info_); }

void
PngWriter::writeGrey16(const png_uint_16* pixels)
{
  write(reinterpret_cast<const png_byte*>(pixels),
        sizeof(*pixels) * width_,
        16,
        PNG_COLOR_TYPE_GRAY);
}

void
PngWriter::writeBgr(const png_byte* pixels)
{
  write(pixels, std::size_t(4) * width_, 8, PNG_COLOR_TYPE_RGB);
}

void
PngWriter::write(const png_byte* pixels,
                 std::size_t row_bytes,
                 int bit_depth,
                 int color_type)
{
  rows_.clear();
  for (int row = 0; row < height_; ++row) // libpng only reads them
    rows_.push_back(const_cast<png_byte*>(pixels + row * row_bytes));
  if (!encode(bit_depth, color_type))
    throwFileException(
        path_, "cannot be written (" + message_ + ")", "an image that PNG can hold");
  AtomicFile file(path_);
  file.write(bytes_.data(), bytes_.size());
  file.commit();
}

void
PngWriter::append(png_structp png, png_bytep bytes, std::size_t count)
{
  auto& all = *static_cast<std::vector<png_byte>*>(png_get_io_ptr(png));
  bool fits = true;
  try {
    all.insert(all.end(), bytes, bytes + count);
  }
  catch (const std::bad_alloc&) {
    fits = false;
  }
  if (!fits)
    png_error(png, "no memory");
}

// libpng reports errors by longjmp: from setjmp on, this function holds no object whose
// destructor would be jumped over.
bool
PngWriter::encode(int bit_depth, int color_type)
{
  if (setjmp(png_jmpbuf(png_)))
    return false;
  png_set_write_fn(png_, &bytes_, append, onFlush);
  png_set_IHDR(png_,
               info_,
               static_cast<png_uint_32>(width_),
               static_cast<png_uint_32>(height_),
               bit_depth,
               color_type,
               PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  // This filter alone makes files as small as the best filter for each row does, in
  // less time. At level 4 colours take twice the time and are 8 % smaller.
  png_set_filter(png_, PNG_FILTER_TYPE_BASE, PNG_FILTER_PAETH);
  png_set_compression_level(png_, color_type == PNG_COLOR_TYPE_RGB ? 2 : 4);
  png_write_info(png_, info_);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (bit_depth == 16)
    png_set_swap(png_);
#endif
  if (color_type == PNG_COLOR_TYPE_RGB) {
    png_set_bgr(png_);
    png_set_filler(png_, 0, PNG_FILLER_AFTER);
  }
  png_write_image(png_, rows_.data());
  png_write_end(png_, nullptr);
  return true;
}

} // namespace pcl::gpu
