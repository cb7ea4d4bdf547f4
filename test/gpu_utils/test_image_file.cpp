// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/expect_throws.h"
#include "common/temporary_folder.h"

#include <pcl/gpu/utils/image_file.h>
#include <pcl/io/png_io.h>

#include <boost/crc.hpp>

#include <cstdio>
#include <cstdlib>
#include <functional>

// jpeglib.h relies on stdio.h.
#include <jpeglib.h>
#include <png.h>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

constexpr int width = 48, height = 32;

using ColorOfPixel = std::function<pcl::RGB(int x, int y)>;

/** \brief A colour for each block of 16 x 16 pixels, which JPEG keeps. */
pcl::RGB
blockColor(int x, int y)
{
  const int block = y / 16 * 3 + x / 16;
  return pcl::RGB(40 * block, 255 - 30 * block, 17 + 13 * block);
}

/** \brief Its red as grey. */
pcl::RGB
blockGrey(int x, int y)
{
  const unsigned char red = blockColor(x, y).r;
  return pcl::RGB(red, red, red);
}

std::vector<unsigned char>
bytesOf(const ColorOfPixel& color, int channels)
{
  std::vector<unsigned char> bytes;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const pcl::RGB c = color(x, y);
      bytes.push_back(c.r);
      if (channels == 3) {
        bytes.push_back(c.g);
        bytes.push_back(c.b);
      }
    }
  return bytes;
}

/** \brief Writes a JPEG of blockColor(), or of its red.
 * \param[in] scans of a progressive file; none: a file of one scan
 */
void
writeJpeg(const std::string& path,
          int channels,
          const std::vector<jpeg_scan_info>& scans = {})
{
  std::vector<unsigned char> bytes = bytesOf(blockColor, channels);
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  jpeg_compress_struct info;
  jpeg_error_mgr errors;
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  jpeg_stdio_dest(&info, file);
  info.image_width = width;
  info.image_height = height;
  info.input_components = channels;
  info.in_color_space = channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 100, TRUE);
  // Colours of blocks do not run into each other.
  info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = 1;
  info.scan_info = scans.empty() ? nullptr : scans.data();
  info.num_scans = static_cast<int>(scans.size());
  jpeg_start_compress(&info, TRUE);
  for (int y = 0; y < height; ++y) {
    JSAMPROW row = bytes.data() + std::size_t(y) * width * channels;
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::fclose(file);
}

void
expectColors(const ColorImage& image, const ColorOfPixel& color, int tolerance)
{
  ASSERT_EQ(image.width, width);
  ASSERT_EQ(image.height, height);
  ASSERT_EQ(image.pixels.size(), std::size_t(width) * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const pcl::RGB read = image.pixels[std::size_t(y) * width + x];
      const pcl::RGB expected = color(x, y);
      EXPECT_LE(std::abs(read.r - expected.r), tolerance) << x << ", " << y;
      EXPECT_LE(std::abs(read.g - expected.g), tolerance) << x << ", " << y;
      EXPECT_LE(std::abs(read.b - expected.b), tolerance) << x << ", " << y;
      EXPECT_EQ(read.a, 255) << x << ", " << y;
    }
}

TEST(DepthImages, AreReadBitForBit)
{
  const TemporaryFolder folder;
  std::vector<unsigned short> depths(std::size_t(width) * height);
  for (std::size_t i = 0; i < depths.size(); ++i)
    depths[i] = static_cast<unsigned short>(i * 43);
  depths[5] = 0xffff;
  pcl::io::saveShortPNGFile(folder / "depth.png", depths.data(), width, height, 1);
  const DepthImage image = readDepthImage(folder / "depth.png");
  EXPECT_EQ(image.width, width);
  EXPECT_EQ(image.height, height);
  EXPECT_TRUE(std::equal(
      image.pixels.begin(), image.pixels.end(), depths.begin(), depths.end()));
}

