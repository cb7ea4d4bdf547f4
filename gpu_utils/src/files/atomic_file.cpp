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
#include <filesystem>

namespace pcl::gpu {

namespace {

/** \brief Returns the link through which a file without a name gets one. */
std::string
linkOf(int descriptor)
{
  return "/proc/self/fd/" + std::to_string(descriptor);
}

/** \brief Makes a file without a name in the folder of \a path.
 * \return its descriptor; -1 if the file system has no such files, or cannot name them
 * later
 */
int
openNameless(const std::string& path)
{
#ifdef O_TMPFILE
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int descriptor = open(
      folder.empty() ? "." : folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (descriptor < 0 || access(linkOf(descriptor).c_str(), F_OK) == 0)
    return descriptor;
  close(descriptor);
#else
  static_cast<void>(path);
#endif
  return -1;
}

} // namespace

AtomicFile::AtomicFile(const std::string& path)
: path_(path)
, descriptor_(openNameless(path))
{
  if (descriptor_ < 0)
    takeTemporaryName([&](const char* name) {
      return descriptor_ = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    });
}

template <typename Make>
void
AtomicFile::takeTemporaryName(const Make& make)
{
  // Other threads may be writing the same file, and a program that crashed may have
  // left a temporary file.
  for (int number = 0;; ++number) {
    const std::string name =
        path_ + "." + std::to_string(getpid()) + "." + std::to_string(number) + ".part";
    if (make(name.c_str()) >= 0) {
      temporary_ = name;
      return;
    }
    if (errno != EEXIST)
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
  // Some file systems do not support fsync(), which is no reason to fail.
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP)
    fail();
  if (temporary_.empty())
    // No call gives it a name that is taken.
    takeTemporaryName([&](const char* name) {
      return linkat(
          AT_FDCWD, linkOf(descriptor_).c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
    });
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

void
writeFile(const std::string& path, std::string_view contents)
{
  AtomicFile file(path);
  file.write(contents.data(), contents.size());
  file.commit();
}

} // namespace pcl::gpu
