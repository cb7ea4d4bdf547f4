// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include "library/library_format.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pcl::gpu {

/** \brief Bytes that are read one after the other, from a file or from memory. */
struct ByteSource {
  std::string name;   ///< for messages
  std::uint64_t size; ///< in bytes
  /** \brief Copies the next bytes, of which there are as many left. */
  std::function<void(void* to, std::size_t count)> read;
};

/** \brief Opens a file.
 * \throws pcl::IOException naming the file if there is none that can be read; so does reading
 * if the file fails or becomes shorter
 */
ByteSource
openFile(const std::string& path);

/** \brief The content of a file cannot be, if it is what was written. */
struct ContentError {
  std::string problem;
};

/** \brief Reads a file that ends with a checksum, and makes the checksum of what it reads. */
class ByteReader {
public:
  explicit ByteReader(const ByteSource& source);

  /** \brief Bytes of the file. */
  std::uint64_t
  size() const
  {
    return source_.size;
  }

  /** \brief Bytes before the checksum that were not read. */
  std::uint64_t
  left() const
  {
    return left_;
  }

  /** \brief Copies the next bytes.
   * \throws ContentError if fewer are left
   */
  void
  bytes(void* to, std::uint64_t count);

  /** \brief The next number. */
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

  /** \brief A number of things that are to follow.
   * \param[in] what they are, for the message
   * \param[in] bytes_each the least that one takes
   * \throws ContentError if the rest of the file has no room for as many
   */
  std::uint64_t
  count(const char* what, std::uint64_t bytes_each);

  /** \brief Reads the rest and compares the checksum.
   * \throws pcl::IOException if it is another one
   */
  void
  checkChecksum();

  /** \brief Throws pcl::IOException that names the file. */
  [[noreturn]] void
  fail(const std::string& problem) const;

private:
  void
  checkLeft(std::uint64_t count, std::uint64_t bytes_each) const;

  const ByteSource& source_;
  std::uint64_t left_;
  LibraryChecksum checksum_;
};

} // namespace pcl::gpu
