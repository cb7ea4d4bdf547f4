// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/exceptions.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <stdlib.h>

namespace pcl::gpu::test {

/** \brief A folder for the files of a test, removed with the object. */
class TemporaryFolder {
public:
  TemporaryFolder()
  {
    std::string name =
        (std::filesystem::temp_directory_path() / "test_XXXXXX").string();
    if (!mkdtemp(&name[0]))
      throw std::runtime_error("cannot make a folder " + name);
    path_ = name;
  }

  ~TemporaryFolder()
  {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder&
  operator=(const TemporaryFolder&) = delete;

  /** \brief Returns the path of a file in it. */
  std::string
  operator/(const std::string& name) const
  {
    return (path_ / name).string();
  }

  /** \brief Writes a file.
   * \return its path
   */
  std::string
  write(const std::string& name, const std::string& text) const
  {
    // Some file systems wait for the disk when an existing file is overwritten.
    std::filesystem::remove(*this / name);
    std::ofstream(*this / name, std::ios::binary) << text;
    return *this / name;
  }

  /** \brief Returns the number of files. */
  int
  count() const
  {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      files += entry.path().empty() ? 0 : 1;
    return files;
  }

private:
  std::filesystem::path path_;
};

/** \brief Returns all bytes of a file. */
inline std::string
bytesOfFile(const std::string& path)
{
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/** \brief Expects pcl::IOException with some words in its message. */
template <typename Call>
void
expectBadFile(const std::vector<std::string>& words, const Call& call)
{
  try {
    call();
    ADD_FAILURE() << "nothing was thrown; expected a message that names " << words[0];
  }
  catch (const pcl::IOException& exception) {
    for (const std::string& word : words)
      EXPECT_NE(std::string(exception.what()).find(word), std::string::npos)
          << exception.what() << "\ndoes not name " << word;
  }
}

} // namespace pcl::gpu::test