TEST(DepthImages, OfOtherKindsAreRejected)
{
  const TemporaryFolder folder;
  const std::vector<unsigned char> grey = bytesOf(blockColor, 1);
  pcl::io::saveCharPNGFile(folder / "grey.png", grey.data(), width, height, 1);
  const std::vector<unsigned char> color = bytesOf(blockColor, 3);
  pcl::io::saveRgbPNGFile(folder / "color.png", color.data(), width, height);
  expectBadFile({"grey.png", "8-bit grey", "16-bit grey PNG"},
                [&] { readDepthImage(folder / "grey.png"); });
  expectBadFile({"color.png", "8-bit colour", "16-bit grey PNG"},
                [&] { readDepthImage(folder / "color.png"); });
}

TEST(ColorImages, OfPngAreReadBitForBit)
{
  const TemporaryFolder folder;
  const ColorOfPixel color = [](int x, int y) {
    return pcl::RGB(5 * x, 7 * y, (x * y) % 256);
  };
  const std::vector<unsigned char> bytes = bytesOf(color, 3);
  pcl::io::saveRgbPNGFile(folder / "color.png", bytes.data(), width, height);
  expectColors(readColorImage(folder / "color.png"), color, 0);
}

TEST(ColorImages, OfGreyPngHaveItInAllChannels)
{
  const TemporaryFolder folder;
  const std::vector<unsigned char> bytes = bytesOf(blockColor, 1);
  pcl::io::saveCharPNGFile(folder / "grey.png", bytes.data(), width, height, 1);
  expectColors(readColorImage(folder / "grey.png"), blockGrey, 0);
}

/** \brief Writes a PNG with libpng.
 * \param[in] format one of libpng's formats, PNG_FORMAT_...
 */
void
writePng(const std::string& path,
         png_uint_32 format,
         const void* pixels,
         const void* colors = nullptr,
         png_uint_32 color_count = 0)
{
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = format;
  image.colormap_entries = color_count;
  ASSERT_NE(png_image_write_to_file(&image, path.c_str(), 0, pixels, 0, colors), 0)
      << image.message;
}

TEST(ColorImages, OfPngAreReadWithoutTheirAlpha)
{
  const TemporaryFolder folder;
  std::vector<unsigned char> rgba, grey_alpha, places, colors;
  const auto add = [](std::vector<unsigned char>& to, const pcl::RGB& c, int alpha) {
    for (const int value : {int(c.r), int(c.g), int(c.b), alpha})
      to.push_back(static_cast<unsigned char>(value));
  };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      // Each block is opaque, half transparent and transparent somewhere.
      const int alpha = x % 3 * 127;
      add(rgba, blockColor(x, y), alpha);
      grey_alpha.push_back(blockColor(x, y).r);
      grey_alpha.push_back(static_cast<unsigned char>(alpha));
      places.push_back(static_cast<unsigned char>(y / 16 * 3 + x / 16));
    }
  for (int block = 0; block < 6; ++block)
    add(colors, blockColor(block % 3 * 16, block / 3 * 16), block * 51);
  writePng(folder / "rgba.png", PNG_FORMAT_RGBA, rgba.data());
  writePng(folder / "ga.png", PNG_FORMAT_GA, grey_alpha.data());
  writePng(folder / "palette.png",
           PNG_FORMAT_RGBA_COLORMAP,
           places.data(),
           colors.data(),
           6);
  expectColors(readColorImage(folder / "rgba.png"), blockColor, 0);
  expectColors(readColorImage(folder / "ga.png"), blockGrey, 0);
  expectColors(readColorImage(folder / "palette.png"), blockColor, 0);
}

TEST(ColorImages, OfPngsOf16BitsHaveTheirHighBytes)
{
  const TemporaryFolder folder;
  std::vector<unsigned short> grey;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      grey.push_back(static_cast<unsigned short>(256 * blockGrey(x, y).r + 5 * x));
  pcl::io::saveShortPNGFile(folder / "grey16.png", grey.data(), width, height, 1);
  expectColors(readColorImage(folder / "grey16.png"), blockGrey, 1);
}

TEST(ColorImages, OfJpegHaveItsColors)
{
  const TemporaryFolder folder;
  writeJpeg(folder / "color.jpg", 3);
  expectColors(readColorImage(folder / "color.jpg"), blockColor, 2);
}

