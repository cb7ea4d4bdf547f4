// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "testing/packed_file.h"

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace pcl::gpu::test {

bool
isPacked(const std::string& path)
{
  const std::string ending = ".xz";
  return path.size() >= ending.size() &&
         path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

std::string
plainOrPacked(const std::string& path)
{
  const std::string packed = path + ".xz";
  return std::filesystem::exists(path) || !std::filesystem::exists(packed) ? path
                                                                           : packed;
}

std::string
contentsOf(const std::string& path)
{
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  boost::iostreams::filtering_istream stream;
  if (isPacked(path))
    stream.push(boost::iostreams::lzma_decompressor());
  stream.push(file);
  std::ostringstream contents;
  try {
    boost::iostreams::copy(stream, contents);
  }
  catch (const std::exception& error) {
    throw std::runtime_error("cannot read " + path + ": " + error.what());
  }
  return contents.str();
}

} // namespace pcl::gpu::test
