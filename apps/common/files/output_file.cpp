// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "output_file.h"

#include "../command_line/errors.h"

#include <pcl/gpu/utils/atomic_file.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <regex>
#include <stdexcept>
#include <vector>

namespace pcl::gpu::apps {

namespace {

/** \brief A file in memory, with a name that other libraries can write to: several of
 * them do not notice that a disk is full. */
class MemoryFile {
public:
  MemoryFile() : descriptor_(memfd_create("output", MFD_CLOEXEC))
  {
    if (descriptor_ < 0)
      throw std::runtime_error(std::string("no file in memory: ") +
                               std::strerror(errno));
  }

  ~MemoryFile() { close(descriptor_); }

  MemoryFile(const MemoryFile&) = delete;
  MemoryFile&
  operator=(const MemoryFile&) = delete;

  std::string
  name() const
  {
    return "/proc/self/fd/" + std::to_string(descriptor_);
  }

  /** \brief Reads bytes from a place on; returns their number, 0 at the end. */
  std::size_t
  read(std::size_t place, std::vector<char>& bytes) const
  {
    const ssize_t count =
        pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (count < 0)
      throw std::runtime_error(std::string("a file in memory cannot be read: ") +
                               std::strerror(errno));
    return static_cast<std::size_t>(count);
  }

private:
  int descriptor_;
};

} // namespace

std::string
extensionOf(const std::string& path)
{
  // With a stem before it, because ".ply" alone is a hidden file without extension.
  std::string extension =
      std::filesystem::path("x" + std::filesystem::path(path).filename().string())
          .extension()
          .string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return extension;
}

std::string
numberedPath(const std::string& folder, const std::string& name, int number)
{
  char suffix[32];
  std::snprintf(suffix, sizeof suffix, "-%04d", number);
  const std::filesystem::path file = std::filesystem::path(name).filename();
  return (std::filesystem::path(folder) /
          (file.stem().string() + suffix + file.extension().string()))
      .string();
}

std::string
framePath(const std::string& folder, int number, const std::string& extension)
{
  char name[16];
  std::snprintf(name, sizeof name, "%06d", number);
  return (std::filesystem::path(folder) / (name + extension)).string();
}

std::string
uniqueName(const std::string& name, std::set<std::string>& used)
{
  std::string unique = name;
  for (int i = 2; !used.insert(unique).second; ++i)
    unique = name + "-" + std::to_string(i);
  return unique;
}

void
prepareFolder(const std::string& folder)
{
  if (folder.empty())
    return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw fileError(folder, "cannot be created: " + error.message());
  checkWritable((std::filesystem::path(folder) / "file").string());
}

void
checkOutputFiles(std::initializer_list<std::string> paths)
{
  for (const std::string& path : paths)
    if (!path.empty())
      checkWritable(path);
}

void
checkWritable(const std::string& path)
{
  namespace fs = std::filesystem;
  const fs::path folder = fs::absolute(path).parent_path();
  std::error_code ignored;
  if (fs::path(path).filename().string() == extensionOf(path))
    throw fileError(path, "has no name", "NAME" + extensionOf(path));
  if (fs::path(path).filename().empty() || fs::is_directory(path, ignored))
    throw fileError(path, "is a folder", "the name of a file to write");
  if (!fs::is_directory(folder, ignored))
    throw fileError(path, "cannot be written", "a folder " + folder.string());
  if (access(folder.c_str(), W_OK) != 0)
    throw fileError(path, "cannot be written", "a folder that you may write to");
}

void
removeUnfinished(const std::string& folder)
{
  static const std::regex name(".*\\.[0-9]+\\.[0-9]+\\.part");
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (std::regex_match(entry.path().filename().string(), name))
      std::filesystem::remove(entry.path(), ignored);
}

void
writeFile(const std::string& path,
          const std::function<bool(const std::string& temporary)>& write)
{
  checkWritable(path);
  const MemoryFile memory;
  if (!write(memory.name()))
    throw std::runtime_error(path + ": cannot be written");
  AtomicFile file(path);
  std::vector<char> bytes(std::size_t(1) << 20);
  for (std::size_t place = 0, count; (count = memory.read(place, bytes)) > 0;
       place += count)
    file.write(bytes.data(), count);
  file.commit();
}

void
writeText(const std::string& path, const std::string& text)
{
  checkWritable(path);
  gpu::writeFile(path, text);
}

} // namespace pcl::gpu::apps