TEST(ColorImages, OfGreyJpegHaveItInAllChannels)
{
  const TemporaryFolder folder;
  writeJpeg(folder / "grey.jpg", 1);
  expectColors(readColorImage(folder / "grey.jpg"), blockGrey, 1);
}

TEST(ColorImages, AreKnownByTheirContents)
{
  const TemporaryFolder folder;
  writeJpeg(folder / "named.png", 3);
  expectColors(readColorImage(folder / "named.png"), blockColor, 2);
}

TEST(ImageFiles, ThatAreCutOffAreRejected)
{
  const TemporaryFolder folder;
  writeJpeg(folder / "a.jpg", 3);
  const std::vector<unsigned char> bytes = bytesOf(blockColor, 3);
  pcl::io::saveRgbPNGFile(folder / "a.png", bytes.data(), width, height);
  for (const char* name : {"a.jpg", "a.png"}) {
    const std::string whole = bytesOfFile(folder / name);
    for (std::size_t size = 4; size < whole.size() - 12; size += 7)
      expectBadFile({"cut", "truncated"}, [&] {
        readColorImage(folder.write("cut", whole.substr(0, size)));
      });
  }
}

TEST(ImageFiles, OfLargeSizesWithoutDataAreRejected)
{
  const TemporaryFolder folder;
  const std::string large{0x40, 0x00}; // 16384
  writeJpeg(folder / "a.jpg", 3);
  std::string jpeg = bytesOfFile(folder / "a.jpg");
  const std::size_t frame = jpeg.find("\xff\xc0");
  ASSERT_NE(frame, std::string::npos);
  jpeg.replace(frame + 5, 4, large + large);
  const std::vector<unsigned char> bytes = bytesOf(blockColor, 3);
  pcl::io::saveRgbPNGFile(folder / "a.png", bytes.data(), width, height);
  std::string png = bytesOfFile(folder / "a.png");
  constexpr std::size_t header = 12, length = 17; // the first chunk's name and data
  png.replace(header + 6, 2, large);
  png.replace(header + 10, 2, large);
  boost::crc_32_type sum;
  sum.process_bytes(png.data() + header, length);
  for (int i = 0; i < 4; ++i)
    png[header + length + i] = static_cast<char>(sum.checksum() >> (24 - 8 * i));
  for (const std::string& image : {jpeg, png})
    expectBadFile({"large", "truncated", "for 16384 x 16384 pixels"},
                  [&] { readColorImage(folder.write("large", image)); });
}

TEST(ImageFiles, OfVeryManyScansAreRejected)
{
  const TemporaryFolder folder;
  std::vector<jpeg_scan_info> scans{{3, {0, 1, 2}, 0, 0, 0, 0}};
  for (int channel = 0; channel < 3; ++channel)
    scans.push_back({1, {channel}, 1, 63, 0, 0});
  writeJpeg(folder / "few.jpg", 3, scans);
  expectColors(readColorImage(folder / "few.jpg"), blockColor, 2);
  scans.resize(1);
  for (int channel = 0; channel < 3; ++channel)
    for (int frequency = 1; frequency < 64; ++frequency)
      scans.push_back({1, {channel}, frequency, frequency, 0, 0});
  writeJpeg(folder / "many.jpg", 3, scans);
  expectBadFile({"many.jpg", "more than 100 scans"},
                [&] { readColorImage(folder / "many.jpg"); });
}

TEST(ImageFiles, ThatAreDamagedAreReadOrRejected)
{
  const TemporaryFolder folder;
  writeJpeg(folder / "a.jpg", 3);
  const std::vector<unsigned char> bytes = bytesOf(blockColor, 3);
  pcl::io::saveRgbPNGFile(folder / "a.png", bytes.data(), width, height);
  for (const char* name : {"a.jpg", "a.png"}) {
    const std::string whole = bytesOfFile(folder / name);
    for (std::size_t i = 4; i < whole.size(); i += 3) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ 0x5a);
      try {
        const ColorImage image = readColorImage(folder.write("damaged", damaged));
        EXPECT_EQ(image.pixels.size(), std::size_t(image.width) * image.height);
      }
      catch (const pcl::IOException&) {
      }
    }
  }
}

