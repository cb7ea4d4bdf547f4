// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <functional>
#include <initializer_list>
#include <set>
#include <string>

namespace pcl::gpu::apps {

/** \brief Returns the extension of a file name with its dot, in lower case: ".ply" of
 * "a.PLY", and of ".ply" itself.
 * \param[in] path file name
 */
std::string
extensionOf(const std::string& path);

/** \brief Returns the name of one file of a sequence: "folder/image-0007.png".
 * \param[in] folder the file's folder
 * \param[in] name of a file without number; its folder is ignored
 * \param[in] number of the file
 */
std::string
numberedPath(const std::string& folder, const std::string& name, int number);

/** \brief Returns the path of a frame's file: FOLDER/000012.png.
 * \param[in] folder the file's folder
 * \param[in] number of the frame
 * \param[in] extension with its dot
 */
std::string
framePath(const std::string& folder, int number, const std::string& extension);

/** \brief Returns a name that no other input has, so that results of inputs from
 * several folders do not overwrite each other: "name", then "name-2", "name-3".
 * \param[in] name usual name
 * \param[in,out] used names of other inputs; receives this one
 */
std::string
uniqueName(const std::string& name, std::set<std::string>& used);

/** \brief Checks early that files can be created in a folder.
 * \param[in] folder created if it is missing; an empty name is ignored
 * \throws InputError if that fails
 */
void
prepareFolder(const std::string& folder);

/** \brief Checks early that files can be created, before hours of work are lost.
 * \param[in] paths names of the future files; empty ones are ignored
 * \throws InputError as checkWritable()
 */
void
checkOutputFiles(std::initializer_list<std::string> paths);

/** \brief Checks early that a file can be created, before hours of work are lost.
 * \param[in] path name of the future file
 * \throws InputError if its folder is missing or read-only, or \a path is a folder
 */
void
checkWritable(const std::string& path);

/** \brief Removes the unfinished files that killed processes left on file systems that
 * have no files without names (see AtomicFile).
 * \param[in] folder their folder; no process may be writing there
 */
void
removeUnfinished(const std::string& folder);

/** \brief Writes a file completely, or not at all.
 * \param[in] path the file
 * \param[in] write writes to the name that it gets, of a file in memory; returns
 * whether that worked
 * \throws InputError, std::runtime_error, pcl::IOException if it cannot be written
 */
void
writeFile(const std::string& path,
          const std::function<bool(const std::string& temporary)>& write);

/** \brief Writes a text file.
 * \param[in] path the file
 * \param[in] text its contents
 * \throws InputError, pcl::IOException if it cannot be written
 */
void
writeText(const std::string& path, const std::string& text);

} // namespace pcl::gpu::apps
