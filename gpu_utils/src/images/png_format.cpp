// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "images/image_formats.h"

#include <pcl/gpu/utils/atomic_file.h>

#include <png.h>

#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

// VTK's reader is not used, because it silently returns undefined pixels when a file is
// damaged.

namespace pcl::gpu {

namespace {

static_assert(sizeof(RGB) == 4, "RGB is blue, green, red, alpha");

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

/** \brief Makes pixels of 16 bits big endian in the file and native in memory. */
void
swapBytes([[maybe_unused]] png_structp png)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  png_set_swap(png);
#endif
}

/** \brief Calls libpng, which reports errors by longjmp. The function therefore must
 * not hold an object with a destructor.
 * \return whether there was no error
 */
template <typename Function>
bool
tryTo(png_structp png, const Function& function)
{
  if (setjmp(png_jmpbuf(png)))
    return false;
  function();
  return true;
}

/** \brief Returns the first byte of every row. libpng takes no constant pixels. */
template <typename Pixel>
std::vector<png_byte*>
rowsOf(const Image<Pixel>& image)
{
  auto* row = reinterpret_cast<png_byte*>(const_cast<Pixel*>(image.pixels.data()));
  std::vector<png_byte*> rows;
  for (int y = 0; y < image.height; ++y, row += sizeof(Pixel) * image.width)
    rows.push_back(row);
  return rows;
}

struct DestroyReader {
  png_infop info = nullptr;

  void
  operator()(png_structp png)
  {
    png_destroy_read_struct(&png, &info, nullptr);
  }
};

/** \brief Reads any image as colours, or a 16-bit grey one as it is. */
template <typename Pixel>
Image<Pixel>
read(const std::string& path)
{
  constexpr bool is_color = std::is_same_v<Pixel, RGB>;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file)
    throwFileException(path, std::strerror(errno), "a PNG image");
  std::string message;
  const auto fail = [&] {
    if (message == "Not a PNG file")
      throwFileException(path, "not a PNG image", "a PNG image");
    throwFileException(
        path, "damaged or truncated (" + message + ")", "a complete PNG image");
  };
  std::unique_ptr<png_struct, DestroyReader> reader(
      png_create_read_struct(PNG_LIBPNG_VER_STRING, &message, onError, onWarning));
  const png_structp png = reader.get();
  const png_infop info = png ? png_create_info_struct(png) : nullptr;
  reader.get_deleter().info = info;
  if (!info || !tryTo(png, [&] {
        png_init_io(png, file.get());
        // Texts and colour profiles can grow to gigabytes when they are inflated.
        png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
        png_read_info(png, info);
      }))
    fail();
  const int bits = png_get_bit_depth(png, info);
  const bool is_grey = png_get_color_type(png, info) == PNG_COLOR_TYPE_GRAY;
  if (!is_color && (bits != 16 || !is_grey))
    throwFileException(path,
                       "a PNG of " + std::to_string(bits) + "-bit " +
                           (is_grey ? "grey" : "colour"),
                       "a 16-bit grey PNG");
  // A row is its bytes and that of its filter. Deflate makes 1032 bytes of one at most.
  const unsigned height = png_get_image_height(png, info);
  const std::uintmax_t bytes = height * (png_get_rowbytes(png, info) + 1);
  auto image =
      makeImage<Pixel>(png_get_image_width(png, info), height, bytes / 1032, path);
  const std::vector<png_byte*> rows = rowsOf(image);
  if (!tryTo(png, [&] {
        if (is_color) {
          png_set_scale_16(png);
          png_set_expand(png);
          png_set_gray_to_rgb(png);
          png_set_bgr(png);
          png_set_strip_alpha(png);
          png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
        }
        else
          swapBytes(png);
        png_set_interlace_handling(png);
        png_read_update_info(png, info);
        png_read_image(png, const_cast<png_byte**>(rows.data()));
        png_read_end(png, nullptr);
      }))
    fail();
  return image;
}

/** \brief Checks that an image has pixels, and width x height of them. */
template <typename Pixel>
void
checkImage(const Image<Pixel>& image)
{
  const auto isSide = [](int side) { return side > 0 && side <= largest_side; };
  if (!isSide(image.width) || !isSide(image.height) ||
      image.pixels.size() != static_cast<std::size_t>(image.width) * image.height)
    PCL_THROW_EXCEPTION(
        BadArgumentException,
        "image has " << image.width << " x " << image.height << " pixels, "
                     << image.pixels.size() << " of them stored: expected 1 x 1 to "
                     << largest_side << " x " << largest_side << ", all stored");
}

void
append(png_structp png, png_bytep bytes, std::size_t count)
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

template <typename Pixel>
void
write(const std::string& path, const Image<Pixel>& image)
{
  checkImage(image);
  constexpr bool is_color = std::is_same_v<Pixel, RGB>;
  const std::vector<png_byte*> rows = rowsOf(image);
  std::vector<png_byte> bytes;
  std::string message;
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, &message, onError, onWarning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  const bool is_written =
      info && tryTo(png, [&] {
        png_set_write_fn(png, &bytes, append, onFlush);
        png_set_IHDR(png,
                     info,
                     static_cast<png_uint_32>(image.width),
                     static_cast<png_uint_32>(image.height),
                     is_color ? 8 : 16,
                     is_color ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY,
                     PNG_INTERLACE_NONE,
                     PNG_COMPRESSION_TYPE_DEFAULT,
                     PNG_FILTER_TYPE_DEFAULT);
        // This filter alone makes files as small as the best filter for each row does,
        // in less time. At level 4 colours take twice the time and are 8 % smaller.
        png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_PAETH);
        png_set_compression_level(png, is_color ? 2 : 4);
        png_write_info(png, info);
        if (is_color) {
          png_set_bgr(png);
          png_set_filler(png, 0, PNG_FILLER_AFTER);
        }
        else
          swapBytes(png);
        png_write_image(png, const_cast<png_byte**>(rows.data()));
        png_write_end(png, nullptr);
      });
  png_destroy_write_struct(&png, &info);
  if (!is_written)
    throwFileException(
        path, "cannot be written (" + message + ")", "an image that PNG can hold");
  writeFile(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

} // namespace

DepthImage
readDepthImage(const std::string& path)
{
  return read<std::uint16_t>(path);
}

ColorImage
readColorPng(const std::string& path)
{
  return read<RGB>(path);
}

void
writeDepthImage(const std::string& path, const DepthImage& image)
{
  write(path, image);
}

void
writeColorImage(const std::string& path, const ColorImage& image)
{
  write(path, image);
}

} // namespace pcl::gpu
