// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/pcl_exports.h>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace pcl::gpu {

/** \brief Reads the bytes of a file.
 * \param[in] file its name
 * \param[in] expectation the right contents, in words, for messages
 * \param[in] most number of bytes after which it stops
 * \return all bytes, or the first ones
 * \throws pcl::IOException naming the file, if it is a folder or cannot be read
 */
PCL_EXPORTS std::string
readFileBytes(const std::string& file,
              const std::string& expectation,
              std::size_t most = std::numeric_limits<std::size_t>::max());

/** \brief Returns a text without the byte order mark of UTF-8 that it may begin with.
 */
inline std::string_view
withoutByteOrderMark(std::string_view text)
{
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.substr(text.substr(0, mark.size()) == mark ? mark.size() : 0);
}

/** \brief Reads all of a text file, but a byte order mark of UTF-8 at its start.
 * \param[in] file its name
 * \return its contents
 * \throws pcl::IOException naming the file, if it is a folder or cannot be read
 */
PCL_EXPORTS std::string
readTextFile(const std::string& file);

} // namespace pcl::gpu
