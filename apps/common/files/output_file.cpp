// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "output_file.h"

#include "../command_line/errors.h"

#include <pcl/gpu/utils/atomic_file.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <regex>
#include <stdexcept>

namespace pcl::gpu::apps {

namespace {

// A signal handler must not allocate or lock, so the names of unfinished files are in
// plain arrays.
constexpr int slots = 64;
char unfinished[slots][4096];
std::atomic<bool> taken[slots];
std::mutex taking; // the handler does not lock it

extern "C" void
discardUnfinished(int signal)
{
  for (int i = 0; i < slots; ++i)
    if (taken[i].load())
      unlink(unfinished[i]);
  // Die of the signal, so that a calling shell script stops too.
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

int
remember(const std::string& name)
{
  const std::lock_guard<std::mutex> lock(taking);
  if (name.size() < sizeof unfinished[0])
    for (int i = 0; i < slots; ++i)
      if (!taken[i].load()) {
        std::strcpy(unfinished[i], name.c_str());
        taken[i].store(true);
        return i;
      }
  return -1;
}

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

void
prepareFolder(const std::string& folder)
{
  if (folder.empty())
    return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw fileError(folder, "cannot be created: " + error.message());
  OutputFile::checkWritable((std::filesystem::path(folder) / "file").string());
}

void
checkOutputFiles(std::initializer_list<std::string> paths)
{
  for (const std::string& path : paths)
    if (!path.empty())
      OutputFile::checkWritable(path);
}

OutputFile::OutputFile(const std::string& path) : path_(path)
{
  checkWritable(path);
  const std::filesystem::path target(path);
  temporary_ = (target.parent_path() /
                ("." + target.stem().string() + "." + std::to_string(getpid()) +
                 ".part" + target.extension().string()))
                   .string();
  slot_ = remember(temporary_);
}

OutputFile::~OutputFile()
{
  if (!temporary_.empty())
    unlink(temporary_.c_str());
  if (slot_ >= 0)
    taken[slot_].store(false);
}

const std::string&
OutputFile::temporary() const
{
  return temporary_;
}

void
OutputFile::commit()
{
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
    throw std::runtime_error(path_ + ": cannot be written: " + std::strerror(errno));
  temporary_.clear();
}

void
OutputFile::checkWritable(const std::string& path)
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
OutputFile::discardOnSignals()
{
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, discardUnfinished) == SIG_IGN)
      std::signal(signal, SIG_IGN); // as nohup sets it
}

void
removeUnfinished(const std::string& folder)
{
  // As OutputFile and AtomicFile name them.
  static const std::regex name(
      "\\..*\\.[0-9]+\\.part(\\.[^.]*)?|.*\\.[0-9]+\\.[0-9]+\\.part");
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (std::regex_match(entry.path().filename().string(), name))
      std::filesystem::remove(entry.path(), ignored);
}

void
writeFile(const std::string& path,
          const std::function<bool(const std::string& temporary)>& write)
{
  OutputFile file(path);
  if (!write(file.temporary()))
    throw std::runtime_error(path + ": cannot be written");
  file.commit();
}

void
writeText(const std::string& path, const std::string& text)
{
  OutputFile::checkWritable(path);
  gpu::writeFile(path, text);
}

} // namespace pcl::gpu::apps
