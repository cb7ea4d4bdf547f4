// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <cstddef>
#include <string>

namespace pcl::gpu {

/** \brief A file that appears under its name when it is complete, or not at all.
 *
 * It takes the place of a file that may have the name. Whatever fails, that one stays as it
 * was. Until it is complete it has no name where the file system knows such files, so that
 * nothing is left even of a program that a signal ends; elsewhere it has a temporary one in
 * the same folder.
 *
 * \ingroup gpu_utils
 */
class PCL_EXPORTS AtomicFile {
public:
  /** \brief Makes the file, which is empty.
   * \param[in] path the name that the file is to have
   * \throws pcl::IOException naming \a path and the reason if the folder cannot be written to
   */
  explicit AtomicFile(const std::string& path);

  /** \brief Removes the file if commit() was not called, or failed. */
  ~AtomicFile();

  AtomicFile(const AtomicFile&) = delete;
  AtomicFile&
  operator=(const AtomicFile&) = delete;

  /** \brief Appends bytes. There is no buffer: many at a time are faster than few.
   * \param[in] bytes the first one
   * \param[in] count how many
   * \throws pcl::IOException naming the file and the reason if they cannot be written
   */
  void
  write(const void* bytes, std::size_t count);

  /** \brief Waits until all is on the disk, and gives the file its name. Nothing can be
   * written after that.
   * \throws pcl::IOException naming the file and the reason if that fails
   */
  void
  commit();

private:
  /** \brief Finds a temporary name that is free.
   * \param[in] make makes a file of a name; returns -1 and sets errno where it cannot
   */
  template <typename Make>
  void
  takeTemporaryName(const Make& make);

  /** \brief Throws with the reason that errno has. */
  [[noreturn]] void
  fail() const;

  std::string path_;
  std::string temporary_; ///< empty while the file has no name
  int descriptor_ = -1;
};

} // namespace pcl::gpu
