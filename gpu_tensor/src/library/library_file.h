// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/gpu/tensor/tensor_library.h>

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

/** \brief Replaces parameters and models by those of a file; what TensorLibrary::load() does.
 * \param[in,out] library as it was if an exception is thrown
 * \param[in] source a file of library_format.h
 * \throws pcl::IOException naming the file and what is wrong with it
 */
void
loadLibrary(TensorLibrary& library, const ByteSource& source);

/** \brief Takes the next bytes of a file. */
using ByteSink = std::function<void(const void* bytes, std::size_t count)>;

/** \brief Writes a library in the format of library_format.h.
 * \throws whatever \a sink throws
 */
void
writeLibrary(const TensorLibrary& library, const ByteSink& sink);

} // namespace pcl::gpu
