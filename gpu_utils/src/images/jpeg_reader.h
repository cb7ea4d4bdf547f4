// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <csetjmp>
#include <cstdio>
#include <string>
#include <vector>

// jpeglib.h relies on stdio.h.
#include <jpeglib.h>

namespace pcl::gpu {

/** \brief Reader of one JPEG file. Throws libjpeg's errors as pcl::IOException. */
class JpegReader {
public:
  /** \brief Opens a file and reads its header.
   * \param[in] path the file
   * \throws pcl::IOException if it is missing, not a JPEG, damaged, or neither grey nor
   * convertible to RGB
   */
  explicit JpegReader(const std::string& path);

  ~JpegReader();

  JpegReader(const JpegReader&) = delete;
  JpegReader&
  operator=(const JpegReader&) = delete;

  /** \brief Returns the number of columns. */
  int
  width() const;

  /** \brief Returns the number of rows. */
  int
  height() const;

  /** \brief Starts reading rows.
   * \throws pcl::IOException if the file is damaged
   */
  void
  start();

  /** \brief Reads the next row, from the top.
   * \return red, green and blue of its pixels, valid until the next call
   * \throws pcl::IOException if the file is truncated or damaged
   */
  const JSAMPLE*
  readRow();

private:
  /** \brief Data for libjpeg's callbacks. */
  struct Errors {
    jpeg_error_mgr manager; // first: callbacks get its address
    std::jmp_buf jump;
    char message[JMSG_LENGTH_MAX];
  };

  static void
  onError(j_common_ptr info);

  static void
  onMessage(j_common_ptr info, int level);

  bool
  tryHeader();

  bool
  tryStart();

  bool
  tryRow();

  [[noreturn]] void
  fail() const;

  std::string path_;
  std::FILE* file_ = nullptr;
  Errors errors_{};
  jpeg_decompress_struct info_{};
  std::vector<JSAMPLE> row_;
};

} // namespace pcl::gpu
