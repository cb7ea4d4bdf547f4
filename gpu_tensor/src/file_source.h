// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

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

} // namespace pcl::gpu
