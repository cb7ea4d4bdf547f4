// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pcl::gpu::fuzz {

/** \brief Hash of all that a reader returned. */
class Digest {
public:
  void
  add(std::string_view bytes)
  {
    value_ = 31 * value_ + std::hash<std::string_view>()(bytes);
  }

  /** \brief Adds a number, or elements of an array that have no padding. */
  template <typename T>
  void
  add(const T* elements, std::size_t count)
  {
    add(std::string_view(reinterpret_cast<const char*>(elements), count * sizeof(T)));
  }

  std::uint64_t
  value() const
  {
    return value_;
  }

private:
  std::uint64_t value_ = 0;
};

/** \brief Ways in which a file that ends early, and would be read differently, may be
 * accepted, because nothing in it shows that something is missing. */
enum class EarlyEnd {
  Refused,
  InLastWord, ///< the last word that is read is shortened; others may follow it
  InLastLine, ///< the last line is the only one, or has as many words as the first one,
              ///< or none
  AfterSolid, ///< behind the end of a solid, which another one may follow
  Anywhere,   ///< the format has no end, and parts of it are optional
};

/** \brief A kind of files, and the reader of it. */
struct Format {
  const char* name; ///< also of its folder in corpus/
  EarlyEnd early_end;
  const char* file;   ///< name of the file
  const char* folder; ///< files that belong to it, in folders/; empty: none

  /** \brief Reads a file.
   * \throws pcl::PCLException or apps::InputError if it is refused
   */
  void (*read)(const std::string& path, Digest& digest);

  /** \brief Makes checksums of a mutated file right; may be null. */
  void (*repair)(char* bytes, std::size_t size);
};

/** \brief Returns all formats. */
const std::vector<Format>&
formats();

} // namespace pcl::gpu::fuzz
