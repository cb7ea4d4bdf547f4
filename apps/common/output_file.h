// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <string>

namespace pcl::gpu::apps {

/** \brief The extension of a file name with its dot, in small letters: ".ply" of "a.PLY",
 * and of ".ply" itself.
 * \param[in] path file name
 */
std::string
extensionOf(const std::string& path);

/** \brief The name of one file of a sequence: "folder/image-0007.png".
 * \param[in] folder where it goes
 * \param[in] name of a file without number; its folder does not count
 * \param[in] number of the file
 */
std::string
numberedPath(const std::string& folder, const std::string& name, int number);

/** \brief The file of a frame: FOLDER/000012.png.
 * \param[in] folder where it is
 * \param[in] number of the frame
 * \param[in] extension with its dot
 */
std::string
framePath(const std::string& folder, int number, const std::string& extension);

/** \brief Makes sure early that files can be created in a folder.
 * \param[in] folder made if it is not there; an empty name is left alone
 * \throws InputError if that fails
 */
void
prepareFolder(const std::string& folder);

/** \brief A file that appears under its name only when it is complete.
 *
 * \code
 * OutputFile file("mesh.ply");
 * write(file.temporary());
 * file.commit();
 * \endcode
 * Until commit() the contents are in a hidden file of the same folder; the destructor and
 * an interrupt of the program remove it.
 */
class OutputFile {
public:
  /** \brief Chooses the temporary name; creates nothing yet.
   * \param[in] path the name to appear in the end
   * \throws InputError as checkWritable()
   */
  explicit OutputFile(const std::string& path);

  ~OutputFile();

  OutputFile(const OutputFile&) = delete;
  OutputFile&
  operator=(const OutputFile&) = delete;

  /** \brief The name to write to. */
  const std::string&
  temporary() const;

  /** \brief Puts the complete file in its place, over one that may be there.
   * \throws std::runtime_error if there is no such file, or it cannot be renamed
   */
  void
  commit();

  /** \brief Checks early that a file can be created, before hours of work are lost.
   * \param[in] path name of the future file
   * \throws InputError if its folder is missing or read-only, or \a path is a folder
   */
  static void
  checkWritable(const std::string& path);

  /** \brief From now on SIGINT, SIGTERM and SIGHUP remove unfinished files first. */
  static void
  discardOnSignals();

private:
  std::string path_;
  std::string temporary_;
  int slot_ = -1;
};

} // namespace pcl::gpu::apps
