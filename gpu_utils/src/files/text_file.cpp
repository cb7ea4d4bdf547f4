// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/internal/text_file.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace pcl::gpu {

std::string
readTextFile(const std::string& file)
{
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    PCL_THROW_EXCEPTION(IOException, file << ": is a folder: expected a text file");
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    PCL_THROW_EXCEPTION(IOException,
                        file << ": cannot be opened: " << std::strerror(errno));
  std::ostringstream text;
  if (stream.peek() != std::ifstream::traits_type::eof())
    text << stream.rdbuf();
  if (stream.bad() || text.fail())
    PCL_THROW_EXCEPTION(IOException, file << ": cannot be read: expected a text file");
  std::string contents = text.str();
  const std::string byte_order_mark = "\xef\xbb\xbf";
  if (contents.compare(0, byte_order_mark.size(), byte_order_mark) == 0)
    contents.erase(0, byte_order_mark.size());
  return contents;
}

} // namespace pcl::gpu
