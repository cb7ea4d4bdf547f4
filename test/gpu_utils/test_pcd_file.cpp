// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/temporary_folder.h"

#include <pcl/conversions.h>
#include <pcl/gpu/utils/internal/pcd_file.h>
#include <pcl/io/pcd_io.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include <cstring>
#include <limits>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

using Cloud = pcl::PointCloud<pcl::PointXYZRGB>;

/** \brief An organized cloud with a gap; PCL's text format keeps its numbers. */
Cloud
madeCloud()
{
  Cloud cloud(6, 4);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const float number = static_cast<float>(i) / 32.0f;
    cloud[i].getVector3fMap() << number, -number, 2.0f + number;
    cloud[i].rgba = static_cast<std::uint32_t>(0xff000000u + 1234567u * i);
  }
  cloud[7].x = std::numeric_limits<float>::quiet_NaN();
  cloud.is_dense = false;
  cloud.sensor_origin_ << 1.0f, 2.0f, 3.0f, 0.0f;
  cloud.sensor_orientation_ = Eigen::Quaternionf(0.5f, 0.5f, -0.5f, 0.5f);
  return cloud;
}

/** \brief The bytes of files that PCL writes: text, binary, compressed. */
std::vector<std::string>
encodings(const Cloud& cloud)
{
  const TemporaryFolder folder;
  const std::string path = folder / "a.pcd";
  std::vector<std::string> files;
  EXPECT_EQ(pcl::io::savePCDFileASCII(path, cloud), 0);
  files.push_back(bytesOfFile(path));
  EXPECT_EQ(pcl::io::savePCDFileBinary(path, cloud), 0);
  files.push_back(bytesOfFile(path));
  EXPECT_EQ(pcl::io::savePCDFileBinaryCompressed(path, cloud), 0);
  files.push_back(bytesOfFile(path));
  return files;
}

void
expectSame(const PcdFile& file, const Cloud& expected)
{
  Cloud cloud;
  fromPCLPointCloud2(file.cloud, cloud);
  ASSERT_EQ(cloud.width, expected.width);
  ASSERT_EQ(cloud.height, expected.height);
  EXPECT_EQ(cloud.is_dense, expected.is_dense);
  EXPECT_EQ(file.origin, expected.sensor_origin_);
  EXPECT_EQ(file.orientation.coeffs(), expected.sensor_orientation_.coeffs());
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    for (int c = 0; c < 3; ++c)
      if (std::isnan(expected[i].data[c]))
        EXPECT_TRUE(std::isnan(cloud[i].data[c]));
      else
        EXPECT_EQ(cloud[i].data[c], expected[i].data[c]) << i;
    EXPECT_EQ(cloud[i].rgba & 0xffffffu, expected[i].rgba & 0xffffffu) << i;
  }
}

void
expectRefused(const std::string& bytes, const std::string& word)
{
  expectBadFile({word}, [&] { parsePcd(bytes); });
}

