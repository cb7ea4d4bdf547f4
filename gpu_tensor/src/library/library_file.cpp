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
#include <type_traits>
#include <utility>
#include <vector>

namespace pcl::gpu {

namespace {

/** \brief Bytes that are read or written at a time: many for the disk, and few enough
 * to be in the cache when the checksum is computed. */
constexpr std::uint64_t part_size = std::uint64_t(1) << 20;

/** \brief A fault in the content of a file. */
struct ContentError {
  std::string problem;
};

[[noreturn]] void
fail(const std::string& path, const std::string& problem)
{
  PCL_THROW_EXCEPTION(IOException, path << ": " << problem);
}

/** \brief Reads a file that ends with a checksum, and computes the checksum. */
struct ByteReader {
  const ByteSource& source;
  std::uint64_t left; ///< bytes before the checksum that were not read
  LibraryChecksum checksum = LibraryChecksum();

  /** \brief Copies the next bytes.
   * \throws ContentError if fewer are left
   */
  void
  bytes(void* to, std::uint64_t count)
  {
    checkLeft(count, 1);
    char* next = static_cast<char*>(to);
    left -= count;
    while (count > 0) {
      const std::size_t part = std::min(count, part_size);
      source.read(next, part);
      checksum.process_bytes(next, part);
      next += part;
      count -= part;
    }
  }

  template <typename T>
  void
  value(T& to)
  {
    bytes(&to, sizeof(T));
  }

  /** \brief Fills an array; nothing is allocated that the file does not fill.
   * \throws ContentError if fewer elements are left
   */
  template <typename Array>
  void
  values(Array& to, std::uint64_t count)
  {
    constexpr std::size_t size = sizeof(typename Array::value_type);
    checkLeft(count, size);
    to.resize(count);
    bytes(to.data(), count * size);
  }

  /** \brief Reads the size of an array.
   * \param[in] what names the elements, for the message
   * \param[in] bytes_each the least that an element takes
   * \throws ContentError if the rest of the file has no room for as many elements
   */
  std::uint64_t
  size(const char* what, std::uint64_t, std::uint64_t bytes_each)
  {
    std::uint64_t result;
    value(result);
    if (result > left / bytes_each)
      throw ContentError{std::string("number of ") + what + " is " +
                         std::to_string(result) + ": expected " +
                         std::to_string(left / bytes_each) +
                         " at most, for which there are bytes"};
    return result;
  }

  /** \brief Reads the rest and compares the checksum.
   * \throws pcl::IOException if they differ
   */
  void
  checkChecksum()
  {
    std::vector<char> rest(std::min(left, part_size));
    while (left > 0)
      bytes(rest.data(), std::min(left, part_size));
    std::uint64_t expected = 0;
    source.read(&expected, sizeof(expected));
    if (checksum.checksum() != expected)
      fail(source.name, "is damaged: its checksum is not that of its content");
  }

private:
  void
  checkLeft(std::uint64_t count, std::uint64_t bytes_each) const
  {
    if (count > left / bytes_each)
      throw ContentError{"ends too early: expected " + std::to_string(count) + " x " +
                         std::to_string(bytes_each) + " bytes more, where " +
                         std::to_string(left) + " are left"};
  }
};

/** \brief Collects small pieces into parts, and computes the checksum. */
struct ByteWriter {
  const ByteSink& sink;
  LibraryChecksum checksum = LibraryChecksum();
  std::vector<char> collected = {};

  void
  bytes(const void* from, std::size_t count)
  {
    const char* next = static_cast<const char*>(from);
    while (count > 0) {
      const std::size_t part = std::min<std::size_t>(count, part_size);
      checksum.process_bytes(next, part);
      collect(next, part);
      next += part;
      count -= part;
    }
  }

  template <typename T>
  void
  value(const T& from)
  {
    bytes(&from, sizeof(T));
  }

  template <typename Array>
  void
  values(const Array& from, std::uint64_t count)
  {
    bytes(from.data(), count * sizeof(from[0]));
  }

  std::uint64_t
  size(const char*, std::uint64_t size, std::uint64_t)
  {
    value(size);
    return size;
  }

