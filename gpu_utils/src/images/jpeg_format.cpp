// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "images/image_formats.h"

#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

// jpeglib.h relies on stdio.h.
#include <jpeglib.h>

#include <jerror.h>

namespace pcl::gpu {

namespace {

/** \brief Data for libjpeg's callbacks. */
struct Errors {
  jpeg_error_mgr manager; // first: callbacks get its address
  std::jmp_buf jump;
  char message[JMSG_LENGTH_MAX];
};

void
onError(j_common_ptr info)
{
  auto* errors = reinterpret_cast<Errors*>(info->err);
  errors->manager.format_message(info, errors->message);
  std::longjmp(errors->jump, 1);
}

void
onMessage(j_common_ptr info, int level)
{
  // If data is missing, libjpeg warns and invents it. Bytes between segments, which
  // some cameras leave, do no harm.
  if (level < 0 && info->err->msg_code != JWRN_EXTRANEOUS_DATA)
    onError(info);
}

/** \brief Stops at files of very many scans, each of which takes the time of an image
 * with hardly any bytes. */
void
onProgress(j_common_ptr info)
{
  constexpr int most_scans = 100; // programs write 12 at most
  if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number <= most_scans)
    return;
  auto* errors = reinterpret_cast<Errors*>(info->err);
  std::strcpy(errors->message, "more than 100 scans");
  std::longjmp(errors->jump, 1);
}

/** \brief A JPEG file that is being read. */
struct JpegFile {
  explicit JpegFile(const std::string& path_to_read)
  : path(path_to_read)
  , file(std::fopen(path.c_str(), "rb"), &std::fclose)
  {
    if (!file)
      throwFileException(path, std::strerror(errno), "a JPEG image");
    info.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = onError;
    errors.manager.emit_message = onMessage;
    progress.progress_monitor = onProgress;
  }

  ~JpegFile() { jpeg_destroy_decompress(&info); }

  JpegFile(const JpegFile&) = delete;
  JpegFile&
  operator=(const JpegFile&) = delete;

  /** \brief Calls libjpeg, which reports errors by longjmp. The function therefore must
   * not hold an object with a destructor.
   * \throws pcl::IOException with the error's message
   */
  template <typename Function>
  void
  call(const Function& function)
  {
    if (setjmp(errors.jump))
      throwFileException(path,
                         std::string("damaged or truncated (") + errors.message + ")",
                         "a complete grey or RGB JPEG image");
    function();
  }

  std::string path;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file;
  Errors errors{};
  jpeg_progress_mgr progress{};
  jpeg_decompress_struct info{};
};

} // namespace

ColorImage
readJpeg(const std::string& path)
{
  JpegFile jpeg(path);
  jpeg_decompress_struct& info = jpeg.info;
  jpeg.call([&] {
    jpeg_create_decompress(&info);
    info.progress = &jpeg.progress;
    jpeg_stdio_src(&info, jpeg.file.get());
    jpeg_read_header(&info, TRUE);
    info.out_color_space = JCS_RGB;
  });
  // A block of 8 x 8 pixels takes one bit at least.
  const std::uintmax_t pixels = std::uintmax_t(info.image_width) * info.image_height;
  auto image = makeImage<RGB>(info.image_width, info.image_height, pixels / 512, path);
  std::vector<JSAMPLE> samples(std::size_t(3) * info.image_width);
  jpeg.call([&] {
    jpeg_start_decompress(&info);
    RGB* pixel = image.pixels.data();
    while (info.output_scanline < info.output_height) {
      JSAMPROW sample = samples.data();
      jpeg_read_scanlines(&info, &sample, 1);
      for (int column = 0; column < image.width; ++column, sample += 3)
        *pixel++ = RGB(sample[0], sample[1], sample[2]);
    }
    jpeg_finish_decompress(&info);
  });
  return image;
}

} // namespace pcl::gpu
