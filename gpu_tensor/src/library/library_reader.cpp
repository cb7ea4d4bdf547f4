// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "library/library_file.h"
#include "library/library_format.h"

#include <pcl/exceptions.h>
#include <pcl/gpu/utils/internal/exception_message.h>

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace pcl::gpu {

namespace {

/** \brief The content of a file cannot be, if it is what was written. */
struct ContentError {
  std::string problem;
};

[[noreturn]] void
fail(const std::string& path, const std::string& problem)
{
  PCL_THROW_EXCEPTION(IOException, path << ": " << problem);
}

/** \brief Reads a file that ends with a checksum, and makes the checksum of what it reads. */
class ByteReader {
public:
  explicit ByteReader(const ByteSource& source)
  : source_(source)
  , left_(source.size - std::min<std::uint64_t>(source.size, sizeof(std::uint64_t)))
  {}

  /** \brief Returns the bytes of the file. */
  std::uint64_t
  size() const
  {
    return source_.size;
  }

  /** \brief Returns the bytes before the checksum that were not read. */
  std::uint64_t
  left() const
  {
    return left_;
  }

  /** \brief Copies the next bytes.
   * \throws ContentError if fewer are left
   */
  void
  bytes(void* to, std::uint64_t count)
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

  /** \brief Returns the next number. */
  template <typename T>
  T
  value()
  {
    T result;
    bytes(&result, sizeof(T));
    return result;
  }

  /** \brief Fills an array; nothing is allocated that the file does not fill.
   * \throws ContentError if fewer are left
   */
  template <typename T>
  void
  values(std::vector<T>& to, std::uint64_t count)
  {
    checkLeft(count, sizeof(T));
    to.resize(count);
    bytes(to.data(), count * sizeof(T));
  }

  /** \brief Returns a number of things that are to follow.
   * \param[in] what they are, for the message
   * \param[in] bytes_each the least that one takes
   * \throws ContentError if the rest of the file has no room for as many
   */
  std::uint64_t
  count(const char* what, std::uint64_t bytes_each)
  {
    const auto result = value<std::uint64_t>();
    if (result > left_ / bytes_each)
      throw ContentError{std::string("number of ") + what + " is " +
                         std::to_string(result) + ": expected " +
                         std::to_string(left_ / bytes_each) +
                         " at most, for which there are bytes"};
    return result;
  }

  /** \brief Reads the rest and compares the checksum.
   * \throws pcl::IOException if it is another one
   */
  void
  checkChecksum()
  {
    std::vector<char> rest(std::min(left_, part_size));
    while (left_ > 0)
      bytes(rest.data(), std::min(left_, part_size));
    std::uint64_t expected = 0;
    source_.read(&expected, sizeof(expected));
    if (checksum_.checksum() != expected)
      fail("is damaged: its checksum is not that of its content");
  }

  /** \brief Throws pcl::IOException that names the file. */
  [[noreturn]] void
  fail(const std::string& problem) const
  {
    gpu::fail(source_.name, problem);
  }

private:
  /** \brief Read at a time: large for the disk, and small enough for the cache, which the
   * checksum is made from. */
  static constexpr std::uint64_t part_size = std::uint64_t(1) << 20;

  void
  checkLeft(std::uint64_t count, std::uint64_t bytes_each) const
  {
    if (count > left_ / bytes_each)
      throw ContentError{"ends too early: expected " + std::to_string(count) + " x " +
                         std::to_string(bytes_each) + " bytes more, where " +
                         std::to_string(left_) + " are left"};
  }

  const ByteSource& source_;
  std::uint64_t left_;
  LibraryChecksum checksum_;
};

class LibraryReader {
public:
  explicit LibraryReader(const ByteSource& source) : reader_(source) {}

  TensorLibrary
  read()
  {
    readHeader();
    // Damage comes first: content is judged only if the checksum is right.
    std::string problem;
    TensorLibrary library;
    try {
      readContent(library);
    }
    catch (const ContentError& error) {
      problem = error.problem;
    }
    catch (const BadArgumentException& exception) {
      problem = messageOf(exception);
    }
    reader_.checkChecksum();
    if (!problem.empty())
      reader_.fail(problem);
    return library;
  }

private:
  void
  readHeader()
  {
    const std::uint64_t size = reader_.size();
    if (size < smallest_library)
      reader_.fail("is truncated, or no tensor library: it has " +
                   std::to_string(size) + " bytes, expected " +
                   std::to_string(smallest_library) + " at least");
    unsigned char magic[sizeof(library_magic)];
    reader_.bytes(magic, sizeof(magic));
    if (std::memcmp(magic, library_magic, sizeof(magic)) != 0)
      reader_.fail("is no tensor library: it begins otherwise");
    const auto order = reader_.value<std::uint32_t>();
    if (order != library_byte_order)
      reader_.fail("has its bytes in an unknown order: expected a little-endian file");
    const auto version = reader_.value<std::uint32_t>();
    if (version != library_version)
      reader_.fail("has version " + std::to_string(version) + ": expected version " +
                   std::to_string(library_version) +
                   (version > library_version ? "; it may be of a newer program" : ""));
    const auto expected = reader_.value<std::uint64_t>();
    if (size < expected)
      reader_.fail("is truncated: it has " + std::to_string(size) +
                   " bytes, expected " + std::to_string(expected));
    if (size > expected)
      reader_.fail("has " + std::to_string(size - expected) +
                   " bytes behind its end: expected " + std::to_string(expected) +
                   " bytes");
  }

  void
  readContent(TensorLibrary& library)
  {
    library.setParameters(reader_.value<TensorParameters>());
    const std::uint64_t models = reader_.count("models", bytes_per_model);
    for (std::uint64_t i = 0; i < models; ++i)
      library.addModel(readModel());
    if (reader_.left() > 0)
      throw ContentError{"has " + std::to_string(reader_.left()) +
                         " bytes behind its last model: expected none"};
  }

  TensorModel
  readModel()
  {
    TensorModel model;
    model.name.resize(reader_.count("characters of a name", 1));
    reader_.bytes(&model.name[0], model.name.size());
    model.view_count = reader_.value<std::int32_t>();
    readPoints(model.points);
    const std::uint64_t tensors = reader_.count("tensors", bytes_per_tensor);
    const std::uint64_t entries = reader_.count("entries", bytes_per_entry);
    reader_.values(model.frames, tensors);
    reader_.values(model.views, tensors);
    reader_.values(model.starts, tensors + 1);
    reader_.values(model.voxels, entries);
    reader_.values(model.areas, entries);
    return model;
  }

  void
  readPoints(TensorModel::Points& points)
  {
    points.resize(reader_.count("points", bytes_per_point));
    std::vector<float> numbers;
    for (std::size_t i = 0; i < points.size(); i += points_at_a_time) {
      const std::size_t count = std::min(points_at_a_time, points.size() - i);
      reader_.values(numbers, count * floats_per_point);
      for (std::size_t j = 0; j < count; ++j) {
        const float* from = &numbers[j * floats_per_point];
        std::copy(from, from + 3, points[i + j].data);
        std::copy(from + 3, from + 6, points[i + j].data_n);
        points[i + j].curvature = from[6];
      }
    }
  }

  ByteReader reader_;
};

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

void
loadLibrary(TensorLibrary& library, const ByteSource& source)
{
  try {
    TensorLibrary loaded = LibraryReader(source).read();
    loaded.setTableParameters(library.getTableParameters());
    library = std::move(loaded);
  }
  catch (const std::bad_alloc&) {
    PCL_THROW_EXCEPTION(IOException,
                        source.name << ": is too large: there is not enough memory");
  }
}

} // namespace pcl::gpu