  /** \brief Writes the checksum and all that was collected. */
  void
  finish()
  {
    const std::uint64_t sum = checksum.checksum();
    collect(reinterpret_cast<const char*>(&sum), sizeof(sum));
    sink(collected.data(), collected.size());
  }

private:
  void
  collect(const char* from, std::size_t count)
  {
    if (collected.size() + count > part_size) {
      sink(collected.data(), collected.size());
      collected.clear();
    }
    collected.insert(collected.end(), from, from + count);
  }
};

/** \brief Reads or writes a model, in the order of library_format.h. */
template <typename File, typename Model>
void
transfer(File& file, Model& model)
{
  file.values(model.name, file.size("characters of a name", model.name.size(), 1));
  file.value(model.view_count);
  const std::uint64_t points =
      file.size("points", model.points.size(), bytes_per_point);
  if constexpr (!std::is_const_v<Model>)
    model.points.resize(points);
  for (auto& point : model.points) {
    file.bytes(point.data, 3 * sizeof(float));
    file.bytes(point.data_n, 3 * sizeof(float));
    file.value(point.curvature);
  }
  const std::uint64_t symmetries =
      file.size("symmetries", model.symmetries.size(), bytes_per_symmetry);
  if constexpr (!std::is_const_v<Model>)
    model.symmetries.resize(symmetries, Pose::Identity());
  for (auto& symmetry : model.symmetries) {
    Eigen::Matrix<float, 3, 4, Eigen::RowMajor> rows = symmetry.affine();
    file.bytes(rows.data(), bytes_per_symmetry);
    if constexpr (!std::is_const_v<Model>)
      symmetry.affine() = rows;
  }
  const std::uint64_t tensors =
      file.size("tensors", model.frames.size(), bytes_per_tensor);
  const std::uint64_t entries =
      file.size("entries", model.areas.size(), bytes_per_entry);
  file.values(model.frames, tensors);
  file.values(model.views, tensors);
  file.values(model.starts, tensors + 1);
  file.values(model.voxels, entries);
  file.values(model.areas, entries);
}

void
readHeader(ByteReader& reader)
{
  const ByteSource& file = reader.source;
  if (file.size < smallest_library)
    fail(file.name,
         "is truncated, or no tensor library: it has " + std::to_string(file.size) +
             " bytes, expected " + std::to_string(smallest_library) + " at least");
  unsigned char magic[sizeof(library_magic)];
  std::uint32_t order, version;
  std::uint64_t expected;
  reader.value(magic);
  if (std::memcmp(magic, library_magic, sizeof(magic)) != 0)
    fail(file.name, "is no tensor library: it begins otherwise");
  reader.value(order);
  if (order != library_byte_order)
    fail(file.name, "has its bytes in an unknown order: expected a little-endian file");
  reader.value(version);
  if (version != library_version)
    fail(file.name,
         "has version " + std::to_string(version) + ": expected version " +
             std::to_string(library_version) +
             (version > library_version ? "; it may be of a newer program" : ""));
  reader.value(expected);
  if (file.size < expected)
    fail(file.name,
         "is truncated: it has " + std::to_string(file.size) + " bytes, expected " +
             std::to_string(expected));
  if (file.size > expected)
    fail(file.name,
         "has " + std::to_string(file.size - expected) +
             " bytes behind its end: expected " + std::to_string(expected) + " bytes");
}

void
readContent(ByteReader& reader, TensorLibrary& library)
{
  TensorParameters parameters;
  reader.value(parameters);
  library.setParameters(parameters);
  const std::uint64_t models = reader.size("models", 0, bytes_per_model);
  for (std::uint64_t i = 0; i < models; ++i) {
    TensorModel model;
    transfer(reader, model);
    library.addModel(std::move(model));
  }
  if (reader.left > 0)
    throw ContentError{"has " + std::to_string(reader.left) +
                       " bytes behind its last model: expected none"};
}

TensorLibrary
readLibrary(const ByteSource& source, const Communicator::Ptr& communicator)
{
  ByteReader reader{source,
                    source.size -
                        std::min<std::uint64_t>(source.size, sizeof(std::uint64_t))};
  readHeader(reader);
  // Damage comes first: content is judged only if the checksum is right.
  std::string problem;
  TensorLibrary library;
  library.setCommunicator(communicator);
  try {
    readContent(reader, library);
  }
  catch (const ContentError& error) {
    problem = error.problem;
  }
  catch (const BadArgumentException& exception) {
    problem = messageOf(exception);
  }
  reader.checkChecksum();
  if (!problem.empty())
    fail(source.name, problem);
  return library;
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

void
loadLibrary(TensorLibrary& library, const ByteSource& source)
{
  try {
    TensorLibrary loaded = readLibrary(source, library.getCommunicator());
    loaded.setTableParameters(library.getTableParameters());
    library = std::move(loaded);
  }
  catch (const std::bad_alloc&) {
    fail(source.name, "is too large: there is not enough memory");
  }
}

void
writeLibrary(const TensorLibrary& library, const ByteSink& sink)
{
  std::uint64_t size = smallest_library;
  for (int i = 0; i < library.size(); ++i) {
    const TensorModel& model = library.getModel(i);
    size +=
        bytes_per_model + model.name.size() + bytes_per_point * model.points.size() +
        bytes_per_symmetry * model.symmetries.size() +
        bytes_per_tensor * model.frames.size() + bytes_per_entry * model.areas.size();
  }
  ByteWriter writer{sink};
  writer.value(library_magic);
  writer.value(library_byte_order);
  writer.value(library_version);
  writer.value(size);
  writer.value(library.getParameters());
  writer.value(static_cast<std::uint64_t>(library.size()));
  for (int i = 0; i < library.size(); ++i)
    transfer(writer, library.getModel(i));
  writer.finish();
}

} // namespace pcl::gpu
