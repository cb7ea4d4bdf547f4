// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "common/temporary_folder.h"

#include <pcl/gpu/utils/internal/natural_order.h>
#include <pcl/gpu/utils/internal/text_file.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace pcl::gpu;
using namespace pcl::gpu::test;

namespace {

TEST(NaturalOrder, HasNumbersInTheirOrder)
{
  const std::vector<std::string> names = {"",
                                          "0",
                                          "00",
                                          "01",
                                          "1",
                                          "2.png",
                                          "10.png",
                                          "11.png",
                                          "18446744073709551616",
                                          "18446744073709551617",
                                          "a",
                                          "a-2",
                                          "a-10-b1",
                                          "a-10-b9",
                                          "a-10-b10",
                                          "a.2",
                                          "a2b",
                                          "a02c",
                                          "b"};
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {
    std::vector<std::string> shuffled = names;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    std::sort(shuffled.begin(), shuffled.end(), isBefore);
    EXPECT_EQ(shuffled, names);
  }
}

TEST(Files, AreReadWhollyOrUpToSomeByte)
{
  const TemporaryFolder folder;
  for (const std::size_t size : {0, 1, 65535, 65536, 65537, 200000}) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i)
      bytes[i] = static_cast<char>(i * 7 + i / 65536);
    const std::string file = folder.write("file", bytes);
    EXPECT_EQ(readFileBytes(file, "a file"), bytes);
    for (const std::size_t most : {0, 1, 65535, 65536, 65537})
      EXPECT_EQ(readFileBytes(file, "a file", most), bytes.substr(0, most));
  }
}

TEST(TextFiles, MayBeginWithAByteOrderMark)
{
  const TemporaryFolder folder;
  const std::string mark = "\xef\xbb\xbf";
  for (const std::string text : {"", "a\r\nb", "\xef\xbb", "x\xef\xbb\xbf"}) {
    EXPECT_EQ(readTextFile(folder.write("plain.txt", text)), text);
    EXPECT_EQ(readTextFile(folder.write("marked.txt", mark + text)), text);
  }
}

TEST(TextFiles, ThatCannotBeReadAreNamed)
{
  const TemporaryFolder folder;
  expectBadFile({"absent.txt", "No such file"},
                [&] { readTextFile(folder / "absent.txt"); });
  expectBadFile({"is a folder"}, [&] { readTextFile(folder / "."); });
}

} // namespace