TEST(ImageFiles, ThatAreNoneAreRejected)
{
  const TemporaryFolder folder;
  folder.write("text", "this is no image");
  folder.write("empty", "");
  for (const char* name : {"text", "empty"}) {
    expectBadFile({name, "JPEG or PNG"}, [&] { readColorImage(folder / name); });
    expectBadFile({name, "PNG"}, [&] { readDepthImage(folder / name); });
  }
  expectBadFile({"absent", "No such file"}, [&] { readColorImage(folder / "absent"); });
  expectBadFile({"absent", "No such file"}, [&] { readDepthImage(folder / "absent"); });
}

DepthImage
someDepth(int columns, int rows)
{
  DepthImage image;
  image.resize(columns, rows);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = static_cast<std::uint16_t>(65535 - 977 * i);
  return image;
}

ColorImage
someColor(int columns, int rows)
{
  ColorImage image;
  image.resize(columns, rows);
  for (int i = 0; i < columns * rows; ++i)
    image.pixels[i] = pcl::RGB(3 * i % 256, 255 - 5 * i % 256, i % 256, i % 256);
  return image;
}

TEST(ImageFiles, ThatWereWrittenAreReadBitForBit)
{
  const TemporaryFolder folder;
  for (const int columns : {1, 3, 640})
    for (const int rows : {1, 7}) {
      const DepthImage depth = someDepth(columns, rows);
      writeDepthImage(folder / "depth.png", depth);
      const DepthImage read = readDepthImage(folder / "depth.png");
      EXPECT_EQ(read.width, columns);
      EXPECT_EQ(read.height, rows);
      EXPECT_EQ(read.pixels, depth.pixels);

      const ColorImage color = someColor(columns, rows);
      writeColorImage(folder / "color.png", color);
      const ColorImage seen = readColorImage(folder / "color.png");
      EXPECT_EQ(seen.width, columns);
      ASSERT_EQ(seen.height, rows);
      for (int i = 0; i < columns * rows; ++i) {
        EXPECT_EQ(seen.pixels[i].r, color.pixels[i].r);
        EXPECT_EQ(seen.pixels[i].g, color.pixels[i].g);
        EXPECT_EQ(seen.pixels[i].b, color.pixels[i].b);
        EXPECT_EQ(seen.pixels[i].a, 255);
      }
    }
  EXPECT_EQ(folder.count(), 2);
}

TEST(ImageFiles, ThatCannotBeWrittenAreNamed)
{
  const TemporaryFolder folder;
  expectBadFile({folder / "absent/a.png", "No such file"},
                [&] { writeDepthImage(folder / "absent/a.png", someDepth(4, 3)); });
  expectBadFile({folder / "absent/a.png", "No such file"},
                [&] { writeColorImage(folder / "absent/a.png", someColor(4, 3)); });
  std::filesystem::create_directory(folder / "taken");
  expectBadFile({folder / "taken", "cannot be written"},
                [&] { writeColorImage(folder / "taken", someColor(4, 3)); });
  EXPECT_EQ(folder.count(), 1);
}

TEST(ImageFiles, OfNoImageAreNotWritten)
{
  const TemporaryFolder folder;
  const std::string path = folder.write("a.png", "as it was");
  expectBadArgument("image has 0 x 0", [&] { writeDepthImage(path, {}); });
  expectBadArgument("image has 0 x 0", [&] { writeColorImage(path, {}); });
  DepthImage depth = someDepth(4, 3);
  depth.pixels.pop_back();
  expectBadArgument("4 x 3 pixels, 11", [&] { writeDepthImage(path, depth); });
  expectBadArgument("16385 x 1", [&] { writeColorImage(path, someColor(16385, 1)); });
  EXPECT_EQ(bytesOfFile(path), "as it was");
  EXPECT_EQ(folder.count(), 1);
}

} // namespace
