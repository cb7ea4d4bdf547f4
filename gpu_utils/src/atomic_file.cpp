// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/atomic_file.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace pcl {
namespace gpu {

AtomicFile::AtomicFile(const std::string& path) : path_(path)
{
  // Other threads may be writing the same file, and a program that crashed may have left one
  // of its own.
  for (int number = 0; descriptor_ < 0; ++number) {
    temporary_ =
        path + "." + std::to_string(getpid()) + "." + std::to_string(number) + ".part";
    descriptor_ =
        open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST)
      fail();
  }
}

AtomicFile::~AtomicFile()
{
  if (descriptor_ >= 0)
    close(descriptor_);
  if (!temporary_.empty())
    unlink(temporary_.c_str());
}

void
AtomicFile::write(const void* bytes, std::size_t count)
{
  constexpr std::size_t most = std::size_t(1) << 30; // systems refuse 2 GB at a time
  const char* next = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = ::write(descriptor_, next, std::min(count, most));
    if (written < 0 && errno != EINTR)
      fail();
    if (written > 0) {
      next += written;
      count -= static_cast<std::size_t>(written);
    }
  }
}

void
AtomicFile::commit()
{
  // Some file systems have no such call, which is no reason to fail.
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP)
    fail();
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (close(descriptor) != 0 || std::rename(temporary_.c_str(), path_.c_str()) != 0)
    fail();
  temporary_.clear();
}

void
AtomicFile::fail() const
{
  const int error = errno;
  PCL_THROW_EXCEPTION(IOException,
                      path_ << ": cannot be written: " << std::strerror(error));
}

} // namespace gpu
} // namespace pcl
