// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/internal/text_file.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace pcl::gpu {

std::string
readFileBytes(const std::string& file, const std::string& expectation, std::size_t most)
{
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    PCL_THROW_EXCEPTION(IOException, file << ": is a folder: expected " << expectation);
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    PCL_THROW_EXCEPTION(IOException,
                        file << ": cannot be opened: " << std::strerror(errno));
  // A pipe has no size to ask for.
  constexpr std::size_t step = 65536;
  std::string bytes;
  while (stream && bytes.size() < most) {
    const std::size_t begin = bytes.size();
    bytes.resize(begin + std::min(step, most - begin));
    stream.read(&bytes[begin], static_cast<std::streamsize>(bytes.size() - begin));
    bytes.resize(begin + static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad())
    PCL_THROW_EXCEPTION(IOException,
                        file << ": cannot be read: expected " << expectation);
  return bytes;
}

std::string
readTextFile(const std::string& file)
{
  std::string text = readFileBytes(file, "a text file");
  text.erase(0, text.size() - withoutByteOrderMark(text).size());
  return text;
}

} // namespace pcl::gpu
