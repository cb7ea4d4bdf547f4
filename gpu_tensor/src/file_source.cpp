// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "file_source.h"

#include <pcl/exceptions.h>

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace pcl::gpu {

namespace {

[[noreturn]] void
fail(const std::string& path, const std::string& problem)
{
  PCL_THROW_EXCEPTION(IOException, path << ": " << problem);
}

} // namespace

ByteSource
openFile(const std::string& path)
{
  struct stat status {};
  // Opening a pipe would wait for its other end.
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    fail(path, "is no file: expected a tensor library");
  const std::shared_ptr<std::FILE> file(std::fopen(path.c_str(), "rb"),
                                        [](std::FILE* opened) {
                                          if (opened)
                                            std::fclose(opened);
                                        });
  if (!file || fstat(fileno(file.get()), &status) != 0)
    fail(path, std::string("cannot be opened: ") + std::strerror(errno));
  const auto read = [file, path](void* to, std::size_t count) {
    if (std::fread(to, 1, count, file.get()) == count)
      return;
    if (std::ferror(file.get()))
      fail(path, std::string("cannot be read: ") + std::strerror(errno));
    fail(path, "was made shorter while it was read");
  };
  return {path, static_cast<std::uint64_t>(status.st_size), read};
}

} // namespace pcl::gpu
