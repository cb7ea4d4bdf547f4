// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "text_file.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/atomic_file.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace pcl::gpu {

std::string
extensionOf(const std::string& file)
{
  std::string extension = std::filesystem::path(file).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return extension;
}

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
  return text.str();
}

void
writeTextFile(const std::string& file, const std::string& text)
{
  AtomicFile output(file);
  output.write(text.data(), text.size());
  output.commit();
}

} // namespace pcl::gpu
