// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace pcl::gpu {

/** \brief A file that appears under its name when it is complete, or not at all.
 *
 * It replaces an existing file of that name. After any failure the existing file is as
 * before. Until the new file is complete it has no name, if the file system allows
 * that, so that nothing is left even if a signal ends the program. Otherwise it has a
 * temporary name in the same folder.
 *
 * \ingroup gpu_utils
 */
class PCL_EXPORTS AtomicFile {
public:
  /** \brief Makes an empty file.
   * \param[in] path the file's name once it is complete
   * \throws pcl::IOException naming \a path and the reason if the folder cannot be
   * written to
   */
  explicit AtomicFile(const std::string& path);

  /** \brief Removes the file if commit() was not called, or failed. */
  ~AtomicFile();

  AtomicFile(const AtomicFile&) = delete;
  AtomicFile&
  operator=(const AtomicFile&) = delete;

  /** \brief Appends bytes. Has no buffer: few large writes are faster than many small
   * ones.
   * \param[in] bytes the first byte
   * \param[in] count number of bytes
   * \throws pcl::IOException naming the file and the reason if they cannot be written
   */
  void
  write(const void* bytes, std::size_t count);

  /** \brief Waits until all bytes are on the disk, then gives the file its name. No
   * bytes can be written afterwards.
   * \throws pcl::IOException naming the file and the reason if that fails
   */
  void
  commit();

private:
  /** \brief Finds a temporary name that is free.
   * \param[in] make makes a file of a name; returns -1 and sets errno if it fails
   */
  template <typename Make>
  void
  takeTemporaryName(const Make& make);

  /** \brief Throws pcl::IOException with the reason in errno. */
  [[noreturn]] void
  fail() const;

  std::string path_;
  std::string temporary_; ///< empty while the file has no name
  int descriptor_ = -1;
};

/** \brief Writes a file that appears under its name when it is complete, or not at all.
 * \param[in] path the file's name
 * \param[in] contents all of its bytes
 * \throws pcl::IOException naming the file and the reason if it cannot be written
 * \ingroup gpu_utils
 */
PCL_EXPORTS void
writeFile(const std::string& path, std::string_view contents);

} // namespace pcl::gpu