std::string
replaced(std::string text, const std::string& from, const std::string& to)
{
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

const std::string two_points = "# a comment\nVERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\n"
                               "TYPE F F F\nCOUNT 1 1 1\nWIDTH 2\nHEIGHT 1\n"
                               "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS 2\nDATA ascii\n"
                               "1 2 3\n4 5 nan\n";

/** \brief Reads two_points in another dialect. */
void
expectTwoPoints(const std::string& bytes)
{
  pcl::PointCloud<pcl::PointXYZ> cloud;
  fromPCLPointCloud2(parsePcd(bytes).cloud, cloud);
  ASSERT_EQ(cloud.size(), 2u);
  EXPECT_EQ(cloud[0].getVector3fMap(), Eigen::Vector3f(1.0f, 2.0f, 3.0f));
  EXPECT_EQ(cloud[1].y, 5.0f);
  EXPECT_TRUE(std::isnan(cloud[1].z));
}

TEST(PcdFile, AllEncodingsGiveTheSamePoints)
{
  const Cloud cloud = madeCloud();
  for (const std::string& bytes : encodings(cloud))
    expectSame(parsePcd(bytes), cloud);
}

TEST(PcdFile, ReadsTheHeaderAlone)
{
  const TemporaryFolder folder;
  const Cloud cloud = madeCloud();
  pcl::io::savePCDFileBinary(folder / "a.pcd", cloud);
  const PcdFile header = readPcdHeader(folder / "a.pcd");
  EXPECT_EQ(header.cloud.width, 6u);
  EXPECT_EQ(header.cloud.height, 4u);
  EXPECT_TRUE(header.cloud.data.empty());
  EXPECT_EQ(header.origin, cloud.sensor_origin_);
  EXPECT_THROW(readPcdHeader(folder / "absent.pcd"), pcl::IOException);
}

TEST(PcdFile, IsNoFolder)
{
  const TemporaryFolder folder;
  expectBadFile({"is a folder"}, [&] { readPcdFile(folder / "."); });
  expectBadFile({"is a folder"}, [&] { readPcdHeader(folder / "."); });
}

TEST(PcdFile, ReadsDialects)
{
  expectTwoPoints(two_points);
  expectTwoPoints("\xef\xbb\xbf" + two_points);
  expectTwoPoints(replaced(two_points, "WIDTH", "FRAME camera\nWIDTH"));
  expectTwoPoints(replaced(two_points, "FIELDS x y z", "\tCOLUMNS\tx  y z "));
  expectTwoPoints(replaced(two_points, "COUNT 1 1 1\n", ""));
  expectTwoPoints(replaced(two_points, "SIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\n", ""));
  expectTwoPoints(replaced(two_points, "WIDTH 2\nHEIGHT 1\n", ""));
  expectTwoPoints(replaced(two_points, "HEIGHT 1\n", ""));
  expectTwoPoints(replaced(two_points, "POINTS 2\n", ""));
  expectTwoPoints(replaced(two_points, "VIEWPOINT 0 0 0 1 0 0 0\n", ""));
  expectTwoPoints(replaced(two_points, "nan\n", "-NaN"));
  expectTwoPoints(replaced(two_points, "1 2 3\n", "\n 1\t2  3 \n\n"));
  std::string windows;
  for (const char c : two_points)
    windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expectTwoPoints(windows);
}

TEST(PcdFile, ReadsAllTypesAndSkipsPadding)
{
  const std::string header = "FIELDS i _ x n y z\nSIZE 2 1 4 8 4 4\nTYPE I U F F F F\n"
                             "COUNT 1 3 1 2 1 1\nWIDTH 2\nHEIGHT 1\nDATA ";
  expectTwoPoints(header + "ascii\n-7 0 0 0 1 0.5 0.25 2 3\n7 ? ? ? 4 1 2 5 nan\n");
  std::string bytes = header + "binary\n";
  std::string columns[6];
  for (int point = 0; point < 2; ++point) {
    const std::int16_t integer = -7;
    const float x = point == 0 ? 1.0f : 4.0f;
    const float yz[2] = {x + 1.0f, point == 0 ? 3.0f : std::nanf("")};
    const double numbers[2] = {0.5, 0.25};
    const char padding[3] = {1, 2, 3};
    const std::pair<const void*, std::size_t> fields[6] = {
        {&integer, 2}, {padding, 3}, {&x, 4}, {numbers, 16}, {&yz[0], 4}, {&yz[1], 4}};
    for (int f = 0; f < 6; ++f) {
      const std::string field(static_cast<const char*>(fields[f].first),
                              fields[f].second);
      bytes += field;
      columns[f] += field;
    }
  }
  expectTwoPoints(bytes);
  // Compressed without a repetition: a byte before up to 32 of them.
  for (const bool is_padded : {false, true}) {
    std::string packed;
    std::uint32_t sizes[2] = {0, 0};
    for (int f = 0; f < 6; ++f)
      if (f != 1 || is_padded) {
        packed += static_cast<char>(columns[f].size() - 1) + columns[f];
        sizes[1] += static_cast<std::uint32_t>(columns[f].size());
      }
    sizes[0] = static_cast<std::uint32_t>(packed.size());
    const std::string two(reinterpret_cast<const char*>(sizes), sizeof sizes);
    expectTwoPoints(header + "binary_compressed\n" + two + packed);
  }
}

TEST(PcdFile, RefusesDamagedHeaders)
{
  const auto expect = [](const char* from, const char* to, const char* word) {
    expectRefused(replaced(two_points, from, to), word);
  };
  expectRefused("", "DATA");
  expectRefused("no cloud\n", "DATA");
  expect("DATA ascii", "DATA text", "\"text\": expected ascii");
  expect("FIELDS x y z", "FIELD x y z", "FIELDS");
  expect("SIZE 4 4 4", "SIZE 4 4", "do not have one value for each");
  expect("SIZE 4 4 4", "SIZE 4 4 3", "no valid TYPE and SIZE");
  expect("SIZE 4 4 4", "SIZE 4 4 -4", "\"-4\": expected a whole number");
  expect("TYPE F F F", "TYPE F F Q", "no valid TYPE and SIZE");
  expect("COUNT 1 1 1", "COUNT 1 1 99999999999", "99999999999");
  expect("COUNT 1 1 1", "COUNT 1 1 2000000000", "COUNT is too large");
  expect("COUNT 1 1 1", "COUNT 1 1 200000000", "truncated");
  expect("COUNT 1 1 1", "COUNT 1 1 0", "\"0\"");
  expect("WIDTH 2", "WIDTH 3", "WIDTH x HEIGHT is 3 and POINTS 2");
  expect("WIDTH 2\nHEIGHT 1\n", "HEIGHT 2\n", "no WIDTH");
  expect("WIDTH 2", "WIDTH two", "\"two\": expected a number of columns");
  expect("HEIGHT 1\n", "HEIGHT 4294967295\n", "WIDTH x HEIGHT");
  expect("POINTS 2", "POINTS -2", "\"-2\"");
  expect("VIEWPOINT 0 0 0 1", "VIEWPOINT 0 0", "ends early: expected tx ty tz");
  expect("1 2 3\n", "1 2\n", "line 12: ends early");
  expect("1 2 3\n", "1 2 3 4\n", "\"4\"");
  expect("1 2 3\n", "1 2 3\n1 2 3\n", "more points");
  expect("1 2 3\n", "1 2 three\n", "\"three\": expected a number");
}

TEST(PcdFile, RefusesTruncatedFiles)
{
  for (const std::string& bytes : encodings(madeCloud()))
    // The last number of a text is cut within without a trace.
    for (std::size_t length = 0; length + 10 < bytes.size(); ++length)
      EXPECT_THROW(parsePcd(bytes.substr(0, length)), pcl::IOException) << length;
}

TEST(PcdFile, ReadsOrRefusesAnyDamage)
{
  std::mt19937 random(34);
  const std::vector<std::string> files = encodings(madeCloud());
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = files[i % 3];
    const std::size_t reach = i % 2 ? bytes.size() : 200;
    for (int change = 0; change < 3; ++change)
      bytes[random() % reach] = static_cast<char>(random());
    try {
      const PcdFile file = parsePcd(bytes);
      EXPECT_EQ(file.cloud.data.size(),
                std::size_t(file.cloud.point_step) * file.cloud.width *
                    file.cloud.height);
    }
    catch (const pcl::IOException&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

} // namespace
