// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/byte_reader.h"

#include <pcl/exceptions.h>

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace pcl::gpu {

namespace {

/** \brief Read at a time: large for the disk, and small enough for the cache, which the
 * checksum is made from. */
constexpr std::uint64_t part_size = std::uint64_t(1) << 20;

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

ByteReader::ByteReader(const ByteSource& source)
: source_(source)
, left_(source.size - std::min<std::uint64_t>(source.size, sizeof(std::uint64_t)))
{}

void
ByteReader::bytes(void* to, std::uint64_t count)
{
  checkLeft(count, 1);
  char* next = static_cast<char*>(to);
  left_ -= count;
  while (count > 0) {
    const std::size_t part = std::min(count, part_size);
    source_.read(next, part);
    checksum_.process_bytes(next, part);
    next += part;
    count -= part;
  }
}

std::uint64_t
ByteReader::count(const char* what, std::uint64_t bytes_each)
{
  const auto result = value<std::uint64_t>();
  if (result > left_ / bytes_each)
    throw ContentError{std::string("number of ") + what + " is " +
                       std::to_string(result) + ": expected " +
                       std::to_string(left_ / bytes_each) +
                       " at most, for which there are bytes"};
  return result;
}

void
ByteReader::checkChecksum()
{
  std::vector<char> rest(std::min(left_, part_size));
  while (left_ > 0)
    bytes(rest.data(), std::min(left_, part_size));
  std::uint64_t expected = 0;
  source_.read(&expected, sizeof(expected));
  if (checksum_.checksum() != expected)
    fail("is damaged: its checksum is not that of its content");
}

void
ByteReader::fail(const std::string& problem) const
{
  PCL_THROW_EXCEPTION(pcl::IOException, source_.name << ": " << problem);
}

void
ByteReader::checkLeft(std::uint64_t count, std::uint64_t bytes_each) const
{
  if (count > left_ / bytes_each)
    throw ContentError{"ends too early: expected " + std::to_string(count) + " x " +
                       std::to_string(bytes_each) + " bytes more, where " +
                       std::to_string(left_) + " are left"};
}

} // namespace pcl::gpu
