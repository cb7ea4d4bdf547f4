// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "jpeg_reader.h"

#include "files/file_exception.h"

#include <jerror.h>

#include <cerrno>
#include <cstring>

namespace pcl::gpu {

JpegReader::JpegReader(const std::string& path) : path_(path)
{
  file_ = std::fopen(path.c_str(), "rb");
  if (!file_)
    throwFileException(path, std::strerror(errno), "a JPEG image");
  info_.err = jpeg_std_error(&errors_.manager);
  errors_.manager.error_exit = onError;
  errors_.manager.emit_message = onMessage;
  if (tryHeader())
    return;
  // The destructor does not run if the constructor throws.
  jpeg_destroy_decompress(&info_);
  std::fclose(file_);
  fail();
}

JpegReader::~JpegReader()
{
  jpeg_destroy_decompress(&info_);
  std::fclose(file_);
}

int
JpegReader::width() const
{
  return static_cast<int>(info_.image_width);
}

int
JpegReader::height() const
{
  return static_cast<int>(info_.image_height);
}

void
JpegReader::start()
{
  row_.resize(std::size_t(3) * info_.image_width);
  if (!tryStart())
    fail();
}

const JSAMPLE*
JpegReader::readRow()
{
  if (!tryRow())
    fail();
  return row_.data();
}

// libjpeg reports errors by longjmp: from setjmp on, these functions hold no object
// whose destructor would be jumped over.
bool
JpegReader::tryHeader()
{
  if (setjmp(errors_.jump))
    return false;
  jpeg_create_decompress(&info_);
  jpeg_stdio_src(&info_, file_);
  jpeg_read_header(&info_, TRUE);
  info_.out_color_space = JCS_RGB;
  return true;
}

bool
JpegReader::tryStart()
{
  if (setjmp(errors_.jump))
    return false;
  jpeg_start_decompress(&info_);
  return true;
}

bool
JpegReader::tryRow()
{
  if (setjmp(errors_.jump))
    return false;
  JSAMPROW row = row_.data();
  jpeg_read_scanlines(&info_, &row, 1);
  if (info_.output_scanline == info_.output_height)
    jpeg_finish_decompress(&info_);
  return true;
}

void
JpegReader::onError(j_common_ptr info)
{
  auto* errors = reinterpret_cast<Errors*>(info->err);
  errors->manager.format_message(info, errors->message);
  std::longjmp(errors->jump, 1);
}

void
JpegReader::onMessage(j_common_ptr info, int level)
{
  // Where data is missing, libjpeg warns and invents it. Bytes between segments, which
  // some cameras leave, do no harm.
  if (level < 0 && info->err->msg_code != JWRN_EXTRANEOUS_DATA)
    onError(info);
}

void
JpegReader::fail() const
{
  throwFileException(path_,
                     std::string("damaged or truncated (") + errors_.message + ")",
                     "a complete grey or RGB JPEG image");
}

} // namespace pcl::gpu
